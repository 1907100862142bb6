#!/usr/bin/env python3
"""Recomputes every die of an audit bundle: python3 verify.py BUNDLE [--head]. Exits 1 if anything differs.
With --head it says the root, to compare with your opening mail, and the chain's head. Fiats it names on standard error.
Written from the dice protocol, version 1, alone; needs nothing beside Python."""
import hashlib, hmac, json, struct, sys

FIELDS = {  # what a line of each kind has; in the second half, what it may have
    "game": ("id ruleset scenario engine tempo seats sides", "salt master files"), "commit": ("slot scope commit", ""),
    "root": ("root", "from epoch"), "nonce": ("seat nonce", ""), "seed": ("slot scope seed", ""),
    "roll": ("slot scope label n sides dice", "fiat"), "mail": ("direction seat message_id sha256", "raw"),
    "event": ("seq prev hash slot entry body", "")}
ONCE = {"commit": "slot scope", "seed": "slot scope", "nonce": "seat", "roll": "slot scope label n",
        "mail": "direction seat message_id sha256", "event": "seq", "game": "kind"}

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

def dice(seed, salt, label, n, count, sides):
    key = hmac.digest(seed, b"estafette/roll/v1\0" + salt + label.encode() + b"\0" + struct.pack(">I", n), "sha256")
    limit = 2**32 // sides * sides
    fair = (word % sides + 1 for word in words(key) if word < limit)
    return [next(fair) for _ in range(count)]

def lines_of(path):  # every line, and what is wrong with each by itself
    lines, faults, seen = [json.loads(line) for line in open(path, encoding="utf-8") if line.strip()], [], set()
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

def chain(game, of, faults):  # each entry follows from the one before; rolls, mails and the game line are the chain's
    before, bodies = "0" * 64, [(event["entry"], json.loads(event["body"]), event) for event in of("event")]
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
    if "post.over" in (kind for kind, _, _ in bodies) and "master" not in game:
        faults.append("the game is over, and the master is not shown")
    return before

def main(path, *more):
    lines, faults = lines_of(path)
    of = lambda kind: [line for line in lines if line["kind"] == kind]
    game = of("game")[0]
    commits = {(c["slot"], c["scope"]): c["commit"] for c in of("commit")}
    # One root before the game, and one more for each restore of the post office from a backup, of the slots from its own.
    starts = [r.get("from", 0) for r in of("root")]
    if not starts or starts[0] != 0 or starts != sorted(set(starts)):
        faults.append("the roots are not in the order of their slots")
    for root, start, end in zip(of("root"), starts, starts[1:] + [2**32]):
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
        if commits.get((slot, scope)) != made:
            faults.append(f"slot {slot}, {scope}: the seed is not the one committed")
    for slot, scope in commits if game.get("master") else []:
        epoch = [r.get("epoch", "") for r in of("root") if r.get("from", 0) <= slot][-1:]
        if seed_of(game["master"], game["id"], "".join(epoch), slot, scope) != seeds.get((slot, scope), b"").hex():
            faults.append(f"slot {slot}, {scope}: the seed is not the one that the master makes")
    head = chain(game, of, faults) if of("event") else None
    if game.get("master") and not head:
        faults.append("the master is shown, and the chain is missing")
    checked = [r for r in of("roll") if (r["slot"], r["scope"]) in seeds and not r.get("fiat")]  # a fiat has no seed
    for r in checked:
        made = dice(seeds[r["slot"], r["scope"]], salt.digest(), r["label"], r["n"], len(r["dice"]), r["sides"])
        if made != r["dice"]:
            faults.append(f"slot {r['slot']}, {r['scope']}, {r['label']} {r['n']}: {r['dice']} should be {made}")
    fiats = [f"slot {r['slot']}, {r['scope']}, {r['label']} {r['n']}: {r['dice']}" for r in of("roll") if r.get("fiat")]
    if fiats:
        print(f"{len(fiats)} rolls that no seed made, by an umpire's fiat:", *fiats, sep="\n", file=sys.stderr)
    if "--head" in more:
        print(*(f"root {r['root']}: compare it with your mail" for r in of("root")), f"head {head}", sep="\n")
    print(*faults, f"{len(checked)} of {len(of('roll'))} rolls made again, {len(faults)} faults", sep="\n")
    return 1 if faults else 0

if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
