// Hexes of a map whose even columns lie half a hex lower.
const hexes = (S) => {
  const { across, down, radius, columns, rows } = S.B.map, half = down / 2;
  const split = (hex) => [Number(hex.slice(0, 2)), Number(hex.slice(2))];
  const join = (col, row) => String(col).padStart(2, "0") + String(row).padStart(2, "0");
  const centre = (hex) => {
    const [col, row] = split(hex);
    return [radius + across * (col - 1), half + down * (row - 1) + (col % 2 ? 0 : half)];
  };
  const inside = (col, row) => col >= columns[0] && col <= columns[1] && row >= rows[0] && row <= rows[1];
  const neighbour = (hex, way) => {
    const [col, row] = split(hex), odd = col % 2;
    const [c, r] = { N: [0, -1], S: [0, 1], NE: [1, odd ? -1 : 0], SE: [1, odd ? 0 : 1], NW: [-1, odd ? -1 : 0], SW: [-1, odd ? 0 : 1] }[way];
    return inside(col + c, row + r) ? join(col + c, row + r) : null;
  };
  const outline = (hex) => {
    const [x, y] = centre(hex);
    return `M${x - radius / 2} ${y - half}h${radius}l${radius / 2} ${half}l${-radius / 2} ${half}h${-radius}l${-radius / 2} ${-half}z`;
  };
  const at = ([x, y]) => {
    const near = Math.round((x - radius) / across) + 1;
    let best = null;
    for (let col = near - 1; col <= near + 1; col++) {
      const middle = Math.round((y - half - (col % 2 ? 0 : half)) / down) + 1;
      for (let row = middle - 1; row <= middle + 1; row++) {
        if (!inside(col, row)) continue;
        const [a, b] = centre(join(col, row)), far = (a - x) ** 2 + (b - y) ** 2;
        if (!best || far < best.far) best = { far, hex: join(col, row) };
      }
    }
    return best?.hex;
  };
  const named = (hex) => hex + (S.B.places[hex] ? " " + S.B.places[hex] : "");
  const far = (a, b) => { const [p, q] = [centre(a), centre(b)]; return Math.hypot(p[0] - q[0], p[1] - q[1]); };
  // Where one's own pieces and the enemy are nearest to each other.
  const home = (own, foes) => own.flatMap((a) => foes.map((b) => [a, b])).sort((p, q) => far(...p) - far(...q))[0]?.[0];
  const all = () => {
    const found = [];
    for (let col = columns[0]; col <= columns[1]; col++) for (let row = rows[0]; row <= rows[1]; row++) found.push(join(col, row));
    return found;
  };
  // Whoever comes near reads every hex: reports speak of them by number.
  const numbers = S.draw("g", { "aria-hidden": "true" });
  numbers.append(...all().map((hex) => S.draw("text", { class: "num", x: centre(hex)[0], y: centre(hex)[1] - half + 48 }, hex)));
  S.over.before(numbers);
  // Where a hex lies in the window, once it is looked at.
  const seek = (hex) => { S.look(centre(hex)); const p = new DOMPoint(...centre(hex)).matrixTransform(S.svg.getScreenCTM()); return [p.x, p.y]; };
  const next = (hex, other) => hexes.WAYS.find((way) => neighbour(hex, way) === other);
  return { across, centre, neighbour, next, outline, at, named, home, all, seek };
};
hexes.WAYS = ["N", "NE", "SE", "S", "SW", "NW"];
hexes.KEYS = { w: "N", e: "NE", d: "SE", s: "S", a: "SW", q: "NW" };
