// The part of `austerlitz1805`: blocks on a free field, chits, the strategic map.
const part = (S) => {
  const { B, over, draw, say, held, isEnd } = S;
  const UM = 1000, HALF = UM / 2, TURN = 45, FAR = 8 * UM, RAD = Math.PI / 180;
  const WINDS = ["N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW"];
  const fold = (word) => word.replace(/\u0022/g, "").toLowerCase();
  const sealed = B.stage === "fog" || B.stage === "deploy", idle = B.stage === "wait";

  // Places: thousandths of a UM, north is up; the drawing grows southward.
  const drawn = ([x, y]) => [x, -y];
  // Sines of whole degrees in four places, and bearings to the nearest of these: as the post office reckons, so that ends agree.
  const sine = (degrees) => Math.round(10000 * Math.sin(Math.round(degrees) * RAD)) / 10000;
  const ahead = ([x, y], way, far) => [x + far * sine(way), y + far * sine(90 - way)];
  const gap = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);
  const bearing = (a, b) => {
    const [x, y] = [b[0] - a[0], b[1] - a[1]], low = Math.floor(Math.atan2(x, y) / RAD), off = (degrees) => Math.abs(sine(degrees) * y - sine(90 - degrees) * x);
    return ((off(low + 1) < off(low) ? low + 1 : low) + 360) % 360;
  };
  // To the right; what lies straight behind is half a turn to the right, as the post office has it.
  const off = (from, to) => { const right = (to - from + 720) % 360; return right > 180 ? right - 360 : right; };
  const um = (n) => String(Math.round(n) / UM);
  const spot = ([x, y]) => [x, y].map((n) => (Math.round(n / 10) / 100).toFixed(2)).join(",");
  const clamp = (n, least, most) => Math.max(least, Math.min(most, n));
  const way3 = (degrees) => String((Math.round(degrees) + 360) % 360).padStart(3, "0");
  const near = (at) => Object.entries(B.places).sort((a, b) => gap(a[1], at) - gap(b[1], at))[0]?.[0] || "";

  // What a click may choose: units, chits, corps of the strategic map.
  const things = [
    ...B.own.map((own) => ({ key: own.say, kind: "unit", name: own.say === own.id ? own.id : `${own.say} ${own.id}`, own })),
    ...B.chits.map((chit) => ({ key: "+" + chit.number, kind: "chit", name: `chit ${chit.number}`, chit })),
    ...B.corps.map((corps) => ({ key: "=" + corps.id, kind: "corps", name: corps.id, corps })),
    ...(B.stage === "fog" && B.decoys.length ? [{ key: "decoy", kind: "decoy", name: "a decoy" }] : []),
  ];
  const of = (key) => things.find((thing) => thing.key === key);

  // Lines: each verb has its step of the turn.
  const RANK = { DISENGAGE: 0, HIDE: 0, STRAT: 0, BOMBARD: 1, CHIT: 1, DECOY: 1, CHARGE: 2, FORM: 3, MOVE: 3, TURN: 3, ABOUT: 3, BACK: 3, SIDE: 3, ATTACK: 3, ATTACH: 3, MARCH: 3, DEPLOY: 3, VOLLEY: 4, HOLD: 4 };
  const GOES = ["MOVE", "TURN", "ABOUT", "BACK", "SIDE", "ATTACK", "CHARGE", "ATTACH"];
  const called = B.own.flatMap((own) => [[fold(own.say), own], [fold(own.id), own]]).sort((a, b) => b[0].length - a[0].length);
  const number = (word) => { const found = /^(\d{1,2}(?:\.\d{1,3})?)\s*(?:UM)?$/i.exec(word || ""); return found ? Math.round(Number(found[1]) * UM) : undefined; };
  const place = (word) => {
    const named = Object.keys(B.places).find((name) => fold(name) === fold(word || ""));
    if (named) return B.places[named];
    const exact = /^(\d{1,2}\.\d{1,3}),(\d{1,2}\.\d{1,3})$/.exec(word || "") || /^(\d+),(\d+)$/.exec(word || "");
    return exact ? [exact[1], exact[2]].map((n) => (n.includes(".") ? Math.round(Number(n) * UM) : Number(n))) : undefined;
  };
  const heading = (word) => {
    const wind = WINDS.indexOf((word || "").toUpperCase());
    return wind >= 0 ? Math.floor(wind * 22.5) : /^\d{1,3}$/.test(word || "") ? Number(word) % 360 : undefined;
  };
  const one = (line) => {
    const text = line.trim().replace(/\s+/g, " "), verb = text.split(" ")[0].toUpperCase();
    if (!(verb in RANK)) return null;
    const rest = text.slice(verb.length + 1), made = { verb, text };
    let after = "";
    if (["MARCH", "DEPLOY", "CHIT", "DECOY"].includes(verb)) { const n = /^(\d+)/.exec(rest); if (!n) return null; made.key = "+" + Number(n[1]); }
    else if (verb === "STRAT") { const found = B.corps.find((corps) => fold(rest).startsWith(fold(corps.id) + " ")); if (!found) return null; made.key = "=" + found.id; }
    else {
      const found = called.find(([name]) => fold(rest) === name || fold(rest).startsWith(name + " "));
      if (!found) return null;
      made.key = found[1].say;
      after = rest.slice(found[0].length).trim();
    }
    const where = /\s(?:TOWARD|TO|PLACE)\s+(.+?)(?=\s+\d{1,2}(?:\.\d{1,3})?\s?UM\b|\s+FACE\b|\s+STRAIGHT\b|$)/i.exec(text)?.[1];
    made.way = heading(/\sBEARING\s+(\S+)/i.exec(text)?.[1]) ?? (verb === "MOVE" && /^[A-Z]+$/i.test(where || "") ? heading(where) : undefined);
    made.to = made.way === undefined ? place(where) : undefined;
    made.far = number(/\s(\d{1,2}(?:\.\d{1,3})?)\s?UM\b/i.exec(text)?.[1]);
    const front = /\sFACE\s+(\S+)$/i.exec(text)?.[1] ?? (verb === "TURN" ? text.split(" ").at(-1) : undefined);
    made.face = heading(front);
    // What the sheet does not draw: several units, markers, fronts toward a place.
    made.odd = (front !== undefined && made.face === undefined) || (verb === "MOVE" && !/^(TOWARD|TO|BEARING)\s.*?(\d\s?UM)?( FACE \S+| STRAIGHT)?$/i.test(after)) || /\dUM (?!FACE \S+$|STRAIGHT$)/i.test(after);
    made.at = /\sAT\s+(.+?)(?:\s+(?:CANISTER|ROUND|DEF|LEAD|SIDE|STRAIGHT|HALF|WITH|ELSE)\b.*)?$/i.exec(text)?.[1];
    return made;
  };
  let chosen = null, picked = new Set(), read_ = [];
  const read = (lines) => { read_ = lines.map((text) => ({ text, line: one(text) })); };
  const lineOf = (key, ...verbs) => read_.findIndex(({ line }) => line && line.key === key && verbs.includes(line.verb));
  const got = (key, ...verbs) => { const n = lineOf(key, ...verbs); return n >= 0 ? read_[n].line : null; };
  const rank = (text) => { const line = one(text); return isEnd(text) ? 9 : line ? RANK[line.verb] : -1; };
  // Takes out lines of a piece, and puts one where its step is.
  const change = (key, out, text) => {
    const lines = held().filter((old) => { const line = one(old); return !(line && line.key === key && out.includes(line.verb)); });
    if (text) {
      const mine = lines.findIndex((old) => { const line = one(old); return line && line.key === key && GOES.includes(line.verb); });
      const later = lines.findIndex((old) => rank(old) > rank(text)), at = text.startsWith("FORM ") && mine >= 0 ? mine : later;
      lines.splice(at >= 0 ? at : lines.length, 0, text);
    }
    S.write(lines);
    tell();
  };

  // Where a unit stands that takes another formation first, and what it has left.
  const body = (own) => {
    const form = got(own.say, "FORM"), to = form && own.moves?.forms[form.text.split(" ").at(-1).toUpperCase()];
    const [left, ...size] = to || [own.moves?.left || 0, ...own.size];
    return { left, size, front: ahead(own.at, own.facing, size[1] / 2) };
  };
  // How far it comes that way: no farther than the nearest two rays, and what is left.
  const limit = (own, turn) => {
    const rays = own.moves.rays, beside = rays.filter(([at]) => Math.abs(at - turn) < 15);
    return Math.max(0, Math.min(body(own).left, ...beside.map(([, far]) => far)));
  };
  // The markers that the post office lays for a movement: each up to 1 UM long and turned anew toward the goal, the last
  // one along the front that is wanted. A marker that turns counts half a UM at least.
  const markers = (own, goal, wanted, face) => {
    const { front, size, left } = body(own), whole = Math.min(wanted, Math.ceil(gap(front, goal) - 1e-7) + Math.floor(size[1] / 2)), last = face === undefined ? 0 : Math.min(UM, Math.floor(whole / 2));
    const legs = [], budget = Math.max(left, wanted);
    let at = front, facing = own.facing, cost = 0, rest = whole - last, good = true;
    const leg = (turn, far) => {
      facing = (facing + turn + 360) % 360;
      // The middle of a unit stands on whole thousandths behind each of them.
      const stands = ahead(ahead(at, facing, -size[1] / 2), facing, far).map((n) => Math.floor(n + 0.5 + 1e-7));
      at = ahead(stands, facing, size[1] / 2);
      cost += turn ? Math.max(far, HALF) : far;
      legs.push([turn, far, at, facing]);
    };
    while (rest > 0 && gap(at, goal) > 0.001) {
      const far = Math.min(rest, UM), turn = budget - cost >= HALF ? clamp(off(facing, bearing(at, goal)), -TURN, TURN) : 0;
      leg(turn, far);
      rest -= far;
    }
    if (face !== undefined) {
      const turn = off(facing, face);
      good = Math.abs(turn) <= TURN && (!turn || budget - cost >= HALF);
      leg(clamp(turn, -TURN, TURN), last);
    }
    const far = legs.reduce((sum, [, far]) => sum + far, 0), to = bearing(front, goal);
    return { to, goal, far, face, facing, cost, legs, good, left: left - cost, centre: ahead(at, facing, -size[1] / 2), size };
  };
  // Straight on along a bearing, and then to the front that is wanted; both as whole degrees.
  const along = (own, way, far, face) => {
    const { front } = body(own), goal = ahead(front, way, FAR).map(Math.round);
    const room = far >= UM && body(own).left >= UM, turn = face === undefined || !room ? 0 : clamp(off(way, Math.round(face)), -TURN, TURN);
    return { ...markers(own, goal, far, turn ? (way + turn + 360) % 360 : undefined), to: (way + 360) % 360 };
  };
  // A way straight on to a place, within the cone and what is left.
  const straight = (own, to, face) => {
    const { front, size, left } = body(own), aim = clamp(off(own.facing, bearing(front, to)), -TURN + 1, TURN - 1), turn = left < HALF ? 0 : aim;
    const far = Math.floor(Math.min(gap(front, to) + size[1] / 2, limit(own, turn)) / 50) * 50;
    return far < 100 ? null : along(own, own.facing + turn, far, face);
  };
  const words = (own, way) => `MOVE ${own.say} BEARING ${way3(way.to)} ${um(way.far)}UM` + (way.face === undefined ? "" : ` FACE ${way3(way.face)}`);
  const ordered = (own, line) => {
    if (!line || line.verb !== "MOVE" || !own.moves || (line.way === undefined && !line.to) || line.odd) return null;
    const goal = line.to || ahead(body(own).front, line.way, FAR).map(Math.round), way = markers(own, goal, line.far ?? body(own).left, line.face);
    return line.to ? way : { ...way, to: line.way };
  };
  const marching = (own) => ordered(own, got(own.say, "MOVE"));
  // Blocks that lie over each other by more than a hair: no side of either parts them.
  const clash = (a, b) => [a, b].every((block) => block.every((from, n) => {
    const to = block[(n + 1) % 4], [x, y] = [to[1] - from[1], from[0] - to[0]], long = Math.hypot(x, y) || 1, on = (all) => all.map((p) => (p[0] * x + p[1] * y) / long);
    return Math.max(...on(a)) > Math.min(...on(b)) + 2 && Math.max(...on(b)) > Math.min(...on(a)) + 2;
  }));
  // Whom a unit may pass but not stand on: there the post office stops it before him.
  const upon = (own, way) => B.own.find((other) => other !== own && other.with === undefined && clash(block(way.centre, way.facing, way.size), block(other.at, other.facing, other.size)));
  // Near enemies a hair decides whether they are at touch: the sheet leaves that to CHECK.
  const HAIR = 60;
  const shy = (own, way) => way.legs.some(([, , at, facing]) => {
    const [front, depth] = way.size, near = block(ahead(at, facing, -depth / 2), facing, [front + 2 * HAIR, depth + 2 * HAIR]);
    return B.enemy.some((foe) => clash(near, block(foe.at, foe.facing, foe.size)));
  });
  // Whether a written way lies within what the tables say: each marker of it, and nobody need go round anything.
  const good = (own, way) => {
    if (!own.moves || !way.good || way.left < 0 || !way.legs.length) return false;
    const { front, left } = body(own);
    // Whoever does not face there, or would come no nearer, has to turn first.
    if (Math.abs(off(own.facing, bearing(front, way.goal))) > TURN || (way.face === undefined && gap(way.centre, way.goal) >= gap(own.at, way.goal))) return false;
    if (upon(own, way) || shy(own, way)) return false;
    return way.legs.every(([turn, , at], n) => {
      const to = off(own.facing, bearing(front, at)), most = limit(own, to);
      // A turn on the way needs half a UM, which ground that costs more may not leave.
      return Math.abs(to) <= TURN && gap(front, at) <= most + 2 && !(turn && n > 0 && most < left - 2);
    });
  };
  const stands = (thing) => {
    if (thing.kind === "chit") { const line = got(thing.key, "MARCH"); return { centre: line?.to || thing.chit.at }; }
    const { own } = thing, way = marching(own);
    if (way) return way;
    const turn = got(own.say, "TURN"), about = got(own.say, "ABOUT"), { size } = body(own);
    return { centre: own.at, facing: turn?.face ?? (about ? (own.facing + 180) % 360 : own.facing), size };
  };
  const mayMove = (own) => own.moves && !got(own.say, "BOMBARD") && own.form !== "unlimbered" && !/ UNLIMBER$/i.test(got(own.say, "FORM")?.text || "");
  const go = (to) => {
    const thing = of(chosen);
    if (!thing) return;
    if (thing.kind === "unit") {
      const { own } = thing;
      if (!mayMove(own)) return say(`${thing.name} does not move on` + (own.form === "unlimbered" ? ": it is unlimbered" : ""));
      const was = marching(own), way = straight(own, to, was?.face);
      if (!way) return say(`${thing.name}: ` + (!body(own).left ? "nothing is left of its movement" : limit(own, clamp(off(own.facing, bearing(body(own).front, to)), -TURN, TURN)) < 100 ? "somebody or the ground bars the way there" : "that is nearer than 0.1 UM"));
      return change(own.say, GOES, words(own, way));
    }
    if (thing.kind === "chit") {
      const { chit } = thing, far = Math.floor(Math.min(gap(chit.at, to), chit.left) / 10) * 10;
      if (far < 50) return change(thing.key, ["MARCH"], "");
      const goal = ahead(chit.at, bearing(chit.at, to), far).map((n) => Math.round(n / 10) * 10), inside = [clamp(goal[0], 0, B.map.size[0]), clamp(goal[1], 0, B.map.size[1])];
      return change(thing.key, ["MARCH", "DEPLOY"], `MARCH ${chit.number} TOWARD ${spot(inside)} ${um(far)}UM`);
    }
    drop(thing, to);
  };
  // A chit, or a decoy, is put down at the nearest place where one may be.
  const used = () => read_.filter(({ line }) => line && ["CHIT", "DECOY"].includes(line.verb));
  // Corps go where they are sent before a chit is put down: one that is sent off puts none where it stood.
  const leaves = (corps) => lineOf("=" + corps.id, "STRAT") >= 0;
  const room = (thing) => {
    if (thing.kind === "corps") return leaves(thing.corps) ? [] : thing.corps.drops;
    const gone = B.corps.filter(leaves), stay = B.corps.filter((corps) => !leaves(corps)), same = (a) => (b) => a[0] === b[0] && a[1] === b[1];
    return B.decoys.filter((at) => !gone.some((corps) => corps.drops.some(same(at))) || stay.some((corps) => corps.drops.some(same(at))));
  };
  const drop = (thing, to) => {
    const spots = room(thing), at = [...spots].sort((a, b) => gap(a, to) - gap(b, to))[0];
    const free = B.boxes.find((n) => !used().some(({ line }) => line.key === "+" + n));
    // A place clicked that is none of these is refused, and not another one taken.
    if (!at || free === undefined || gap(at, to) > UM / 2) return say(`No chit can be put down there${thing.corps && leaves(thing.corps) ? `: ${thing.name} leaves` : thing.corps?.area ? `: not in ${thing.corps.area}` : ""}.`);
    if (used().length >= B.quota) return say(`${B.quota} new chits are allowed in this turn.`);
    if (thing.kind === "decoy") return put(`DECOY ${free} PLACE ${spot(at)}`);
    if (!picked.size) return say("Choose the units that go into the chit first.");
    const units = [...picked];
    picked = new Set();
    put(`CHIT ${free} = ${units.join(", ")} PLACE ${spot(at)}`);
  };
  const put = (line) => { const lines = held(), later = lines.findIndex((old) => rank(old) > rank(line)); lines.splice(later >= 0 ? later : lines.length, 0, line); S.write(lines); tell(); };
  // 16.4.2.1 What one chit holds.
  const holds = (corps, names) => {
    const arms = names.map((name) => corps.units.find((unit) => unit.id === name)?.arm), many = (arm) => arms.filter((a) => a === arm).length;
    return many("inf") <= 1 && many("art") <= 1 && many("HQ") <= 1 && many("cav") <= 1 && many("HQ") < names.length;
  };
  const face = (degrees) => {
    const thing = of(chosen), own = thing?.own;
    if (!own?.moves) return;
    const way = marching(own);
    if (way) {
      if (way.far < UM) return say("A shorter way leaves no room to turn at its end.");
      return change(own.say, GOES, words(own, along(own, way.to, way.far, degrees)));
    }
    const turn = off(own.facing, degrees), [left, right] = own.moves.turns, by = clamp(turn, -left, right);
    change(own.say, GOES, Math.abs(by) < 1 || got(own.say, "FORM") ? "" : `TURN ${own.say} ${way3(own.facing + by)}`);
  };
  const back = () => { const thing = of(chosen); if (thing) change(thing.key, thing.kind === "unit" ? [...GOES, "FORM"] : ["MARCH", "DEPLOY", "STRAT"], ""); };

  const tell = () => {
    const thing = of(chosen);
    if (!thing) return say("");
    if (thing.kind === "corps") return say(`${thing.name} in ${thing.corps.area}` + (picked.size ? `: ${[...picked].join(", ")} into a chit` : ""));
    if (thing.kind === "decoy") return say("A decoy: choose a place.");
    const at = stands(thing), { centre, facing, far, face: last, cost } = at;
    if (thing.kind === "chit") return say(`${thing.name} at ${spot(centre)}, near ${near(centre)}, ${um(gap(thing.chit.at, centre))} of ${um(thing.chit.left)} UM`);
    const { left } = body(thing.own);
    say(`${thing.name}: ${spot(centre)}, near ${near(centre)}, faces ${way3(facing)}` + (far ? `, ${um(far)} of ${um(left)} UM` + (cost > far ? `, which count ${um(cost)}` : "") + (last === undefined ? "" : ", turned at its end") : thing.own.moves ? `, ${um(left)} UM left` : "; does not move") + (far && !good(thing.own, at) ? (upon(thing.own, at) ? `; it may pass ${upon(thing.own, at).say}, and not end there` : "; farther than this sheet can tell") : ""));
  };
  const choose = (key, move) => {
    if (key !== chosen) picked = new Set();
    chosen = key;
    S.show();
    const thing = of(key);
    if (thing && move && (thing.own || thing.chit)) S.look(drawn((thing.own || thing.chit).at));
    tell();
  };

  const path = (points) => "M" + points.map((at) => drawn(at).map(Math.round).join(" ")).join("L");
  const block = (centre, facing, [front, depth]) => {
    const corner = ([a, b]) => ahead(ahead(centre, facing + 90, (a * front) / 2), facing, (b * depth) / 2);
    return [[1, 1], [-1, 1], [-1, -1], [1, -1]].map(corner);
  };
  const paint = () => {
    for (const thing of things) {
      const on = thing.key === chosen ? "" : " other";
      if (thing.kind === "chit") {
        const line = got(thing.key, "MARCH");
        if (line?.to) over.append(draw("path", { class: "way" + on, d: path([thing.chit.at, line.to]) }), draw("circle", { class: "ghost", cx: drawn(line.to)[0], cy: drawn(line.to)[1], r: 130 }));
        continue;
      }
      if (thing.kind !== "unit") continue;
      const { own } = thing, way = marching(own), at = stands(thing), form = got(own.say, "FORM");
      if (way) over.append(draw("path", { class: "way" + on, d: path([body(own).front, ...way.legs.map(([, , at]) => at)]) }));
      if (way || form || at.facing !== own.facing) {
        const corners = block(at.centre, at.facing, at.size), [x, y] = drawn(ahead(at.centre, at.facing, -at.size[1] / 2 - 300));
        over.append(draw("path", { class: "ghost", d: path(corners) + "Z", "data-ghost": own.say }), draw("path", { class: "faces", d: path([corners[0], corners[1]]) }));
        over.append(draw("text", { class: "cost", x: Math.round(x), y: Math.round(y) }, way ? um(way.far) + (good(own, way) ? "" : "?") : ""));
      }
      for (const verb of ["ATTACK", "CHARGE", "BOMBARD", "VOLLEY"]) {
        const line = got(own.say, verb), foe = line?.at && B.enemy.find((foe) => fold(foe.say) === fold(line.at) || fold(foe.id) === fold(line.at)), to = foe?.at || (line?.at && B.enemy_chits[line.at]);
        if (to) over.append(draw("path", { class: (verb === "ATTACK" || verb === "CHARGE" ? "blow" : "shot") + on, d: path([at.centre, to]) }));
      }
    }
    for (const { line } of used()) if (line.to) over.append(draw("circle", { class: "ghost", cx: drawn(line.to)[0], cy: drawn(line.to)[1], r: 130 }), draw("text", { class: "cost", x: drawn(line.to)[0], y: drawn(line.to)[1] - 160 }, line.key.slice(1)));
    const thing = of(chosen);
    if (!thing) return;
    if (thing.kind === "corps" || thing.kind === "decoy") {
      const spots = room(thing);
      over.prepend(draw("path", { class: "reach", d: spots.map(([x, y]) => `M${x - 180} ${-y - 180}h360v360h-360z`).join("") }));
      return;
    }
    if (thing.kind === "chit") { if (thing.chit.left > 0) over.prepend(draw("circle", { class: "reach", cx: drawn(thing.chit.at)[0], cy: drawn(thing.chit.at)[1], r: thing.chit.left })); return; }
    const { own } = thing, { front, size } = body(own);
    if (mayMove(own)) {
      // The cone of the front, as far as it comes on each ray; and the middle way by tenths.
      const rays = own.moves.rays.map(([turn]) => ahead(front, own.facing + turn, limit(own, turn)));
      over.prepend(draw("path", { class: "reach", d: path([front, ...rays]) + "Z" }), draw("path", { class: "cone", d: path([front, ahead(front, own.facing - TURN, body(own).left)]) + path([front, ahead(front, own.facing + TURN, body(own).left)]) }));
    }
    // The handle is as large as a finger, however far off the field is.
    const finger = Math.max(150, 19 * S.scale()), at = stands(thing), far = at.size[1] / 2 + finger + 150, [cx, cy] = drawn(ahead(at.centre, at.facing, far)).map(Math.round);
    over.append(draw("path", { class: "picked", d: path(block(own.at, own.facing, size)) + "Z" }));
    if (own.moves) over.append(draw("path", { class: "cone", d: path([at.centre, ahead(at.centre, at.facing, far)]) }), draw("circle", { class: "finger", cx, cy, r: finger, "data-handle": own.say }), draw("circle", { class: "handle", cx, cy, r: 150, "data-handle": own.say }));
  };

  const orders = (thing) => {
    const made = [], { key } = thing, toggle = (words, verb, line, out, on) => made.push(S.act(words, () => change(key, out, on ? "" : line), on));
    if (thing.kind === "chit" && thing.chit.left > 0) toggle("Turn it over", "DEPLOY", `DEPLOY ${thing.chit.number}`, ["DEPLOY", "MARCH"], lineOf(key, "DEPLOY") >= 0);
    if (thing.kind === "corps") {
      for (const to of thing.corps.may) { const on = got(key, "STRAT")?.text.endsWith(" " + to) || false; toggle(`To ${to} ${B.areas[to]?.name || ""}`, "STRAT", `STRAT ${thing.corps.id} TO ${to}`, ["STRAT"], on); }
      const gone = new Set(used().flatMap(({ text }) => thing.corps.units.filter((unit) => new RegExp(`[=,]\\s*${unit.id.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}\\s*(,|PLACE)`).test(text)).map((unit) => unit.id)));
      if (thing.corps.drops.length) for (const unit of thing.corps.units) if (!gone.has(unit.id)) {
        made.push(S.act(`Into a chit: ${unit.id} (${unit.arm})`, () => {
          const all = picked.has(unit.id) ? [...picked].filter((id) => id !== unit.id) : [...picked, unit.id];
          if (all.length > 1 && !holds(thing.corps, all)) return say("One chit does not hold them together.");
          picked = new Set(all);
          S.show();
          tell();
        }, picked.has(unit.id)));
      }
    }
    const { own } = thing;
    if (own) {
      const at = (list, verb, words, out) => { for (const foe of list || []) toggle(`${words} ${foe}`, verb, `${verb} ${own.say} AT ${foe}`, out, fold(got(key, verb)?.at || "") === fold(foe)); };
      const blow = got(key, "ATTACK");
      const bare_ = blow?.text.replace(/ ELSE NEAR$/i, ""), near_ = bare_ !== blow?.text;
      if (blow) made.push(S.act("If out of reach, the nearest", () => change(key, GOES, near_ ? bare_ : `${bare_} ELSE NEAR`), near_));
      if (!got(key, "FORM")) { at(own.attacks, "ATTACK", "Attack", GOES); at(own.charges, "CHARGE", "Charge", GOES); }
      const shots = new Map();
      for (const { at: foe, canister } of own.fires || []) if (!shots.has(foe)) shots.set(foe, canister);
      for (const [foe, canister] of shots) toggle(`Fire at ${foe}` + (canister ? ", canister" : ""), "BOMBARD", `BOMBARD ${own.say} AT ${foe}`, ["BOMBARD", "FORM", ...GOES], fold(got(key, "BOMBARD")?.at || "") === fold(foe));
      at(own.volleys, "VOLLEY", "Volley at", ["VOLLEY"]);
      for (const form in own.moves?.forms || {}) toggle(`Form ${form.toLowerCase()}`, "FORM", `FORM ${own.say} ${form}`, ["FORM", ...GOES], got(key, "FORM")?.text.endsWith(" " + form) || false);
      const bare = own.moves && !got(key, "FORM") && !got(key, "BOMBARD");
      if (bare && own.moves.about) toggle("About", "ABOUT", `ABOUT ${own.say}`, GOES, lineOf(key, "ABOUT") >= 0);
      if (own.moves && (marching(own) || own.moves.turns.some((n) => n > 0))) for (const [words, by] of [["Turn left", -15], ["Turn right", 15]]) made.push(S.act(words, () => face(stands(thing).facing + by)));
      if (bare && mayMove(own)) for (const far of new Set([UM / 2, own.moves.back].filter((n) => n > 0 && n <= own.moves.back))) toggle(`Back ${um(far)}`, "BACK", `BACK ${own.say} ${um(far)}UM`, GOES, got(key, "BACK")?.far === far);
      if (bare && mayMove(own) && own.moves.side) for (const [word, sign] of [["Left", "L"], ["Right", "R"]]) toggle(`${word} ${um(own.moves.side)}`, "SIDE", `SIDE ${own.say} ${sign} ${um(own.moves.side)}UM`, GOES, got(key, "SIDE")?.text.includes(` ${sign} `) || false);
      for (const to of own.attaches || []) toggle(`Ride to ${to}`, "ATTACH", `ATTACH ${own.say} TO ${to}`, GOES, got(key, "ATTACH")?.text.endsWith(" " + to) || false);
      if (own.holds) toggle("Hold fire in their turn", "HOLD", `HOLD ${own.say}`, ["HOLD"], lineOf(key, "HOLD") >= 0);
      if (own.leaves) toggle("Disengage", "DISENGAGE", `DISENGAGE ${own.say}`, ["DISENGAGE"], lineOf(key, "DISENGAGE") >= 0);
      if (own.hides !== undefined) toggle(`Hide in box ${own.hides}`, "HIDE", `HIDE ${own.say} IN ${own.hides}`, ["HIDE", "FORM", ...GOES], lineOf(key, "HIDE") >= 0);
    }
    if (made.length && thing.kind !== "decoy") made.push(S.act("Clear", back));
    return made;
  };
  const acts = () => { const thing = of(chosen); return thing && !idle ? orders(thing) : []; };
  const rows = () => {
    const all = [];
    for (const one of things) {
      const { own, chit, corps } = one, chip = own ? own.say : chit ? `+${chit.number}` : corps ? corps.area : "?";
      const small = own ? `${own.arm}, ${own.form}, ${own.with ? "with " + own.with : `${spot(own.at)} ${near(own.at)}, faces ${way3(own.facing)}`}` : chit ? `${chit.id}; ${chit.units.join(", ") || "a decoy"}` : corps ? corps.units.map((unit) => unit.id).join(", ") : `one of ${B.quota} new chits`;
      const made = S.row("", chip, own ? own.id : one.name, small, own ? own.state : "", { "data-id": one.key, "aria-pressed": String(one.key === chosen) }, () => choose(one.key === chosen ? null : one.key, true));
      made.querySelector("em").textContent = read_.filter(({ line }) => line?.key === one.key).map(({ line }) => line.verb.toLowerCase() + (line.far ? ` ${um(line.far)}` : "")).join(", ");
      all.push(made);
    }
    return all;
  };
  const foes = () => {
    const all = B.enemy.map((foe) => S.row("foe", foe.say, foe.id, `${foe.what}; ${spot(foe.at)} ${near(foe.at)}, faces ${way3(foe.facing)}`, "", {}, () => { S.look(drawn(foe.at)); say(`${foe.id}: ${foe.what}`); }));
    for (const id in B.enemy_chits) all.push(S.row("foe", id, "a chit", `${spot(B.enemy_chits[id])} ${near(B.enemy_chits[id])}; units or a decoy`, "", {}, () => { S.look(drawn(B.enemy_chits[id])); say(`${id}: a chit`); }));
    return all.length ? all : [S.note("No enemy is in sight.")];
  };
  const able = () => things.filter(({ own, chit, corps }) => own?.moves || chit?.left > 0 || corps?.may.length || corps?.drops.length);
  const sum = () => {
    if (idle) return "Nothing of yours moves now.";
    const named = new Set(read_.map(({ line }) => line?.key).filter(Boolean));
    return sealed ? `${named.size} ${named.size === 1 ? "line" : "lines"}; ${used().length} of ${B.quota} new chits.` : `${[...named].length} of ${able().length} units and chits have orders.`;
  };
  // A chit of a corps that is sent off, or a decoy where nobody stays.
  const strands = (line) => {
    if (line.verb === "CHIT") return B.corps.some((corps) => leaves(corps) && corps.units.some((unit) => ` ${line.text.replace(/[=,]/g, " ")} `.toLowerCase().includes(` ${fold(unit.id)} `)));
    return line.verb === "DECOY" && line.to !== undefined && !room(of("decoy") || { kind: "decoy" }).some((at) => gap(at, line.to) <= 10);
  };
  const doubts = () => read_.map(({ line }) => {
    if (!line || line.odd || strands(line)) return true;
    const own = B.own.find((own) => own.say === line.key), way = own && line.verb === "MOVE" ? ordered(own, line) : null;
    return line.verb === "MOVE" && own ? !way || !good(own, way) : false;
  });
  // A chit is small: a finger beside it means it.
  const beside = (point) => {
    const at = plane(point), near_ = B.chits.map((chit) => [gap(chit.at, at), chit]).sort((a, b) => a[0] - b[0])[0];
    return near_ && near_[0] <= 19 * S.scale() ? near_[1] : undefined;
  };
  const hit = (element, point) => {
    const named = element?.closest?.("[data-unit],[data-chit],[data-ghost],[data-hq]")?.dataset || {};
    if (point && of(chosen)?.chit && beside(point) === of(chosen).chit) return chosen;
    const own = B.own.find((own) => own.id === named.unit || own.say === named.ghost || own.id === named.hq), chit = B.chits.find((chit) => chit.id === named.chit) || (own || !point ? undefined : beside(point));
    return own ? own.say : chit ? "+" + chit.number : null;
  };
  const plane = ([x, y]) => [x, -y];
  const tap = (point, element) => {
    const thing = of(chosen), key = thing ? hit(element) : hit(element, point), at = plane(point);
    if (key && key !== chosen) return choose(key);
    if (key === chosen && key) return choose(null);
    if (thing) return go(at);
    const foe = B.enemy.find((foe) => foe.id === element?.closest?.("[data-unit]")?.dataset.unit);
    say(foe ? `${foe.id}: ${foe.what}, faces ${way3(foe.facing)}` : `${spot(at)}, near ${near(at)}`);
  };
  // A block is dragged by itself, and turned by its handle.
  const grip = (point, element) => {
    if (B.stage !== "turn") return null;
    const handle = element?.closest?.("[data-handle]");
    if (handle) {
      const own = of(chosen).own;
      return { to: (p) => say(`${own.id}: faces ${way3(bearing(stands(of(chosen)).centre, plane(p)))}`), drop: (p) => face(bearing(stands(of(chosen)).centre, plane(p))) };
    }
    const key = hit(element, point), thing = key && of(key);
    if (!thing || !(thing.own ? mayMove(thing.own) : thing.chit?.left > 0)) return null;
    return {
      to: (p) => {
        if (chosen !== key) choose(key);
        const from = thing.own ? body(thing.own).front : thing.chit.at, way = thing.own && straight(thing.own, plane(p));
        say(`${thing.name}: ${way ? um(way.far) + " UM straight" : thing.own ? "no way there" : um(Math.min(thing.chit.left, gap(from, plane(p)))) + " UM"}, near ${near(plane(p))}`);
      },
      drop: (p) => { if (chosen !== key) choose(key); go(plane(p)); },
    };
  };
  const key = (struck) => {
    const thing = of(chosen), all = able();
    if (struck === "n" && all.length) { choose(all[(all.indexOf(thing) + 1) % all.length].key, true); return true; }
    if (struck === "Enter" || struck === "Escape") { choose(null); return true; }
    if (struck === "Backspace" && thing) { back(); return true; }
    const step = { w: [UM / 2, 0], s: [-UM / 2, 0], a: [0, -5], d: [0, 5] }[struck];
    if (step && (thing?.own?.moves || thing?.chit?.left > 0)) {
      const own = thing.own, at = stands(thing), from = own ? body(own).front : thing.chit.at, was = own ? at.far || 0 : gap(from, at.centre);
      const toward = (was ? (own ? at.to : bearing(from, at.centre)) : own ? own.facing : 0) + step[1], far = was + step[0];
      if (far < 100) back();
      else go(ahead(from, toward, far - (own ? body(own).size[1] / 2 : 0)));
      return true;
    }
    if ((struck === "," || struck === ".") && thing?.own?.moves) { face(stands(thing).facing + (struck === "," ? -15 : 15)); return true; }
    return false;
  };
  const home = () => {
    const own = [...B.own, ...B.chits].map((one) => one.at), foe = [...B.enemy.map((one) => one.at), ...Object.values(B.enemy_chits)];
    const pair = own.flatMap((a) => foe.map((b) => [a, b])).sort((p, q) => gap(...p) - gap(...q))[0];
    // Before anybody stands on the field the whole of it is shown, with its areas.
    const at = pair ? pair[0] : own[0];
    return at && drawn(at);
  };
  // All lines that a click could write for a piece now, each by itself; and ways to random places of its cone.
  const lines = (key, dice) => {
    const thing = of(key), { own, chit, corps } = thing, found = [], roll = () => (dice = (dice * 16807) % 2147483647) / 2147483647;
    if (own) {
      const m = own.moves;
      for (const form in m?.forms || {}) found.push(`FORM ${own.say} ${form}`);
      if (m?.about) found.push(`ABOUT ${own.say}`);
      if (m && mayMove(own)) {
        if (m.back) found.push(`BACK ${own.say} ${um(m.back)}UM`);
        if (m.side) found.push(`SIDE ${own.say} L ${um(m.side)}UM`, `SIDE ${own.say} R ${um(m.side)}UM`);
        for (let n = 0; n < 9; n++) {
          const { front } = body(own), to = ahead(front, own.facing - 60 + 120 * roll(), m.left * roll()), way = straight(own, to, n % 2 ? own.facing - 90 + 180 * roll() : undefined);
          if (way && good(own, way)) found.push(words(own, way));
        }
      }
      if (m) for (const [n, sign] of [[0, -1], [1, 1]]) if (m.turns[n]) found.push(`TURN ${own.say} ${way3(own.facing + sign * m.turns[n])}`);
      found.push(...(own.attacks || []).map((foe) => `ATTACK ${own.say} AT ${foe}`), ...(own.charges || []).map((foe) => `CHARGE ${own.say} AT ${foe}`));
      found.push(...(own.fires || []).map(({ at }) => `BOMBARD ${own.say} AT ${at}`), ...(own.volleys || []).map((foe) => `VOLLEY ${own.say} AT ${foe}`), ...(own.attaches || []).map((to) => `ATTACH ${own.say} TO ${to}`));
      if (own.holds) found.push(`HOLD ${own.say}`);
      if (own.leaves) found.push(`DISENGAGE ${own.say}`);
      if (own.hides !== undefined) found.push(`HIDE ${own.say} IN ${own.hides}`);
    }
    if (chit?.left > 0) found.push(`MARCH ${chit.number} TOWARD ${spot([clamp(chit.at[0] + 900 * (roll() - 0.5), 0, B.map.size[0]), clamp(chit.at[1] + 900 * (roll() - 0.5), 0, B.map.size[1])])} ${um(Math.floor(chit.left * roll() / 100) * 100 || 100)}UM`, `DEPLOY ${chit.number}`);
    if (corps) {
      found.push(...corps.may.map((to) => `STRAT ${corps.id} TO ${to}`));
      const first = corps.units.find((unit) => unit.arm !== "HQ"), at = corps.drops[Math.floor(roll() * corps.drops.length)];
      if (first && at) found.push(`CHIT ${B.boxes[0]} = ${first.id} PLACE ${spot(at)}`);
    }
    if (thing.kind === "decoy") found.push(`DECOY ${B.boxes[0]} PLACE ${spot(B.decoys[Math.floor(roll() * B.decoys.length)])}`);
    return found;
  };
  // Where a unit ends by a line, as the sheet draws it.
  const end = (text) => {
    const line = one(text), own = line && B.own.find((own) => own.say === line.key), way = own && ordered(own, line);
    return way && { at: way.centre, facing: way.facing, left: way.left, good: good(own, way), clear: own.moves.rays.every(([, far]) => far >= own.moves.left) };
  };
  const sums = { lines, end, keys: () => things.map((thing) => thing.key), choose: (key) => choose(key, true), point: (x, y) => { const p = new DOMPoint(x, -y).matrixTransform(S.svg.getScreenCTM()); return [p.x, p.y]; } };
  const start = { turn: "Drag a block, or choose it and then a place; turn it by the round handle.", fog: "Choose a corps, its units for a chit, and a marked place; or a decoy and a place.", deploy: "Choose a corps, and the area to which it goes." };
  const keys = (start[B.stage] || "") + " Keys on the map: n next piece" + (B.stage === "turn" ? "; w s farther and nearer; a d the way to the left and right; , and . turn the front." : ".");
  const hand = sealed ? "several corps in one line, conditions" : "movements of groups and corps, FOLLOW, SUPPORT, fire of several, SIDE, WITH and LEAD behind ATTACK, conditions";
  return { read, paint, sum, rows, acts, foes, tap, grip, key, home, sums, keys, hand, idle, doubts, field: true, near: 0.01, least: 3000, wide: 12000 };
};
