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
  const plain = (words) => words.replace(/\u0022/g, "").toLowerCase();

  // What was written comes back when the page is loaded again: to the same sheet of the same game alone, for lines of
  // another stage would be orders for another table. Readers that keep nothing do without; nothing leaves the page.
  const hash = (text) => { let h = 0xcbf29ce484222325n; for (let n = 0; n < text.length; n++) h = ((h ^ BigInt(text.charCodeAt(n))) * 0x100000001b3n) & 0xffffffffffffffffn; return h.toString(36); };
  // An older sheet has a place of its own, and leaves those of others alone; the last few of a seat are kept.
  const store = { seat: `estafette ${V.game} ${V.origin} ${V.seat} `, sheets: 6 };
  store.place = store.seat + hash(JSON.stringify([V.turn, V.stage, B]));
  const keep = () => {
    try {
      if (box.value) localStorage.setItem(store.place, JSON.stringify({ when: Date.now(), lines: box.value }));
      else localStorage.removeItem(store.place);
      const own = Object.keys(localStorage).filter((key) => key.startsWith(store.seat)).map((key) => [Number(JSON.parse(localStorage.getItem(key)).when) || 0, key]);
      for (const [, key] of own.sort((a, b) => b[0] - a[0]).slice(store.sheets)) if (key !== store.place) localStorage.removeItem(key);
    } catch { /* This reader keeps nothing. */ }
  };
  const kept = () => {
    try { return String(JSON.parse(localStorage.getItem(store.place)).lines); } catch { return ""; }
  };

  // The text box is the one source: clicks write lines into it, and what it holds is what is drawn.
  // One step back takes a click back, or what was typed at a stretch.
  const past = [];
  let last = "", typing = false;
  const isEnd = (line) => /^\s*END\s*$/i.test(line);
  const blank = (line) => line.trim() === "";
  const held = () => box.value.split("\n").filter((line) => line !== "");
  const write = (lines) => {
    past.push(box.value);
    typing = false;
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
  // Lines that the report itself offers are read, whatever the sheet makes of them.
  const known = new Set([...V.offers, ...V.questions.flatMap((ask) => ask.answers)].map(plain));

  // The window on the map.
  const map = byId("map"), view = () => glasses.view();
  const frame = (near) => {
    svg.setAttribute("viewBox", glasses.box());
    svg.classList.toggle("far", svg.clientWidth / view()[2] < game.near);
    // What is as large as a finger is drawn again.
    if (near && game.field) { over.replaceChildren(); game.paint(); }
  };
  const scale = () => 1 / svg.getScreenCTM().a;

  // Lists.
  const row = (kind, chip, name, small, number, attributes, act) =>
    button([make("b", { class: "chip" }, chip), make("span", {}, name, make("small", {}, small), make("em", {})), make("span", { class: "n" }, number)], act, { class: "row " + kind, ...attributes });
  let shown_ = "";
  const list = () => {
    const focus = document.activeElement, at = focus?.dataset.act, id = focus?.dataset.id, buttons = game.acts();
    byId("acts").replaceChildren(...buttons);
    byId("acts").hidden = !buttons.length;
    byId("own").replaceChildren(...game.rows());
    // Whom one chooses on the map stands in the list before one's eyes.
    const on = byId("own").querySelector(".row[aria-pressed=true]");
    if (on?.dataset.id !== shown_) { byId("acts").scrollTop = 0; if (on) byId("own").scrollTop = on.offsetTop; }
    shown_ = on?.dataset.id;
    // Whoever works by keys stays where he was.
    const again = [...document.querySelectorAll("#acts button,#own button")].find((b) => (at && b.dataset.act === at) || (id && b.dataset.id === id));
    if (again && !document.contains(focus)) again.focus();
  };
  const act = (words, does, pressed) => button(words, does, { "data-act": words, ...(pressed === undefined ? {} : { "aria-pressed": String(pressed) }) });
  const offer = (line) => make("div", { class: "offer" }, make("code", {}, line), button("Use this line", () => append(line), { "aria-label": "Use this line: " + line }));
  const note = (words) => make("p", { class: "offer" }, words);

  // Lines that the sheet cannot read, or whose end it cannot tell, have a mark beside them.
  const mark = () => {
    const doubts = game.doubts(), all = box.value.split("\n"), odd = [];
    let n = 0;
    byId("marks").replaceChildren(...all.map((line, at) => {
      const odd_ = line !== "" && doubts[n++], doubt = odd_ && !blank(line) && !isEnd(line) && (odd_ === "sure" || !known.has(plain(line.trim())));
      if (doubt) odd.push(at + 1);
      return make("div", doubt ? { class: "odd" } : {}, line);
    }));
    byId("marks").scrollTop = box.scrollTop;
    byId("doubt").textContent = odd.length ? `? Line ${odd.join(", ")}: this sheet cannot tell what comes of it. CHECK above it, by mail, can.` : "";
    byId("count").textContent = String(all.filter((line) => !blank(line) && !isEnd(line)).length) + (odd.length ? "?" : "");
  };
  const show = () => {
    const ended = held().some(isEnd);
    last = box.value;
    game.read(held());
    over.replaceChildren();
    game.paint();
    byId("sum").textContent = `${game.sum()} ` + (ended ? "END is set." : "END is not set yet.");
    byId("end").setAttribute("aria-pressed", String(ended));
    if (V.mail) {
      const body = encodeURIComponent(box.value.replace(/\n/g, "\r\n") + "\r\n");
      byId("mail").href = `mailto:${encodeURIComponent(V.mail.to)}?subject=${encodeURIComponent(V.mail.subject)}&body=${body}`;
      byId("mail").title = body.length > 1800 ? "Long: copy it instead, some mail programs cut long answers" : "";
    }
    mark();
    list();
    keep();
  };

  const sheet = { V, B, svg, over, make, button, draw, say, held, write, put, append, plain, isEnd, look: (at) => glasses.look(at), scale, row, list, act, offer, note, show };
  const game = part(sheet);
  const glasses = glass(B.map.view, { least: game.least, most: B.map.view[2] * 1.2, shown: frame });

  byId("enemy").append(...game.foes());
  for (const ask of V.questions) {
    byId("open").append(note(`${ask.key} ${ask.question} If nothing is sent: ${ask.default}.`));
    for (const answer of ask.answers) byId("open").append(offer(answer));
  }
  for (const line of V.offers) byId("open").append(offer(line));
  for (const { said, back } of V.lodged) byId("open").append(note(`Lodged, and taken without a mail: ${said}`), offer(back));
  if (V.if_not && !game.idle) byId("open").append(note(`If nothing is sent: ${V.if_not}.`));
  if (!byId("open").children.length) byId("open").append(note("Nothing is open."));
  if (game.standing) byId("open").append(...game.standing());
  byId("told").append(V.told.length ? make("ol", {}, ...V.told.map((words) => make("li", {}, words))) : note("Nothing new."));
  const due = V.due.split("; now ")[0];
  byId("when").textContent = V.when.split(/ {3,}/).slice(V.when.includes("   ") ? 1 : 0).join(" · ");
  byId("stage").textContent = V.stage && `Now: ${V.stage}`;
  byId("due").textContent = !V.questions.length && (game.idle || due.startsWith("nothing")) ? "Nothing is due from you." : due && `Due: ${due}`;
  byId("mail").hidden = !V.mail;
  const keys = game.idle ? "Nothing can be ordered now: look at the map." : game.keys + " Backspace takes one step back; Enter ends.";
  byId("keys").textContent = `${keys} Arrows, + and − move the map. The post office decides. ${game.idle ? "" : `By hand: ${game.hand}. `}Lines stay in this browser until you take them out. This file reaches no network.`;
  const tabs = [...document.querySelectorAll("[role=tab]")];
  const open = (tab) => {
    const lines = tab.id === "tab-lines";
    for (const other of tabs) {
      other.setAttribute("aria-selected", String(other === tab));
      if (!lines && other.id !== "tab-lines") byId(other.getAttribute("aria-controls")).hidden = other !== tab;
    }
    byId("main").classList.toggle("lines", lines);
  };
  for (const tab of tabs) tab.addEventListener("click", () => open(tab));

  if (game.field) map.classList.add("field");
  glasses.watch(map, svg, {
    grip: game.grip,
    key: game.key,
    // Whoever chooses a piece on a small screen wants its buttons.
    tap: (at, element) => { game.tap(at, element); if (byId("acts").children.length && byId("main").classList.contains("lines")) open(tabs[0]); },
  });
  box.addEventListener("input", () => { if (!typing) past.push(last); typing = true; show(); });
  box.addEventListener("blur", () => { typing = false; });
  box.addEventListener("scroll", () => { byId("marks").scrollTop = box.scrollTop; });
  byId("end").addEventListener("click", () => {
    if (held().some(isEnd)) return write(held().filter((line) => !isEnd(line)));
    append("END");
    if (game.ending?.()) say(game.ending());
  });
  byId("undo").addEventListener("click", () => { if (past.length) { typing = false; box.value = past.pop(); show(); say(""); } });
  byId("copy").addEventListener("click", async () => {
    if (!held().length) return say("Nothing to copy yet.");
    try { await navigator.clipboard.writeText(box.value + "\n"); say("Copied. Paste it into your answer, above everything else." + (held().some(isEnd) ? "" : " END is not in it yet.")); }
    catch { open(byId("tab-lines")); box.focus(); box.select(); say("Marked: copy it with your own keys."); }
  });
  svg.setAttribute("preserveAspectRatio", "xMidYMid slice");
  svg.removeAttribute("width");
  svg.removeAttribute("height");
  const at = game.home(), wide = Math.min(B.map.view[2], game.wide);
  if (at) { glasses.set([0, 0, wide, (wide * svg.clientHeight) / Math.max(1, svg.clientWidth)], false); glasses.look(at); }
  else frame(false);
  box.value = kept();
  show();
  if (box.value) say("What you wrote here before is back.");
  // For whoever drives this page by a program: the same sums that it shows.
  window.sheet = game.sums;
})();
