#!/usr/bin/env python3
"""Draw the maps of the seven small campaigns from tables of real places.

    python3 tests/maps/maps.py            write scenarios/campaigns/maps/YEAR.yaml, one for each tests/maps/theatres/YEAR.txt
    python3 tests/maps/maps.py --check    compare with what is written; exit 1 if a byte differs
    python3 tests/maps/maps.py --show     also print each map in letters

Python 3.11, standard library alone, no network; the same tables give the same bytes.

Every coordinate in theatres/*.txt is from general knowledge, rounded to 0.01 degree, about a kilometre; no data set was
used and no published map was copied. What follows from that: a hex is 3.2 km, so a place may stand one hex off its true
spot, a river's upper course two. The sections of a theatre's file:

    [map]     title, subtitle, north_west (lat lon of the centre of hex 0101), columns, rows
    [places]  name | modern name or - | lat lon | kind. Kinds are those of a map file (village, town, center,
              depot_town, primary_town, city, capital, fortified_town, citadel, point); `edge` is a point moved to the nearest hex of the map, `via` a bend of a road without a name
    [rivers]  class | name | lat,lon lat,lon ... from source to mouth; `@Name` goes to the nearest point of that river's line
    [banks]   river | left or right | places that stand on that bank, looking downstream: checked, not used
    [fords]   river | lat lon: the nearest hexside of a primary river that no road crosses is a ford
    [roads]   class | name | places in order
    [ground]  letter | name | lat,lon lat,lon ...: a polygon; a hex is of the last one that holds a third of it
    [ridges]  letter | name | lat,lon lat,lon ...: a line; the hexes that it touches (crests that are hexes)
    [crests]  name | lat,lon lat,lon ...: a line; the hexsides that it runs along (crests that are hexsides)
    [crops]   letter | name | lat,lon lat,lon ...: a polygon; the region of a hex is the last one that holds its middle, and
              the first one, without a polygon, is all the rest (maps of titles that forage by crops)
"""
import heapq
import math
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
MAPS = HERE.parent.parent / 'scenarios' / 'campaigns' / 'maps'
STEP = 3.2                                    # km between opposite hexsides, as in Moravia
DX, SIDE = STEP * math.sqrt(3) / 2, STEP / math.sqrt(3)
RADIUS = 6371.0
RANK = {'citadel': 5, 'fortified_town': 5, 'capital': 4, 'city': 4, 'primary_town': 3, 'depot_town': 3, 'center': 2, 'town': 2,
        'village': 1, 'point': 0}
EDGE_KM = 16                                  # how far beyond the last hex an edge may lie


def sections(path):
    """The lines of each section, split at bars."""
    found, rows = {}, None
    for number, line in enumerate(path.read_text(encoding='utf-8').splitlines(), 1):
        line = line.split('#')[0].strip()
        if line.startswith('['):
            rows = found.setdefault(line.strip('[]'), [])
        elif line:
            rows.append((number, [part.strip() for part in line.split('|')]))
    return found


class Theatre:
    """One map: its grid, places, rivers, roads and ground."""

    def __init__(self, path):
        self.path, self.problems = path, []
        self.raw = sections(path)
        head = {row[0]: row[1] for _, row in self.raw['map']}
        self.year, self.title, self.subtitle = path.stem, head['title'], head['subtitle']
        self.columns, self.rows = int(head['columns']), int(head['rows'])
        lat, lon = map(float, head['north_west'].split())
        self.lat0 = lat
        # The central meridian, so that north is up in the middle of the map.
        self.lon0 = lon + (self.columns - 1) * DX / 2 / (math.radians(1) * RADIUS * math.cos(math.radians(lat)))
        self.x0, self.y0 = self.project(lat, lon)
        self.hexes = [(c, r) for c in range(1, self.columns + 1) for r in range(1, self.rows + 1)]
        self.inside = set(self.hexes)
        self.place_all()
        self.draw_ground()
        self.draw_rivers()
        self.draw_roads()
        self.draw_fords()
        self.draw_crests()
        self.draw_crops()

    # ------------------------------------------------------------ grid
    def project(self, lat, lon):
        """Spherical transverse Mercator, km east and north of the middle of the northern edge."""
        p, m = math.radians(lat), math.radians(lon - self.lon0)
        north = math.atan2(math.tan(p), math.cos(m)) - math.radians(self.lat0)
        return RADIUS * math.atanh(math.cos(p) * math.sin(m)), RADIUS * north

    def points(self, text):
        return [self.project(*map(float, pair.split(','))) for pair in text.split()]

    def centre(self, h):
        c, r = h
        return self.x0 + (c - 1) * DX, self.y0 - (r - 1) * STEP - (STEP / 2 if c % 2 == 0 else 0)

    def corners(self, h):
        x, y = self.centre(h)
        return [(x + SIDE * math.cos(math.radians(60 * i)), y + SIDE * math.sin(math.radians(60 * i))) for i in range(6)]

    def nearest(self, point):
        return min(self.hexes, key=lambda h: (math.dist(self.centre(h), point), h))

    def hex_at(self, point):
        h = self.nearest(point)
        return h if math.dist(self.centre(h), point) <= SIDE * 1.001 else None

    def neighbours(self, h):
        return [n for n in around(h) if n in self.inside]

    def problem(self, number, text):
        self.problems.append(f'{self.path.name}:{number}: {text}')

    # ------------------------------------------------------------ places
    def place_all(self):
        self.places, self.named = {}, {}      # by name; by hex, those that the map names
        for number, (name, modern, where, kind) in self.raw['places']:
            point = self.project(*map(float, where.split()))
            h = self.nearest(point) if kind == 'edge' else self.hex_at(point)
            if h is None or math.dist(self.centre(h), point) > EDGE_KM:
                self.problem(number, f'{name} is off the map')
                continue
            if kind == 'edge':
                name, kind, point = f'{name} (edge)', 'point', self.centre(h)
            if name in self.places:
                self.problem(number, f'{name} stands twice')
            self.places[name] = (h, point)
            if kind == 'via':
                continue
            if h in self.named:
                self.problem(number, f'{name} shares hex {hid(h)} with {self.named[h][0]}')
                continue
            self.named[h] = (name, modern, kind, point)
        # The point that stands for a hex where it is asked on which bank it lies: its place, else its middle.
        stands = {h: self.named[h][3] for h in self.named if self.named[h][2] != 'point'}
        self.stands = {h: stands.get(h, self.centre(h)) for h in self.hexes}

    # ------------------------------------------------------------ ground
    def draw_ground(self):
        areas = [(row[0], self.points(row[2])) for _, row in self.raw.get('ground', [])]
        self.ground = {}
        for h in self.hexes:
            x, y = self.centre(h)
            samples = [(x, y)]
            for part, count in ((.45, 6), (.8, 12)):
                angles = [math.radians(360 * i / count) for i in range(count)]
                samples += [(x + part * SIDE * math.cos(a), y + part * SIDE * math.sin(a)) for a in angles]
            self.ground[h] = '.'
            for letter, polygon in areas:
                if 3 * sum(within(s, polygon) for s in samples) >= len(samples):
                    self.ground[h] = letter
        for _, (letter, _, points) in self.raw.get('ridges', []):
            for h in self.touched(self.points(points)):
                self.ground[h] = letter
        for h, (name, _, kind, _) in self.named.items():
            if self.ground[h] == 'l':
                self.ground[h] = '.'          # a place stands on the shore

    def touched(self, line):
        """Hexes through which a line runs."""
        found = []
        for a, b in zip(line, line[1:]):
            steps = max(1, int(math.dist(a, b) / .2))
            for i in range(steps + 1):
                h = self.hex_at((a[0] + (b[0] - a[0]) * i / steps, a[1] + (b[1] - a[1]) * i / steps))
                if h and h not in found:
                    found.append(h)
        return found

    # ------------------------------------------------------------ rivers
    def draw_rivers(self):
        """A hexside is river when the line between the points of its two hexes crosses the river an odd number of times:
        so each place is on its true bank, as far as the line is true."""
        pairs = sorted({edge(h, n) for h in self.hexes for n in self.neighbours(h)})
        self.lines, self.rivers = {}, {}
        for number, (level, name, points) in self.raw.get('rivers', []):
            line = self.river_line(number, points)
            self.lines.setdefault(name, []).append(line)
            for pair in pairs:
                p, q = self.stands[pair[0]], self.stands[pair[1]]
                crossed = sum(crosses(p, q, a, b) for a, b in zip(line, line[1:]) if near(p, q, a, b))
                known = self.rivers.get(pair)
                if crossed % 2 and (known is None or known[0] == 'secondary' != level):
                    self.rivers[pair] = (level, name)
        for number, (name, bank, towns) in self.raw.get('banks', []):
            for town in towns.split(','):
                spot = self.places.get(town.strip())
                if spot is None or name not in self.lines:
                    self.problem(number, f'no {town.strip()} or no {name}')
                elif side_of(self.lines[name], spot[1]) != bank:
                    self.problem(number, f'{town.strip()} is not on the {bank} bank of the {name}')

    def river_line(self, number, text):
        line = []
        for word in text.split():
            if not word.startswith('@'):
                line += self.points(word)
                continue
            other = self.lines.get(word[1:].replace('_', ' '))
            if other is None:
                self.problem(number, f'no river {word}')
                continue
            ends = [foot(line[-1], a, b) for part in other for a, b in zip(part, part[1:])]
            line.append(min(ends, key=lambda end: math.dist(end, line[-1])))
        return line

    def draw_fords(self):
        for number, (name, where) in self.raw.get('fords', []):
            point = self.project(*map(float, where.split()))
            free = [s for s, (level, river) in self.rivers.items() if (level, river) == ('primary', name) and s not in self.roads]
            if not free:
                self.problem(number, f'no free primary hexside of the {name}')
                continue
            middle = lambda s: tuple((a + b) / 2 for a, b in zip(self.centre(s[0]), self.centre(s[1])))
            side = min(free, key=lambda s: (math.dist(middle(s), point), s))
            self.rivers[side] = ('ford', name)

    # ------------------------------------------------------------ roads
    def draw_roads(self):
        self.lanes, self.roads = [], {}
        for number, (level, name, stops) in self.raw.get('roads', []):
            spots = []
            for stop in stops.split(','):
                spot = self.places.get(stop.strip())
                if spot is None:
                    self.problem(number, f'no {stop.strip()}')
                else:
                    spots.append(spot)
            path = []
            for a, b in zip(spots, spots[1:]):
                leg = self.way(a, b)
                if leg is None:
                    self.problem(number, f'{name}: no way from {hid(a[0])} to {hid(b[0])}')
                    continue
                path += leg[1:] if path else leg
            path = self.straightened(path)
            for stop in (stop.strip() for stop in stops.split(',')):
                at = self.places.get(stop, (None,))[0]
                if at in self.named and at not in path:
                    self.problem(number, f'{name} does not come to {stop}')
            self.lanes.append((level, name, path))
            for pair in zip(path, path[1:]):
                if self.roads.get(edge(*pair)) != 'primary':
                    self.roads[edge(*pair)] = level
        self.bridges = sorted(s for s in self.roads if s in self.rivers)

    def way(self, a, b):
        """The cheapest way between two places: 1 a hex, a little for leaving the straight line, a fine for rivers (so
        that a road does not weave over the river that it follows), marsh and heights; less along a road drawn before."""
        (start, (x1, y1)), (goal, (x2, y2)) = a, b
        length = math.dist((x1, y1), (x2, y2)) or 1
        open_, seen = [(0, start, (start,))], set()
        while open_:
            cost, here, path = heapq.heappop(open_)
            if here == goal:
                return list(path)
            if here in seen:
                continue
            seen.add(here)
            for to in self.neighbours(here):
                if to in seen or self.ground[to] == 'l':
                    continue
                x, y = self.centre(to)
                off = abs((x2 - x1) * (y1 - y) - (x1 - x) * (y2 - y1)) / length / STEP
                side = edge(here, to)
                fine = {'primary': 3, 'lake': 5}.get(self.rivers.get(side, ('',))[0], .7 if side in self.rivers else 0)
                rough = {'s': .5, 'm': .5, 'h': .1, 'c': .6, 'C': .6}.get(self.ground[to], 0)
                known = .15 if side in self.roads else 0
                heapq.heappush(open_, (round(cost + 1 + .12 * off * off + fine + rough - known, 6), to, path + (to,)))
        return None

    def straightened(self, path):
        """Without the steps back, and without the corners between neighbours, that way-points make."""
        i = 1
        while i < len(path) - 1:
            if path[i - 1] == path[i + 1] and path[i] not in self.named:
                del path[i:i + 2]
                i = max(1, i - 1)
            elif path[i + 1] in around(path[i - 1]) and path[i] not in self.named \
                    and (edge(path[i - 1], path[i + 1]) not in self.rivers or edge(path[i - 1], path[i]) in self.rivers
                         or edge(path[i], path[i + 1]) in self.rivers):
                del path[i]
            else:
                i += 1
        return path

    # ------------------------------------------------------------ crests
    def draw_crests(self):
        pairs = sorted({edge(h, n) for h in self.hexes for n in self.neighbours(h)})
        self.crests = set()
        for _, (_, points) in self.raw.get('crests', []):
            line = self.points(points)
            for pair in pairs:
                p, q = self.centre(pair[0]), self.centre(pair[1])
                if sum(crosses(p, q, a, b) for a, b in zip(line, line[1:])) % 2:
                    self.crests.add(pair)

    # ------------------------------------------------------------ crops
    def draw_crops(self):
        self.crops = {}
        for number, row in self.raw.get('crops', []):
            if not self.crops and len(row) > 2:
                self.problem(number, 'the first region of crops is all the map')
            region = self.points(row[2]) if len(row) > 2 else None
            for h in self.hexes:
                if region is None or within(self.centre(h), region):
                    self.crops[h] = row[0]

    # ------------------------------------------------------------ the file
    def text(self):
        out = [f'# {self.title}: {self.subtitle}, 3.2 km a hex.', '#',
               f'# Drawn by tests/maps/maps.py from tests/maps/theatres/{self.year}.txt; do not edit by hand. Provenance: house. Every coordinate is from',
               '# general knowledge, rounded to 0.01 degree; woods, heights, courses and classes of roads are judgement; no published',
               '# map was copied. A hexside is river where the line between the places of its two hexes crosses the river.',
               'kind: map', f'id: "{self.year}"', f'title: {self.title}', 'attribution:',
               '- "Drawn for this project from general knowledge; provenance: house"',
               f'columns: {self.columns}', f'rows: {self.rows}', '',
               '# One row a line, one letter a column: . clear, w woods, h hill, m mountain, s swamp, l lake, c crest, C wooded crest.',
               'ground:']
        for r in range(1, self.rows + 1):
            out.append(f'  "{r:02}": "' + ''.join(self.ground[c, r] for c in range(1, self.columns + 1)) + '"')
        out += ['', 'places:']
        for h in sorted(self.named):
            name, modern, kind, _ = self.named[h]
            today = '' if modern == '-' else f', modern: "{modern}"'
            out.append(f'- {{hex: "{hid(h)}", name: "{name}"{today}, kind: {kind}}}')
        out += ['', 'roads:']
        for level, name, path in self.lanes:
            out += [f'- name: "{name}"', f'  class: {level}'] + folded('hexes', [hid(h) for h in path])
        out += ['', 'rivers:']
        for level, name in sorted({(level, name) for level, name in self.rivers.values()}, key=lambda r: (r[1], r[0])):
            sides = sorted(side_id(s) for s, of in self.rivers.items() if of == (level, name))
            out += [f'- name: "{name}"', f'  class: {level}'] + folded('hexsides', sides)
        out += ['', 'bridges:']
        for side in self.bridges:
            out.append(f'- "{side_id(side)}"  # {self.rivers[side][1]}')
        if self.crops:
            out += ['', '# The main crop of the region of each hex: o oats, w wheat, p potatoes.', 'crops:']
            out += [f'  "{r:02}": "' + ''.join(self.crops[c, r] for c in range(1, self.columns + 1)) + '"'
                    for r in range(1, self.rows + 1)]
        if self.crests:
            out += ['', 'crests:'] + [f'- "{name}"' for name in sorted(side_id(s) for s in self.crests)]
        return '\n'.join(out) + '\n'

    def letters(self):
        """The map for the eye: capitals are places, = and - roads, even columns half a row lower."""
        signs = {'citadel': 'F', 'fortified_town': 'F', 'capital': 'C', 'city': 'C', 'primary_town': 'D', 'depot_town': 'D',
                 'center': 'T', 'town': 'T', 'village': 'V', 'point': 'P'}
        roads = {}
        for (a, b), level in self.roads.items():
            for h in (a, b):
                roads[h] = '=' if '=' in (roads.get(h), '=' if level == 'primary' else '-') else '-'
        lines = ['     ' + ''.join(f'{c:<4}' for c in range(1, self.columns + 1, 2))]
        for r in range(1, self.rows + 1):
            for odd in (1, 0):
                row = ''
                for c in range(1 if odd else 2, self.columns + 1, 2):
                    h = (c, r)
                    sign = signs[self.named[h][2]] if h in self.named else roads.get(h, '')
                    water = ''.join('~' if self.rivers[edge(h, n)][0] != 'secondary' else "'" for n in self.neighbours(h) if edge(h, n) in self.rivers)
                    row += f'{(sign or self.ground[h]) + water[:2]:<4}'
                lines.append(f'{r:>3}  ' + ('' if odd else '  ') + row)
        return '\n'.join(lines)


# ---------------------------------------------------------------- hexes
def hid(h):
    return f'{h[0]:02}{h[1]:02}'


def around(h):
    """N, NE, SE, S, SW, NW; even columns lie half a hex further south."""
    c, r = h
    e = 1 if c % 2 == 0 else 0
    return [(c, r - 1), (c + 1, r - 1 + e), (c + 1, r + e), (c, r + 1), (c - 1, r + e), (c - 1, r - 1 + e)]


def edge(a, b):
    return tuple(sorted((a, b)))


def side_id(pair):
    """A hexside by a hex and N, NE or SE of it."""
    for a, b in (pair, pair[::-1]):
        i = around(a).index(b)
        if i < 3:
            return hid(a) + ('N', 'NE', 'SE')[i]
    raise ValueError(pair)


def folded(key, words):
    """A key with its words, in lines of at most 120 letters."""
    lines, line = [f'  {key}: >-'], '   '
    for word in words:
        if len(line) + 1 + len(word) > 118:
            lines.append(line)
            line = '   '
        line += ' ' + word
    return lines + [line]


# ---------------------------------------------------------------- plane
def turn(u, v, w):
    return (v[0] - u[0]) * (w[1] - u[1]) - (v[1] - u[1]) * (w[0] - u[0])


def crosses(p, q, a, b):
    return (turn(p, q, a) > 0) != (turn(p, q, b) > 0) and (turn(a, b, p) > 0) != (turn(a, b, q) > 0)


def near(p, q, a, b):
    """Whether the boxes round two lines meet."""
    return all(min(a[i], b[i]) <= max(p[i], q[i]) and max(a[i], b[i]) >= min(p[i], q[i]) for i in (0, 1))


def within(point, polygon):
    x, y = point
    inside = False
    for (x1, y1), (x2, y2) in zip(polygon, polygon[1:] + polygon[:1]):
        if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
            inside = not inside
    return inside


def foot(p, a, b):
    """The point of a line that is nearest to a point."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    square = dx * dx + dy * dy
    t = max(0, min(1, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / square)) if square else 0
    return a[0] + t * dx, a[1] + t * dy


def side_of(parts, p):
    """The bank of a river, drawn from source to mouth, on which a point lies: the side of the nearest line; where that is
    nearest at a corner, inside the corner's turn or outside it."""
    legs = [(part, i) for part in parts for i in range(len(part) - 1)]
    part, i = min(legs, key=lambda leg: math.dist(p, foot(p, leg[0][leg[1]], leg[0][leg[1] + 1])))
    a, b = part[i], part[i + 1]
    if math.dist(foot(p, a, b), b) < 1e-9 and i + 2 < len(part):
        return 'right' if turn(a, b, part[i + 2]) > 0 else 'left'
    return 'left' if turn(a, b, p) > 0 else 'right'


def main(words):
    checked, failed = '--check' in words, False
    for path in sorted((HERE / 'theatres').glob('*.txt')):
        theatre = Theatre(path)
        for problem in theatre.problems:
            print(problem, file=sys.stderr)
        failed |= bool(theatre.problems)
        if '--show' in words:
            print(f'{theatre.year} {theatre.title}\n{theatre.letters()}')
        target, text = MAPS / f'{theatre.year}.yaml', theatre.text()
        if not checked:
            target.write_text(text, encoding='utf-8')
        elif not target.exists() or target.read_text(encoding='utf-8') != text:
            print(f'{target.name} is not what {path.name} gives', file=sys.stderr)
            failed = True
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
