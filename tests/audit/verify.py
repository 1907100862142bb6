#!/usr/bin/env python3
"""Recomputes every die of an audit bundle: python3 verify.py BUNDLE [--head]. Exits 1 if anything differs.
With --head it says the root, to compare with your opening mail, and the chain's head. Fiats it names on standard error.
Written from the dice protocols, versions 1 and 2, alone; needs nothing beside Python. Signatures of the beacon are checked
where py_ecc is installed; else that is said on standard error."""
import hashlib, hmac, json, struct, sys

FIELDS = {  # what a line of each kind has; in the second half, what it may have
    "game": ("id ruleset scenario engine tempo seats sides", "salt master files protocol"), "commit": ("slot scope commit", ""),
    "terms": ("text", ""), "notice": ("no", "text value salt words master"), "root": ("root", "from epoch"), "nonce": ("seat nonce", ""), "seed": ("slot scope seed", ""),
    "roll": ("slot scope label n sides dice", "fiat"), "mail": ("direction seat message_id sha256", "raw"),
    "event": ("seq prev hash slot entry body", "")}
ONCE = {"commit": "slot scope", "seed": "slot scope", "nonce": "seat", "roll": "slot scope label n",
        "mail": "direction seat message_id sha256", "event": "seq", "game": "kind", "terms": "kind", "notice": "no"}

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
        if given:
            faults.append(f"notice {no}: there are words of {list(given)}, which gave none")
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
    over = [b for kind, b, _ in bodies if kind == "post.over"]
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
    return before

def main(path, *more):
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
    return 1 if faults else 0

if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
