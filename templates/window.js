"use strict";
// A window on a drawing: a finger, the mouse, the wheel, two fingers and keys move it. Sheets and replays share it; several
// maps may look through one.
const glass = (size, { least, most, shown }) => {
  let view = [...size];
  const set = (to, near) => { view = to; shown(near); };
  // By how much wider, and round which place of the drawing.
  const zoom = (by, [x, y] = [view[0] + view[2] / 2, view[1] + view[3] / 2]) => {
    const k = Math.min(most, Math.max(least, view[2] * by)) / view[2];
    set([x - (x - view[0]) * k, y - (y - view[1]) * k, view[2] * k, view[3] * k], true);
  };
  const move = (dx, dy) => set([view[0] + dx, view[1] + dy, view[2], view[3]], false);
  const look = ([x, y]) => set([x - view[2] / 2, y - view[3] / 2, view[2], view[3]], false);
  const whole = () => set([...size], true);
  // What a map does besides: `grip` takes hold of what lies under a finger, `tap` is a click, `key` a key of its own.
  const watch = (map, svg, { grip, tap, key } = {}) => {
    const fingers = new Map(), at = (x, y) => { const p = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM().inverse()); return [p.x, p.y]; };
    const gap = () => { const [a, b] = [...fingers.values()]; return Math.hypot(a[0] - b[0], a[1] - b[1]); };
    const middle = () => { const [a, b] = [...fingers.values()]; return at((a[0] + b[0]) / 2, (a[1] + b[1]) / 2); };
    let moved = 0, apart = 0, held = null;
    map.addEventListener("pointerdown", (event) => {
      fingers.set(event.pointerId, [event.clientX, event.clientY]);
      moved = fingers.size > 1 ? Infinity : 0;
      held = fingers.size === 1 && grip ? grip(at(event.clientX, event.clientY), event.target) : null;
      if (fingers.size === 2) apart = gap();
    });
    map.addEventListener("pointermove", (event) => {
      const from = fingers.get(event.pointerId);
      if (!from) return;
      const [dx, dy] = [event.clientX - from[0], event.clientY - from[1]];
      fingers.set(event.pointerId, [event.clientX, event.clientY]);
      if (fingers.size === 2) { const now = gap(); if (now > 0 && apart > 0) zoom(apart / now, middle()); apart = now; return; }
      moved += Math.abs(dx) + Math.abs(dy);
      if (held) { if (moved > 6) held.to(at(event.clientX, event.clientY)); return; }
      const scale = 1 / svg.getScreenCTM().a;
      move(-dx * scale, -dy * scale);
    });
    const lift = (event) => {
      const was = fingers.delete(event.pointerId), had = held;
      held = null;
      if (!was || event.type !== "pointerup") return;
      if (had && moved > 6) return had.drop(at(event.clientX, event.clientY));
      if (moved <= 6 && tap) tap(at(event.clientX, event.clientY), document.elementFromPoint(event.clientX, event.clientY), [event.clientX, event.clientY]);
    };
    for (const kind of ["pointerup", "pointercancel"]) window.addEventListener(kind, lift);
    map.addEventListener("wheel", (event) => { event.preventDefault(); zoom(event.deltaY > 0 ? 1.2 : 1 / 1.2, at(event.clientX, event.clientY)); }, { passive: false });
    map.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (key && key(event.key)) { /* It was a key of the game's. */ }
      else if (event.key === "+" || event.key === "=") zoom(1 / 1.4);
      else if (event.key === "-") zoom(1.4);
      else if (by) move((by[0] * view[2]) / 8, (by[1] * view[3]) / 8);
      else return;
      event.preventDefault();
    });
  };
  for (const [id, does] of [["nearer", () => zoom(1 / 1.4)], ["farther", () => zoom(1.4)], ["whole", whole]]) document.getElementById(id).addEventListener("click", does);
  return { watch, zoom, look, whole, set, view: () => view, box: () => view.map(Math.round).join(" ") };
};
