// The part of `campaigns`: forces that march from hex to hex.
const part = (S) => {
  const { V, B, over, draw, say, held, plain } = S, hex = hexes(S), { WAYS, KEYS } = hexes;
  const points = (n) => (n % 2 ? (n > 1 ? (n - 1) / 2 : "") + "½" : String(n / 2));
  const enemies = {};
  for (const foe of B.enemy) (enemies[foe.hex] ||= []).push(foe.id);

  // What a march costs, by the tables that the post office laid down.
  const digit = (table, off, at, i, byRoad) => {
    const row = (!byRoad && off[at]) || table[at], sign = row ? row[i] : "-";
    return sign === "-" ? null : parseInt(sign, 36);
  };
  const start = (piece) => ({ hex: piece.hex, foot: 0, horse: 0, byRoad: piece.road, ended: false });
  const step = (piece, at, to, free) => {
    const i = WAYS.findIndex((way) => hex.neighbour(at.hex, way) === to);
    if (i < 0 || at.ended || enemies[to]) return null;
    const foot = digit(B.steps.foot, B.steps.foot_off, at.hex, i, at.byRoad), horse = digit(B.steps.horse, B.steps.horse_off, at.hex, i, at.byRoad);
    if (foot === null || horse === null) return null;
    const next = { hex: to, foot: at.foot + foot, horse: at.horse + horse, byRoad: B.steps.road[at.hex][i] === "1", ended: Boolean(B.zones[to]) };
    const fits = (limit, spent) => free || limit === undefined || spent <= limit;
    return fits(piece.foot, next.foot) && fits(piece.horse, next.horse) ? next : null;
  };
  const spent = (piece, at) => (piece.foot === undefined ? at.horse : piece.horse === undefined ? at.foot : Math.max(at.foot, at.horse));
  const allowance = (piece) => Math.min(piece.foot ?? Infinity, piece.horse ?? Infinity);
  const walk = (piece, way) => {
    let at = start(piece);
    for (const to of way) {
      const next = step(piece, at, to);
      if (!next) return { at, whole: false };
      at = next;
    }
    return { at, whole: true };
  };
  // Everything that can be come to from a place, with the way there.
  const spread = (piece, from, free) => {
    const best = new Map([[from.hex, { at: from, way: [] }]]), open = [{ at: from, way: [] }];
    while (open.length) {
      open.sort((a, b) => spent(piece, a.at) - spent(piece, b.at));
      const here = open.shift();
      for (const way of WAYS) {
        const to = hex.neighbour(here.at.hex, way), next = to && step(piece, here.at, to, free), known = to && best.get(to);
        if (!next || (known && spent(piece, known.at) <= spent(piece, next))) continue;
        const found = { at: next, way: [...here.way, to] };
        best.set(to, found);
        open.push(found);
      }
    }
    best.delete(from.hex);
    return best;
  };

  // Marches are read from the lines of the box, and written into them.
  let chosen = null, marches = new Map(), hows = new Map(), reach = new Map(), read_ = [], asked = null;
  const pieceOf = (head) => B.own.find((own) => own.say && (plain(own.say) === plain(head) || plain("FORCE " + own.id) === plain(head)));
  const one = (line) => {
    const force = /^\s*((?:FORCE|FOR)\s+(?:"[^"]+"|\S+))\s+([A-Z]+)\s+MARCH\s+((?:\d{4}\s*)+)(.*)$/i.exec(line), ride = /^\s*(VEDETTE\s+\d+)\s+()MARCH\s+((?:\d{4}\s*)+)(.*)$/i.exec(line);
    const found = force || ride, piece = found && pieceOf(found[1].replace(/^FOR\s/i, "FORCE "));
    return piece ? { piece, how: found[2].toUpperCase(), way: found[3].trim().split(/\s+/), rest: found[4].trim() } : null;
  };
  // Battles: the lines that the post office has tried, by the hex that is attacked.
  let target = null;
  const fightAt = (at) => B.fights.find((fight) => fight.hex === at);
  const has = (line) => held().some((other) => plain(other.trim()) === plain(line));
  const attackOn = (fight) => fight.attacks.find((attack) => has(attack.line)), planOf = (attack) => attack?.plans.find((plan) => has(plan.line));
  const against = (verb, at) => (line) => new RegExp(`^\\s*${verb}\\s+${at}\\b`, "i").test(line);
  const fight = (at) => {
    chosen = null;
    asked = null;
    target = at;
    S.show();
    const { must, attacks } = fightAt(at), attack = attackOn(fightAt(at)), plan = planOf(attack);
    say(`${hex.named(at)}, ${enemies[at].join(" ")}: ` + (plan || attack ? (plan || attack).said.join("; ") || "ordered" : must ? "you must attack here" : `${attacks[0].who.length} of yours may attack`));
  };
  const lookAt = (at) => { S.look(hex.centre(at)); fight(at); };
  const order = (at, verb, line) => {
    const lines = held().filter((old) => !against("BATTLE", at)(old) && !(verb === "ATTACK" && against("ATTACK", at)(old)));
    const on = has(line);
    S.write(on ? lines : S.put(lines, line));
    fight(at);
  };
  const fights = (at) => fightAt(at).attacks.flatMap((attack) => {
    const on = has(attack.line), plans = on ? attack.plans : [];
    return [S.act(`Attack: ${attack.who.join(" ")}`, () => order(at, "ATTACK", attack.line), on), ...plans.map((plan) => S.act(plan.name, () => order(at, "BATTLE", plan.line), has(plan.line)))];
  });
  // A line that the post office has tried: an attack, or a plan behind its attack.
  const same = (line) => (other) => plain(other.line) === plain(line);
  const above = (n) => (attack) => held().slice(0, n).some((old) => same(old.trim())(attack));
  const fought = (line, n) => {
    const all = B.fights.flatMap((fight) => fight.attacks);
    return all.some(same(line)) || all.filter(above(n)).some((attack) => attack.plans.some(same(line)));
  };
  const read = (lines) => {
    marches = new Map();
    read_ = lines.map(one);
    for (const found of read_) {
      if (!found) continue;
      marches.set(found.piece, found.way[0] === found.piece.hex ? found.way.slice(1) : found.way);
      if (found.how) hows.set(found.piece, found.how);
    }
  };
  // Commands are over before anybody marches by his initiative.
  const isCommand = (how) => how === "COMMAND";
  const howOf = (piece) => hows.get(piece) || piece.may[0] || "";
  const write = (piece, way, tail) => {
    const lines = held(), at = lines.findIndex((line) => one(line)?.piece === piece), was = at >= 0 ? one(lines[at]) : null;
    const rest = tail ?? (was ? was.rest : ""), words = [piece.say, howOf(piece), "MARCH", ...way, rest].filter((word) => word !== "");
    // Whoever marches by another way of command takes his place among those who do.
    if (was && way.length && isCommand(was.how) === isCommand(howOf(piece))) lines.splice(at, 1, words.join(" "));
    else {
      if (was) lines.splice(at, 1);
      const later = isCommand(howOf(piece)) ? lines.findIndex((line) => one(line)?.how && !isCommand(one(line).how)) : -1;
      if (way.length && later >= 0) lines.splice(later, 0, words.join(" "));
      else if (way.length) S.put(lines, words.join(" "));
    }
    S.write(lines);
  };
  const tell = (piece) => {
    const way = marches.get(piece) || [], { at, whole } = walk(piece, way), zone = B.zones[at.hex];
    // Where both end in one hex, the office may make one force of them.
    const mates = way.length ? B.own.filter((own) => own !== piece && own.kind === "force" && piece.kind === "force" && walk(own, marches.get(own) || []).at.hex === at.hex).map((own) => own.id) : [];
    say(`${piece.name}: ${hex.named(at.hex)}, ${points(spent(piece, at))} of ${points(allowance(piece))} MP` + (whole ? "" : "; the rest of the way is beyond that") + (zone ? "; next to " + zone.join(", ") : "") + (mates.length ? `; with ${mates.join(", ")}: they may become one force` : ""));
  };
  const paint = () => {
    for (const fight of B.fights) {
      const [x, y] = hex.centre(fight.hex);
      for (const id of attackOn(fight)?.who || []) over.append(draw("path", { class: fight.hex === target ? "blow" : "blow other", d: `M${hex.centre(of(id).hex).join(" ")}L${x} ${y}` }));
      over.append(draw("circle", { class: fight.hex === target ? "mark" : "mark other", cx: x, cy: y, r: 120 }));
    }
    for (const [piece, way] of marches) {
      const d = "M" + [piece.hex, ...way].map((at) => hex.centre(at).join(" ")).join("L"), { at, whole } = walk(piece, way), [x, y] = hex.centre(way.at(-1) || piece.hex);
      over.append(draw("path", { class: piece === chosen ? "way" : "way other", d }), draw("text", { class: "cost", x, y: y - 50 }, whole ? points(spent(piece, at)) : "?"));
    }
    reach = new Map();
    if (!chosen || !chosen.may.length) return;
    const { at } = walk(chosen, marches.get(chosen) || []);
    reach = spread(chosen, at);
    const all = [...reach.keys()].map(hex.outline).join(""), [x, y] = hex.centre(at.hex);
    over.prepend(draw("path", { class: "reach", d: all }), draw("path", { class: "grid", d: all }));
    for (const to of reach.keys()) over.append(draw("text", { class: "id", x: hex.centre(to)[0], y: hex.centre(to)[1] - 90 }, to));
    over.append(draw("circle", { class: "mark", cx: x, cy: y, r: 120 }));
  };
  const choose = (piece, move) => {
    chosen = piece;
    asked = target = null;
    S.show();
    if (!piece) return say("");
    if (move) S.look(hex.centre(piece.hex));
    piece.may.length ? tell(piece) : say(`${piece.name}: ${hex.named(piece.hex)}` + (V.offers.length ? "" : "; nothing of yours marches now"));
  };
  // Why a piece does not come to a hex from where its way ends.
  const why = (piece, at, to, beyond) => {
    const name = hex.named(to), zone = B.zones[at.hex];
    if (enemies[to]) return `${name}: ${enemies[to].join(", ")} ${enemies[to].length > 1 ? "stand" : "stands"} there; battles are ordered on their own sheet`;
    if (at.ended) return `${piece.name} stops at ${at.hex}, next to ${zone.join(", ")}`;
    const found = (beyond || spread(piece, at, true)).get(to);
    if (found) return `${name}: ${points(spent(piece, found.at))} MP, and ${piece.name} has ${points(allowance(piece))}`;
    return B.steps.foot[to] ? `${name}: no way leads there past enemies and ground` : `${name}: farther than any of yours comes in this turn`;
  };
  const go = (to) => {
    if (!chosen || !chosen.may.length) return;
    const way = marches.get(chosen) || [], back = way.indexOf(to);
    if (to === chosen.hex || back >= 0) write(chosen, way.slice(0, back + 1));
    else if (reach.has(to)) write(chosen, [...way, ...reach.get(to).way]);
    else return say(why(chosen, walk(chosen, way).at, to));
    tell(chosen);
  };
  const back = () => { write(chosen, (marches.get(chosen) || []).slice(0, -1)); tell(chosen); };
  const able = B.own.filter((own) => own.may.length);

  const stack = (at) => B.own.filter((own) => own.hex === at);
  // What a march does that meets a vedette.
  const CLAUSE = "IF CONTACT REPULSE ELSE STOP";
  const acts = () => {
    const all = [];
    // Who stands in the same hex, and whoever was chosen before and could march there.
    if (asked) all.push(S.act(`${asked.piece.name} marches here`, () => { const { piece, to } = asked; choose(piece); go(to); }));
    const here = chosen ? stack(chosen.hex) : [];
    if (target) return fights(target);
    for (const fight of chosen ? B.fights.filter((fight) => fight.attacks.some((attack) => attack.who.includes(chosen.id))) : []) all.push(S.act(`Attack ${hex.named(fight.hex)}`, () => lookAt(fight.hex)));
    if (here.length > 1) for (const own of here) all.push(S.act(own.id, () => choose(own), own === chosen));
    if (!chosen?.may.length) return all;
    const name = { COMMAND: "Command, 1 AP", FORCED: "Forced march" };
    const take = (how) => { hows.set(chosen, how); marches.get(chosen)?.length ? write(chosen, marches.get(chosen)) : S.show(); };
    for (const how of chosen.may.filter((word) => word !== "")) all.push(S.act(name[how] || "Initiative", () => take(how), howOf(chosen) === how));
    const line = read_.find((line) => line?.piece === chosen);
    if (line) all.push(S.act("If met: repulse, else stop", () => write(chosen, marches.get(chosen), line.rest === CLAUSE ? "" : CLAUSE), line.rest === CLAUSE));
    if (line) all.push(S.act("One back", back), S.act("Clear", () => { write(chosen, []); tell(chosen); }));
    return all;
  };
  const rows = () => {
    const all = [];
    for (const own of B.own) {
      const made = S.row("", own.id, own.name, hex.named(own.hex) + (own.units ? ": " + own.units : ""), own.sp === undefined ? "" : String(own.sp), { "data-id": own.id, "data-hex": own.hex, "aria-pressed": String(own === chosen) }, () => choose(own === chosen ? null : own, true));
      const end = marches.has(own) && walk(own, marches.get(own));
      made.querySelector("em").textContent = end ? (end.whole ? `→ ${end.at.hex}, ${points(spent(own, end.at))} MP` : "→ ?") : "";
      all.push(made);
    }
    return all;
  };
  const foes = () => {
    const all = B.enemy.map((foe) => S.row("foe", foe.id, foe.what, `${hex.named(foe.hex)}; ${foe.sure}`, foe.sp || "", {}, () => { if (fightAt(foe.hex)) return lookAt(foe.hex); S.look(hex.centre(foe.hex)); say(`${foe.id} at ${hex.named(foe.hex)}: ${foe.what}`); }));
    return all.length ? all : [S.note("No counter is in sight.")];
  };
  const idle = !able.length && !V.offers.length && !V.questions.length;
  const sum = () => {
    if (B.fights.length) return `${B.fights.filter(attackOn).length} of ${B.fights.length} attacks are ordered.` + (B.fights.some((fight) => fight.must && !attackOn(fight)) ? ` ${B.fights.filter((fight) => fight.must && !attackOn(fight)).map((fight) => hex.named(fight.hex)).join(", ")} must be attacked.` : "");
    if (!able.length) return "Nothing of yours marches now.";
    const commands = [...marches.keys()].filter((piece) => howOf(piece) === "COMMAND").length, may = able.some((own) => own.may.includes("COMMAND"));
    return `${marches.size} of ${able.length} pieces march.` + (commands ? ` ${commands} commands cost ${commands} of your ${B.ap} AP.`.replace(/^ 1 commands cost/, " 1 command costs") : may ? ` A command costs 1 of your ${B.ap} AP.` : "");
  };
  const late = (n) => isCommand(read_[n]?.how) && read_.slice(0, n).some((line) => line?.how && !isCommand(line.how));
  // A command for which there are no points any more.
  const dear = (n) => isCommand(read_[n]?.how) && read_.slice(0, n + 1).filter((line) => isCommand(line?.how)).length > B.ap;
  const doubts = () => read_.map((line, n) => (!line && !fought(held()[n].trim(), n)) || late(n) || dear(n) || (line && (!/^(IF\b.*)?$/i.test(line.rest) || !walk(line.piece, marches.get(line.piece)).whole)));
  const tap = (point, element) => {
    const group = element?.closest("[data-own],[data-vedette],[data-enemy]"), at = hex.at(point);
    const { own, vedette, enemy } = group?.dataset || {}, piece = B.own.find((o) => o.id === (own || vedette) && o.hex === group?.dataset.hex);
    const where = piece?.hex || at, here = stack(where), marching = chosen?.may.length && (marches.get(chosen) || []).length;
    // A click on pieces of one's own chooses: the first of them, then the next. A march to them is a button.
    if (here.length && !(where === chosen?.hex && here.length === 1 && marching)) {
      const n = here.indexOf(chosen), before = chosen, could = n < 0 && chosen && reach.has(where);
      if (n >= 0 && here.length === 1) return choose(null);
      choose(n >= 0 ? here[(n + 1) % here.length] : piece || here.find((own) => own.may.length) || here[0]);
      if (could) { asked = { piece: before, to: where }; S.show(); }
      return;
    }
    if (at && fightAt(at)) return target === at ? choose(null) : fight(at);
    if (chosen && at) return go(at);
    const foe = B.enemy.find((f) => f.id === enemy);
    if (foe) say(`${foe.id} at ${hex.named(foe.hex)}: ${foe.what}`);
    else if (at) say(hex.named(at));
  };
  const key = (struck) => {
    const way = KEYS[struck];
    if (struck === "n" && able.length) choose(able[(able.indexOf(chosen) + 1) % able.length], true);
    else if (way && chosen) { const to = hex.neighbour(walk(chosen, marches.get(chosen) || []).at.hex, way); if (to) go(to); }
    else if (struck === "Backspace" && chosen) back();
    else if (struck === "Enter" || struck === "Escape") choose(null);
    else return false;
    return true;
  };
  const home = () => {
    const at = hex.home(B.own.map((own) => own.hex), B.enemy.map((foe) => foe.hex)) || able[0]?.hex || B.own[0]?.hex;
    return at && hex.centre(at);
  };
  const of = (id) => B.own.find((own) => own.id === id);
  const sums = {
    walk: (id, way) => { const { at, whole } = walk(of(id), way); return { end: at.hex, spent: spent(of(id), at), whole }; },
    reach: (id) => [...spread(of(id), start(of(id))).entries()].map(([to, found]) => [to, found.way, spent(of(id), found.at)]),
  };
  sums.fights = () => B.fights.map(({ hex, attacks }) => [hex, attacks.map(({ who, plans }) => [who.join(" "), plans.map(({ name }) => name)])]);
  sums.fight = fight;
  sums.choose = (id) => choose(of(id), true);
  sums.look = hex.seek;
  sums.step = (id) => { choose(of(id)); const [to] = reach.keys(); if (to) go(to); return Boolean(to); };
  sums.whys = (id) => { const at = start(of(id)), [open, beyond] = [false, true].map((free) => spread(of(id), at, free)); return hex.all().filter((to) => to !== at.hex && !open.has(to)).map((to) => why(of(id), at, to, beyond)); };
  const keys = able.length ? "Choose a piece, then hexes in turn. Another click on a stack takes the next of it. Keys on the map: n next piece; q w e a s d the six ways; points are reckoned from what you know." : B.fights.length ? "Choose a ringed hex, then who attacks and how." : "What can be sent now stands under Open.";
  const hand = "entering, plotted and road marches, bridges, forage, joining and leaving forces, plans of defence, LEAD, other reserves, other conditions";
  return { read, paint, sum, rows, acts, foes, tap, key, home, sums, keys, hand, idle, doubts, near: 0.14, least: 1400, wide: 22 * hex.across };
};
