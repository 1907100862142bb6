#!/usr/bin/env python3
"""Recomputes every die of an audit bundle: python3 verify.py BUNDLE [--head]. Exits 1 if anything differs, and 4 if nothing does
but the game is on, or mails that came in are there without their bytes: only 0 says that all was there and agrees.
With --head it says the root, to compare with your opening mail, and the chain's head. Fiats it names on standard error.
Written from the dice protocols, versions 1 and 2, alone; needs nothing beside Python. Signatures of the beacon are checked
where py_ecc is installed; else that is said, and nothing is called verified (exit code 4)."""
import base64, calendar, email, email.policy, hashlib, hmac, html, json, re, struct, sys, time, unicodedata

FIELDS = {  # what a line of each kind has; in the second half, what it may have
    "game": ("id ruleset scenario engine tempo seats sides", "salt master files protocol"), "commit": ("slot scope commit", ""),
    "terms": ("text", ""), "notice": ("no", "text value salt words master"), "root": ("root", "from epoch"), "nonce": ("seat nonce", ""), "seed": ("slot scope seed", ""),
    "roll": ("slot scope label n sides dice", "fiat"), "mail": ("direction seat message_id sha256", "raw"),
    "event": ("seq prev hash slot entry body", "")}
ONCE = {"commit": "slot scope", "seed": "slot scope", "nonce": "seat", "roll": "slot scope label n",
        "mail": "direction seat message_id sha256", "event": "seq", "game": "kind", "terms": "kind", "notice": "no"}

KINDS = {  # what an entry of the chain may have; None: all of it is compared by who knows the rules
    **dict.fromkeys(("event", "given", "input", "sight", "post.options")), "line": "seat text no outcome", "rest": "ruleset version stage",
    "rewind": "rest slot", "roll": "scope label n sides dice fiat owner", "post.absent": "seat days", "post.address": "seat back",
    "post.asked": "why", "post.commit": "root lines", "post.corrupt": "why", "post.due": "seat address at was why done",
    "post.epoch": "epoch backup_at mails", "post.extend": "seat why", "post.game": "id ruleset version scenario tempo seats",
    "post.hash": "no seat hash", "post.hold": "at", "post.house": "seat why", "post.ledger": "at by class touches text reason input",
    "post.mail": "direction seat number message_id sha256 paper seal at", "post.notice": "no text", "post.observer": "seat left",
    "post.option": "key value", "post.outage": "from to", "post.over": "master masters", "post.pause": "at until",
    "post.plan": "no why slots asked", "post.proceed": "at", "post.program": "program ruleset version rules schema",
    "post.recall": "seat at why", "post.release": "at", "post.replace": "seat address by",
    "post.restored": "epoch backup_at mails from root", "post.resume": "at why", "post.salt": "no salt", "post.seed": "slot scope seed",
    "post.signon": "seat nonce message_id hash absent", "post.stand-in": "seat by why", "post.vacant": "seat", "post.value": "no value",
    "post.withdrawn": "direction seat number message_id sha256", "post.words": "no seat words"}

UNCHECKED = []  # rounds of the beacon whose signatures could not be checked
GENESIS, PERIOD = 1692803367, 3  # of drand's quicknet

def words(key):  # ChaCha20 (RFC 8439) with a zero nonce, as 32-bit words; the counter is 64 bits and starts at 0
    rot = lambda v, n: ((v << n) | (v >> (32 - n))) & 0xFFFFFFFF
    block = 0
    while True:
        start = [0x61707865, 0x3320646E, 0x79622D32, 0x6B206574, *struct.unpack("<8I", key),
                 block & 0xFFFFFFFF, block >> 32, 0, 0]
        x = start[:]
        for _ in range(10):
            for a, b, c, d in ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
                               (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)):
                for to, by, mix, turn in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
                    x[to] = (x[to] + x[by]) & 0xFFFFFFFF
                    x[mix] = rot(x[mix] ^ x[to], turn)
        yield from ((v + s) & 0xFFFFFFFF for v, s in zip(x, start))
        block += 1

def joined(*parts):  # version 2: every part with its length before it
    parts = [part.encode() if isinstance(part, str) else part for part in parts]
    return b"".join(struct.pack(">I", len(part)) + part for part in parts)

def digest(*parts):
    return hashlib.sha256(joined(*parts)).digest()

def keyed(key, *parts):
    return hmac.digest(key, joined(*parts), "sha256")

def round_value(no, signature):  # the 32 bytes of a round of drand's quicknet, or None where it is not its signature
    key = bytes.fromhex("83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451"
                        "0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a")
    try:
        from py_ecc.bls.hash_to_curve import hash_to_G1
        from py_ecc.bls.point_compression import decompress_G1, decompress_G2
        from py_ecc.optimized_bls12_381 import G2, curve_order, is_inf, multiply, pairing
    except ImportError:
        print(f"py_ecc is not installed: the signature of round {no} is not checked", file=sys.stderr)
        UNCHECKED.append(no)
        return hashlib.sha256(signature).digest()
    try:
        point = decompress_G1(int.from_bytes(signature, "big"))
        if len(signature) != 48 or is_inf(point) or not is_inf(multiply(point, curve_order)):
            return None
        message = hashlib.sha256(struct.pack(">Q", no)).digest()
        hashed = hash_to_G1(message, b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_", hashlib.sha256)
        public = decompress_G2((int.from_bytes(key[:48], "big"), int.from_bytes(key[48:], "big")))
        return hashlib.sha256(signature).digest() if pairing(G2, point) == pairing(public, hashed) else None
    except (ValueError, AssertionError):
        return None

def key_of(seed, salt, label, n, two):
    if two:
        return keyed(seed, "estafette/2/roll", salt, label, struct.pack(">I", n))
    return hmac.digest(seed, b"estafette/roll/v1\0" + salt + label.encode() + b"\0" + struct.pack(">I", n), "sha256")

def dice(key, count, sides):
    limit = 2**32 // sides * sides
    fair = (word % sides + 1 for word in words(key) if word < limit)
    return [next(fair) for _ in range(count)]

NUMBERS = set("seq slot slots n no sides dice from number version schema protocol".split())

def named(pairs):  # Python takes false for 0, true for 1, and the last of two that have one name
    is_truth = lambda value: any(v is True or v is False for v in (value if isinstance(value, list) else [value]))
    odd = [name for name, value in pairs if name in NUMBERS and is_truth(value)]
    if odd or len(dict(pairs)) < len(pairs):
        raise ValueError(f"a name stands twice, or {odd} should be numbers")
    return dict(pairs)

def parsed(text):
    def odd(number):
        raise ValueError(f"{number} is no whole number")
    return json.loads(text, object_pairs_hook=named, parse_float=odd, parse_constant=odd)

def lines_of(path):  # every line, and what is wrong with each by itself
    lines, faults, seen = [parsed(line) for line in open(path, encoding="utf-8") if line.strip()], [], set()
    for line in lines:
        must, may = (fields.split() for fields in FIELDS.get(line["kind"], ("", "")))
        if line["kind"] not in FIELDS or not set(must) <= set(line) - {"kind"} <= {*must, *may}:
            faults.append(f"a line of kind {line['kind']} has other fields than {must}")
        named = [line["kind"], *(line.get(field) for field in ONCE.get(line["kind"], "").split())]
        if line["kind"] in ONCE and str(named) in seen:
            faults.append(f"it is there twice: {named}")
        seen.add(str(named))
    return lines, faults

def seed_of(master, game, epoch, slot, scope):  # after a restore, the name of its epoch is mixed in
    head = b"estafette/seed/v1/epoch\0" + epoch.encode() + b"\0" if epoch else b"estafette/seed/v1\0"
    text = head + game.encode() + b"\0" + struct.pack(">I", slot) + b"\0" + scope.encode()
    return hmac.digest(bytes.fromhex(master), text, "sha256").hex()

def notices(game, of, faults):  # version 2: the slots, salt and master of each notice
    terms = [t["text"] for t in of("terms")]
    if len(terms) != 1:
        faults.append(f"there are {len(terms)} texts of terms")
    terms, told, roots, found = "".join(terms[:1]), of("notice"), of("root"), []
    fields = lambda name: [line[len(name) + 1:] for line in terms.splitlines() if line.startswith(name + " ")]
    kept = [fields("game"), fields("tempo"), fields("ruleset"), fields("side"), [f.rsplit(" ", 1)[0] for f in fields("seat")]]
    if [[game["id"]], [game["tempo"]], [game["ruleset"] + " " + game["engine"]], game["sides"], game["seats"]] != kept:
        faults.append("the terms are not those of the game")
    starts = [r.get("from", 0) for r in roots]
    ends = [start - 1 for start in starts[1:]] + [max((c["slot"] for c in of("commit")), default=0)]
    if not told or len(told) != len(roots) or starts[0] != 0 or any(e < s for s, e in zip(starts, ends)):
        faults.append("the notices do not commit all slots from 0 on")
    scopes = ["public", *game["sides"], "hidden"]
    slots = [(slot, scope) for s, e in zip(starts, ends) for slot in range(s, e + 1) for scope in scopes]
    if slots != [(c["slot"], c["scope"]) for c in of("commit")]:
        faults.append("the commitments are not those of each slot and scope")
    for no, (notice, root, start, end) in enumerate(zip(told, roots, starts, ends)):
        under = "".join(f"{c['slot']} {c['scope']} {c['commit']}\n" for c in of("commit") if start <= c["slot"] <= end)
        if root["root"] != digest("estafette/2/root", terms, under).hex() or notice["no"] != no:
            faults.append(f"notice {no}: the root is not that of terms and commitments")
        text, given, words, value = notice.get("text"), dict(notice.get("words", [])), [], b""
        lines = (text or "").splitlines()
        if text and lines[:4] != [f"notice {no}", f"game {game['id']}", f"root {root['root']}", f"slots {start} {end}"]:
            faults.append(f"notice {no}: its text is not that of its root and slots")
        nonces = [line[6:].rsplit(" ", 2) for line in lines if line.startswith("nonce ")]
        if text and [n[0] for n in nonces] != game["seats"]:
            faults.append(f"notice {no}: it does not name each seat once")
        for seat, kind, said in nonces:
            words += [seat, given.pop(seat, "").strip()]
            if (kind == "none") != (words[-1] == "") or kind != "none" and hashlib.sha256(words[-1].encode()).hexdigest() != said:
                if notice.get("salt") or words[-1]:
                    faults.append(f"notice {no}: the words of {seat} are not those of its hash")
        if given or len(dict(notice.get("words", []))) != len(notice.get("words", [])):
            faults.append(f"notice {no}: there are words of {list(given)} or others twice, which gave none")
        source = lines[-1].split(" ", 2) if lines else ["source", "none"]
        if notice.get("value") is not None:
            value = bytes.fromhex(notice["value"])
            value = round_value(int(source[2]), value) if source[1] == "quicknet" else value
            if value is None or source[1] == "none":
                faults.append(f"notice {no}: the value is not that of its source")
        if notice.get("salt") and (source[1] != "none" and not value
                                   or notice["salt"] != digest("estafette/2/salt", text or "", *words, value or b"").hex()):
            faults.append(f"notice {no}: the salt is not that of its words and value")
        found.append((start, end, bytes.fromhex(notice.get("salt") or ""), bytes.fromhex(notice.get("master") or "")))
    if told and told[0].get("master"):
        blind = keyed(bytes.fromhex(told[0]["master"]), "estafette/2/blind", game["id"])
        files = hashlib.sha256(b"".join(p.encode() + b"\0" + t.encode() + b"\0" for p, t in game.get("files", []))).digest()
        if fields("scenario") != [keyed(blind, "estafette/2/scenario", files).hex()]:
            faults.append("the scenario is not the one that the terms seal")
        if not all(master for _, _, _, master in found):
            faults.append("a master is missing")
    return found

def chain(game, of, faults):  # each entry follows from the one before; rolls, mails and the game line are the chain's
    before, bodies = "0" * 64, [(event["entry"], parsed(event["body"]), event) for event in of("event")]
    for at, (_, _, event) in enumerate(bodies, 1):
        parts = "\0".join(["estafette/log/v1", event["prev"], str(event["slot"]), event["entry"], event["body"]])
        if (event["seq"], event["prev"], event["hash"]) != (at, before, hashlib.sha256(parts.encode()).hexdigest()):
            faults.append(f"entry {event['seq']} of the chain does not follow from the one before")
        before = event["hash"]
    began = bodies[0][1]
    told = [game[field] for field in ("id", "ruleset", "engine", "scenario", "tempo", "seats")]
    kept = [began.get("id"), began.get("ruleset"), str(began.get("version")), began.get("scenario"), began.get("tempo")]
    if bodies[0][0] != "post.game" or told != kept + [began["seats"][:len(game["seats"])]]:
        faults.append("the game is not that of the chain")
    scope = lambda of: of["of"] if isinstance(of, dict) else of
    roll = lambda r, slot: [slot, scope(r["scope"]), *(r[field] for field in ("label", "n", "sides", "dice")), r.get("fiat", False)]
    if [roll(r, r["slot"]) for r in of("roll")] != [roll(b, e["slot"]) for kind, b, e in bodies if kind == "roll"]:
        faults.append("the rolls are not those of the chain")
    mail = lambda m: tuple(m.get(field) for field in ("direction", "seat", "message_id", "sha256"))
    mails = set()
    for kind, body, _ in bodies:
        mails = mails | {mail(body)} if kind == "post.mail" else mails - {mail(body)} if kind == "post.withdrawn" else mails
    if mails != {mail(m) for m in of("mail")}:
        faults.append("the mails are not those of the chain")
    if game.get("files"):
        files = b"".join(path.encode() + b"\0" + text.encode() + b"\0" for path, text in game["files"])
        if hashlib.sha256(files).hexdigest() != game["scenario"]:
            faults.append("the scenario's files are not those of its digest")
    over = [b for kind, b, _ in bodies if kind == "post.over"]
    if over and not game.get("files"):
        faults.append("the game is over, and the scenario's files are missing")
    if over and "master" not in game and not all(n.get("master") for n in of("notice") or [{}]):
        faults.append("the game is over, and the master is not shown")
    said = {n["no"]: [n.get("text"), n.get("value"), n.get("salt")] for n in of("notice")}
    told = {no: [None] * 3 for no in said}
    for kind, body, _ in bodies:
        if game.get("protocol") == 2 and kind in ("post.notice", "post.value", "post.salt"):
            name = kind[5:].replace("notice", "text")
            place = told.setdefault(body["no"], [None] * 3)
            place[["text", "value", "salt"].index(name)] = body[name]
    if said != told or over and said and over[0].get("masters") != [n.get("master") for n in of("notice")]:
        faults.append("the notices are not those of the chain")
    entries(game, of, bodies, faults)
    orders(of, bodies, faults)
    if game.get("protocol") == 2 and all(n.get("master") for n in of("notice")):
        seals(game, of, bodies, faults)
    return before

def programs(game, of, all_of, faults):  # the first is the one of the terms, none is older than the one before; the options
    terms, before = "".join(t["text"] for t in of("terms")).splitlines(), int(game["engine"])
    for at, (body, event) in enumerate(all_of("post.program")):
        if body["ruleset"] != game["ruleset"] or body["version"] < before:
            faults.append(f"entry {event['seq']}: no such program plays on in this game")
        if not at and terms and (not {f"rules {body['rules']}", "rules -"} & set(terms) or str(body["version"]) != game["engine"]):
            faults.append(f"entry {event['seq']}: the first program is not the one of the terms")
        schema, last = body["schema"], [body[field] for field in ("program", "version", "rules")]
        if at and (schema < steps or last == named_before) or not body["program"]:
            faults.append(f"entry {event['seq']}: it names the program that played before it, or none that is")
        before, steps, named_before = body["version"], schema, last
    named = [line for line in terms if line.startswith("options ")]
    first = [event["seq"] for _, event in all_of("post.program") + all_of("post.commit")]
    kept = [hashlib.sha256(event["body"].encode()).hexdigest() for _, event in all_of("post.options")]
    # Where the program is named before the root is published, the digest is over what the chain says.
    if terms and first and first[0] == min(first) and all_of("post.program") and named != [f"options {kept[0] if kept else '-'}"]:
        faults.append("the options are not those of the terms")

def entries(game, of, bodies, faults):  # what the entries of the chain say of each other and of the bundle's other lines
    for kind, body, event in bodies:
        if kind not in KINDS or KINDS[kind] is not None and not set(body) <= set(KINDS[kind].split()):
            faults.append(f"entry {event['seq']} ({kind}) is of an unknown kind, or has a field too many")
    all_of = lambda kind: [(body, event) for k, body, event in bodies if k == kind]
    signs = [(b["seat"], b.get("message_id")) for b, _ in all_of("post.signon") if "absent" not in b]
    if len(signs) != len(set(signs)):
        faults.append("a seat signs on again with the same mail")
    for kind in ("post.game", "post.commit", "post.over", "post.options"):
        if len(all_of(kind)) > 1:
            faults.append(f"there is more than one {kind}")
    now = ""  # time never runs backwards, but for a restore
    for kind, body, event in bodies:
        at = said_at(kind, body)
        if at and at < now:
            faults.append(f"entry {event['seq']}: it was {now} before it, and is {at}")
        now = "" if kind in ("post.restored", "post.epoch") else at or now
    if game.get("protocol", 1) not in (1, 2):
        faults.append("the dice protocol is unknown")
    # The post office writes in the slot of play: that of the rules' entry before it, or of the one behind it.
    ruled = [event["slot"] for kind, _, event in bodies if not kind.startswith("post.")]
    behind = [*ruled, ruled[-1] + 1 if ruled else 0]
    seen = 0
    for kind, body, event in bodies:
        if kind.startswith("post."):
            # Version 1 plays again in spare slots: only who plays the game knows in which it stands.
            if game.get("protocol", 1) == 2 and event["slot"] not in {behind[max(seen - 1, 0)], behind[seen]}:
                faults.append(f"entry {event['seq']} ({kind}) stands in slot {event['slot']}, and play does not")
        else:
            seen += 1
    programs(game, of, all_of, faults)
    over, open_dues = all_of("post.over"), {}
    for body, event in all_of("post.due"):
        due = (body["seat"], body["address"])
        if due[0] not in game["seats"] and not due[0].startswith("umpire") or body.get("done", True) is not True:
            faults.append(f"entry {event['seq']}: {due} is due from no seat of the game, or not done")
        if any(at and not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", at) for at in (body.get("at"), body.get("was"))):
            faults.append(f"entry {event['seq']}: {due} is due at what is no time")
        if body.get("done") and due not in open_dues or not body.get("done") and open_dues.get(due) != body.get("was"):
            faults.append(f"entry {event['seq']}: {due} was never due, or at another time")
        open_dues[due] = body.get("at")
        if body.get("done"):
            del open_dues[due]
    told, tellable = {}, {"public", *game["sides"]}
    for body, event in all_of("post.seed"):
        if body["scope"] in told.setdefault(body["slot"], {}):
            faults.append(f"entry {event['seq']} tells a seed again")
        told[body["slot"]][body["scope"]] = body["seed"]
    if any(set(seeds) != tellable for seeds in told.values()) or over and {e["slot"] for _, e in all_of("roll")} - set(told):
        faults.append("a seed of a slot was never told")
    if any(told.get(s["slot"], {}).get(s["scope"], s["seed"]) != s["seed"] for s in of("seed")):
        faults.append("a seed is not the one that was told")
    starts = [r.get("from", 0) for r in of("root")] + [2**32] * 2
    under = sum(c["slot"] < starts[1] for c in of("commit"))
    if [(b["root"], b["lines"]) for b, _ in all_of("post.commit")] != [(r["root"], under) for r in of("root")[:1]]:
        faults.append("the first root is not the one that was published")
    kept = [(b["root"], b.get("from", 0), b.get("epoch", "")) for k, b, _ in bodies if k in ("post.commit", "post.restored") and "root" in b]
    if game.get("protocol", 1) == 1 and kept != [(r["root"], r.get("from", 0), r.get("epoch", "")) for r in of("root")]:
        faults.append("the roots are not those that were published")
    if game.get("protocol", 1) == 1 and [b["salt"] for b, _ in all_of("post.salt")] != ([game["salt"]] if game.get("salt") else []):
        faults.append("the salt is not that of the chain")
    if over and game.get("protocol", 1) == 1 and over[0][0].get("master") != game.get("master"):
        faults.append("the master is not the one that the chain shows at its end")
    if over and open_dues:
        faults.append(f"the game is over, and is waiting for {list(open_dues)}")
    last, jump = {}, set()
    for kind, body, event in bodies:
        if kind in ("post.restored", "post.epoch"):
            jump = set(last)
        if kind == "post.mail" and body["direction"] == "out":
            seat, number = body["seat"], body["number"]
            if number > last.get(seat, 0) + 1 and seat not in jump:
                faults.append(f"entry {event['seq']}: mail {number} to {seat} follows mail {last.get(seat, 0)}")
            jump -= {seat} if number > last.get(seat, 0) + 1 else set()
            last[seat] = max(number, last.get(seat, 0))
    rolled = {}
    for body, event in all_of("roll"):
        key = (event["slot"], str(body["scope"]), body["label"])
        if body["n"] != rolled.get(key, 0):
            faults.append(f"entry {event['seq']}: the roll should have number {rolled.get(key, 0)}")
        rolled[key] = rolled.get(key, 0) + 1
    acts(game, bodies, faults)
    if game.get("protocol") == 2:
        ordered(game, of, bodies, faults)
    signed = {b["seat"]: b for b, _ in all_of("post.signon")}
    given = {n["seat"]: n["nonce"] for n in of("nonce")}
    if given and given != {seat: signed.get(seat, {}).get("nonce") for seat in game["seats"]}:
        faults.append("the nonces are not those of the sign-on")
    later = [(b["no"], b["seat"], b["hash"]) for b, _ in all_of("post.hash")]
    for first, notice in enumerate([n for n in of("notice") if n.get("text")]):
        for seat, kind, said in [line[6:].rsplit(" ", 2) for line in notice["text"].splitlines() if line.startswith("nonce ")]:
            own = signed.get(seat, {})
            if kind == "open" and hashlib.sha256(own.get("nonce", "").strip().encode()).hexdigest() != said \
                    or kind == "hash" and (first or own.get("hash") != said) and (notice["no"], seat, said) not in later:
                faults.append(f"what {seat} gave to the dice is not what it signed on with")

def seals(game, of, bodies, faults):  # under each mail: over its words, the seat's mail before, and the chain up to it
    master, last = bytes.fromhex(of("notice")[0]["master"]), {}
    epochs = ["", *(b["epoch"] for kind, b, _ in bodies if kind in ("post.restored", "post.epoch"))]
    for kind, body, event in bodies:
        if kind != "post.mail" or body["direction"] != "out":
            continue
        seat, own = body["seat"], (body["number"], body.get("paper"), body.get("seal"))
        if last.get(seat) == own:
            continue  # a copy
        before, paper = last.get(seat, (0, "", ""))[2] or "", bytes.fromhex(own[1] or "")
        keys = [keyed(master, "estafette/2/seal-key", game["id"], seat, epoch, struct.pack(">I", own[0])) for epoch in epochs]
        made = [base64.b32encode(keyed(key, "estafette/2/seal", before, paper, event["prev"])[:20]).decode().lower() for key in keys]
        if own[2] not in made:
            faults.append(f"entry {event['seq']}: the seal of mail {own[0]} to {seat} is not the one that is made")
        last[seat] = own

def said_in(raw):  # letters and figures of a mail, all lines behind each other and each by itself
    parts = [p for p in email.message_from_bytes(raw, policy=email.policy.default).walk() if p.get_content_maintype() == "text"]
    text = ""
    for part in parts:
        try:
            content = part.get_content()
        except (LookupError, ValueError):
            # An unknown set of letters may be read in several ways.
            raw_part = part.get_payload(decode=True)
            content = "\n".join(raw_part.decode(name, "replace") for name in ("utf-8", "latin-1", "cp1252"))
        if part.get_content_subtype() == "html":  # webmail puts lines behind each other in one line of its source
            content = re.sub(r"(?i)<(?:br|/?(?:p|div|li|tr|h\d|blockquote|pre))\b[^>]*>", "\n", content)
            content = html.unescape(re.sub("<[^>]*>", " ", content))
        text += "\n" + content
    return bare(text), {bare(line) for line in text.splitlines()}

def bare(text):
    return "".join(c for c in unicodedata.normalize("NFKC", text).lower() if c.isalnum())

def orders(of, bodies, faults):  # each input of a player names a mail of his that came before it, and stands there
    raws = {m["message_id"]: base64.b64decode(m["raw"]) for m in of("mail") if m.get("raw") is not None}
    for mail in of("mail"):
        if mail.get("raw") is not None and hashlib.sha256(base64.b64decode(mail["raw"])).hexdigest() != mail["sha256"]:
            faults.append(f"the mail {mail['message_id']} is not the one of its digest")
    arrived, written, mails, before, begun = set(), {}, {}, None, False
    for kind, body, event in bodies:
        if kind == "post.mail" and body["direction"] == "in":
            arrived.add((body["seat"], body["message_id"]))
            text, lines = said_in(raws.get(body["message_id"], b"\n\n"))
            known = written.setdefault(body["seat"], ["", set()])
            known[0] += text
            known[1] |= lines
            # Before the game, and where a mail sends what an earlier one tried, its lines stand in those before.
            sends = any(line.startswith(("send", "confirm")) for line in lines)
            mails[body["seat"], body["message_id"]] = tuple(known) if sends or not begun else (text, lines)
        if kind == "post.signon" and not body.get("absent"):
            of_mail, said = (body["seat"], body["message_id"]), [body["nonce"], body.get("hash", "")]
            own = written.get(body["seat"], ["", set()])[0]
            if of_mail not in arrived or of_mail[1] in raws and not all(w == of_mail[1] or bare(w) in own for w in said):
                faults.append(f"entry {event['seq']}: {body['seat']} signed on otherwise than in its mail")
        if kind in ("post.hash", "post.words") and all(m.get("raw") is not None for m in of("mail") if m["direction"] == "in"):
            own = written.get(body["seat"], ["", set()])[0]
            if not all(bare(body.get(field, "")) in own for field in ("hash", "words")):
                faults.append(f"entry {event['seq']}: {body['seat']} wrote no such words for the dice")
        if kind == "input":
            begun = begun or body.get("kind") == "begin"
            acts = body.get("act") if body.get("kind") == "umpire" else None
            what = acts.get("become") if isinstance(acts, dict) else None if acts else body
            mail = (what or {}).get("mail")
            by = body["by"] if acts else body.get("seat")
            if mail and re.fullmatch(r"house/\d+", mail):
                if not before or before[0] != "post.house" or before[1]["seat"] != by:
                    faults.append(f"entry {event['seq']}: the program's own player was not called")
            elif mail is not None and not (mail.startswith("recall/") and all(e["edit"] == "call" for e in what.get("edits", [{"edit": 0}]))) and not (acts and mail == "console"):
                edits = what.get("edits", [])
                is_end = lambda e: isinstance(e["edit"], dict) and (e["edit"].get("end", "doubtful") != "doubtful" or "later" in e["edit"])
                ends = what.get("end") or any(is_end(e) for e in edits)
                lines = [text for _, text in what.get("lines", [])] + [e["text"] for e in edits if not is_end(e)]
                text, each = mails.get((by, mail), ("", set()))
                # Several words of a sheet may share a line: UNDO 1 and END.
                words = r"(?:and|undo|yes|send|end|anyway|if|all|done|\d+[abc]?)*"
                ends_so = lambda line: re.fullmatch(words, line) and "end" in line.replace("send", "")
                ended = any(line.startswith(("end", "yes")) or ends_so(line) for line in each)
                # What YES takes beside SEND was offered by the post office; the rules say what that was, and no script.
                taken = any(line.startswith("yes") for line in each) and any(line.startswith("send") for line in each)
                odd = [line for line in lines if mail in raws and not taken and bare(line) not in text] + ["END"] * (mail in raws and bool(ends) and not ended)
                if (by, mail) not in arrived or odd:
                    faults.append(f"entry {event['seq']}: {by} wrote no such mail, or other lines: {', '.join(odd)}")
        before = (kind, body)

def clock(text):  # seconds of a time
    return calendar.timegm(time.strptime(text[:19], "%Y-%m-%dT%H:%M:%S"))

def said_at(kind, body):  # when an entry was written, where it says so
    if kind == "post.notice":
        return next((line[3:] for line in body["text"].splitlines() if line.startswith("at ")), "")[:19]
    clocked = kind in ("post.hold", "post.ledger", "post.mail", "post.pause", "post.proceed", "post.release", "post.resume", "post.outage")
    return (body.get("to" if kind == "post.outage" else "at") or "")[:19] if clocked else ""

def ordered(game, of, bodies, faults):  # version 2: planned, given to, written, opened, valued, settled; each once, in order
    terms = "".join(t["text"] for t in of("terms")).splitlines()
    beacon = next((line[7:].split(" ", 1) for line in terms if line.startswith("beacon ")), ["none"])
    starts = [r.get("from", 0) for r in of("root")]
    ends = [start - 1 for start in starts[1:]] + [max((c["slot"] for c in of("commit")), default=0)]
    now, last, signed, begun = None, {}, set(), False
    hashed = lambda text: hashlib.sha256(text.strip().encode()).hexdigest()
    for at, (kind, body, event) in enumerate(bodies):
        wrong = lambda why: faults.append(f"entry {event['seq']} ({kind}): {why}")
        open_ = now and not now["settled"] and now["no"] == body.get("no")
        closed = [s for s, (how, _) in now["given"].items() if how == "hash" and s not in now["opened"]] if now else []
        waits = now and now["text"] and not now["settled"] and not closed and now["source"] == "none"
        if waits and (kind == "input" or kind == "post.mail" and body["direction"] == "in"):
            wrong("the salt should stand before it")
        if kind == "post.commit":
            now = dict(no=0, why="sign-on", asked=[], given={}, text=None, source="", opened=set(), settled=False)
        elif kind == "post.plan":
            missing = closed if now["text"] else [s for s in now["asked"] if s not in now["given"]]
            asked = sorted(s for s, (how, _) in last.items() if how == "hash")
            fewer = [s for s in asked if s not in missing]
            no = now["no"] + 1
            if [body["no"], body["slots"]] != [no, [starts[no], ends[no]]] or (body["why"] == "again") and now["settled"] \
                    or body["asked"] != asked and (body["why"] != "again" or body["asked"] != fewer):
                wrong("it plans what does not follow")
            given = {s: gave for s, gave in last.items() if gave[0] == "open"}
            now = dict(no=no, why=body["why"], asked=body["asked"], given=given, text=None, source="", opened=set(), settled=False)
        elif kind == "post.signon":
            if body["seat"] in signed or not now or now["text"]:
                wrong("sign-on was closed, or it had signed on")
            signed.add(body["seat"])
            before = bodies[at - 1]
            gave = before[1].get("hash") if before[0] == "post.hash" and before[1]["seat"] == body["seat"] else None
            if not body.get("absent"):
                if gave != body.get("hash"):
                    wrong("the hash before it is another, or missing")
                last[body["seat"]] = ("hash", gave) if gave else ("open", hashed(body["nonce"]))
                now["given"][body["seat"]] = last[body["seat"]]
        elif kind in ("post.vacant", "post.replace") and not begun:
            signed.discard(body["seat"])
        elif kind == "post.hash":
            follows = bodies[at + 1] if at + 1 < len(bodies) else ("", {}, {})
            signs = follows[0] == "post.signon" and follows[1].get("seat") == body["seat"] and not begun
            asked = open_ and body["seat"] in now["asked"] and body["seat"] not in now["given"]
            if not open_ or now["text"] or not (asked or signs):
                wrong("nobody was asked for a hash")
            last[body["seat"]] = now["given"][body["seat"]] = ("hash", body["hash"])
        elif kind == "post.notice":
            lines = body["text"].splitlines()
            field = lambda name: next((line[len(name) + 1:] for line in lines if line.startswith(name + " ")), "")
            nonces = [tuple(line[6:].rsplit(" ", 2)) for line in lines if line.startswith("nonce ")]
            gave = [(s, *now["given"].get(s, ("none", "-"))) for s in game["seats"]]
            round_ = max(clock(field("at")) + int(beacon[1]) - GENESIS, 0) if beacon[0] == "quicknet" else 0
            source = {"quicknet": f"quicknet {-(-round_ // PERIOD) + 1}"}.get(beacon[0], " ".join(beacon))
            # The first program of this protocol did not carry words that lay open into later notices.
            older = [(s, "none", "-") if how == "open" and now["no"] else (s, how, said) for s, how, said in gave]
            if not open_ or now["text"] or nonces not in (gave, older) or field("why") != now["why"] or field("source") != source \
                    or not begun and not set(game["seats"]) <= signed:
                wrong("it is not what the chain and the terms make")
            now["text"], now["source"] = body["text"], field("source").split(" ")[0]
        elif kind == "post.words":
            if not open_ or not now["text"] or body["seat"] not in closed or now["given"][body["seat"]][1] != hashed(body["words"]):
                wrong("it had no such words to give there")
            now["opened"].add(body["seat"])
        elif kind == "post.value":
            later = next((said for k, b, _ in bodies[at + 1:] if (said := said_at(k, b))), "")
            round_ = now["text"] and re.search(r"^source quicknet (\d+)$", now["text"], re.M)
            if not open_ or closed or now["source"] == "none" or bodies[at + 1][0] != "post.salt" or bodies[at + 1][1].get("no") != body["no"]:
                wrong("the notice waits for no value there, or its salt does not stand behind it")
            if round_ and later and clock(later) < GENESIS + PERIOD * (int(round_[1]) - 1):
                wrong("the round did not exist yet")
        elif kind == "post.salt":
            valued = bodies[at - 1][0] == "post.value"
            if not open_ or not now["text"] or closed or valued != (now["source"] != "none"):
                wrong("words or a value come behind it, or are missing")
            now["settled"] = True
        elif kind == "input":
            begins = body["kind"] in ("begin", "sheet", "orders", "dispatch", "undo", "deadline", "restored", "umpire")
            if begins and not (now and now["settled"]):
                wrong("the dice are waited for")
            begun = begun or body["kind"] == "begin"

def acts(game, bodies, faults):  # each act of an umpire is one of this game's, and stands in the ledger behind it
    umpires, waits = [s for s in bodies[0][1]["seats"][len(game["seats"]):] if s.startswith("umpire")], None
    ours = lambda seat: seat in umpires or not umpires and seat.startswith("umpire")
    for at, (kind, body, event) in enumerate(bodies):
        wrong = lambda why: faults.append(f"entry {event['seq']} ({kind}): {why}")
        if kind == "input" and body.get("kind") == "umpire":
            if waits or not ours(body["by"]):
                wrong("the act before it is in no ledger, or who acts is no umpire of this game")
            waits = body
        if kind == "post.ledger":
            seat = body["by"].removesuffix(" (at the console)")
            if not ours(seat) or not set(body["touches"]) <= set(game["sides"]):
                wrong("who acts is no umpire of this game, or it touches no side of it")
            if body.get("input") is True:
                if not waits or (waits["by"], waits["reason"]) != (seat, body["reason"]):
                    wrong("the act before it is another")
                waits = None
            follows = bodies[at + 1] if at + 1 < len(bodies) else ("", {}, {})
            if body["class"] == "page" and (follows[0] != "post.mail" or follows[1]["direction"] != "out" or follows[1]["seat"] != seat):
                wrong("the page should be mailed behind it")
    if waits:
        faults.append("an act of an umpire stands in no ledger")

def main(path, *more):
    UNCHECKED.clear()
    lines, faults = lines_of(path)
    of = lambda kind: [line for line in lines if line["kind"] == kind]
    game = of("game")[0]
    commits = {(c["slot"], c["scope"]): c["commit"] for c in of("commit")}
    two = game.get("protocol", 1) == 2
    noticed = notices(game, of, faults) if two else []
    # One root before the game, and one more for each restore of the post office from a backup, of the slots from its own.
    starts = [r.get("from", 0) for r in of("root")]
    if not two and (not starts or starts[0] != 0 or starts != sorted(set(starts))):
        faults.append("the roots are not in the order of their slots")
    for root, start, end in zip([] if two else of("root"), starts, starts[1:] + [2**32]):
        under = [c for c in of("commit") if start <= c["slot"] < end]
        text = "".join(f"{c['slot']} {c['scope']} {c['commit']}\n" for c in under)
        if root["root"] != hashlib.sha256(text.encode()).hexdigest():
            faults.append(f"the root from slot {start} is not that of the commitments")
    salt, nonces = hashlib.sha256(b"estafette/salt/v1\0"), {n["seat"]: n["nonce"] for n in of("nonce")}
    for seat in game["seats"] if nonces else []:
        salt.update(seat.encode() + b"\0" + hashlib.sha256(nonces.get(seat, "").encode()).digest())
    if nonces and (game.get("salt") != salt.hexdigest() or set(nonces) != set(game["seats"])):
        faults.append("the salt is not that of the nonces of the seats")
    seeds = {(s["slot"], s["scope"]): bytes.fromhex(s["seed"]) for s in of("seed")}
    for (slot, scope), seed in seeds.items():
        head = b"estafette/commit/v1\0" + game["id"].encode() + b"\0" + struct.pack(">I", slot) + b"\0"
        made = hashlib.sha256(head + scope.encode() + b"\0" + seed).hexdigest()
        if two:
            made = digest("estafette/2/commit", game["id"], struct.pack(">I", slot), scope, seed).hex()
        if commits.get((slot, scope)) != made:
            faults.append(f"slot {slot}, {scope}: the seed is not the one committed")
    for slot, scope in commits if game.get("master") else []:
        epoch = [r.get("epoch", "") for r in of("root") if r.get("from", 0) <= slot][-1:]
        if seed_of(game["master"], game["id"], "".join(epoch), slot, scope) != seeds.get((slot, scope), b"").hex():
            faults.append(f"slot {slot}, {scope}: the seed is not the one that the master makes")
    of_slot = lambda slot: next(((salt, master) for s, e, salt, master in noticed if s <= slot <= e), (b"", b""))
    for slot, scope in commits if any(master for _, _, _, master in noticed) else []:
        made = keyed(of_slot(slot)[1], "estafette/2/seed", game["id"], struct.pack(">I", slot), scope)
        if made != seeds.get((slot, scope)):
            faults.append(f"slot {slot}, {scope}: the seed is not the one that its master makes")
    head = chain(game, of, faults) if of("event") else None
    if (game.get("master") or any(master for _, _, _, master in noticed)) and not head:
        faults.append("the master is shown, and the chain is missing")
    checked = [r for r in of("roll") if (r["slot"], r["scope"]) in seeds and not r.get("fiat")]  # a fiat has no seed
    for r in checked:
        mixed = of_slot(r["slot"])[0] if two else salt.digest()
        made = dice(key_of(seeds[r["slot"], r["scope"]], mixed, r["label"], r["n"], two), len(r["dice"]), r["sides"])
        if made != r["dice"]:
            faults.append(f"slot {r['slot']}, {r['scope']}, {r['label']} {r['n']}: {r['dice']} should be {made}")
    fiats = [f"slot {r['slot']}, {r['scope']}, {r['label']} {r['n']}: {r['dice']}" for r in of("roll") if r.get("fiat")]
    if fiats:
        print(f"{len(fiats)} rolls that no seed made, by an umpire's fiat:", *fiats, sep="\n", file=sys.stderr)
    if "--head" in more:
        print(*(f"root {r['root']}: compare it with your mail" for r in of("root")), f"head {head}", sep="\n")
    print(*faults, f"{len(checked)} of {len(of('roll'))} rolls made again, {len(faults)} faults", sep="\n")
    print("Checked: commitments, seeds, dice, sign-on, notices, mails, the chain and the lines of orders. Not checked: what orders "
          "came to by the rules, deadlines; `estafette audit` plays the game again.")
    over = any(event["entry"] == "post.over" for event in of("event"))
    raw = all("raw" in mail for mail in of("mail") if mail["direction"] == "in")
    return 1 if faults else 0 if over and raw and not UNCHECKED else 4

if __name__ == "__main__":
    try:
        sys.exit(main(*sys.argv[1:]))
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as why:
        print(f"something is missing or of another form, and nothing was verified: {why!r}")
        sys.exit(1)
