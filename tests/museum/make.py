#!/usr/bin/env python3
"""Makes the exhibits of one release: make.py BINARY OUTDIR [NAME...], such as make.py estafette tests/museum/0.1.0.

What it makes is made ONCE, by the program that is released, and never changed afterwards: later programs must read,
fold, audit and go on with it (tests/it/museum.rs). Games are played through the daemon's own passes: mails are written
into `mail/in/new` as a mail program does, and `serve --once` reads them, with a clock and secrets that are fixed.
The players copy lines that their letters offer them, and write some that are no orders at all.

Exhibits of a release:
  NAME.jsonl      a bundle: of a finished game, or, where the name says so, of one that is on
  NAME/           a post office in mid-leg: config.toml, estafette.db, and the last letters; mails that nobody has read
                  yet lie in mail/in/new
  verdicts.tsv    a line for each bundle: name, what the release's own audit says (agrees, running), its rolls made again,
                  its entries of the chain, those that came out the same when it was played again; then the verdict of
                  tests/audit/verify.py in its words
  otherwise.txt   bundles of which rules that were corrected since play a part otherwise: a newer program's audit says of
                  them that they are not verified

The names say what happens in a game; GAMES below says it in full.
"""
import base64, email, email.policy, glob, json, os, pathlib, random, re, shutil, subprocess, sys, tempfile
from datetime import datetime, timedelta

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
STAFF = """kind: staff
%sseats:
- {seat: napoleon, side: french, commander: true}
- {seat: lannes, side: french, commands: [%s]}
- {seat: kutuzov, side: coalition}
- {seat: bagration, side: coalition, commands: [Bagration]}
"""
SHARED = STAFF % ("", "Lannes")
COURIERS = STAFF % ("couriers: {mp: 18, taken: 6, stopped: 0}\n", "Lannes")
OWN = STAFF % ("knowledge: own\ncouriers: {mp: 18, taken: 6, stopped: 0}\nsight: 0\n", "Gazan")
TRAVEL = STAFF % ("knowledge: own\ncouriers: {mp: 18, taken: 6, stopped: 0}\nsight: 2\ncommander_orders: travel\n", "Gazan")

# What happens besides the players' orders, by the number of the step at which it does: a line is the umpire's, a line
# behind `seat:` that seat's. `rewind` takes play back to the rest point in the middle of the list. `silent` lets the
# time of the stage run out; `stop` ends the exhibit there.
AMENDED = {6: "AMEND french AP 7 REASON a packet was lost\nAMEND french MORALE 1 REASON agreed",
           9: "RULING ¶242 TO french\nA repulse needs contact.\nEND RULING",
           12: "AMEND coalition INTEL E1 IS Lannes REASON a letter was found"}
FIATS = {5: "FIAT french initiative/lannes/move 1 REASON agreed\nFIAT french initiative/gazan/move 6 REASON agreed\n"
            "FIAT french initiative/mg_cav_f1/move 1 REASON agreed\nFIAT french attrition/gazan 6 REASON agreed",
         9: "FIAT coalition initiative/kutuzov/move 2 REASON agreed\nFIAT coalition initiative/bagration/move 1 REASON agreed",
         13: "FIAT sunshine 4 REASON nothing rolls that"}
AMENDED_AU = {4: "AMEND french CONTROL Pratzenberg REASON the marker was forgotten\nAMEND french FORM Vandamme/1 COLUMN REASON x",
              9: "RULING 9.1 TO allied\nGuns fire first.\nEND RULING"}
ALL = {**AMENDED, 7: "rewind", 15: "rewind", 10: "FIAT weather 2 REASON a dry autumn", 17: "french:UNDO\nDOCTRINE",
       19: "UMPIRE-NOTES", 21: "MESSAGE TO coalition\nYour sheet is late.\nEND MESSAGE"}
TALK = {5: "first:CHECK\nFORCE Lannes HOLD", 7: "second:PRESS TO umpire\nWhat of ¶242?\nEND PRESS\nHISTORY",
        9: "first:REPORT\nWHY 1\nORDERS", 12: "second:DEADLINE\nABSENT 3 Feb 5 Feb", 14: "first:UNDO", 16: "second:SUMMARY\nAUDIT"}
LATE = "deadline: 48h\nlate: %s\nreminder: 0\n"
DISPATCHES = {k: v for k, v in zip(range(6, 60, 5), ["lannes:DISPATCH TO napoleon\nI hold Rosenau.\nWhat of Gazan?\nEND DISPATCH",
              "napoleon:DISPATCH TO lannes\nMarch on Auhof.\nEND DISPATCH", "bagration:DISPATCH TO kutuzov\nThe enemy comes.\nEND DISPATCH"] * 4)}
C, T, F = "campaigns/teaching", "austerlitz1805/teaching", "austerlitz1805/fog-teaching"
# name: scenario, tempo, and what else: staff, options, acts by step, seed of the players, what becomes of it
GAMES = {
    "campaigns-live-talk": (C, "live", {"acts": TALK}),
    "campaigns-sealed": (C, "sealed", {"asks": True}),
    "campaigns-own-sealed": (C, "sealed", {"staff": TRAVEL, "acts": DISPATCHES}),
    "campaigns-rewind": (C, "live", {"acts": {10: "rewind", 20: "rewind"}}),
    "campaigns-rewind-sealed": (C, "sealed", {"acts": {9: "rewind"}}),
    "campaigns-amend-ruling": (C, "live", {"acts": AMENDED}),
    "campaigns-fiat": (C, "live", {"acts": FIATS}),
    "campaigns-judged": (C, "live", {"asks": True, "acts": {3: "OPTION kriegsspiel on"}}),
    "campaigns-become-resign": (C, "live", {"acts": {6: "become", 9: "second:resign"}}),
    "campaigns-stand-in": (C, "live", {"options": LATE % "stand-in", "acts": {4: "first:STANDIN grouchy@example.org", 5: "second:STANDIN blucher@example.org", 7: "silent", 12: "silent"}}),
    "campaigns-couriers": (C, "live", {"staff": COURIERS, "acts": DISPATCHES}),
    "campaigns-own-travel": (C, "live", {"staff": TRAVEL, "acts": {**DISPATCHES, 13: "lannes:resign"}}),
    "campaigns-all": (C, "live", {"acts": ALL}),
    "austerlitz-live": (T, "live", {}),
    "austerlitz-sealed": (T, "sealed", {}),
    "austerlitz-rewind": (T, "live", {"acts": {6: "rewind", 12: "rewind"}}),
    "austerlitz-amend-ruling": (T, "live", {"acts": AMENDED_AU}),
    "austerlitz-fog-sealed": (F, "sealed", {}),
    "austerlitz-fog-as-french": (F + "-as-french", "live", {}),
    # Games that are on, as their umpire, a seat and anybody may have them.
    "campaigns-running": (C, "live", {"acts": {14: "stop"}, "running": ["umpire", "french", None], "asks": True}),
    "campaigns-running-sealed": (C, "sealed", {"acts": {9: "stop"}, "running": ["coalition", None]}),
    "campaigns-running-own": (C, "live", {"staff": TRAVEL, "acts": {**DISPATCHES, 22: "stop"}, "running": ["lannes"]}),
    "austerlitz-running": (T, "live", {"acts": {8: "stop"}, "running": ["allied", None]}),
    "austerlitz-running-fog": (F, "live", {"acts": {8: "stop"}, "running": ["umpire", "french"]}),
    # Post offices in mid-leg; the last mails of the players wait unread.
    "campaigns-db-question": (C, "live", {"asks": True, "acts": {"ask": "office"}}),
    "campaigns-db-sealed": (C, "sealed", {"acts": {9: "office"}}),
    "campaigns-db-rewind-fiat": (C, "live", {"acts": {9: "rewind", 13: "FIAT weather 2 REASON x\nAMEND french AP 7 REASON x", 14: "office"}}),
    "campaigns-db-own": (C, "live", {"staff": TRAVEL, "acts": {**DISPATCHES, 17: "office"}}),
    "campaigns-db-signing-on": (C, "live", {"acts": {1: "office"}}),
    "austerlitz-db-live": (T, "live", {"acts": {7: "office"}}),
    "austerlitz-db-fog": (F, "live", {"acts": {6: "office"}}),
}
TWO = "beacon: none\ndeadline: 48h\n"
# The same by dice protocol 2: `make.py BINARY tests/museum/0.1.0-dice2 two`.
GAMES_TWO = {
    "campaigns-two-running": (C, "live", {"options": TWO, "acts": {14: "stop"}, "running": ["umpire", "french", None]}),
    "austerlitz-two-running": (T, "live", {"options": TWO, "acts": {8: "stop"}, "running": ["allied"]}),
    "campaigns-two-rewind": (C, "live", {"options": TWO, "acts": {10: "rewind", 20: "rewind"}}),
    "austerlitz-two-fog-sealed": (F, "sealed", {"options": TWO}),
    "campaigns-two-couriers": (C, "live", {"options": TWO, "staff": COURIERS, "acts": DISPATCHES}),
}
GARBLED = ["force murat gallop to hollabrun", "FORCE Lannes COMMAND MARCH ROAD TO 9999", "SP 99 FROM nobody TO somebody",
           "# only a remark", "ATTACK 0705 WITH Gazan", "DETACH Oudinot", "FLOOR AP 3", "VEDETTE 9 MARCH 0101"]
GARBLED_AU = ["MOVE Nobody/9 1UM", "FORM Vandamme/1 SQUARE", "MOVE Vandamme/1 TOWARD Pratzen 99UM", "hurrah",
              "CHARGE Caramelli AT Vandamme/3", "BACK Vandamme/2 0.5UM"]
LINES = re.compile(r"^  ([A-Z][A-Z]+ .*|END)$")


class Played:
    """One game at one post office, and who plays it."""

    def __init__(self, binary, name, work):
        self.binary, self.name, self.dir = binary, name, os.path.join(work, name)
        scenario, self.tempo, self.more = {**GAMES, **GAMES_TWO}[name]
        self.campaign = scenario.startswith("campaigns")
        self.now, self.sent, self.game = datetime(2026, 1, 1), 0, "museum-1"
        self.dice = random.Random(f"{name} {self.more.get('seed', '')}")
        master = "%064x" % random.Random(name).getrandbits(256)
        if self.more.get("staff"):
            self.seats = ["napoleon", "lannes", "kutuzov", "bagration"]
        elif scenario.endswith(("-as-french", "-as-allied")):
            self.seats = [scenario.rsplit("-", 1)[1]]
        else:
            self.seats = ["french", "coalition" if self.campaign else "allied"]
        self.address = {seat: f"{seat}@example.org" for seat in [*self.seats, "umpire"]}
        self.run("init", "--dir", self.dir)
        pathlib.Path(self.dir, "config.toml").write_text('address = "post@example.org"\nreminder_hours = 0\n')
        args = ["--game", self.game, "--scenario", str(ROOT / "scenarios" / (scenario + ".yaml")), "--tempo", self.tempo,
                "--umpire", self.address["umpire"], "--master-hex", master]
        for seat in self.seats:
            args += ["--seat", f"{seat}={self.address[seat]}"]
        for kind in ("staff", "options"):
            if self.more.get(kind):
                path = os.path.join(work, f"{name}.{kind}.yaml")
                pathlib.Path(path).write_text(self.more[kind])
                args += [f"--{kind}", path]
        if not self.more.get("options"):
            args += ["--deadline", "48h"]
        self.run("new", "--dir", self.dir, *args)
        self.serve()

    def run(self, *args, may_fail=False):
        env = {**os.environ, "ESTAFETTE_CLOCK": self.now.strftime("%Y-%m-%dT%H:%M:%SZ")}
        done = subprocess.run([self.binary, *args], env=env, capture_output=True, text=True)
        if done.returncode and not may_fail:
            sys.exit(f"{self.name}: {args}: {done.stdout}{done.stderr}")
        return done

    def serve(self):
        self.run("serve", "--dir", self.dir, "--once")

    def letters(self):
        return sorted(glob.glob(self.dir + "/mail/out/new/*"))

    def last(self, address):
        """The last letter of the game to an address: its subject and its text."""
        for path in reversed(self.letters()):
            mail = email.message_from_bytes(pathlib.Path(path).read_bytes(), policy=email.policy.default)
            # The first release named the game in the tag; later ones before it, where there is room.
            if mail["To"] == address and "[" in mail["Subject"]:
                return mail["Subject"], mail.get_body(("plain",)).get_content()
        return None

    def write(self, address, body, serve=True):
        subject, _ = self.last(address)
        self.sent += 1
        self.now += timedelta(minutes=7)
        head = {"From": f"<{address}>", "To": "<post@example.org>", "Subject": f"Re: {subject}",
                "Message-ID": f"<{self.sent}.{self.name}@example.org>", "Date": self.now.strftime("%a, %d %b %Y %H:%M:%S +0000"),
                "MIME-Version": "1.0", "Content-Type": "text/plain; charset=utf-8", "Content-Transfer-Encoding": "8bit"}
        raw = "".join(f"{key}: {value}\r\n" for key, value in head.items()) + "\r\n" + body.replace("\n", "\r\n") + "\r\n"
        new = pathlib.Path(self.dir, "mail/in/tmp", f"{self.sent:06}")
        new.write_bytes(raw.encode())
        os.rename(new, pathlib.Path(self.dir, "mail/in/new", f"{self.sent:06}"))
        if serve:
            self.serve()
        return self.last(address)[1]

    def status(self):
        return json.loads(self.run("status", "--dir", self.dir, "--json").stdout)[0]

    def offered(self, seat):
        """Lines that a seat's own report offers to copy: of its questions, and marches of its maps."""
        report = self.run("report", "--dir", self.dir, self.game, "--seat", seat, may_fail=True).stdout
        asked, maps = [], []
        part = ""
        for line in report.splitlines():
            if re.match(r"^[A-Z]", line):
                part = line
            found = LINES.match(line)
            if found and part.startswith("QUESTION") and found[1] != "END":
                asked.append(found[1])
            elif found and part.startswith("MAP") and found[1].startswith("FORCE"):
                maps.append(found[1])
        return asked, maps, report

    def orders(self, due):
        seat, (asked, maps, report) = due["seat"], self.offered(due["seat"])
        if due["address"].startswith("ask/"):
            # A later line of a letter may belong to another question: each is tried until one is taken.
            return self.dice.choice(asked) if asked else "END"
        pick = self.dice.sample(asked, min(len(asked), self.dice.randint(1, 4) if self.campaign else self.dice.randint(3, 9)))
        pick += self.dice.sample(maps, min(len(maps), self.dice.randint(0, 2)))
        if self.campaign and self.dice.random() < 0.9:
            towns = re.findall(r"^  E\d+.*? (\d{4})  ", report, re.M) or ["0705"]
            for code in re.findall(r"^[A-H]   ([A-Z0-9]{3}) ", report, re.M)[:2]:
                pick.append(f"FORCE {code} {self.dice.choice(['COMMAND', 'INITIATIVE'])} MARCH ROAD TO {self.dice.choice(towns)}")
            pick.append(f"ATTACK {self.dice.choice(towns)}")
        if self.dice.random() < 0.35:
            pick.append(self.dice.choice(GARBLED if self.campaign else GARBLED_AU))
        if self.dice.random() < 0.1:
            pick.append(self.dice.choice(["DOCTRINE", "PRESS TO umpire\nAll well.\nEND PRESS"]))
        self.dice.shuffle(pick)
        return "\n".join([*pick, "END"])

    def wait(self, hours):
        """Time goes by under a post office that is open: closed for long, it would lengthen its deadlines."""
        while hours > 0:
            self.now += timedelta(hours=min(hours, 5))
            hours -= 5
            self.serve()

    def umpire(self, body):
        return self.write(self.address["umpire"], body)

    def act(self, act, status):
        mover = status["due"][0]["seat"] if status["due"] else self.seats[0]
        if act == "silent":
            self.wait(49)
        elif act == "rewind":
            numbers = [int(n) for n in re.findall(r"^ +(\d+)  ", self.umpire("REWIND"), re.M)]
            said = self.umpire(f"REWIND {max(1, max(numbers, default=2) // 2)} REASON a wrong road was read")
            said = " ".join(said.split())
            assert "play goes on from" in said or "play has gone back" in said, said
        elif act == "become":
            self.umpire(f"BECOME {mover} REASON he is in hospital\n{self.orders(status['due'][0])}\nEND BECOME")
        elif act.endswith(":resign"):
            seat = self.seat(act.split(":")[0])
            code = re.search(r"CONFIRM\s+(\S+)", self.write(self.address[seat], "RESIGN"))
            self.write(self.address[seat], f"CONFIRM {code[1]}")
        elif re.match(r"[a-z]+:", act):
            seat, body = act.split(":", 1)
            self.write(self.address[self.seat(seat)], body)
        else:
            self.umpire(act)

    def seat(self, word):
        return {"first": self.seats[0], "second": self.seats[-1]}.get(word, word)

    def play(self):
        """Plays on until the game is over or the exhibit is to be taken; says which."""
        acts, before, same = dict(self.more.get("acts", {})), None, 0
        for seat in self.seats:
            if acts.get(self.sent) == "office":
                return self.office({"seat": seat}, f"SIGNON\nNONCE the words of {seat}\nEND")
            asks = (["TYPE", "CONTACT", "PURSUE"] if self.campaign else ["SQUARE", "ADVANCE"]) if self.more.get("asks") else []
            self.write(self.address[seat], f"SIGNON\nNONCE the words of {seat}\n" + "".join(f"DOCTRINE {key} ASK\n" for key in asks))
        for step in range(3, 250):
            status = self.status()
            if status["state"] == "over":
                return "over"
            assert status["state"] == "playing", status
            act = acts.pop(step, None)
            if act == "stop":
                return "stop"
            due = status["due"][0] if status["due"] else None
            kind = due["address"].split("/")[0] if due else ""
            asked = "judge" if due and due["seat"] == "umpire" else kind
            if act == "office" or asked in acts:
                return self.office(due)
            if act is not None:
                self.act(act, status)
                continue
            same = same + 1 if due == before else 0
            before = due
            if due is None or same > 3:
                self.wait(49)
            elif due["seat"] == "umpire":
                self.umpire(self.dice.choice(["JUDGE TABLES", "JUDGE TABLES", "JUDGE 3 4"]))
            else:
                self.write(self.writer(due["seat"]), self.orders(due))
        sys.exit(f"{self.name}: the game comes to no end")

    def writer(self, seat):
        """Who writes for a seat: whoever of those who may got its last letter, its stand-in before its player."""
        newest = {}
        for path in self.letters():
            mail = email.message_from_bytes(pathlib.Path(path).read_bytes(), policy=email.policy.default)
            if f"[{self.game}/{seat}/" in mail["Subject"] or mail["To"] == self.address[seat]:
                newest[mail["To"]] = (os.path.basename(path).split(".")[0], mail["To"] != self.address[seat])
        return max(newest, key=newest.get)

    def office(self, due, words=None):
        """Two mails wait unread when the post office is taken: one of the seat on move, one of another."""
        if due is not None and due["seat"] in self.address:
            self.write(self.address[due["seat"]], words or self.orders(due), serve=False)
        other = next((seat for seat in self.seats if due is None or seat != due["seat"]), None)
        if other and words is None:
            self.write(self.address[other], "REPORT\nHISTORY", serve=False)
        return "office"

    def export(self, path, seat=None):
        self.run("audit", "--dir", self.dir, self.game, "--export", path, *(["--seat", seat] if seat else []))

    def keep_office(self, to):
        shutil.rmtree(to, ignore_errors=True)
        for folder in ("in/new", "in/cur", "in/tmp", "out/new", "out/cur", "out/tmp"):
            os.makedirs(f"{to}/mail/{folder}")
        shutil.copy(self.dir + "/config.toml", to)
        self.run("backup", "--dir", self.dir, to + "/estafette.db")
        for path in glob.glob(self.dir + "/mail/in/new/*"):
            shutil.copy(path, to + "/mail/in/new")
        newest = {}
        for path in self.letters():
            mail = email.message_from_bytes(pathlib.Path(path).read_bytes(), policy=email.policy.default)
            newest[mail["To"]] = path
        for path in newest.values():
            shutil.copy(path, to + "/mail/out/new")
        pathlib.Path(to, "clock.txt").write_text(self.now.strftime("%Y-%m-%dT%H:%M:%SZ") + "\n")


def verdict(binary, path, name, running):
    done = subprocess.run([binary, "audit", "--bundle", path, "--json"], capture_output=True, text=True)
    found = json.loads(done.stdout)
    # A game that is on is open: exit code 4.
    assert done.returncode == (4 if running else 0) and not found["faults"], (name, found)
    assert running or found["replayed"], (name, found)
    script = subprocess.run([sys.executable, str(ROOT / "tests/audit/verify.py"), path], capture_output=True, text=True)
    assert script.returncode == (4 if running else 0), (name, script.stdout)
    word = "running" if running else "agrees"
    return [name, word, found["rolls"], found["entries"], found["replayed"] or "-", script.stdout.strip()]


def make(binary, out, name, work):
    game = Played(binary, name, work)
    end = game.play()
    running = game.more.get("running")
    if end == "office":
        game.keep_office(os.path.join(out, name))
        return []
    assert (end == "stop") == (running is not None), (name, end)
    lines = []
    for seat in running or [None]:
        of = name + (f"-{seat or 'public'}" if running else "")
        path = os.path.join(out, of + ".jsonl")
        game.export(path, seat)
        lines.append(verdict(binary, path, of, running))
    return lines


def main(binary, out, names):
    os.makedirs(out, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        lines = []
        for name in (GAMES_TWO if names == ["two"] else names or GAMES):
            lines += make(binary, out, name, work)
            print(name, flush=True)
    table = pathlib.Path(out, "verdicts.tsv")
    text = "".join("\t".join(map(str, line)) + "\n" for line in lines)
    if names in ([], ["two"]):
        table.write_text(text)
    else:
        print(text)


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3:])
