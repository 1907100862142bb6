// What the parts of games on hexes share whose pieces are ordered by lines: words, enemies, and what is drawn over the map.
const tactical = (S, hex) => {
  const { B, over, draw, say } = S;
  const of = (id) => B.own.find((own) => own.id === id);
  // Enemies in sight by their hexes.
  const foes = new Map();
  for (const foe of B.enemy) if (foe.last === undefined && !foe.leader) for (const at of [foe.hex, ...(foe.more || [])]) foes.set(at, [...(foes.get(at) || []), foe.id]);
  const isHex = (word) => /^\d{4}$/.test(word);
  // The words behind a verb, by the words that part them.
  const clauses = (words, parts) => {
    const found = { "": [] };
    let at = "";
    for (const word of words) {
      if (parts.includes(word.toUpperCase())) found[at = word.toUpperCase()] = [];
      else found[at].push(word);
    }
    return found;
  };
  // A way with what it costs; an arrow; somebody where he will stand, and how he faces.
  const way = (on, from, steps, cost) => {
    const [x, y] = hex.centre(steps.at(-1));
    over.append(draw("path", { class: "way" + on, d: "M" + [from, ...steps].map((at) => hex.centre(at).join(" ")).join("L") }), draw("text", { class: "cost", x, y: y - 50 }, cost));
  };
  const arrow = (kind, from, to) => { if (from) over.append(draw("path", { class: kind, d: `M${hex.centre(from).join(" ")}L${hex.centre(to).join(" ")}` })); };
  const ghost = (at, [p, q]) => {
    const [x, y] = hex.centre(at);
    over.append(draw("circle", { class: "ghost", cx: x, cy: y, r: 34 }), draw("path", { class: "faces", d: `M${x} ${y}L${x + (p - x) * 0.42} ${y + (q - y) * 0.42}` }));
  };
  // Hexes to which the chosen piece can go, with what each costs, and the piece.
  const offered = (reach, at) => {
    const all = [...reach.keys()].map(hex.outline).join("");
    over.prepend(draw("path", { class: "reach", d: all }), draw("path", { class: "grid", d: all }));
    for (const [to, points] of reach) over.append(draw("text", { class: "id", x: hex.centre(to)[0], y: hex.centre(to)[1] - 90 }, to), draw("text", { class: "points", x: hex.centre(to)[0], y: hex.centre(to)[1] + 120 }, points));
    if (at) over.append(draw("circle", { class: "mark", cx: hex.centre(at)[0], cy: hex.centre(at)[1], r: 120 }));
  };
  const who = (foe) => `${foe.id} at ${hex.named(foe.hex)}: ${foe.what}`;
  const foeRows = () => {
    const all = B.enemy.map((foe) => S.row("foe", foe.hex, foe.id, foe.what + (foe.last === undefined ? "" : `; last seen on turn ${foe.last}`), "", {}, () => { S.look(hex.centre(foe.hex)); say(who(foe)); }));
    return all.length ? all : [S.note("No enemy is in sight.")];
  };
  // A piece in the list: where it is, and what it is to do.
  const row = (own, [sign, facts, acts, chosen, todo], choose) => {
    const made = S.row("", sign, own.id, `${own.hex ? hex.named(own.hex) : "off the map"}; ${facts}`, acts ? "acts" : "", { "data-id": own.id, "aria-pressed": String(chosen) }, choose);
    made.querySelector("em").textContent = todo;
    return made;
  };
  const verbs = (entries) => entries.map(({ text, good }) => text.trim().split(/\s+/)[0].toLowerCase() + (good === false ? " ?" : "")).join(", ");
  // Who is meant by a click on a hex: one of a stack after the other; or what stands there is said. To go where others of one's
  // own stand is a button, for a click there chooses.
  let asked = null;
  const joins = ({ chosen, choose, go }) => (asked && asked.by === chosen ? [S.act(`${asked.id} goes to ${asked.to}`, () => { const { id, to } = asked; asked = null; choose(id); go(to); })] : []);
  // The buttons of the chosen piece, with those that every piece has.
  const around = (made, game) => [...joins(game), ...made, S.act("Let go", () => game.choose(null))];
  const clicked = (to, element, { here, acts, chosen, choose, go, reach }) => {
    const named = element?.closest("[data-unit],[data-leader],[data-battery]")?.dataset || {}, hit = of(named.unit || named.leader || named.battery);
    const first = hit && here.includes(hit) ? hit : here.find(acts) || here[0];
    // Another click on a stack takes the next of it.
    if (here.length) {
      const n = here.findIndex((own) => own.id === chosen), could = n < 0 && chosen && reach.has(to);
      const by = n < 0 ? first.id : here.length > 1 ? here[(n + 1) % here.length].id : null;
      asked = could ? { id: chosen, to, by } : null;
      return choose(by);
    }
    if (chosen && to) return go(to);
    const foe = B.enemy.filter((f) => f.hex === to);
    if (foe.length) say(foe.map(who).join("; "));
    else if (to) say(hex.named(to));
  };
  const home = () => {
    const own = B.own.filter((own) => own.hex), at = hex.home(own.map((own) => own.hex), [...foes.keys()]) || own[0]?.hex;
    return at && hex.centre(at);
  };
  return { of, foes, isHex, clauses, way, arrow, ghost, offered, foeRows, row, verbs, around, clicked, home };
};
