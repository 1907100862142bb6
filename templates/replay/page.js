(() => {
const $ = (id) => document.getElementById(id), R = JSON.parse($("film").textContent), NS = "http://www.w3.org/2000/svg";
const W = R.watchers, F = R.frames, many = W.length > 1;
const sv = (name, attrs, text) => {
  const e = document.createElementNS(NS, name);
  for (const k in attrs) e.setAttribute(k, attrs[k]);
  if (text !== undefined) e.textContent = text;
  return e;
};
const el = (name, attrs, text) => {
  const e = document.createElement(name);
  for (const k in attrs) e.setAttribute(k, attrs[k]);
  if (text !== undefined) e.textContent = text;
  return e;
};
const named = (side) => side.charAt(0).toUpperCase() + side.slice(1);
// Each frame tells what is otherwise than in the one before; here stands what is known at each.
const known = W.map((_, w) => {
  const now = new Set();
  return F.map((f) => { f.scenes[w].out.forEach((n) => now.delete(n)); f.scenes[w].in.forEach((n) => now.add(n)); return [...now]; });
});
const M = R.marks.map(([key, shape, look, x, y, label, below, said, outline, front]) => ({ key: R.words[key], shape, look, x, y, label: R.words[label], below: R.words[below], said: R.words[said], outline, front }));
const mine = (m) => m.look === "own" || m.look === "hollow";

// What one map shows: for each piece its side, its class and where it lies in its pile.
const shown = (i, who, under) => {
  const found = [];
  W.forEach((_, w) => {
    const looks = who === "truth" || who === w;
    for (const n of known[w][i]) {
      const m = M[n];
      if (looks && (who !== "truth" || mine(m))) found.push({ m, side: mine(m) ? w : many ? 1 - w : 1, cls: m.look, id: `${w} ${m.key}` });
      else if (!looks && under && mine(m)) found.push({ m, side: w, cls: `${m.look} under`, id: `u${w} ${m.key}` });
    }
  });
  return found;
};

// Pieces of one side that share a place are one heap: the strongest of them is drawn, with how many more there are, and their sum.
const heaped = (found, k) => {
  const heaps = new Map(), weight = (f) => (f.m.shape === "block" ? 1 + (parseInt(f.m.below, 10) || 0) : 0);
  for (const f of [...found].sort((a, b) => weight(b) - weight(a))) {
    const under = f.cls.includes("under"), off = under ? 30 * k : 0, loose = f.m.outline || f.m.shape === "center" || f.m.shape === "held";
    f.at = f.home = [f.m.x + off, f.m.y + off];
    const place = [f.side, under, f.m.x, f.m.y].join(), heap = loose ? null : heaps.get(place);
    if (heap) { heap.all.push(f.m); f.heap = heap; continue; }
    f.all = [f.m];
    f.heap = f;
    if (!loose) heaps.set(place, f);
  }
};
// Ways from a place, those first in which one looks first.
const WAYS = [[1, 0], [-1, 0], [0, -1], [0, 1], [0.7, -0.7], [-0.7, -0.7], [0.7, 0.7], [-0.7, 0.7], [0.9, -0.4], [-0.9, -0.4], [0.9, 0.4], [-0.9, 0.4], [0.4, -0.9], [-0.4, -0.9], [0.4, 0.9], [-0.4, 0.9]];
const meet = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
const around = ([x, y], w, h) => [x - w / 2, y - h / 2, x + w / 2, y + h / 2];
// Cards lie on their places, or near them where others lie there: rather a little farther off than over a name or the place of
// another. Who finds no room within reach gets none.
const spread = (cards, taken, names, homes, k) => {
  const [left, top, wide, high] = size;
  const inside = ([x, y], w, h) => [Math.max(left + w / 2, Math.min(left + wide - w / 2, x)), Math.max(top + h / 2, Math.min(top + high - h / 2, y))];
  const free = (box) => !taken.some((t) => meet(box, t)), over = (box, all) => all.filter((n) => meet(box, n)).length;
  const wait = [];
  for (const c of cards) {
    const at = inside(c.home, c.w, c.h), box = around(at, c.w, c.h);
    if (!c.beside && free(box) && !over(box, names)) { c.at = at; taken.push(box); } else wait.push(c);
  }
  for (const c of wait) {
    const step = c.h / 4, start = inside(c.home, c.w, c.h), strange = homes.filter((h) => h[0] !== c.home[0] || h[1] !== c.home[1]).map((h) => [...h, ...h]);
    let best = null, least = Infinity;
    for (let far = c.beside ? 1 : 0; far <= 32 && far * step < least; far++) {
      for (const [dx, dy] of far ? WAYS : [[0, 0]]) {
        const at = [start[0] + dx * step * far, start[1] + dy * step * far], held = inside(at, c.w, c.h), box = around(at, c.w, c.h);
        if (held[0] !== at[0] || held[1] !== at[1] || !free(box)) continue;
        const cost = far * step + k * (90 * over(box, names) + 50 * over(box, strange));
        if (cost < least) { best = at; least = cost; }
      }
    }
    c.at = best || (c.must ? start : null);
    if (c.at) taken.push(around(c.at, c.w, c.h));
  }
};
// The names of the ground, which no piece is to cover.
let named_ = null;
const grounds = (svg) => (named_ = named_ || [...svg.querySelectorAll("[data-place]")].map((t) => t.getBBox()).filter((b) => b.width).map((b) => [b.x, b.y, b.x + b.width, b.y + b.height]));
// Where each piece lies at this scale, and the lines to the places of those that lie off them.
const arrange = (now, k, pixel, names) => {
  const taken = [], cards = [], letters = Math.max(260, 9.5 / pixel);
  for (const f of now) {
    if (f.heap !== f) continue;
    if (f.m.outline) {
      const xs = f.m.outline.map(([x]) => x), ys = f.m.outline.map(([, y]) => y);
      taken.push([f.at[0] + Math.min(...xs), f.at[1] + Math.min(...ys), f.at[0] + Math.max(...xs), f.at[1] + Math.max(...ys)]);
      f.letters = letters;
      f.name = letters > 260 ? { f, beside: true, home: f.home, w: (0.62 * f.m.label.length + 0.3) * letters, h: letters, rank: 3 } : null;
      if (f.name) cards.push(f.name);
      continue;
    }
    const held = f.m.shape === "held", center = f.m.shape === "center", [w, h] = held ? [36, 34] : center ? [70, 70] : f.m.shape === "flag" || f.m.shape === "pennon" ? [84, 90] : [106, 72];
    const round = f.m.shape === "disc" || f.m.shape === "diamond";
    // The flag of a place flies to the left of it: its name stands on the right.
    const home = held ? [f.home[0] - 18 * k, f.home[1] - 17 * k] : f.home;
    cards.push(f.card = { f, home, must: true, w: (round ? 96 : w) * k, h: (round ? 96 : h) * k, rank: held ? 2 : f.m.shape === "flag" || f.m.shape === "pennon" ? 1 : 0 });
  }
  cards.sort((a, b) => a.rank - b.rank);
  const homes = cards.filter((c) => c.rank < 2).map((c) => c.home);
  for (const rank of [0, 1, 2, 3]) spread(cards.filter((c) => c.rank === rank), taken, names, homes, k);
  let ties = "", dots = "";
  for (const c of cards) {
    if (!c.at) continue;
    if (c.f.card === c) c.f.at = c.at;
    const [a, b, x, y] = around(c.at, c.w, c.h), near = [Math.max(a, Math.min(x, c.f.home[0])), Math.max(b, Math.min(y, c.f.home[1]))];
    if (near[0] !== c.f.home[0] || near[1] !== c.f.home[1]) if (c.rank !== 2 || Math.hypot(near[0] - c.f.home[0], near[1] - c.f.home[1]) > c.h) {
      const [from, to] = [near, c.f.home].map((q) => q.map(Math.round));
      ties += path([from, to]);
      if (c.f.card === c) dots += `M${to.join(" ")}h1`;
    }
  }
  return [ties || "M0 0", dots || "M0 0"];
};
// A side has one colour in all pictures; a film of one side has its own in the first.
const colour = (side) => (many ? R.hues[side] : side);

const path = (points, close) => "M" + points.map((p) => p.join(" ")).join("L") + (close ? "Z" : "");
// Pieces of the usual size are drawn 100 wide; the map scales them.
const piece = ({ m, side, cls, id, all }) => {
  const g = sv("g", { class: `p s${colour(side)} ${cls}${all ? "" : " in"}`, "data-key": m.key, "data-look": m.look, "data-id": id });
  const words = (y, size, text, more) => { if (text) g.append(sv("text", { x: 0, y, "font-size": size, ...more }, text)); };
  const fit = (text, most, room) => Math.min(most, Math.floor(room / Math.max(1, text.length) / 0.66));
  if (m.outline) {
    g.append(sv("path", { class: "b", d: path(m.outline, true), "stroke-width": 24 }));
    if (m.front) g.append(sv("path", { class: "f", d: path(m.front), "stroke-width": 56 }));
    words(90, 260, m.label, { class: "out", "stroke-width": 60 });
  } else if (m.shape === "pennon") {
    g.append(sv("path", { class: "b", d: "M-34 40V-36H40L28-16 40 4H-34", "stroke-width": 5 }));
    words(-8, 26, m.label);
  } else if (m.shape === "disc" || m.shape === "diamond") {
    g.append(m.shape === "disc" ? sv("circle", { class: "b", r: 38, "stroke-width": 6 }) : sv("path", { class: "b", d: "M0-48L48 0 0 48-48 0Z", "stroke-width": 7 }));
    words(14, 40, m.label);
  } else if (m.shape === "flag") {
    g.append(sv("path", { class: "b", d: "M-30 44V-44L34-22-30 0", "stroke-width": 6 }));
    words(-14, 22, m.label);
  } else if (m.shape === "center") {
    g.append(sv("path", { class: "b", d: "M0-42L12-13 42-12 18 8 27 38 0 20-27 38-18 8-42-12-12-13Z", "stroke-width": 5 }));
  } else if (m.shape === "held") {
    g.append(sv("path", { class: "b", d: "M17 17V-15H-17L-9-6-17 3H17", "stroke-width": 4 }));
  } else {
    const more = all?.length > 1 ? ` +${all.length - 1}` : "", sums = all?.filter((one) => /^[0-9]+$/.test(one.below)) || [];
    const sum = sums.length > 1 ? "Σ " + sums.reduce((n, one) => n + +one.below, 0) : m.below;
    g.append(sv("rect", { class: "b", x: -50, y: -32, width: 100, height: 64, rx: 5, "stroke-width": 6 }));
    words(sum ? -2 : 11, fit(m.label + more, 32, 96), m.label + more);
    words(27, fit(sum, 30, 92), sum);
  }
  if (all?.length > 1 && m.shape !== "block") g.append(sv("circle", { class: "many", cx: 34, cy: -30, r: 18 }), sv("text", { class: "count", x: 34, y: -21, "font-size": 26 }, String(all.length)));
  g.append(sv("title", {}, all?.length > 1 ? all.map((one) => one.said).join("; ") : m.said));
  return g;
};

const first = document.querySelector(".map"), ground = first.querySelector("svg");
const size = ground.getAttribute("viewBox").split(" ").map(Number);
ground.removeAttribute("width");
ground.removeAttribute("height");
// What is drawn beyond the edge of the sheet is for lines that run out of it.
const [left, top, wide, high] = size, far = 20 * Math.max(wide, high);
ground.append(sv("path", { class: "edge", "fill-rule": "evenodd", d: `M${left - far} ${top - far}h${2 * far + wide}v${2 * far + high}h${-2 * far - wide}zM${left} ${top}h${wide}v${high}h${-wide}z` }));
const panes = [];
const pane = (map) => {
  const svg = map.querySelector("svg"), layer = svg.appendChild(sv("g", {}));
  const note = map.appendChild(el("p"));
  const made = { map, svg, layer, ties: layer.appendChild(sv("path", { class: "tie" })), dots: layer.appendChild(sv("path", { class: "tie" })), note, live: new Map(), who: 0 };
  panes.push(made);
  glasses.watch(map, svg, { tap: (_, element, point) => list(made, point) });
  return made;
};
let at = 0, timer = 0;
// What lies under a finger, in words.
const list = (p, point) => {
  const ids = document.elementsFromPoint(...point).map((e) => e.closest(".p")?.dataset.id), heaps = [...new Set(ids)].map((id) => p.live.get(id)?.all).filter(Boolean);
  const said = [...new Set(heaps.flat().map((m) => m.said))];
  $("here").replaceChildren(...said.map((words) => el("li", {}, words)));
  $("where").hidden = !said.length;
};

const choice = () => { const c = document.querySelector("[name=w]:checked"); return c ? c.value : "0"; };
const draw = () => {
  const under = $("under") && $("under").checked, c = choice(), two = c === "both";
  while (panes.length < (two ? 2 : 1)) {
    const copy = first.cloneNode(true);
    copy.querySelectorAll("svg > g:last-child, p").forEach((e) => e.remove());
    $("maps").append(copy);
    pane(copy);
  }
  panes.forEach((p, n) => {
    p.map.hidden = n > 0 && !two;
    if (p.map.hidden) return;
    p.who = two ? n : c === "truth" ? "truth" : +c;
    p.note.textContent = p.who === "truth" ? "what was so" : `${named(W[p.who])} knew`;
    p.svg.setAttribute("viewBox", glasses.box());
    one(p, under);
  });
  const f = F[at];
  $("when").textContent = f.said;
  $("at").value = at;
  $("at").setAttribute("aria-valuetext", f.said);
  $("back").disabled = at === 0;
  $("fwd").disabled = at === F.length - 1;
  const told = [];
  W.forEach((side, w) => { if (many ? c === "truth" || two || +c === w : true) f.scenes[w].told.forEach((t) => told.push(many && (c === "truth" || two) ? `To ${named(side)}: ${t}` : t)); });
  $("told").replaceChildren(...(told.length ? told : ["Nothing."]).map((t) => el("li", {}, t)));
  for (const line of document.querySelectorAll(".now")) { const x = across(at); line.setAttribute("x1", x); line.setAttribute("x2", x); }
};
const one = (p, under) => {
  const box = p.map.getBoundingClientRect(), [, , w, h] = glasses.view(), pixel = Math.min(box.width / w, box.height / h) || 1;
  const k = Math.max(R.counter / 100, (box.width > 500 ? 0.36 : 0.31) / pixel), now = shown(at, p.who, under), seen = new Set();
  heaped(now, k);
  const lines = arrange(now, k, pixel, grounds(p.svg));
  [p.ties, p.dots].forEach((e, n) => { e.setAttribute("d", lines[n]); e.setAttribute("stroke-width", (n ? 5 : 1.2) / pixel); });
  for (const f of now) {
    seen.add(f.id);
    const sig = [f.m.shape, f.m.label, f.m.below, f.cls, f.side, f.all?.map((m) => m.said).join(), JSON.stringify(f.m.outline || f.m.front || 0)].join("|");
    let e = p.live.get(f.id);
    if (e && e.sig !== sig) { e.g.remove(); e = null; }
    if (!e) { e = { g: piece(f), sig }; p.live.set(f.id, e); p.layer.append(e.g); }
    e.all = f.all;
    if (!(f.all?.length > 1)) e.g.querySelector("title").textContent = f.m.said;
    // A front is drawn where it is as long as its piece; from afar it would strike its name out.
    e.g.classList.toggle("afar", !f.m.outline && k > (1.3 * R.counter) / 100);
    const [x, y] = (f.heap || f).at.map(Math.round), out = e.g.querySelector(".out");
    if (out) {
      const [dx, dy] = f.name?.at ? [f.name.at[0] - f.m.x, f.name.at[1] - f.m.y + 0.35 * f.letters] : [0, 90];
      for (const [key, value] of [["x", dx], ["y", dy], ["font-size", f.letters], ["stroke-width", f.letters / 4.3]]) out.setAttribute(key, Math.round(value));
      out.style.display = f.name && !f.name.at ? "none" : "";
    }
    e.g.style.transform = f.m.outline ? `translate(${f.m.x}px,${f.m.y}px)` : `translate(${x}px,${y}px) scale(${k.toFixed(3)})`;
    if (!f.m.outline && f.m.front && !e.front) { e.front = sv("path", { class: "f", d: path(f.m.front.map(([x, y]) => [x / k, y / k])), "stroke-width": 8 }); e.g.append(e.front); }
    else if (e.front) e.front.setAttribute("d", path(f.m.front.map(([x, y]) => [x / k, y / k])));
  }
  for (const [id, e] of p.live) if (!seen.has(id)) { e.g.remove(); p.live.delete(id); }
};
const glasses = glass(size, { least: size[2] / 40, most: 1.5 * size[2], shown: () => draw() });

// Losses and luck: a line a side, the second dashed.
const across = (i) => 34 + 300 * i / Math.max(1, F.length - 1);
const plot = (title, series) => {
  const all = series.flatMap((s) => s[1]), hi = Math.max(1, ...all), lo = Math.min(0, ...all), y = (v) => 92 - 72 * (v - lo) / (hi - lo);
  const s = sv("svg", { viewBox: "0 0 400 108", role: "img", "aria-label": `${title}: ` + series.map(([n, v]) => `${n} ${v[v.length - 1]}`).join(", ") });
  s.append(sv("text", { x: 2, y: 11, class: "lab", "font-weight": "bold" }, title), sv("path", { class: "ax", d: `M34 ${y(0)}H334M34 20V92`, fill: "none" }), sv("text", { x: 30, y: y(hi) + 4, class: "lab", "text-anchor": "end" }, String(hi)));
  if (lo < 0) s.append(sv("text", { x: 30, y: 95, class: "lab", "text-anchor": "end" }, String(lo)));
  // Names at the ends of lines keep a line's height from each other.
  const ends = series.map(([, v]) => y(v[v.length - 1]) + 4);
  let free = -99;
  series.map((_, k) => k).sort((a, b) => ends[a] - ends[b]).forEach((k) => { ends[k] = free = Math.max(ends[k], free + 12); });
  series.forEach(([n, v, k], i) => {
    s.append(sv("path", { class: "g" + k, fill: "none", "stroke-width": 2.2, "stroke-dasharray": ["none", "6 3", "2 3"][k], d: v.map((q, j) => `${j ? "L" : "M"}${across(j).toFixed(1)} ${y(q).toFixed(1)}`).join("") }), sv("text", { x: 338, y: ends[i], class: "lab" }, n.slice(0, 9)));
  });
  s.append(sv("line", { class: "now", y1: 16, y2: 94, x1: 34, x2: 34 }));
  return s;
};
const scopes = [...new Set(F.flatMap((f) => Object.keys(f.luck)))].sort();
// What both sides see has no colour of a side.
const hue = (name) => { const w = W.indexOf(name); return w < 0 ? 2 : R.hues[w]; };
if (R.lost_in) $("plots").append(plot(`Lost so far (${R.lost_in})`, W.map((side, w) => [named(side), F.map((f) => f.lost[w]), R.hues[w]])));
if (scopes.length) $("plots").append(plot("Luck: pips above the mean", scopes.map((s) => [named(s), F.map((f) => Math.round((f.luck[s] || 0) / 2)), hue(s)])));

const go = (n) => { at = Math.max(0, Math.min(F.length - 1, n)); draw(); };
const stop = () => { clearInterval(timer); timer = 0; $("play").textContent = "▶ Play"; };
$("at").max = F.length - 1;
$("at").oninput = () => { stop(); go(+$("at").value); };
$("back").onclick = () => { stop(); go(at - 1); };
$("fwd").onclick = () => { stop(); go(at + 1); };
$("play").onclick = () => {
  if (timer) return stop();
  if (at === F.length - 1) go(0);
  $("play").textContent = "❚❚ Stop";
  timer = setInterval(() => { if (at >= F.length - 1) return stop(); go(at + 1); }, 1100);
};
document.addEventListener("keydown", (e) => {
  if (e.target.closest("input,textarea,button,.map")) return;
  if (e.key === "ArrowRight") { stop(); go(at + 1); } else if (e.key === "ArrowLeft") { stop(); go(at - 1); }
});

// Who may look: all, where the film has all.
const radio = (value, text, on) => { const l = el("label"), i = el("input", { type: "radio", name: "w", value }); i.checked = on; i.onchange = draw; l.append(i, text); return l; };
if (many) {
  $("choices").append(radio("truth", "What was so", R.first < 0), ...W.map((side, w) => radio(String(w), named(side), R.first === w)), radio("both", "Both", false));
  const l = el("label"), i = el("input", { type: "checkbox", id: "under" });
  i.onchange = draw;
  l.append(i, "truth beneath");
  $("choices").append(l);
} else $("who").hidden = true;
for (const b of document.querySelectorAll(".copy")) b.onclick = async () => {
  try { await navigator.clipboard.writeText(b.dataset.copy); } catch (_) { const r = document.createRange(); r.selectNodeContents(b); const s = getSelection(); s.removeAllRanges(); s.addRange(r); document.execCommand("copy"); }
  b.classList.add("done");
};
pane(first);
addEventListener("resize", draw);
go(R.last ? F.length - 1 : 0);
})();
