// The frame of every order sheet: the box of lines, the window on the map, the lists. What a game lays into it is `part`.
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const byId = (id) => document.getElementById(id);
  const V = JSON.parse(byId("view").textContent), B = V.board;
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
  const say = (words) => { byId("say").textContent = words; };

  // The text box is the one source: clicks write lines into it, and what it holds is what is drawn.
  const past = [];
  const isEnd = (line) => /^\s*END\s*$/i.test(line);
  const held = () => box.value.split("\n").filter((line) => line !== "");
  const write = (lines) => {
    past.push(box.value);
    box.value = lines.join("\n");
    show();
  };
  // New lines stand above END.
  const put = (lines, line) => {
    const end = lines.findIndex(isEnd);
    lines.splice(end >= 0 && !isEnd(line) ? end : lines.length, 0, line);
    return lines;
  };
  const append = (line) => write(put(held(), line));
  const plain = (words) => words.replace(/\u0022/g, "").toLowerCase();

  // The window on the map.
  let view = [...B.map.view];
  const frame = () => {
    svg.setAttribute("viewBox", view.map(Math.round).join(" "));
    svg.classList.toggle("far", svg.clientWidth / view[2] < game.near);
  };
  // What is as large as a finger is drawn again.
  const again = () => { if (game.field) { over.replaceChildren(); game.paint(); } };
  const zoom = (by) => {
    const wide = Math.min(B.map.view[2] * 1.2, Math.max(game.least, view[2] * by)), ratio = wide / view[2];
    view = [view[0] + (view[2] * (1 - ratio)) / 2, view[1] + (view[3] * (1 - ratio)) / 2, wide, view[3] * ratio];
    frame();
    again();
  };
  const look = ([x, y]) => {
    view[0] = x - view[2] / 2;
    view[1] = y - view[3] / 2;
    frame();
  };
  const whole = () => { view = [...B.map.view]; frame(); again(); };
  const first = () => {
    const wide = Math.min(B.map.view[2], game.wide), at = game.home();
    if (!at) return frame();
    view = [0, 0, wide, (wide * svg.clientHeight) / Math.max(1, svg.clientWidth)];
    look(at);
  };
  const pointAt = (event) => {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    return [at.x, at.y];
  };
  const scale = () => 1 / svg.getScreenCTM().a;

  // Lists.
  const row = (kind, chip, name, small, number, attributes, act) =>
    button([make("b", { class: "chip" }, chip), make("span", {}, name, make("small", {}, small), make("em", {})), make("span", { class: "n" }, number)], act, { class: "row " + kind, ...attributes });
  const list = () => {
    const panel = byId("own"), focus = document.activeElement, at = focus?.dataset.act, id = focus?.dataset.id;
    panel.replaceChildren(...game.rows());
    // Whoever works by keys stays where he was.
    const again = [...panel.querySelectorAll("button")].find((b) => (at && b.dataset.act === at) || (id && b.dataset.id === id));
    if (again && !document.contains(focus)) again.focus();
  };
  const acts = (...buttons) => make("div", { class: "acts", role: "group", "aria-label": "Orders of the chosen piece" }, ...buttons);
  const act = (words, does, pressed) => button(words, does, { "data-act": words, ...(pressed === undefined ? {} : { "aria-pressed": String(pressed) }) });
  const offer = (line) => make("div", { class: "offer" }, make("code", {}, line), button("Use this line", () => append(line), { "aria-label": "Use this line: " + line }));
  const note = (words) => make("p", { class: "offer" }, words);

  const show = () => {
    game.read(held());
    over.replaceChildren();
    game.paint();
    byId("sum").textContent = `${game.sum()} ` + (held().some(isEnd) ? "END is set." : "END is not set yet.");
    if (V.mail) {
      const body = encodeURIComponent(box.value.replace(/\n/g, "\r\n") + "\r\n");
      byId("mail").href = `mailto:${encodeURIComponent(V.mail.to)}?subject=${encodeURIComponent(V.mail.subject)}&body=${body}`;
      byId("mail").title = body.length > 1800 ? "Long: copy it instead, some mail programs cut long answers" : "";
    }
    list();
  };

  const sheet = { V, B, svg, over, make, button, draw, say, held, write, put, append, plain, isEnd, look, scale, row, list, acts, act, note, show };
  const game = part(sheet);

  byId("enemy").append(...game.foes());
  for (const ask of V.questions) {
    byId("open").append(note(`${ask.key} ${ask.question} If nothing is sent: ${ask.default}.`));
    for (const answer of ask.answers) byId("open").append(offer(answer));
  }
  for (const line of V.offers) byId("open").append(offer(line));
  if (V.if_not) byId("open").append(note(`If nothing is sent: ${V.if_not}.`));
  byId("told").append(make("ol", {}, ...V.told.map((words) => make("li", {}, words))));
  byId("when").textContent = V.when;
  byId("due").textContent = V.due;
  byId("mail").hidden = !V.mail;
  byId("keys").textContent = game.keys + " Backspace takes one step back; Enter ends; arrows, + and − move the map. The post office decides. This file reaches no network.";
  const tabs = [...document.querySelectorAll("[role=tab]")];
  for (const tab of tabs) {
    tab.addEventListener("click", () => tabs.forEach((other) => { other.setAttribute("aria-selected", String(other === tab)); byId(other.getAttribute("aria-controls")).hidden = other !== tab; }));
  }

  // Fingers, mouse and keys on the map. What a game takes hold of is drawn by the game; else the map moves.
  const map = byId("map");
  if (game.field) map.classList.add("field");
  const fingers = new Map();
  let moved = 0, apart = 0, grip = null;
  const gap = () => { const [a, b] = [...fingers.values()]; return Math.hypot(a[0] - b[0], a[1] - b[1]); };
  map.addEventListener("pointerdown", (event) => {
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    moved = fingers.size > 1 ? Infinity : 0;
    grip = fingers.size === 1 && game.grip ? game.grip(pointAt(event), event.target) : null;
    if (fingers.size === 2) apart = gap();
  });
  map.addEventListener("pointermove", (event) => {
    const from = fingers.get(event.pointerId);
    if (!from) return;
    const [dx, dy] = [event.clientX - from[0], event.clientY - from[1]];
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    if (fingers.size === 2) { const now = gap(); if (now > 0) zoom(apart / now); apart = now; return; }
    moved += Math.abs(dx) + Math.abs(dy);
    if (grip) { if (moved > 6) grip.to(pointAt(event)); return; }
    view[0] -= dx * scale();
    view[1] -= dy * scale();
    frame();
  });
  const lift = (event) => {
    const was = fingers.delete(event.pointerId), held = grip;
    grip = null;
    if (!was) return;
    if (held && moved > 6 && event.type === "pointerup") return held.drop(pointAt(event));
    if (event.type === "pointerup" && moved <= 6) game.tap(pointAt(event), document.elementFromPoint(event.clientX, event.clientY));
  };
  for (const kind of ["pointerup", "pointercancel"]) window.addEventListener(kind, lift);
  map.addEventListener("wheel", (event) => { event.preventDefault(); zoom(event.deltaY > 0 ? 1.2 : 1 / 1.2); }, { passive: false });
  byId("nearer").addEventListener("click", () => zoom(1 / 1.4));
  byId("farther").addEventListener("click", () => zoom(1.4));
  byId("whole").addEventListener("click", whole);
  map.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (game.key(event.key)) event.preventDefault();
    else if (event.key === "+") zoom(1 / 1.4);
    else if (event.key === "-") zoom(1.4);
    else if (by) { view[0] += (by[0] * view[2]) / 8; view[1] += (by[1] * view[3]) / 8; frame(); event.preventDefault(); }
  });

  // The sheet.
  box.addEventListener("input", show);
  byId("end").addEventListener("click", () => { if (!held().some(isEnd)) append("END"); });
  byId("undo").addEventListener("click", () => { if (past.length) { box.value = past.pop(); show(); } });
  byId("copy").addEventListener("click", async () => {
    if (!held().length) return say("Nothing to copy yet.");
    try { await navigator.clipboard.writeText(box.value + "\n"); say("Copied. Paste it into your answer, above everything else." + (held().some(isEnd) ? "" : " END is not in it yet.")); }
    catch { box.focus(); box.select(); say("Marked: copy it with your own keys."); }
  });
  svg.setAttribute("preserveAspectRatio", "xMidYMid slice");
  svg.removeAttribute("width");
  svg.removeAttribute("height");
  first();
  show();
  // For whoever drives this page by a program: the same sums that it shows.
  window.sheet = game.sums;
})();
