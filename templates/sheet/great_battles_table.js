// The table of `great_battles`: what stands where behind some lines, by what the post office laid down.
const battles = (S, hex, { of, foes, isHex, clauses }) => {
  const { B, plain } = S, { WAYS } = hexes;
  // Twelve is nought.
  for (const own of B.own) if (own.hour === 12) own.hour = 0;
  const isUnit = (own) => own.kind !== "leader";
  const ROUND = ["skirmish", "square"], CORNER = ["line", "unlimbered"], STRIKES = ["BAYONET", "ASSAULT", "CHARGE"];
  const FORMS = { LINE: "line", COLUMN: "column", SKIRMISH: "skirmish", SQUARE: "square", DISORDER: "disorder", LIMBER: "limbered", LIMBERED: "limbered", UNLIMBER: "unlimbered", UNLIMBERED: "unlimbered" };
  const fronts = new Set(B.fronts), idle = B.stage === "wait", lodges = B.stage === "open";
  const known = new Map(B.enemy.filter((foe) => foe.last === undefined && !foe.leader).map((foe) => [foe.id, foe]));
  const at_ = (to) => (foes.get(to) || []).map((id) => known.get(id));
  const beside = (a, b) => WAYS.some((way) => hex.neighbour(a, way) === b);
  const near = (at, ids) => WAYS.some((way) => { const to = hex.neighbour(at, way); return to && (foes.get(to) || []).some((id) => ids.includes(id)); });
  const dread = [...known.values()].filter((foe) => !foe.runs && !foe.guns).map((foe) => foe.id), all_ = [...known.keys()];

  // Lines.
  const OPENING = ["CHANGE", "INITIATIVE", "REINFORCE", "PICK"], MOVING = ["ACTIVATE", "MOVE", "FORM", "LEADER"], BY_HAND = ["SPREAD", "TOP", "ROUT", "ENTER", "EXIT", "DROP", "COMBAT"], QUIET = ["REMOVE", "KEEP", "DOCTRINE"];
  const VERBS = [...OPENING, ...MOVING, "FIRE", ...STRIKES, ...BY_HAND, ...QUIET];
  const AHEAD = { F: 0, FL: -1, FR: 1, SL: -3, SR: 3, B: 6, BL: -5, BR: 5 };
  const named = (word) => B.own.find((own) => plain(own.id) === plain(word))?.id;
  // The words of a way: hexes, and what is said of the facing.
  const paces = (words) => {
    const found = [];
    for (const word of words) {
      const key = word.toUpperCase(), times = /^[1-5]$/.test(word) && ["L", "R"].includes(found.at(-1)?.word) ? Number(word) - 1 : 0;
      if (times) for (let n = 0; n < times; n++) found.push(found.at(-1));
      else if (isHex(word) || key in AHEAD || ["L", "R", "AF"].includes(key)) found.push({ word: key });
      else if (!/^1$/.test(word)) return null;
    }
    return found;
  };
  const one = (text) => {
    const words = text.trim().split(/\s+/), verb = words[0]?.toUpperCase();
    if (!VERBS.includes(verb)) return null;
    const parts = clauses(words.slice(1), ["AT", "TO", "VIA", "SUPPORT", "BY", "ADD", "FOR", "FACE"]), first = parts[""], line = { verb, parts, ids: [], to: (parts.AT || parts.TO || [])[0] };
    if (verb === "ACTIVATE") return { ...line, division: first[0]?.toUpperCase(), how: (first[1] || "FULL").toUpperCase() };
    // Lines that the post office has tried for this very piece.
    line.laid = B.own.some((own) => own.ready?.some((ready) => plain(ready.line) === plain(text.trim())));
    if (QUIET.includes(verb) || (OPENING.includes(verb) && verb !== "PICK")) return { ...line, names: first.map((word) => word.toUpperCase()) };
    const many = first.findIndex((word) => !named(word)), count = many < 0 ? first.length : many;
    line.ids = first.slice(0, count).map(named);
    line.rest = first.slice(count);
    if (verb === "PICK") return { ...line, who: first[0] };
    if (verb === "MOVE") line.paces = paces(line.rest);
    if (verb === "FORM") Object.assign(line, { form: FORMS[line.rest[0]?.toUpperCase()], hour: line.to === undefined ? undefined : WAYS.includes(line.to.toUpperCase()) ? 2 * WAYS.indexOf(line.to.toUpperCase()) : Number(line.to) % 12 });
    line.division = of(line.ids[0])?.division;
    return line;
  };

  // What lies over a side of a counter, by its formation and the hour that it faces.
  const side = (form, hour, i) => {
    const off = (2 * i - hour + 24) % 12;
    if (ROUND.includes(form)) return "front";
    if (CORNER.includes(form)) return [1, 11].includes(off) ? "front" : [5, 7].includes(off) ? "rear" : "flank";
    if (form === "disorder") return [10, 0, 2].includes(off) ? "front" : "rear";
    return off === 0 ? "front" : off === 6 ? "rear" : "flank";
  };
  const ahead = (at) => WAYS.map((way, i) => side(at.form, at.hour, i) === "front" && hex.neighbour(at.hex, way)).filter(Boolean);
  const cell = (at) => [Number(at.slice(0, 2)) - B.map.columns[0], Number(at.slice(2)) - B.map.rows[0]];
  const price = (gait, at, i) => {
    const [col, row] = cell(at), sign = B.gaits[gait]?.steps[col]?.[row * 6 + i] ?? "-", code = sign.charCodeAt(0);
    return sign === "-" ? null : code < 58 ? { cost: code - 48, toll: 0 } : code >= 97 ? { cost: code - 96, toll: 1 } : { cost: code - 64, toll: 2 };
  };
  const room = (at) => { const [col, row] = cell(at); return B.rooms[(B.grounds[col]?.charCodeAt(row) ?? 0) - 97]; };

  // What stands where behind some lines, by the tables that the post office laid down.
  const fresh = (own) => ({ hex: own.hex, hour: own.hour, form: own.form, spent: own.spent || 0, turns: own.turns || 0, under: own.under || 0, acts: own.acts || false, done: own.done || false, stopped: own.stopped || false, shot: own.shot, ma: own.points?.[B.acting[own.division]] ?? 0, attacked: false, supports: false, fired: false, rode: false, moved: false });
  const begin = () => ({ at: new Map(B.own.map((own) => [own.id, fresh(own)])), ends: new Map(), how: { ...B.acting }, active: B.active, mover: B.own.filter((own) => own.moves).map((own) => own.id), phase: ["movement", "fire", "melee"].indexOf(B.step), fought: new Set(B.fought), called: false, pick: undefined, lim: undefined, bayonets: new Set(), charged: new Set() });
  const stack = (state, to) => B.own.filter((own) => isUnit(own) && own.kind !== "dummy" && (state.at.get(own.id).hex === to || (own.more || []).includes(to)));
  const limOf = (division) => B.calls.find((call) => call.division === division)?.lim;
  // Why units do not stand in a hex together: none where they can.
  const fits = (state, ids, to, form) => {
    const all = [...stack(state, to).filter((own) => !ids.includes(own.id)), ...ids.map(of)], guns = all.filter((own) => own.kind === "guns"), others = all.filter((own) => own.kind !== "guns");
    const form_ = (own) => (ids.includes(own.id) && own.kind !== "guns" ? form : state.at.get(own.id).form);
    if (guns.length > (others.length ? 1 : 2)) return false;
    if (guns.some((own) => own.division !== guns[0].division || form_(own) !== form_(guns[0]))) return false;
    if (!others.length) return true;
    const [first] = others, has = form_(first), size = 1 + (first.more || []).length;
    if (others.some((own) => own.kind !== first.kind || own.division !== first.division || form_(own) !== has)) return false;
    if (others.length > 1 && others.some((own) => form_(own) === "skirmish" || own.more)) return false;
    const row = first.runs ? "disorder" : first.kind === "horse" && !["line", "disorder"].includes(has) ? "column" : has;
    return others.reduce((sum, own) => sum + own.sp, 0) <= size * (room(to)?.sp[`${first.kind} ${row}`] ?? 0);
  };
  const left = (state, ids) => Math.min(...ids.map((id) => state.at.get(id).ma - state.at.get(id).spent));
  const limited = (state, ids) => state.how[of(ids[0]).division] === "LIMITED";
  const able = (state, ids) => ids.length > 0 && state.phase === 0 && of(ids[0]).division === state.active && state.how[state.active] !== "STRATEGIC" && ids.every((id) => {
    const at = state.at.get(id), first = state.at.get(ids[0]);
    return isUnit(of(id)) && !of(id).more && at.hex && at.acts && !at.done && !at.stopped && at.hex === first.hex && at.hour === first.hour && at.form === first.form;
  });
  const start = (state, ids) => { const { hex, hour, form, stopped } = state.at.get(ids[0]); return { hex, hour, form, stopped, paid: 0, turned: 0, tests: false }; };
  // One step, or why there is none; `free` looks beyond the points.
  const step = (state, ids, post, to, [last, free]) => {
    const i = WAYS.findIndex((way) => hex.neighbour(post.hex, way) === to);
    if (i < 0 || post.stopped || foes.has(to)) return null;
    const where = side(post.form, post.hour, i);
    let cost = 0, toll = 0;
    for (const id of ids) {
      const gait = of(id).gaits?.[post.form], pays = gait === undefined ? null : price(gait, post.hex, i);
      if (!pays) return null;
      const times = where === "front" ? 1 : where === "flank" && post.form === "line" ? B.aside[0] : where === "rear" && ["column", "disorder"].includes(post.form) ? B.aside[1] : 0;
      if (!times && !(where === "rear" && post.form === "line")) return null;
      cost = Math.max(cost, times ? pays.cost * times : Math.max(state.at.get(id).ma, 1));
      toll = Math.max(toll, pays.toll);
    }
    // Aside and back, into a hex that nobody is in; and not next to those before whom they began, or whom they may not come near.
    if (where !== "front" && stack(state, to).length) return null;
    if (ids.some((id) => near(to, of(id).shuns || []) || (of(id).kind === "guns" && near(to, dread))) || (limited(state, ids) && near(to, all_))) return null;
    const rest = left(state, ids) - post.paid;
    if (cost > rest && !free) return null;
    const stays = !(toll === 2 && post.form !== "skirmish") ? fits(state, ids, to, post.form) : fits(state, ids, to, "disorder");
    if ((last || (cost === rest && !free)) && !stays) return null;
    if (last && stack(state, to).some((own) => own.runs && !ids.includes(own.id))) return null;
    return { ...post, hex: to, paid: post.paid + cost, stopped: fronts.has(to), tests: post.tests || toll > 0 };
  };
  const turned = (state, ids, post, word, free) => {
    if (post.stopped) return null;
    let cost = 0;
    for (const id of ids) {
      const gait = B.gaits[of(id).gaits?.[post.form]], about = gait?.about;
      if (word === "AF" && about === undefined) return null;
      if (post.form === "unlimbered" && state.at.get(id).turns + post.turned > 0) return null;
      cost = Math.max(cost, word !== "AF" ? gait?.turn ?? (ROUND.includes(post.form) ? 0 : 1) : about || Math.ceil(state.at.get(id).ma / 2));
    }
    if (cost > left(state, ids) - post.paid && !free) return null;
    const tests = word !== "AF" && post.form === "line" && state.at.get(ids[0]).turns + post.turned > 0;
    return { ...post, hour: (post.hour + (word === "R" ? 2 : word === "L" ? 10 : 6)) % 12, paid: post.paid + cost, turned: post.turned + 1, tests: post.tests || tests };
  };
  // The next pace of a way.
  const pace = (state, ids, post, { word }, last) => {
    if (["L", "R", "AF"].includes(word)) return turned(state, ids, post, word);
    if (isHex(word)) return step(state, ids, post, word, [last]);
    const hours = AHEAD[word], wide = post.form === "disorder" && [1, 5].includes(Math.abs(hours)), by = wide ? hours + Math.sign(hours) * (Math.abs(hours) === 1 ? 1 : -1) : hours, hour = (post.hour + by + 24) % 12;
    return hour % 2 ? null : step(state, ids, post, hex.neighbour(post.hex, WAYS[hour / 2]), [last]);
  };
  const walk = (state, ids, all) => {
    let post = start(state, ids);
    const steps = [];
    if (!able(state, ids) || !all) return { post, steps, whole: false };
    for (const [n, word] of all.entries()) {
      const next = pace(state, ids, post, word, n + 1 === all.length);
      if (!next) return { post, steps, whole: false };
      if (next.hex !== post.hex) steps.push(next.hex);
      post = next;
    }
    return { post, steps, whole: true };
  };
  // All places to which units come, the cheapest first, with the words of the way.
  const spread = (state, ids, from, free) => {
    const best = new Map(), queue = [], seen = new Map([[from.hex + "/" + from.hour, from.paid]]);
    queue[from.paid] = [{ post: from, words: [] }];
    const offer = (found) => {
      const key = found.post.hex + "/" + found.post.hour, was = seen.get(key);
      if (was !== undefined && was <= found.post.paid) return;
      seen.set(key, found.post.paid);
      (queue[found.post.paid] ||= []).push(found);
    };
    for (let paid = 0; paid < queue.length && paid < 60; paid++) for (let n = 0; n < (queue[paid]?.length || 0); n++) {
      const { post, words } = queue[paid][n];
      if (seen.get(post.hex + "/" + post.hour) < paid) continue;
      for (const way of WAYS) {
        const to = hex.neighbour(post.hex, way);
        if (!to) continue;
        const ends = step(state, ids, post, to, [true, free]), passes = step(state, ids, post, to, [false, free]);
        if (ends && to !== from.hex && !(best.get(to)?.post.paid <= ends.paid)) best.set(to, { post: ends, words: [...words, to] });
        if (passes) offer({ post: passes, words: [...words, to] });
      }
      if (!ROUND.includes(post.form)) for (const word of ["L", "R", "AF"]) { const post_ = turned(state, ids, post, word, free); if (post_) offer({ post: post_, words: [...words, word] }); }
    }
    return best;
  };
  // How units can face where they stand, each with the words that bring it about.
  const facings = (state, ids, post) => {
    const found = new Map([[post.hour, []]]);
    if (!able(state, ids) || ROUND.includes(post.form)) return found;
    for (const word of ["R", "L"]) {
      let now = post, words = [];
      for (let n = 0; n < 3 && (now = turned(state, ids, now, word)); n++) { words = [...words, word]; if (!found.has(now.hour)) found.set(now.hour, words); }
    }
    const about = turned(state, ids, post, "AF");
    if (about) found.set(about.hour, ["AF"]);
    return found;
  };

  const finish = (state, ids) => { if (state.mover.some((id) => !ids.includes(id))) { for (const id of state.mover) state.at.get(id).done = true; state.mover = []; } };
  // Units stand so now.
  const stands = (state, ids, post) => {
    finish(state, ids);
    const below = Math.max(-1, ...stack(state, post.hex).filter((own) => !ids.includes(own.id)).map((own) => state.at.get(own.id).under)) + 1;
    ids.forEach((id, n) => { const at = state.at.get(id); Object.assign(at, { hex: post.hex, hour: post.hour, form: post.form, spent: at.spent + post.paid, turns: at.turns + post.turned, stopped: post.stopped, under: at.hex === post.hex ? at.under : below + n, moved: true }); });
    state.mover = ids;
  };
  // The movement of all is over, and a division comes to a step of its combat.
  const fight = (state, division, phase) => {
    for (const id of state.mover) state.at.get(id).done = true;
    state.mover = [];
    if (state.phase > 0 && state.active !== division) { state.fought.add(state.active); state.phase = 0; }
    state.phase = Math.max(state.phase, phase);
    state.active = division;
  };
  const fights = (state, division) => division in state.how && !state.fought.has(division);
  const fresh_ = (state, id) => { const own = of(id), at = state.at.get(id); return at.hex === own.hex && at.hour === own.hour && at.form === own.form && at.spent === (own.spent || 0); };
  const came = (state, hexes) => B.own.some((own) => isUnit(own) && state.at.get(own.id).hex !== own.hex && hexes.includes(state.at.get(own.id).hex));
  const went = (state, hexes) => B.own.some((own) => isUnit(own) && state.at.get(own.id).hex !== own.hex && hexes.includes(own.hex));
  const mates = (state, id) => (of(id).more ? [of(id)] : stack(state, state.at.get(id).hex)).filter((own) => own.kind !== "guns");
  const shoots = (state, id) => {
    const own = of(id), at = state.at.get(id);
    if (!at.acts || !at.hex || at.fired || !fights(state, own.division) || state.how[own.division] === "STRATEGIC" || (state.phase === 2 && state.active === own.division)) return [];
    if (own.kind === "guns") return at.hex === own.hex && at.form === own.form && !came(state, own.eyes || []) && !went(state, own.eyes || []) ? own.aims?.[at.hour || 12] || [] : [];
    const top = mates(state, id).sort((a, b) => state.at.get(a.id).under - state.at.get(b.id).under || (a.id < b.id ? -1 : 1))[0];
    return own.fires && !own.more && top?.id === id && B.volleys.includes(at.form) ? ahead(at).filter((to) => foes.has(to) && at_(to).every((foe) => !foe.more)) : [];
  };
  const strikes = (state, id) => {
    const own = of(id), at = state.at.get(id), found = [];
    if (!own.strikes || !at.hex || !at.acts || at.attacked || state.how[own.division] !== "FULL" || !fights(state, own.division) || (at.form === "disorder" && !own.cossack)) return found;
    const sign = (to) => Number(B.sides[to]?.[WAYS.findIndex((way) => hex.neighbour(to, way) === at.hex)] ?? 0), before = own.more ? [] : ahead(at).filter((to) => foes.has(to));
    if (own.kind === "foot" && at.form !== "square" && !at.supports) for (const to of before) {
      if (mates(state, id).concat(stack(state, at.hex)).some((mate) => (state.at.get(mate.id).shot ?? to) !== to)) continue;
      if (sign(to) & 1) found.push(["ASSAULT", to]);
      else if (!state.bayonets.has(to) && !at_(to).some((foe) => foe.struck?.[0])) found.push(["BAYONET", to]);
    }
    const charged = (to) => state.charged.has(to) || at_(to).some((foe) => foe.struck?.[1]) || (own.cossack && at_(to).some((foe) => !foe.runs && !foe.guns));
    if (own.kind === "horse" && at.spent <= Math.floor(at.ma / 2)) {
      if (fresh_(state, id)) { for (const to in own.charges || {}) if (!came(state, own.charges[to]) && !charged(to)) found.push(["CHARGE", to]); }
      else for (const to of before) if (sign(to) & 2 && !charged(to)) found.push(["CHARGE", to]);
    }
    return found;
  };
  const rides = (state, id) => {
    const own = of(id), at = state.at.get(id), best = new Map([[at.hex, 0]]), open = [at.hex];
    if (at.rode || !(own.with || []).some((division) => division in state.how)) return new Map();
    while (open.length) {
      const here = open.sort((a, b) => best.get(a) - best.get(b)).shift();
      WAYS.forEach((way, i) => {
        const to = hex.neighbour(here, way), pays = to && price(own.gaits.ride, here, i), spent = best.get(here) + (pays?.cost ?? 0);
        if (!pays || foes.has(to) || spent > B.rides || best.get(to) <= spent) return;
        best.set(to, spent);
        open.push(to);
      });
    }
    best.delete(at.hex);
    return best;
  };
  // Each sheet that is lodged stands for itself: what others plan is not yet so.
  const by = (state, lim) => {
    if (!lodges || state.lim === lim) return;
    for (const own of B.own) {
      if (isUnit(own) && limOf(own.division) === state.lim) state.ends.set(own.id, state.at.get(own.id));
      state.at.set(own.id, { ...fresh(own), ...(isUnit(own) ? {} : { hex: state.at.get(own.id).hex }) });
    }
    Object.assign(state, { lim, how: {}, active: undefined, mover: [], phase: 0, fought: new Set(), called: false, bayonets: new Set(), charged: new Set() });
  };
  const activates = (state, { division, how }) => {
    const call = B.calls.find((call) => call.division === division && call.pick === state.pick && call.how.includes(how));
    if (!call) return false;
    by(state, call.lim);
    if (division in state.how || state.phase || (call.alone && state.called)) return false;
    state.mover = [];
    Object.assign(state, { active: division, called: true });
    state.how[division] = how;
    for (const id of call.units.filter((id) => state.at.has(id))) Object.assign(state.at.get(id), { acts: true, done: false, stopped: false, ma: of(id).points?.[how] ?? 0 });
    return true;
  };
  const wishes = (line) => {
    const { change, begin, reinforce } = B.opening, names = line.names;
    if (line.verb === "CHANGE") { const by = line.parts.BY?.[0]?.toUpperCase(); return !by ? names[0] === "NONE" : by in change && (line.parts.ADD || []).every((name) => change[by].includes(name.toUpperCase())); }
    return line.verb === "INITIATIVE" ? names.length > 0 && names.every((name) => begin.includes(name)) : reinforce && ["YES", "NO"].includes(names[0]);
  };
  const forms = (state, { ids, form, hour }) => {
    if (!able(state, ids) || !form || stack(state, state.at.get(ids[0]).hex).some((own) => own.kind !== "guns" && !ids.includes(own.id) && ids.some((id) => of(id).kind !== "guns"))) return null;
    const post = start(state, ids), corner = CORNER.includes(form) ? 1 : 0;
    let cost = 0;
    for (const id of ids) {
      const pays = B.drills[of(id).drill]?.[post.form]?.[form];
      if (pays === undefined || !of(id).forms?.includes(form)) return null;
      cost = Math.max(cost, pays);
    }
    const faces = hour ?? (post.hour % 2 === corner ? post.hour : (post.hour + (corner ? 1 : 11)) % 12);
    return cost > left(state, ids) || faces % 2 !== corner || room(post.hex)?.forbids.includes(form) || !fits(state, ids, post.hex, form) ? null : { ...post, form, hour: faces, paid: cost };
  };
  // One line more: whether it is carried out as far as the tables tell.
  const carry = (state, line) => {
    if (line?.laid) return state.at.get(line.ids[0])?.acts || false;
    if (!line || QUIET.includes(line.verb) || BY_HAND.includes(line.verb)) return undefined;
    const { verb, ids, to, division } = line;
    if (verb === "PICK") { const good = !state.pick && B.calls.some((call) => plain(call.pick || "") === plain(line.who || "-")); if (good) state.pick = B.calls.find((call) => plain(call.pick || "") === plain(line.who)).pick; return good; }
    if (OPENING.includes(verb)) return lodges && wishes(line);
    if (verb === "ACTIVATE") return activates(state, line);
    if (!ids.length || ids.some((id) => !id)) return false;
    if (verb === "LEADER") {
      const cost = isUnit(of(ids[0])) ? undefined : rides(state, ids[0]).get(to);
      if (cost !== undefined) Object.assign(state.at.get(ids[0]), { hex: to, rode: true });
      return cost !== undefined;
    }
    if (verb === "MOVE") {
      const { post, whole } = walk(state, ids, line.paces);
      if (able(state, ids)) stands(state, ids, post);
      return whole && line.paces.length > 0;
    }
    if (verb === "FORM") {
      const post = forms(state, line);
      if (post) stands(state, ids, post);
      return Boolean(post);
    }
    const good = verb === "FIRE" ? shoots(state, ids[0]).includes(to) : strikes(state, ids[0]).some(([word, at]) => word === verb && at === to);
    if (!good || ids.length > 1) return false;
    fight(state, division, verb === "FIRE" ? 1 : 2);
    if (verb === "FIRE") { Object.assign(state.at.get(ids[0]), { fired: true, shot: to }); return true; }
    const attack = mates(state, ids[0]).map((own) => own.id), names = line.parts.SUPPORT?.map((word) => named(word));
    for (const id of attack) state.at.get(id).attacked = true;
    if (verb === "CHARGE") state.charged.add(to);
    else for (const own of B.own) {
      const at = state.at.get(own.id), helps = isUnit(own) && own.division === division && at.acts && !at.attacked && [at.hex, ...(own.more || [])].some((on) => beside(on, to));
      if (helps && (!names || names.includes(own.id))) at.supports = true;
    }
    if (verb === "BAYONET") state.bayonets.add(to);
    return true;
  };
  return { lodges, idle, isUnit, ROUND, CORNER, STRIKES, OPENING, MOVING, BY_HAND, one, begin, stack, limOf, left, able, start, walk, spread, facings, mates, shoots, strikes, rides, forms, carry };
};
