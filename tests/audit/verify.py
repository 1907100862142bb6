#!/usr/bin/env python3
"""Recomputes every die of an audit bundle: python3 verify.py BUNDLE. Exits 1 if anything differs.
Written from the dice protocol, version 1, alone; needs nothing beside Python."""
import hashlib, hmac, json, struct, sys

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

def main(path):
    lines = [json.loads(line) for line in open(path, encoding="utf-8") if line.strip()]
    of = lambda kind: [line for line in lines if line["kind"] == kind]
    game, faults = of("game")[0], []
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
        salt.update(seat.encode() + b"\0" + hashlib.sha256(nonces[seat].encode()).digest())
    if nonces and game.get("salt") != salt.hexdigest():
        faults.append("the salt is not that of the nonces")
    seeds = {(s["slot"], s["scope"]): bytes.fromhex(s["seed"]) for s in of("seed")}
    for (slot, scope), seed in seeds.items():
        head = b"estafette/commit/v1\0" + game["id"].encode() + b"\0" + struct.pack(">I", slot) + b"\0"
        made = hashlib.sha256(head + scope.encode() + b"\0" + seed).hexdigest()
        if commits.get((slot, scope)) != made:
            faults.append(f"slot {slot}, {scope}: the seed is not the one committed")
    checked = [r for r in of("roll") if (r["slot"], r["scope"]) in seeds and not r.get("fiat")]  # a fiat has no seed
    for r in checked:
        made = dice(seeds[r["slot"], r["scope"]], salt.digest(), r["label"], r["n"], len(r["dice"]), r["sides"])
        if made != r["dice"]:
            faults.append(f"slot {r['slot']}, {r['scope']}, {r['label']} {r['n']}: {r['dice']} should be {made}")
    print(*faults, f"{len(checked)} of {len(of('roll'))} rolls made again, {len(faults)} faults", sep="\n")
    return 1 if faults else 0

if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
