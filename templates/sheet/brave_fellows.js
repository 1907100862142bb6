// The part of `brave_fellows`: an impulse of a leader and his men.
const part = (S) => {
  const { B, say, held, plain, isEnd } = S, hex = hexes(S), T = tactical(S, hex), { WAYS, KEYS } = hexes, { of, foes, isHex } = T;
  const isUnit = (own) => own.kind !== "leader" && own.kind !== "battery";
  const fronts = new Set(B.fronts), setup = B.stage === "setup";

  // Lines: each verb has its place in an impulse.
  const RANK = { ACTIVATE: 0, CHARGE: 1, ENTER: 2, PUT: 2, MOVE: 2, FACE: 2, LEADER: 2, FIRE: 3, MELEE: 4, PASS: 0, LOSS: 5 };
  const names = (words) => words.flatMap((word) => {
    const one = B.own.find((own) => plain(own.id) === plain(word));
    return one ? [one.id] : B.own.filter((own) => isUnit(own) && plain(own.id).startsWith(plain(word) + "-")).map((own) => own.id);
  });
  const one = (line) => {
    const words = line.trim().split(/\s+/), verb = words[0]?.toUpperCase();
    if (!(verb in RANK)) return null;
    const clauses = T.clauses(words.slice(1), ["WITH", "EXTRA", "TEST", "VIA", "FACE", "AT", "TO", "ADVANCE"]);
    const first = clauses[""], way = first.filter(isHex), ids = names(first.filter((word) => !isHex(word)));
    const to = (clauses.AT || clauses.TO || [])[0], faces = (clauses.FACE || (verb === "FACE" ? first.slice(-1) : []))[0]?.toUpperCase();
    // A word that is nobody's name, or a hex in a wrong place.
    const odd = verb !== "ACTIVATE" && first.some((word) => !isHex(word) && !names([word]).length && ![...WAYS, "STAYS", "FOLLOWS"].includes(word.toUpperCase()));
    return { verb, ids, odd, way, to, faces: WAYS.includes(faces) ? faces : undefined, clauses, stays: /\b(STAYS|FOLLOWS)\b/i.test(line) };
  };

  // What stands where behind some lines, by the tables that the post office laid down.
  const begin = () => {
    const at = new Map();
    for (const own of B.own) at.set(own.id, { hex: own.hex, faces: own.faces, spent: 0, had: [0, 0], moved: own.began || false, done: false, acts: own.acts, charged: false });
    return { at, entered: new Map() };
  };
  const stack = (state, at) => B.own.filter((own) => own.kind !== "leader" && own.kind !== "dummy" && state.at.get(own.id).hex === at);
  const step = (state, ids, post, to, free) => {
    const i = WAYS.findIndex((way) => hex.neighbour(post.hex, way) === to);
    if (i < 0 || post.stopped || foes.has(to)) return null;
    const each = [];
    for (const [n, id] of ids.entries()) {
      const own = of(id), table = B.steps[own.table], friend = n > 0 || stack(state, to).some((other) => other.id !== id);
      if (!table) return null;
      const sign = ((friend && table.behind[post.hex]) || table.alone[post.hex] || "------")[i], before = post.each[n];
      if (sign === "-") return null;
      const level = { a: 0, b: 1 }[sign], had = before.had.map((n, k) => n + (k === level ? 1 : 0)), spent = before.spent + (level === undefined ? Number(sign) : 1);
      if (!free && spent > own.left) return null;
      if (had.some((n, k) => n > own.climbs[k] && k === level)) return null;
      each.push({ spent, had });
    }
    return { hex: to, each, stopped: fronts.has(to), faces: WAYS[i] };
  };
  const spent = (post) => Math.max(...post.each.map((one) => one.spent));
  // Horse and guns do not come to stand together.
  const fits = (state, ids, at) => {
    const kinds = [...stack(state, at).map((own) => own.kind), ...ids.map((id) => of(id).kind)];
    return !(kinds.includes("horse") && kinds.includes("guns"));
  };
  const start = (state, ids) => {
    const first = state.at.get(ids[0]);
    return { hex: first.hex, stopped: first.stopped || false, each: ids.map((id) => ({ spent: state.at.get(id).spent, had: state.at.get(id).had })), faces: first.faces };
  };
  const able = (state, ids) => ids.length > 0 && ids.every((id) => {
    const own = of(id), at = state.at.get(id);
    return own.table !== undefined && at.acts && at.hex && !at.done && !at.charged && at.hex === state.at.get(ids[0]).hex;
  });
  const walk = (state, ids, way) => {
    let post = start(state, ids);
    if (!able(state, ids)) return { post, whole: false };
    for (const to of way) {
      const next = step(state, ids, post, to);
      if (!next) return { post, whole: false };
      post = next;
    }
    return { post, whole: !way.length || fits(state, ids, post.hex) };
  };
  const spread = (state, ids, from, free) => {
    const best = new Map([[from.hex, { post: from, way: [] }]]), open = [{ post: from, way: [] }];
    while (open.length) {
      open.sort((a, b) => spent(a.post) - spent(b.post));
      const here = open.shift();
      for (const way of WAYS) {
        const to = hex.neighbour(here.post.hex, way), next = to && step(state, ids, here.post, to, free), known = to && best.get(to);
        if (!next || (known && spent(known.post) <= spent(next))) continue;
        const found = { post: next, way: [...here.way, to] };
        best.set(to, found);
        open.push(found);
      }
    }
    best.delete(from.hex);
    for (const to of [...best.keys()]) if (!fits(state, ids, to)) best.delete(to);
    return best;
  };
  const activated = (line) => {
    const call = B.calls.find((call) => call.leader === line.ids[0] && (call.line.includes(" VIA ") === Boolean(line.clauses.VIA)));
    if (!call) return null;
    const taken = names(line.clauses.WITH || []), more = names([...(line.clauses.EXTRA || []), ...(line.clauses.TEST || [])]);
    return new Set([call.leader, ...call.units, ...taken, ...more, ...taken.flatMap((name) => call.with[name] || [])]);
  };
  const finish = (state, ids) => { for (const [id, at] of state.at) if (at.moved && !ids.includes(id)) at.done = true; };
  // One line more: whether it is carried out as far as the tables tell.
  const carry = (state, line) => {
    if (!line) return undefined;
    const { ids, to } = line;
    if (line.verb === "ACTIVATE") {
      const all = activated(line);
      for (const id of all || []) if (state.at.has(id)) state.at.get(id).acts = true;
      return Boolean(all);
    }
    if (line.verb === "ENTER") {
      const at = to || Object.keys(of(ids[0])?.doors || {})[0], more = state.entered.get(at) || 0;
      const good = ids.length > 0 && ids.every((id) => state.at.get(id).acts && at in of(id).doors && !state.at.get(id).hex && (of(id).kind === "leader" || of(id).doors[at] + more <= (of(id).left ?? 0)));
      if (!good) return false;
      finish(state, ids);
      for (const id of ids) Object.assign(state.at.get(id), { hex: at, spent: of(id).doors[at] + more, moved: true, stopped: fronts.has(at) });
      state.entered.set(at, more + 1);
      return true;
    }
    if (line.verb === "MOVE") {
      if (!ids.length || ids.some((id) => !isUnit(of(id)) || !state.at.get(id).hex)) return false;
      const { post, whole } = walk(state, ids, line.way);
      finish(state, ids);
      ids.forEach((id, n) => Object.assign(state.at.get(id), { hex: post.hex, spent: post.each[n].spent, had: post.each[n].had, faces: line.faces || post.faces, moved: true, stopped: post.stopped }));
      return whole && line.way.length > 0;
    }
    if (line.verb === "FACE") {
      const good = ids.length > 0 && ids.every((id) => of(id).turns && (setup || state.at.get(id).acts) && !state.at.get(id).done && !state.at.get(id).charged);
      for (const id of ids) state.at.get(id).faces = line.faces;
      return good && Boolean(line.faces);
    }
    if (line.verb === "CHARGE") {
      const way = runs(state, ids[0])[to];
      if (!way || ids.length !== 1) return false;
      finish(state, ids);
      Object.assign(state.at.get(ids[0]), { hex: way.at(-2) || state.at.get(ids[0]).hex, charged: true });
      return true;
    }
    if (line.verb === "LEADER" && !line.stays) {
      const own = of(ids[0]), good = own && state.at.get(own.id).acts && to in own.rides;
      if (good) state.at.get(own.id).hex = to;
      return Boolean(good);
    }
    if (line.verb === "PUT") {
      const good = ids.length > 0 && ids.every((id) => of(id).puts.includes(to));
      for (const id of ids) Object.assign(state.at.get(id), { hex: to, faces: line.faces || state.at.get(id).faces });
      return good;
    }
    if (line.verb === "FIRE") return ids.length > 0 && ids.every((id) => shoots(state, id).includes(to));
    if (line.verb === "MELEE") return ids.length > 0 && ids.every((id) => strikes(state, id).includes(to));
    return undefined;
  };
  // Charges from where a unit stands, unless somebody has come into their way since.
  const runs = (state, id) => {
    const own = of(id), at = state.at.get(id), found = {};
    if (!own?.charges || !at.acts || at.moved || at.done || at.hex !== own.hex || at.charged) return found;
    const beside = (a, b) => a === b || WAYS.some((way) => hex.neighbour(a, way) === b);
    const come = B.own.filter((other) => other.id !== id && other.kind !== "leader" && state.at.get(other.id).hex && state.at.get(other.id).hex !== other.hex).map((other) => state.at.get(other.id).hex);
    for (const [to, way] of Object.entries(own.charges[at.faces] || {})) if (!come.some((where) => way.slice(0, -1).some((on) => beside(on, where)))) found[to] = way;
    return found;
  };
  const shoots = (state, id) => {
    const own = of(id), at = state.at.get(id);
    if (own.kind === "battery") return own.salvos || [];
    if (!own.fires || !at.acts || !at.hex || at.charged) return [];
    const round = own.round && at.hex === own.hex;
    return [...foes.keys()].filter((to) => {
      const marks = B.aims[to]?.[at.hex], mark = marks && (round && marks.includes("1") ? "1" : marks[WAYS.indexOf(at.faces)]);
      return mark === "1" || (own.fires !== "near" && mark === "2") || (own.fires === "howitzers" && mark === "3");
    });
  };
  const strikes = (state, id) => {
    const own = of(id), at = state.at.get(id);
    return (own.melees || []).filter((to) => at.acts && at.hex && WAYS.some((way) => hex.neighbour(at.hex, way) === to));
  };

  // The box, read: its lines, what each comes to, and where all stand in the end.
  let chosen = null, together = false, read_ = [], end = begin(), reach = new Map();
  const read = (lines) => {
    end = begin();
    read_ = lines.map((text) => { const line = one(text); return { text, line, good: carry(end, line) }; });
  };
  const before = (n) => { const state = begin(); for (const { line } of read_.slice(0, n)) carry(state, line); return state; };
  // The line of a verb that names a piece.
  const lineOf = (id, ...verbs) => read_.findIndex(({ line }) => line && verbs.includes(line.verb) && line.ids.includes(id) && !line.stays);
  const place = (verb, id) => {
    const came = verb === "MOVE" ? lineOf(id, "ENTER") : -1;
    if (came >= 0) return came + 1;
    const later = read_.findIndex(({ line, text }) => isEnd(text) || (line && RANK[line.verb] > RANK[verb]));
    return later >= 0 ? later : read_.length;
  };
  // Puts a line in the place of another, or where its verb belongs; an empty one takes the other out.
  const change = (n, text, verb, id) => {
    const lines = held();
    if (n >= 0) lines.splice(n, 1, ...(text ? [text] : []));
    else if (text) lines.splice(place(verb, id), 0, text);
    S.write(lines);
  };
  const group = () => {
    const n = lineOf(chosen, "MOVE");
    if (n >= 0) return read_[n].line.ids;
    const state = before(place("MOVE", chosen)), at = state.at.get(chosen);
    const mates = B.own.filter((own) => own.id !== chosen && isUnit(own) && own.table !== undefined && at.hex && state.at.get(own.id).hex === at.hex && able(state, [own.id]) && lineOf(own.id, "MOVE", "CHARGE") < 0);
    return together ? [chosen, ...mates.map((own) => own.id)] : [chosen];
  };
  // Who would fire, attack or move with the chosen.
  const companions = () => {
    const at = end.at.get(chosen).hex;
    return [...new Set([...group(), ...B.own.filter((own) => isUnit(own) && at && end.at.get(own.id).hex === at && end.at.get(own.id).acts).map((own) => own.id)])];
  };
  const march = () => {
    const n = lineOf(chosen, "MOVE"), ids = group(), way = n >= 0 ? read_[n].line.way : [];
    const state = before(n >= 0 ? n : place("MOVE", chosen));
    return { n, ids, way, state, faces: n >= 0 ? read_[n].line.faces : undefined, ...walk(state, ids, way) };
  };
  const moved = (ids, way, faces) => (way.length ? ["MOVE", ...ids, ...way, ...(faces ? ["FACE", faces] : [])].join(" ") : "");
  const go = (to) => {
    const own = of(chosen);
    if (!own) return;
    if (setup) {
      if (!own.puts?.includes(to)) return say(`${hex.named(to)}: ${own.id} may not be put there`);
      const n = lineOf(chosen, "PUT"), faces = n >= 0 ? read_[n].line.faces : undefined;
      change(n, `PUT ${own.id} AT ${to}` + (faces ? ` FACE ${faces}` : ""), "PUT", chosen);
    } else if (own.kind === "leader") {
      const n = lineOf(chosen, "LEADER");
      if (to === own.hex) change(n, "", "LEADER", chosen);
      else if (end.at.get(chosen).acts && to in own.rides) change(n, `LEADER ${own.id} TO ${to}`, "LEADER", chosen);
      else return say(end.at.get(chosen).acts ? `${hex.named(to)}: farther than ${own.id} rides, or no place for him` : `${own.id} rides nowhere: he is not activated`);
    } else {
      const { n, ids, way, post, state, faces } = march(), back = way.indexOf(to);
      if (to === start(state, ids).hex || back >= 0) change(n, moved(ids, way.slice(0, back + 1), faces), "MOVE", chosen);
      else {
        const found = spread(state, ids, post).get(to);
        if (!found) return say(why(state, ids, post, to));
        change(n, moved(ids, [...way, ...found.way], faces), "MOVE", chosen);
      }
    }
    tell();
  };
  // Why units do not come to a hex from where their way ends.
  const why = (state, ids, post, to, beyond) => {
    const name = hex.named(to), all = ids.join(" "), own = of(ids[0]), at = state.at.get(ids[0]);
    if (!at.acts) return `${all} does not move: its leader is not activated`;
    if (!at.hex) return `${all} waits off the map`;
    if (!able(state, ids)) return at.done ? `${all} has moved: another has gone since` : `${all} does not move in this impulse`;
    if (foes.has(to)) return `${name}: ${foes.get(to).join(", ")} ${foes.get(to).length > 1 ? "stand" : "stands"} there`;
    if (post.stopped) return `${all} stops at ${post.hex}, before an enemy`;
    const found = (beyond || spread(state, ids, post, true)).get(to);
    if (found) return `${name}: ${spent(found.post)} MP, and ${all} has ${Math.min(...ids.map((id) => of(id).left))}`;
    return B.steps[own.table].alone[to] ? `${name}: no way leads there, or no room beside who stands there` : `${name}: farther than ${all} comes in this impulse`;
  };
  const back = () => {
    if (!chosen) return;
    if (of(chosen).kind === "leader") change(lineOf(chosen, "LEADER"), "", "LEADER", chosen);
    else if (setup) change(lineOf(chosen, "PUT"), "", "PUT", chosen);
    else { const { n, ids, way, faces } = march(); change(n, moved(ids, way.slice(0, -1), faces), "MOVE", chosen); }
    tell();
  };
  const turn = (to) => {
    const own = of(chosen), n = lineOf(chosen, "MOVE"), put = lineOf(chosen, "PUT"), face = lineOf(chosen, "FACE");
    if (!own?.turns) return;
    if (n >= 0) { const { ids, way, faces } = read_[n].line; change(n, moved(ids, way, faces === to ? "" : to), "MOVE", chosen); }
    else if (put >= 0) change(put, `PUT ${own.id} AT ${read_[put].line.to} FACE ${to}`, "PUT", chosen);
    else change(face, end.at.get(chosen).faces === to && face >= 0 ? "" : `FACE ${group().join(" ")} ${to}`, "FACE", chosen);
    tell();
  };
  // Who fires or attacks with the chosen: those of his hex who could as well, where they act together.
  const party = (verb, to) => {
    const at = end.at.get(chosen).hex, could = verb === "FIRE" ? shoots : strikes;
    return together ? [chosen, ...B.own.filter((own) => own.id !== chosen && isUnit(own) && end.at.get(own.id).hex === at && could(end, own.id).includes(to)).map((own) => own.id)] : [chosen];
  };
  // Into the volley or the melee at a hex, or out of it.
  const aim = (verb, to) => {
    const was = lineOf(chosen, verb), same = was >= 0 && read_[was].line.to === to, ids = party(verb, to);
    const words = (ids, line) => [verb, ...ids, "AT", line.to, ...(line.clauses.ADVANCE ? ["ADVANCE", ...line.clauses.ADVANCE] : [])].join(" ");
    const lines = held();
    for (const id of ids) {
      const n = lines.findIndex((text) => { const line = one(text); return line?.verb === verb && line.ids.includes(id); });
      if (n < 0) continue;
      const line = one(lines[n]), left = line.ids.filter((other) => other !== id);
      lines.splice(n, 1, ...(left.length ? [words(left, line)] : []));
    }
    if (same) { S.write(lines); return tell(); }
    for (const id of ids) {
      // Horse and foot do not attack together.
      const mate = (line) => line?.verb === verb && line.to === to && (verb === "FIRE" || line.ids.every((other) => (of(other).kind === "horse") === (of(id).kind === "horse")));
      const n = lines.findIndex((text) => mate(one(text)));
      if (n >= 0) lines.splice(n, 1, words([...one(lines[n]).ids, id], one(lines[n])));
      else {
        const later = lines.findIndex((text) => isEnd(text) || (one(text) && RANK[one(text).verb] > RANK[verb]));
        lines.splice(later >= 0 ? later : lines.length, 0, `${verb} ${id} AT ${to}`);
      }
    }
    S.write(lines);
    tell();
  };
  const calling = () => read_.findIndex(({ line }) => line?.verb === "ACTIVATE");
  const activate = (call) => {
    const n = calling(), same = n >= 0 && read_[n].line.ids[0] === call.leader;
    change(n, same ? "" : call.line, "ACTIVATE", call.leader);
    say(same ? `${call.leader} is not activated` : `${call.leader} is activated: ${call.units.join(" ") || "nobody"} with him`);
  };
  const take = (call, name) => {
    const n = calling(), line = read_[n].line, with_ = names(line.clauses.WITH || []), all = with_.includes(name) ? with_.filter((other) => other !== name) : [...with_, name];
    const rest = ["EXTRA", "TEST"].flatMap((key) => (line.clauses[key]?.length ? [key, ...line.clauses[key]] : []));
    change(n, ["ACTIVATE", call.leader, ...(all.length ? ["WITH", ...all] : []), ...rest].join(" "), "ACTIVATE", call.leader);
  };
  const tell = () => {
    const own = of(chosen), at = own && end.at.get(chosen);
    if (!own) return say("");
    if (!at.hex) return say(`${own.id} waits off the map`);
    if (own.kind === "leader" || setup || own.table === undefined || !at.acts) return say(`${own.id}: ${hex.named(at.hex)}` + (own.rides?.[at.hex] ? `, ${own.rides[at.hex]} MP` : "") + (at.acts || setup || B.stage === "wait" ? "" : "; not activated"));
    const { ids, post, whole } = march();
    say(`${ids.join(" ")}: ${hex.named(post.hex)}, ${spent(post)} of ${Math.min(...ids.map((id) => of(id).left))} MP, faces ${at.faces || "no way"}` + (whole ? "" : "; the rest of the way is beyond that") + (post.stopped ? "; before an enemy, and stops" : ""));
  };
  const choose = (id, move) => {
    chosen = id;
    together = false;
    S.show();
    if (id && move && end.at.get(id).hex) S.look(hex.centre(end.at.get(id).hex));
    tell();
  };

  const paint = () => {
    read_.forEach(({ line, good }, n) => {
      const on = line?.ids.includes(chosen) ? "" : " other";
      if (line?.verb === "MOVE" && line.ids.length && line.way.length) {
        const from = before(n).at.get(line.ids[0]).hex;
        if (from) T.way(on, from, line.way, good ? String(end.at.get(line.ids[0]).spent) : "?");
      }
      if (["FIRE", "MELEE", "CHARGE"].includes(line?.verb) && line.to) for (const id of line.ids) T.arrow((line.verb === "FIRE" ? "shot" : "blow") + on, (line.verb === "CHARGE" ? before(n) : end).at.get(id).hex, line.to);
    });
    for (const [id, at] of end.at) {
      const own = of(id);
      if (!at.hex || (at.hex === own.hex && at.faces === own.faces)) continue;
      const to = at.faces && hex.neighbour(at.hex, at.faces);
      T.ghost(at.hex, hex.centre(to || at.hex));
    }
    reach = new Map();
    const own = of(chosen);
    if (!own) return;
    if (setup) for (const to of own.puts || []) reach.set(to, "");
    else if (own.kind === "leader") { if (end.at.get(chosen).acts) for (const to in own.rides) reach.set(to, String(own.rides[to])); }
    else if (own.table !== undefined && lineOf(chosen, "CHARGE") < 0) {
      const { ids, post, state } = march();
      if (able(state, ids)) for (const [to, found] of spread(state, ids, post)) reach.set(to, String(spent(found.post)));
    }
    T.offered(reach, end.at.get(chosen).hex);
  };

  const orders = (own) => {
    const at = end.at.get(own.id), made = [], has = (verb) => { const n = lineOf(own.id, verb); return n >= 0 ? read_[n].line.to : null; };
    const n = calling(), call = B.calls.filter((call) => call.leader === own.id || call.units.includes(own.id));
    if (own.kind === "leader" || !at.acts) for (const one of call) made.push(S.act(`Activate ${one.leader}`, () => activate(one), n >= 0 && read_[n].line.ids[0] === one.leader));
    for (const one of call) if (n >= 0 && read_[n].line.ids[0] === own.id && one.leader === own.id) for (const name in one.with) made.push(S.act(`With ${name}`, () => take(one, name), names(read_[n].line.clauses.WITH || []).includes(name)));
    for (const to in own.doors || {}) if (at.acts) made.push(S.act(`Enter by ${to}`, () => change(lineOf(own.id, "ENTER"), has("ENTER") === to ? "" : `ENTER ${own.id} AT ${to}`, "ENTER", own.id), has("ENTER") === to));
    const mates = isUnit(own) && own.table !== undefined && at.acts;
    if (mates) { const was = together; together = true; const many = companions().length; together = was; if (many > 1) made.push(S.act(`Together, ${many} units`, () => { together = !together; S.show(); tell(); }, together)); }
    for (const to of has("CHARGE") ? [has("CHARGE")] : Object.keys(runs(end, own.id))) made.push(S.act(`Charge ${to}`, () => change(lineOf(own.id, "CHARGE"), has("CHARGE") === to ? "" : `CHARGE ${own.id} AT ${to}`, "CHARGE", own.id), has("CHARGE") === to));
    for (const to of own.kind === "leader" ? [] : shoots(end, own.id)) made.push(S.act(`Fire at ${to}`, () => aim("FIRE", to), has("FIRE") === to));
    for (const to of own.kind === "leader" ? [] : strikes(end, own.id)) made.push(S.act(`Melee ${to}`, () => aim("MELEE", to), has("MELEE") === to));
    const melee = lineOf(own.id, "MELEE");
    if (melee >= 0) {
      const { ids, to, clauses } = read_[melee].line, first = names(clauses.ADVANCE || []), on = first.includes(own.id), all = on ? first.filter((id) => id !== own.id) : [...first, own.id];
      made.push(S.act("Advances if it wins", () => change(melee, ["MELEE", ...ids, "AT", to, ...(all.length ? ["ADVANCE", ...all] : [])].join(" "), "MELEE", own.id), on));
    }
    if (own.turns && (at.acts || setup) && at.hex) for (const way of WAYS) made.push(S.act(`Face ${way}`, () => turn(way), at.faces === way));
    if (own.stays !== undefined) {
      const n = read_.findIndex(({ line }) => line?.verb === "LEADER" && line.stays && line.ids[0] === own.id), stays = n >= 0 ? /STAYS/i.test(read_[n].text) : own.stays;
      made.push(S.act("Stays when they go back", () => change(n, n >= 0 ? "" : `LEADER ${own.id} ${own.stays ? "FOLLOWS" : "STAYS"}`, "LEADER", own.id), stays));
    }
    if (isUnit(own) && own.kind !== "dummy" && !setup && at.hex) made.push(S.act("Suffers first", () => change(lineOf(own.id, "LOSS"), lineOf(own.id, "LOSS") >= 0 ? "" : `LOSS ${own.id}`, "LOSS", own.id), lineOf(own.id, "LOSS") >= 0));
    if (made.length) made.push(S.act("One back", back), S.act("Clear", () => { S.write(held().filter((text) => { const line = one(text); return !line || line.verb === "ACTIVATE" || line.ids[0] !== own.id; })); tell(); }));
    return made;
  };
  const acts = () => {
    const own = of(chosen), n = read_.findIndex(({ line }) => line?.verb === "PASS");
    if (own) return B.stage !== "wait" ? T.around(orders(own), { chosen, choose, go }) : [];
    return B.stage === "activation" ? [S.act("Pass: activate nobody", () => change(n, n >= 0 ? "" : "PASS", "PASS", ""), n >= 0)] : [];
  };
  const rows = () => {
    const all = [];
    const sign = { leader: "★", foot: "foot", horse: "horse", guns: "guns", battery: "guns", dummy: "nobody" };
    for (const own of B.own) {
      const at = end.at.get(own.id), mine = read_.filter(({ line }) => line && line.verb !== "ACTIVATE" && line.ids.includes(own.id));
      all.push(T.row(own, [sign[own.kind], own.facts, at.acts, own.id === chosen, T.verbs(mine) + (at.hex !== own.hex && at.hex ? ` → ${at.hex}` : "")], () => choose(own.id === chosen ? null : own.id, true)));
    }
    for (const id of B.lost) for (const at of B.back) {
      const line = `REGROUP ${id} AT ${at}`;
      all.push(S.offer(line));
    }
    return all;
  };
  const idle = B.stage === "wait";
  const sum = () => {
    if (idle) return "Nothing of yours acts now.";
    if (setup) return `${read_.filter(({ line }) => line?.verb === "PUT").length} pieces are put.`;
    const acting = B.own.filter((own) => isUnit(own) && end.at.get(own.id).acts).length;
    return acting || calling() >= 0 || !B.calls.length ? `${acting} ${acting === 1 ? "unit acts" : "units act"}.` : "Nobody is activated yet: choose a leader.";
  };
  const doubts = () => read_.map(({ line, good }) => !line || line.odd || good === false);
  const tap = (point, element) => {
    const to = hex.at(point), here = B.own.filter((own) => end.at.get(own.id).hex === to);
    T.clicked(to, element, { here, acts: (own) => end.at.get(own.id).acts, chosen, choose, go, reach });
  };
  const key = (struck) => {
    const way = KEYS[struck], ready = B.own.filter((own) => (setup ? own.puts?.length : end.at.get(own.id).acts || B.calls.some((call) => call.leader === own.id)));
    if (struck === "n" && ready.length) choose(ready[(ready.findIndex((own) => own.id === chosen) + 1) % ready.length].id, true);
    else if (way && chosen && end.at.get(chosen).hex) { const to = hex.neighbour(of(chosen).kind === "leader" || setup || of(chosen).table === undefined ? end.at.get(chosen).hex : march().post.hex, way); if (to) go(to); }
    else if (/^[1-6]$/.test(struck) && chosen) turn(WAYS[struck - 1]);
    else if (struck === "Backspace") back();
    else if (struck === "Enter" || struck === "Escape") choose(null);
    else return false;
    return true;
  };
  // All lines that a click could write for a piece now, each by itself.
  const lines = (id) => {
    const own = of(id), at = end.at.get(id), found = [];
    for (const to in own.rides || {}) if (at.acts) found.push(`LEADER ${id} TO ${to}`);
    for (const to in own.doors || {}) if (at.acts) found.push(`ENTER ${id} AT ${to}`);
    for (const to of own.puts || []) found.push(`PUT ${id} AT ${to} FACE ${WAYS[found.length % 6]}`);
    if (isUnit(own) && own.kind !== "dummy" && !setup && B.stage !== "wait" && at.hex) found.push(`LOSS ${id}`);
    if (own.turns && at.acts) found.push(`FACE ${id} ${WAYS[found.length % 6]}`);
    if (own.kind !== "leader") found.push(...shoots(end, id).map((to) => `FIRE ${id} AT ${to}`), ...strikes(end, id).map((to) => `MELEE ${id} AT ${to}`), ...Object.keys(runs(end, id)).map((to) => `CHARGE ${id} AT ${to}`));
    return found;
  };
  // Who goes with a piece, and every place to which they come.
  const ways = (id, all) => {
    const was = [chosen, together];
    [chosen, together] = [id, all];
    const { state, ids, post } = march(), found = able(state, ids) ? [...spread(state, ids, post).entries()] : [];
    [chosen, together] = was;
    return [ids, found.map(([to, { post, way }]) => [to, way, spent(post)])];
  };
  const sums = {
    lines,
    good: () => read_.map(({ text, good }) => [text, good ?? null]),
    reach: (id) => ways(id, false)[1],
    stack: (id) => ways(id, true),
    choose: (id) => choose(id, true),
    whys: (id) => { choose(id); const { ids, post, state } = march(), [open, beyond] = [false, true].map((free) => spread(state, ids, post, free)); return hex.all().filter((to) => to !== post.hex && !open.has(to)).map((to) => why(state, ids, post, to, beyond)); },
  };
  const start_ = setup ? "Choose a piece, then the hex where it is put." : B.calls.length ? "Choose a leader and activate him; then choose his men, and hexes in turn." : "Choose a piece that acts, then hexes in turn.";
  const keys = start_ + " Another click on a stack takes the next of it. Keys on the map: n next piece; q w e a s d the six ways; 1 to 6 face N NE SE S SW NW.";
  const hand = setup ? "several pieces in one line" : "VIA, EXTRA and TEST behind ACTIVATE, conditions";
  return { read, paint, sum, rows, acts, foes: T.foeRows, tap, key, home: T.home, sums, keys, hand, idle, doubts, near: 0.14, least: 1400, wide: 16 * hex.across };
};
