// The part of `great_battles`: a command that acts, and what is written when a turn opens.
const part = (S) => {
  const { B, say, held, plain, isEnd } = S, hex = hexes(S), T = tactical(S, hex), { WAYS, KEYS } = hexes, { of, foes, isHex } = T;
  const { lodges, idle, isUnit, ROUND, CORNER, STRIKES, OPENING, MOVING, BY_HAND, one, begin, stack, limOf, left, able, start, walk, spread, facings, mates, shoots, strikes, rides, forms, carry } = battles(S, hex, T);

  // The box, read: its lines, those of lodged sheets one by one, what each comes to, and where all stand in the end.
  let chosen = null, together = false, read_ = [], end = begin(), reach = new Map();
  const LODGED = /^\s*DOCTRINE\s+LODGE\s+(ACTIVATE\s.*)\s+FOR\s+\S+\s*$/i;
  const unfold = (text) => (lodges && LODGED.test(text) ? text.match(LODGED)[1].split(/\s+THEN\s+/i) : [text]);
  const fold = (texts) => {
    if (!lodges) return texts;
    const found = [], sheets = new Map();
    let lim;
    for (const text of texts) {
      const line = one(text), acts = line && [...MOVING, "FIRE", ...STRIKES].includes(line.verb);
      if (acts) lim = limOf(line.division) ?? lim;
      if (!acts || !lim) found.push(text);
      else if (sheets.has(lim)) sheets.get(lim).push(text);
      else { sheets.set(lim, [text]); found.push(sheets.get(lim)); }
      if (acts && lim) sheets.get(lim).lim = lim;
    }
    return found.map((text) => (Array.isArray(text) ? `DOCTRINE LODGE ${text.join(" THEN ")} FOR ${text.lim}` : text));
  };
  const lines_ = () => held().flatMap(unfold), write = (texts) => S.write(fold(texts));
  const read = (lines) => {
    end = begin();
    read_ = lines.flatMap((text, raw) => unfold(text).map((text) => { const line = one(text); return { text, line, raw, good: carry(end, line) }; }));
    for (const [id, at] of end.ends) if (limOf(of(id).division) !== end.lim) end.at.set(id, at);
  };
  const before = (n) => { const state = begin(); for (const { line } of read_.slice(0, n)) carry(state, line); return state; };
  const lineOf = (id, ...verbs) => read_.findLastIndex(({ line }) => line && verbs.includes(line.verb) && line.ids.includes(id));
  const callOf = (division) => read_.findIndex(({ line }) => line?.verb === "ACTIVATE" && line.division === division);
  // Where a line belongs: activations with what moves in them, then fire and attacks, one division after the other.
  const key_ = (verb, division) => {
    const call = callOf(division), lim = lodges ? read_.findIndex(({ line }) => line?.verb === "ACTIVATE" && limOf(line.division) === limOf(division)) : 0, last = read_.length;
    const fought = read_.findIndex(({ line }) => line && (line.verb === "FIRE" || STRIKES.includes(line.verb)) && line.division === division), place = (n) => (n < 0 ? last : n);
    if (OPENING.includes(verb)) return [-1, 0, 0, 0];
    if (MOVING.includes(verb)) return [place(lim), 0, division in B.acting ? -1 : place(call), 0];
    return [place(lim), 1, place(fought), verb === "FIRE" ? 0 : 1];
  };
  const place = (verb, division) => {
    const own = key_(verb, division), later = (key) => { const n = key.findIndex((part, n) => part !== own[n]); return n >= 0 && key[n] > own[n]; };
    const found = read_.findIndex(({ line, text }) => isEnd(text) || (line && (line.division || OPENING.includes(line.verb)) && later(key_(line.verb, line.division))));
    return found >= 0 ? found : read_.length;
  };
  const splice = (n, count, ...texts) => { const lines = lines_(); lines.splice(n, count, ...texts.filter(Boolean)); write(lines); };
  const change = (n, text, verb, division) => { if (n >= 0) splice(n, 1, text); else if (text) splice(place(verb, division), 0, text); };
  // The last line in which a piece moves, who goes with it, and where they stand behind it.
  const march = () => {
    const n = lineOf(chosen, "MOVE", "FORM"), own = of(chosen);
    if (n < 0) {
      const at = place("MOVE", own.division), state = before(at), ids = [chosen, ...(together ? stack(state, state.at.get(chosen).hex).filter((mate) => mate.id !== chosen && able(state, [chosen, mate.id])).map((mate) => mate.id) : [])];
      return { n, at, state, ids, words: [], steps: [], post: start(state, ids), whole: true };
    }
    const { line } = read_[n], moves = line.verb === "MOVE", state = before(moves ? n : n + 1);
    return { n: moves ? n : -1, at: n + 1, state, ids: line.ids, words: moves ? (line.paces || []).map((pace) => pace.word) : [], ...(moves ? walk(state, line.ids, line.paces) : { steps: [], post: start(state, line.ids), whole: true }) };
  };
  const moved = (ids, words) => (words.length ? ["MOVE", ...ids, ...words].join(" ") : "");
  const rewrite = ({ n, at, ids }, words) => { const text = moved(ids, words); if (n >= 0) splice(n, 1, text); else if (text) splice(at, 0, text); };
  const go = (to) => {
    const own = of(chosen);
    if (!own) return;
    if (own.kind === "leader") {
      const n = lineOf(chosen, "LEADER"), state = n >= 0 ? before(n) : end;
      if (to === state.at.get(chosen).hex) change(n, "", "LEADER", own.division);
      else if (rides(state, chosen).has(to)) { const text = `LEADER ${own.id} TO ${to}`; if (n >= 0) splice(n, 1, text); else change(-1, text, "LEADER", own.with.find((division) => division in end.how)); }
      else return say(rides(state, chosen).size ? `${hex.named(to)}: farther than ${own.id} rides` : `${own.id} rides nowhere: no command acts with which he rides, or he has ridden`);
      return tell();
    }
    const now = march(), cut = now.words.indexOf(to);
    if (cut >= 0) rewrite(now, now.words.slice(0, cut + 1));
    else if (now.n >= 0 && to === start(now.state, now.ids).hex) rewrite(now, []);
    else {
      const found = able(now.state, now.ids) && now.whole ? spread(now.state, now.ids, now.post).get(to) : null;
      if (!found) return say(why(now, to));
      rewrite(now, [...now.words, ...found.words]);
    }
    tell();
  };
  // Why units do not come to a hex from where their way ends.
  const why = ({ state, ids, post }, to, beyond) => {
    const name = hex.named(to), all = ids.join(" "), own = of(ids[0]), at = state.at.get(ids[0]);
    if (!at.acts) return `${all} does not move: ${own.division} is not activated`;
    if (!at.hex) return `${all} waits off the map: it enters by a button`;
    if (own.more) return `${all} has two hexes: its buttons hold what can be tried; write its way by hand`;
    if (state.how[own.division] === "STRATEGIC") return `${all} marches strategically: Open has lines once that is sent; or write its way by hand`;
    if (!able(state, ids)) return at.stopped ? `${all} has stopped before an enemy` : `${all} does not move any more: others have gone since, or fire has begun`;
    if (foes.has(to)) return `${name}: ${foes.get(to).join(", ")} stands there`;
    if (post.stopped) return `${all} stops at ${post.hex}, before an enemy`;
    if (own.gaits?.[post.form] === undefined) return `${all} does not move in ${post.form}`;
    const found = (beyond || spread(state, ids, post, true)).get(to);
    if (found && found.post.paid > left(state, ids) - post.paid) return `${name}: ${found.post.paid} MP, and ${all} has ${left(state, ids)}`;
    return `${name}: farther than ${all} comes, no room beside who stands there, or too near to an enemy`;
  };
  const back = () => {
    const own = of(chosen);
    if (!own) return;
    const n = lineOf(chosen, "LEADER", "FORM", "MOVE");
    if (n >= 0) read_[n].line.verb === "MOVE" ? rewrite(march(), march().words.slice(0, -1)) : splice(n, 1);
    tell();
  };
  const face = (hour) => {
    const n = lineOf(chosen, "MOVE", "FORM"), line = read_[n]?.line;
    if (line?.verb === "FORM") splice(n, 1, ["FORM", ...line.ids, line.rest[0], "AT", hour || 12].join(" "));
    else { const now = march(); rewrite(now, [...now.words, ...(facings(now.state, now.ids, now.post).get(hour) || [])]); }
    tell();
  };
  const drill = (ids, form) => {
    const n = lineOf(chosen, "MOVE", "FORM"), line = read_[n]?.line, text = `FORM ${ids.join(" ")} ${form.replace("limbered", "limber").toUpperCase()}`;
    if (line?.verb === "FORM") splice(n, 1, line.form === form ? "" : text);
    else splice(n >= 0 ? n + 1 : place("FORM", of(chosen).division), 0, text);
    tell();
  };
  // By what die a division acts so, where there is one.
  const chance = (call, how) => (how && how !== "LIMITED" && call.odds !== undefined ? `in ${call.odds} of 10, else its breakdown decides` : "");
  const activate = (call, how) => {
    const n = callOf(call.division), same = n >= 0 && read_[n].line.how === how, odds = chance(call, how), text = `ACTIVATE ${call.division} ${how}`, pick = read_.findIndex(({ line }) => line?.verb === "PICK");
    const lines = lines_();
    if (n >= 0) lines.splice(n, 1, ...(same ? [] : [text]));
    else lines.splice(place("ACTIVATE", call.division), 0, text);
    if (call.pick && pick >= 0) lines.splice(pick, 1, ...(same ? [] : [`PICK ${call.pick}`]));
    else if (call.pick) lines.unshift(`PICK ${call.pick}`);
    write(lines);
    say(same ? `${call.division} is not activated` : `${call.division} acts (${how.toLowerCase()}): ${call.units.join(" ")}` + (odds ? `; ${odds}: what hangs on it is better sent once you know` : ""));
  };
  const tell = () => {
    const own = of(chosen), at = own && end.at.get(chosen);
    if (!own) return say("");
    if (!at.hex) return say(`${own.id} waits off the map`);
    if (own.kind === "leader" || !at.acts || own.more) return say(`${own.id}: ${hex.named(at.hex)}` + (own.kind !== "leader" && !at.acts && B.stage !== "wait" ? `; ${own.division} is not activated` : own.more ? "; it has two hexes" : ""));
    const { ids, post, whole, state } = march(), paid = Math.max(...ids.map((id) => state.at.get(id).spent)) + post.paid;
    say(`${ids.join(" ")}: ${hex.named(post.hex)}, ${paid} of ${Math.min(...ids.map((id) => state.at.get(id).ma))} MP, ${post.form}` + (ROUND.includes(post.form) ? "" : ` facing ${post.hour || 12}`) + (whole ? "" : "; the rest of the way is beyond that") + (post.tests ? "; its order is tested on the way" : "") + (post.stopped ? "; before an enemy, and stops" : ""));
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
      if (line?.verb === "MOVE" && line.ids.length) {
        const state = before(n), { post, steps } = walk(state, line.ids, line.paces);
        if (steps.length) T.way(on, state.at.get(line.ids[0]).hex, steps, good ? String(state.at.get(line.ids[0]).spent + post.paid) : "?");
      }
      if (line && (line.verb === "FIRE" || STRIKES.includes(line.verb)) && isHex(line.to || "") && line.ids[0]) T.arrow((line.verb === "FIRE" ? "shot" : "blow") + on, end.at.get(line.ids[0]).hex, line.to);
    });
    for (const [id, at] of end.at) {
      const own = of(id);
      if (at.hex === own.hex && at.hour === own.hour && at.form === own.form) continue;
      const middles = WAYS.map((way) => hex.neighbour(at.hex, way) || at.hex).map(hex.centre), [p, q] = [middles[Math.floor((at.hour ?? 0) / 2)], middles[Math.ceil((at.hour ?? 0) / 2) % 6]];
      T.ghost(at.hex, at.hour === undefined || ROUND.includes(at.form) ? hex.centre(at.hex) : [(p[0] + q[0]) / 2, (p[1] + q[1]) / 2]);
    }
    reach = new Map();
    const own = of(chosen);
    if (!own || idle) return;
    if (own.kind === "leader") for (const [to, cost] of rides(lineOf(chosen, "LEADER") >= 0 ? before(lineOf(chosen, "LEADER")) : end, chosen)) reach.set(to, String(cost));
    else {
      const { state, ids, post, whole } = march(), was = Math.max(...ids.map((id) => state.at.get(id).spent));
      if (able(state, ids) && whole) for (const [to, found] of spread(state, ids, post)) reach.set(to, String(was + found.post.paid));
    }
    T.offered(reach, end.at.get(chosen).hex);
  };

  const calls = (all) => all.flatMap((call) => call.how.map((how) => { const n = callOf(call.division), on = n >= 0 && read_[n].line.how === how && (!call.pick || end.pick === call.pick); return S.act(`${lodges ? "Lodge" : call.pick ? "Pick" : "Activate"} ${call.pick || call.division} ${how.toLowerCase()}`, () => activate(call, how), on); }));
  const toggled = (n, text) => (n >= 0 ? splice(n, 1, text) : splice(place("CHANGE", ""), 0, text));
  const opening = () => {
    const { change, begin, reinforce } = B.opening, at = (verb) => read_.findIndex(({ line }) => line?.verb === verb), made = [];
    const flip = (names, name) => (names.includes(name) ? names.filter((other) => other !== name) : [...names, name]);
    const first = at("INITIATIVE"), wished = first >= 0 ? read_[first].line.names : [], n = at("CHANGE"), by = n >= 0 ? read_[n].line.parts.BY?.[0] : undefined, added = n >= 0 ? read_[n].line.parts.ADD || [] : [], delay = at("REINFORCE");
    for (const name of begin) made.push(S.act(`Begin with ${name}` + (wished.length > 1 && wished.includes(name) ? `, ${wished.indexOf(name) + 1}` : ""), () => { const names = flip(wished, name); toggled(first, names.length ? `INITIATIVE ${names.join(" ")}` : ""); }, wished.includes(name)));
    for (const leader in change) for (const name of change[leader]) made.push(S.act(`${leader} adds ${name}`, () => { const names = flip(by === leader ? added : [], name); toggled(n, names.length ? `CHANGE BY ${leader} ADD ${names.join(" ")}` : ""); }, by === leader && added.includes(name)));
    if (reinforce) made.push(S.act("Hold reinforcements back", () => toggled(delay, delay >= 0 ? "" : "REINFORCE NO"), delay >= 0));
    return made;
  };
  const orders = (own) => {
    const at = end.at.get(own.id), made = [], has = (...verbs) => read_[lineOf(own.id, ...verbs)]?.line;
    if (!at.acts || B.calls.some((call) => call.division === own.division)) made.push(...calls(B.calls.filter((call) => (isUnit(own) ? call.units.includes(own.id) : call.division === own.division))));
    if (isUnit(own) && at.acts && !own.more && at.hex) {
      const now = march(), formed = has("MOVE", "FORM")?.verb === "FORM" ? lineOf(own.id, "FORM") : -1, hours = formed >= 0 ? [0, 2, 4, 6, 8, 10].map((hour) => hour + (CORNER.includes(now.post.form) ? 1 : 0)) : [...facings(now.state, now.ids, now.post).keys()].filter((hour) => hour !== now.post.hour);
      if (now.n < 0 && formed < 0) { const was = together; together = true; const many = march().ids.length; together = was; if (many > 1) made.push(S.act(`Together, ${many} units`, () => { together = !together; S.show(); tell(); }, together)); }
      if (!ROUND.includes(now.post.form)) for (const hour of hours.sort((a, b) => a - b)) made.push(S.act(`Face ${hour || 12}`, () => face(hour), hour === now.post.hour));
      const state = formed >= 0 ? before(formed) : now.n >= 0 ? before(now.at) : now.state, ids = own.kind === "guns" ? now.ids : mates(state, own.id).map((mate) => mate.id);
      for (const form of own.forms || []) if (forms(state, { ids, form })) made.push(S.act(`Form ${form}`, () => drill(ids, form), formed >= 0 && read_[formed].line.form === form));
    }
    // What the post office has tried for counters that no way is drawn for.
    for (const { name, line } of at.acts ? own.ready || [] : []) { const n = read_.findIndex(({ text }) => plain(text.trim()) === plain(line)); made.push(S.act(name, () => change(n, n >= 0 ? "" : line, "MOVE", own.division), n >= 0)); }
    const shot = has("FIRE"), blow = has(...STRIKES), verb = (words, to, line, does) => made.push(S.act(`${words} ${to}`, does, line?.to === to));
    for (const to of shot ? [shot.to] : shoots(before(place("FIRE", own.division)), own.id)) verb("Fire at", to, shot, () => change(lineOf(own.id, "FIRE"), shot ? "" : `FIRE ${own.id} AT ${to}`, "FIRE", own.division));
    for (const [word, to] of blow ? [[blow.verb, blow.to]] : strikes(end, own.id)) verb(word[0] + word.slice(1).toLowerCase(), to, blow, () => change(lineOf(own.id, ...STRIKES), blow ? "" : `${word} ${own.id} AT ${to}`, word, own.division));
    if (blow && blow.verb !== "CHARGE") made.push(S.act("Without support", () => change(lineOf(own.id, ...STRIKES), `${blow.verb} ${own.id} AT ${blow.to}${blow.parts.SUPPORT ? "" : " SUPPORT NONE"}`, blow.verb, own.division), Boolean(blow.parts.SUPPORT)));
    if (read_.some(({ line }) => line?.ids.includes(own.id))) made.push(S.act("One back", back), S.act("Clear", () => { write(lines_().filter((text) => one(text)?.ids[0] !== own.id)); tell(); }));
    return made;
  };
  const acts = () => (idle ? [] : of(chosen) ? T.around([...orders(of(chosen)), ...opening()], { chosen, choose, go }) : [...opening(), ...calls(B.calls)]);
  const rows = () => B.own.map((own) => {
    const at = end.at.get(own.id), mine = read_.filter(({ line }) => line?.ids.includes(own.id)), on = own.id === chosen;
    return T.row(own, [own.kind === "leader" ? "★" : own.kind, `${own.division ? own.division + "; " : ""}${own.facts}`, isUnit(own) && at.acts, on, T.verbs(mine) + (at.hex !== own.hex ? ` → ${at.hex}` : "")], () => choose(on ? null : own.id, true));
  });
  // Standing answers: for all, or for the division of who is chosen.
  const standing = () => B.standing.map(({ word, about, values }) => {
    const set = (value) => { const text = `DOCTRINE ${word} ${value}` + (of(chosen)?.division ? ` FOR ${of(chosen).division}` : ""), lines = held(); S.write(lines.includes(text) ? lines.filter((line) => line !== text) : S.put(lines, text)); };
    return S.make("div", { class: "offer" }, S.make("b", {}, word), ` ${about}: `, ...values.map((value) => S.button(value, () => set(value), { "aria-label": `${word} ${value}` })));
  });
  // Who has not tried to act yet: with END it stays.
  const untried = () => [...new Set(B.calls.filter((call) => !lodges && !call.pick && !(call.division in end.how)).map((call) => call.division))];
  const left_ = () => (untried().length ? ` Not activated: ${untried().join(", ")}.` : "");
  const ending = () => (untried().length ? `With END these do not act: ${untried().join(", ")}.` : "");
  const sum = () => {
    if (idle) return "Nothing of yours acts now.";
    const acting = B.own.filter((own) => isUnit(own) && end.at.get(own.id).acts).length;
    const tries = B.calls.map((call) => { const odds = chance(call, read_[callOf(call.division)]?.line.how); return odds && ` ${call.division} acts ${odds}.`; }).join("");
    return (acting ? `${acting} units act.` : lodges ? "The turn is opened." : "Nobody is activated yet: choose a division.") + tries + left_();
  };
  const doubts = () => held().map((text, raw) => read_.some(({ line, good, raw: of_ }) => of_ === raw && (!line || good === false || (BY_HAND.includes(line.verb) && !line.laid) || (line.paces === null)) && (line?.verb === "ACTIVATE" ? "sure" : true)));
  const tap = (point, element) => {
    const to = hex.at(point), here = B.own.filter((own) => end.at.get(own.id).hex === to || (own.more || []).includes(to));
    T.clicked(to, element, { here, acts: (own) => end.at.get(own.id).acts, chosen, choose, go, reach });
  };
  const key = (struck) => {
    const way = KEYS[struck], ready = B.own.filter((own) => end.at.get(own.id).acts || B.calls.some((call) => call.units.includes(own.id)));
    if (struck === "n" && ready.length) choose(ready[(ready.findIndex((own) => own.id === chosen) + 1) % ready.length].id, true);
    else if (way && chosen) { const to = hex.neighbour(of(chosen).kind === "leader" ? end.at.get(chosen).hex : march().post.hex, way); if (to) go(to); }
    else if (/^[1-6]$/.test(struck) && chosen && isUnit(of(chosen)) && end.at.get(chosen).acts) face((2 * Number(struck) - 2 + (CORNER.includes(march().post.form) ? 1 : 0)) % 12);
    else if (struck === "Backspace") back();
    else if (struck === "Enter" || struck === "Escape") choose(null);
    else return false;
    return true;
  };
  // All lines that a click could write for a piece now, each by itself.
  const lines = (id) => {
    const own = of(id), found = [];
    if (!isUnit(own)) return [...rides(end, id).keys()].map((to) => `LEADER ${id} TO ${to}`);
    found.push(...shoots(end, id).map((to) => `FIRE ${id} AT ${to}`), ...strikes(end, id).map(([verb, to]) => `${verb} ${id} AT ${to}`));
    if (!own.more && able(end, [id])) {
      for (const words of facings(end, [id], start(end, [id])).values()) if (words.length) found.push(moved([id], words));
      const ids = own.kind === "guns" ? [id] : mates(end, id).map((mate) => mate.id);
      for (const form of own.forms || []) if (forms(end, { ids, form })) found.push(`FORM ${ids.join(" ")} ${form.replace("limbered", "limber").toUpperCase()}`);
    }
    return found;
  };
  // Who goes with a piece, and every place to which they come: the hex, the words, the points, and how they stand.
  const ways = (id, all) => {
    const was = [chosen, together];
    [chosen, together] = [id, all];
    const { state, ids, post, whole } = march(), spent = Math.max(...ids.map((id) => state.at.get(id).spent)), found = able(state, ids) && whole ? [...spread(state, ids, post).entries()] : [];
    [chosen, together] = was;
    return [ids, found.map(([to, { post, words }]) => [to, words, spent + post.paid, post.hour])];
  };
  const sums = {
    lines,
    good: () => read_.map(({ text, good }) => [text, good ?? null]),
    reach: (id) => ways(id, false)[1],
    stack: (id) => ways(id, true),
    choose: (id) => choose(id, true),
    whys: (id) => { choose(id); const now = march(), [open, beyond] = [false, true].map((free) => spread(now.state, now.ids, now.post, free)); return hex.all().filter((to) => to !== now.post.hex && !open.has(to)).map((to) => why(now, to, beyond)); },
  };
  const keys = (lodges ? "Buttons write what the turn opens with; a sheet that is lodged is taken when its marker is drawn." : "Activate a division first; then choose its units, and hexes in turn.") + " Another click on a stack takes the next of it. Keys on the map: n next piece; q w e a s d the six ways; 1 to 6 face 12 2 4 6 8 10, in line 1 3 5 7 9 11.";
  const hand = "SPREAD, TOP, ROUT, EXIT, DROP, COMBAT, REMOVE, KEEP, VIA, SUPPORT by name, strategic ways, counters in two hexes, answers with a number";
  return { read, paint, sum, rows, acts, foes: T.foeRows, tap, key, home: T.home, sums, keys, hand, idle, doubts, ending, standing, near: 0.14, least: 1400, wide: 16 * hex.across };
};
