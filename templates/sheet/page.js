"use strict";
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const byId = (id) => document.getElementById(id);
  const V = JSON.parse(byId("view").textContent), B = V.board;
  const WAYS = ["N", "NE", "SE", "S", "SW", "NW"], KEYS = { w: "N", e: "NE", d: "SE", s: "S", a: "SW", q: "NW" };
  const svg = document.querySelector("#map svg"), over = svg.querySelector("#over"), box = byId("lines");

  // Elements: text enters as text alone, so that no name becomes markup.
  const make = (name, attributes, ...inner) => {
    const made = document.createElement(name);
    for (const key in attributes) made.setAttribute(key, attributes[key]);
    made.append(...inner);
    return made;
  };
  const button = (words, act, attributes) => {
    const made = make("button", { type: "button", ...attributes }, ...[].concat(words));
    made.addEventListener("click", act);
    return made;
  };
  const draw = (name, attributes, text) => {
    const made = document.createElementNS(SVG, name);
    for (const key in attributes) made.setAttribute(key, attributes[key]);
    if (text !== undefined) made.textContent = text;
    return made;
  };

  // Hexes.
  const { across, down, radius } = B.map, half = down / 2;
  const split = (hex) => [Number(hex.slice(0, 2)), Number(hex.slice(2))];
  const join = (col, row) => String(col).padStart(2, "0") + String(row).padStart(2, "0");
  const centre = (hex) => {
    const [col, row] = split(hex);
    return [radius + across * (col - 1), half + down * (row - 1) + (col % 2 ? 0 : half)];
  };
  const inside = (col, row) => col >= B.map.columns[0] && col <= B.map.columns[1] && row >= B.map.rows[0] && row <= B.map.rows[1];
  const neighbour = (hex, way) => {
    const [col, row] = split(hex), odd = col % 2;
    const [c, r] = { N: [0, -1], S: [0, 1], NE: [1, odd ? -1 : 0], SE: [1, odd ? 0 : 1], NW: [-1, odd ? -1 : 0], SW: [-1, odd ? 0 : 1] }[way];
    return inside(col + c, row + r) ? join(col + c, row + r) : null;
  };
  const outline = (hex) => {
    const [x, y] = centre(hex);
    return `M${x - radius / 2} ${y - half}h${radius}l${radius / 2} ${half}l${-radius / 2} ${half}h${-radius}l${-radius / 2} ${-half}z`;
  };
  const named = (hex) => hex + (B.places[hex] ? " " + B.places[hex] : "");
  const points = (n) => (n % 2 ? (n > 1 ? (n - 1) / 2 : "") + "½" : String(n / 2));

  const enemies = {};
  for (const foe of B.enemy) (enemies[foe.hex] ||= []).push(foe.id);

  // What a march costs, by the tables that the post office laid down.
  const digit = (table, off, hex, i, byRoad) => {
    const row = (!byRoad && off[hex]) || table[hex], sign = row ? row[i] : "-";
    return sign === "-" ? null : parseInt(sign, 36);
  };
  const start = (piece) => ({ hex: piece.hex, foot: 0, horse: 0, byRoad: piece.road, ended: false });
  const step = (piece, at, to) => {
    const i = WAYS.findIndex((way) => neighbour(at.hex, way) === to);
    if (i < 0 || at.ended || enemies[to]) return null;
    const foot = digit(B.steps.foot, B.steps.foot_off, at.hex, i, at.byRoad), horse = digit(B.steps.horse, B.steps.horse_off, at.hex, i, at.byRoad);
    if (foot === null || horse === null) return null;
    const next = { hex: to, foot: at.foot + foot, horse: at.horse + horse, byRoad: B.steps.road[at.hex][i] === "1", ended: Boolean(B.zones[to]) };
    const fits = (limit, spent) => limit === undefined || spent <= limit;
    return fits(piece.foot, next.foot) && fits(piece.horse, next.horse) ? next : null;
  };
  const spent = (piece, at) => (piece.foot === undefined ? at.horse : piece.horse === undefined ? at.foot : Math.max(at.foot, at.horse));
  const allowance = (piece) => Math.min(piece.foot ?? Infinity, piece.horse ?? Infinity);
  const walk = (piece, way) => {
    let at = start(piece);
    for (const hex of way) {
      const next = step(piece, at, hex);
      if (!next) return { at, whole: false };
      at = next;
    }
    return { at, whole: true };
  };
  // Everything that can be come to from a place, with the way there.
  const spread = (piece, from) => {
    const best = new Map([[from.hex, { at: from, way: [] }]]), open = [{ at: from, way: [] }];
    while (open.length) {
      open.sort((a, b) => spent(piece, a.at) - spent(piece, b.at));
      const here = open.shift();
      for (const way of WAYS) {
        const to = neighbour(here.at.hex, way), next = to && step(piece, here.at, to), known = to && best.get(to);
        if (!next || (known && spent(piece, known.at) <= spent(piece, next))) continue;
        const found = { at: next, way: [...here.way, to] };
        best.set(to, found);
        open.push(found);
      }
    }
    best.delete(from.hex);
    return best;
  };

  // The text box is the one source: marches are read from its lines, and written into them.
  let chosen = null, marches = new Map(), hows = new Map(), past = [], reach = new Map();
  const plain = (words) => words.replace(/"/g, "").toLowerCase();
  const pieceOf = (head) => B.own.find((own) => own.say && (plain(own.say) === plain(head) || plain("FORCE " + own.id) === plain(head)));
  const read = (line) => {
    const force = /^\s*((?:FORCE|FOR)\s+(?:"[^"]+"|\S+))\s+([A-Z]+)\s+MARCH\s+((?:\d{4}\s*)+)(.*)$/i.exec(line), ride = /^\s*(VEDETTE\s+\d+)\s+()MARCH\s+((?:\d{4}\s*)+)(.*)$/i.exec(line);
    const found = force || ride, piece = found && pieceOf(found[1].replace(/^FOR\s/i, "FORCE "));
    return piece ? { piece, how: found[2].toUpperCase(), way: found[3].trim().split(/\s+/), rest: found[4].trim() } : null;
  };
  const readAll = () => {
    marches = new Map();
    for (const line of box.value.split("\n")) {
      const found = read(line);
      if (!found) continue;
      marches.set(found.piece, found.way[0] === found.piece.hex ? found.way.slice(1) : found.way);
      if (found.how) hows.set(found.piece, found.how);
    }
  };
  const keep = () => past.push(box.value);
  const isEnd = (line) => /^\s*END\s*$/i.test(line);
  const held = () => box.value.split("\n").filter((line) => line !== "");
  // New lines stand above END.
  const put = (lines, line) => {
    const end = lines.findIndex(isEnd);
    lines.splice(end >= 0 && !isEnd(line) ? end : lines.length, 0, line);
  };
  const howOf = (piece) => hows.get(piece) || piece.may[0] || "";
  const write = (piece, way) => {
    keep();
    const lines = held(), at = lines.findIndex((line) => read(line)?.piece === piece);
    const rest = at >= 0 ? read(lines[at]).rest : "", words = [piece.say, howOf(piece), "MARCH", ...way, rest].filter((word) => word !== "");
    if (at >= 0) lines.splice(at, 1, ...(way.length ? [words.join(" ")] : []));
    else if (way.length) put(lines, words.join(" "));
    box.value = lines.join("\n");
    show();
  };
  const append = (line) => {
    keep();
    const lines = held();
    put(lines, line);
    box.value = lines.join("\n");
    show();
  };

  const say = (words) => { byId("say").textContent = words; };
  const tell = (piece) => {
    const way = marches.get(piece) || [], { at, whole } = walk(piece, way), zone = B.zones[at.hex];
    say(`${piece.name}: ${named(at.hex)}, ${points(spent(piece, at))} of ${points(allowance(piece))} MP` + (whole ? "" : "; the rest of the way is beyond that") + (zone ? "; next to " + zone.join(", ") : ""));
  };
  const show = () => {
    readAll();
    over.replaceChildren();
    for (const [piece, way] of marches) {
      const d = "M" + [piece.hex, ...way].map((hex) => centre(hex).join(" ")).join("L"), { at, whole } = walk(piece, way), [x, y] = centre(way.at(-1) || piece.hex);
      over.append(draw("path", { class: piece === chosen ? "way" : "way other", d }), draw("text", { class: "cost", x, y: y - 50 }, whole ? points(spent(piece, at)) : "?"));
    }
    reach = new Map();
    if (chosen && chosen.may.length) {
      const { at } = walk(chosen, marches.get(chosen) || []);
      reach = spread(chosen, at);
      const all = [...reach.keys()].map(outline).join("");
      over.prepend(draw("path", { class: "reach", d: all }), draw("path", { class: "grid", d: all }));
      for (const hex of reach.keys()) over.append(draw("text", { class: "id", x: centre(hex)[0], y: centre(hex)[1] - 90 }, hex));
      const [x, y] = centre(at.hex);
      over.append(draw("circle", { class: "mark", cx: x, cy: y, r: 120 }));
    }
    const commands = [...marches.keys()].filter((piece) => howOf(piece) === "COMMAND").length, able = B.own.filter((own) => own.may.length).length;
    byId("sum").textContent = `${marches.size} of ${able} pieces march; ${commands} commands of ${B.ap} AP. ` + (held().some(isEnd) ? "END is set." : "END is not set yet.");
    if (V.mail) {
      const body = encodeURIComponent(box.value.replace(/\n/g, "\r\n") + "\r\n");
      byId("mail").href = `mailto:${encodeURIComponent(V.mail.to)}?subject=${encodeURIComponent(V.mail.subject)}&body=${body}`;
      byId("mail").title = body.length > 1800 ? "Long: copy it instead, some mail programs cut long answers" : "";
    }
    for (const row of byId("own").querySelectorAll(".row")) {
      const piece = B.own.find((own) => own.id === row.dataset.id && own.hex === row.dataset.hex), way = marches.get(piece);
      row.setAttribute("aria-pressed", String(piece === chosen));
      const end = way && walk(piece, way);
      row.querySelector("em").textContent = end ? (end.whole ? `→ ${end.at.hex}, ${points(spent(piece, end.at))} MP` : "→ ?") : "";
    }
  };
  const choose = (piece, move) => {
    chosen = piece;
    list();
    show();
    if (!piece) return say("");
    if (move) look(piece.hex);
    piece.may.length ? tell(piece) : say(`${piece.name}: ${named(piece.hex)}` + (V.offers.length ? "" : "; nothing of yours marches now"));
  };
  const go = (hex) => {
    if (!chosen || !chosen.may.length) return;
    const way = marches.get(chosen) || [], back = way.indexOf(hex);
    if (hex === chosen.hex || back >= 0) write(chosen, way.slice(0, back + 1));
    else if (reach.has(hex)) write(chosen, [...way, ...reach.get(hex).way]);
    else return say(enemies[hex] ? `${named(hex)}: ${enemies[hex].join(", ")} stands there; battles are ordered on their own sheet` : `${named(hex)}: beyond ${chosen.name}, or no way`);
    tell(chosen);
  };

  // Lists.
  const row = (kind, chip, name, small, number, attributes, act) => button([make("b", { class: "chip" }, chip), make("span", {}, name, make("small", {}, small), make("em", {})), make("span", { class: "n" }, number)], act, { class: "row " + kind, ...attributes });
  const list = () => {
    const panel = byId("own");
    panel.replaceChildren();
    if (chosen && chosen.may.length) {
      const acts = make("div", { class: "acts" });
      for (const how of chosen.may.filter((word) => word !== "")) acts.append(button(how === "COMMAND" ? "Command, 1 AP" : how === "FORCED" ? "Forced march" : "Initiative", () => { hows.set(chosen, how); if (marches.get(chosen)?.length) write(chosen, marches.get(chosen)); list(); show(); }, { "aria-pressed": String(howOf(chosen) === how) }));
      acts.append(button("One back", () => { write(chosen, (marches.get(chosen) || []).slice(0, -1)); tell(chosen); }), button("Clear", () => { write(chosen, []); tell(chosen); }));
      panel.append(acts);
    }
    for (const own of B.own) panel.append(row("", own.id, own.name, named(own.hex) + (own.units ? ": " + own.units : ""), own.sp === undefined ? "" : String(own.sp), { "data-id": own.id, "data-hex": own.hex }, () => choose(own === chosen ? null : own, true)));
  };
  for (const foe of B.enemy) byId("enemy").append(row("foe", foe.id, foe.what, `${named(foe.hex)}; ${foe.sure}`, foe.sp || "", {}, () => { look(foe.hex); say(`${foe.id} at ${named(foe.hex)}: ${foe.what}`); }));
  if (!B.enemy.length) byId("enemy").append(make("p", { class: "offer" }, "No counter is in sight."));
  const offer = (line) => make("div", { class: "offer" }, make("code", {}, line), button("Use this line", () => append(line)));
  for (const ask of V.questions) {
    byId("open").append(make("p", { class: "offer" }, `${ask.key} ${ask.question} If nothing is sent: ${ask.default}.`));
    for (const answer of ask.answers) byId("open").append(offer(answer));
  }
  for (const line of V.offers) byId("open").append(offer(line));
  if (V.if_not) byId("open").append(make("p", { class: "offer" }, `If nothing is sent: ${V.if_not}.`));
  byId("told").append(make("ol", {}, ...V.told.map((words) => make("li", {}, words))));
  byId("when").textContent = V.when;
  byId("due").textContent = V.due;
  byId("mail").hidden = !V.mail;
  const tabs = [...document.querySelectorAll("[role=tab]")];
  for (const tab of tabs) {
    tab.addEventListener("click", () => tabs.forEach((other) => { other.setAttribute("aria-selected", String(other === tab)); byId(other.getAttribute("aria-controls")).hidden = other !== tab; }));
  }

  // The window on the map.
  // It begins where one's own pieces and the enemy are nearest to each other.
  const far = (a, b) => { const [p, q] = [centre(a), centre(b)]; return Math.hypot(p[0] - q[0], p[1] - q[1]); };
  const pairs = B.own.flatMap((own) => B.enemy.map((foe) => [own.hex, foe.hex])).sort((a, b) => far(...a) - far(...b));
  const home = pairs[0]?.[0] || B.own.find((own) => own.may.length)?.hex || B.own[0]?.hex;
  let view = [...B.map.view];
  const first = () => {
    const wide = Math.min(B.map.view[2], 22 * across), high = (wide * svg.clientHeight) / Math.max(1, svg.clientWidth);
    view = [0, 0, wide, high];
    home ? look(home) : frame();
  };
  const frame = () => {
    svg.setAttribute("viewBox", view.map(Math.round).join(" "));
    svg.classList.toggle("far", svg.clientWidth / view[2] < 0.14);
  };
  const zoom = (by) => {
    const wide = Math.min(B.map.view[2] * 1.2, Math.max(1400, view[2] * by)), ratio = wide / view[2];
    view = [view[0] + (view[2] * (1 - ratio)) / 2, view[1] + (view[3] * (1 - ratio)) / 2, wide, view[3] * ratio];
    frame();
  };
  const look = (hex) => {
    const [x, y] = centre(hex);
    view[0] = x - view[2] / 2;
    view[1] = y - view[3] / 2;
    frame();
  };
  const hexAt = (event) => {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse()), near = Math.round((at.x - radius) / across) + 1;
    let best = null;
    for (let col = near - 1; col <= near + 1; col++) {
      const middle = Math.round((at.y - half - (col % 2 ? 0 : half)) / down) + 1;
      for (let row = middle - 1; row <= middle + 1; row++) {
        if (!inside(col, row)) continue;
        const [x, y] = centre(join(col, row)), far = (x - at.x) ** 2 + (y - at.y) ** 2;
        if (!best || far < best.far) best = { far, hex: join(col, row) };
      }
    }
    return best?.hex;
  };
  const map = byId("map"), fingers = new Map();
  let moved = 0, apart = 0;
  const gap = () => { const [a, b] = [...fingers.values()]; return Math.hypot(a[0] - b[0], a[1] - b[1]); };
  map.addEventListener("pointerdown", (event) => {
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    moved = fingers.size > 1 ? Infinity : 0;
    if (fingers.size === 2) apart = gap();
  });
  map.addEventListener("pointermove", (event) => {
    const from = fingers.get(event.pointerId);
    if (!from) return;
    const [dx, dy] = [event.clientX - from[0], event.clientY - from[1]];
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    if (fingers.size === 2) { const now = gap(); if (now > 0) zoom(apart / now); apart = now; return; }
    moved += Math.abs(dx) + Math.abs(dy);
    const scale = 1 / svg.getScreenCTM().a;
    view[0] -= dx * scale;
    view[1] -= dy * scale;
    frame();
  });
  const lift = (event) => {
    const was = fingers.delete(event.pointerId);
    if (!was || event.type !== "pointerup" || moved > 6) return;
    const group = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-own],[data-vedette],[data-enemy]"), hex = hexAt(event);
    const { own, vedette, enemy } = group?.dataset || {}, piece = B.own.find((o) => o.id === (own || vedette) && o.hex === group?.dataset.hex);
    if (piece && piece !== chosen && !(chosen && reach.has(piece.hex))) return choose(piece);
    if (piece === chosen && piece && !(marches.get(piece) || []).length) return choose(null);
    if (chosen && hex) return go(hex);
    const foe = B.enemy.find((f) => f.id === enemy);
    if (foe) say(`${foe.id} at ${named(foe.hex)}: ${foe.what}`);
    else if (hex) say(named(hex));
  };
  for (const kind of ["pointerup", "pointercancel"]) window.addEventListener(kind, lift);
  map.addEventListener("wheel", (event) => { event.preventDefault(); zoom(event.deltaY > 0 ? 1.2 : 1 / 1.2); }, { passive: false });
  byId("nearer").addEventListener("click", () => zoom(1 / 1.4));
  byId("farther").addEventListener("click", () => zoom(1.4));
  byId("whole").addEventListener("click", () => { view = [...B.map.view]; frame(); });
  map.addEventListener("keydown", (event) => {
    const able = B.own.filter((own) => own.may.length), way = KEYS[event.key];
    const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (event.key === "n" && able.length) choose(able[(able.indexOf(chosen) + 1) % able.length], true);
    else if (way && chosen) { const to = neighbour(walk(chosen, marches.get(chosen) || []).at.hex, way); if (to) go(to); }
    else if (event.key === "Backspace" && chosen) { write(chosen, (marches.get(chosen) || []).slice(0, -1)); tell(chosen); }
    else if (event.key === "Enter" || event.key === "Escape") choose(null);
    else if (event.key === "+") zoom(1 / 1.4);
    else if (event.key === "-") zoom(1.4);
    else if (by) { view[0] += (by[0] * view[2]) / 8; view[1] += (by[1] * view[3]) / 8; frame(); }
    else return;
    event.preventDefault();
  });

  // The sheet.
  box.addEventListener("input", show);
  byId("end").addEventListener("click", () => { if (!held().some(isEnd)) append("END"); });
  byId("undo").addEventListener("click", () => { if (past.length) { box.value = past.pop(); show(); } });
  byId("copy").addEventListener("click", async () => {
    try { await navigator.clipboard.writeText(box.value + "\n"); say("Copied. Paste it into your answer, above everything else."); }
    catch { box.focus(); box.select(); say("Marked: copy it with your own keys."); }
  });
  svg.setAttribute("preserveAspectRatio", "xMidYMid slice");
  svg.removeAttribute("width");
  svg.removeAttribute("height");
  list();
  first();
  show();
  // For whoever drives this page by a program: the same sums that it shows.
  window.sheet = { walk: (id, way) => { const piece = B.own.find((own) => own.id === id), { at, whole } = walk(piece, way); return { end: at.hex, spent: spent(piece, at), whole }; }, reach: (id) => { const piece = B.own.find((own) => own.id === id); return [...spread(piece, start(piece)).entries()].map(([hex, found]) => [hex, found.way, spent(piece, found.at)]); } };
})();
