//! Drawings in SVG: elements with their escapes, whole numbers only, so that one drawing has the same bytes everywhere.
//!
//! Nothing here knows a game. Colours stand in attributes and not in a style sheet: a picture must survive wherever it is
//! put, and a page that forbids styles shows it all the same. Units are those of whoever draws.

mod curve;
mod labels;
mod spread;
mod walk;

pub use curve::{chains, path, rounded};
pub use labels::Labels;
pub use spread::{Card, spread, tie};
pub use walk::{aside, loops, stripes, walk};

/// The letters of all drawings, and what stands in for them where they are not at hand.
pub const FONT: &str = "Libertinus Serif, Georgia, serif";

/// What ends the ground; no words of a drawing hold it, for they are escaped.
const PART: &str = "<!-- over the ground -->\n";

/// The ground of a drawing and what lies over it, each as a drawing of its own; none where it has no ground apart.
pub fn parted(svg: &str) -> Option<(String, String)> {
    let (before, over) = svg.split_once(PART)?;
    let (head, rest) = before.split_once('\n')?;
    let (_title, ground) = rest.split_once('\n')?;
    Some((format!("{head}\n{ground}</svg>\n"), format!("{head}\n{over}")))
}

/// A point: right and down.
pub type Point = (i32, i32);

/// A drawing while it is made.
#[derive(Clone, Debug)]
pub struct Svg {
    text: String,
    open: usize,
}

impl Svg {
    /// A sheet: its corner, its size, its width in pixels (its height follows), its title for who cannot see it.
    pub fn new(corner: Point, size: Point, pixels: i32, title: &str) -> Svg {
        let high = if size.0 > 0 { pixels.saturating_mul(size.1).div_euclid(size.0) } else { 0 };
        let mut svg = Svg { text: String::new(), open: 0 };
        svg.text.push_str(&format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{pixels}\" height=\"{high}\" viewBox=\"{} {} {} {}\" role=\"img\">\n",
            corner.0, corner.1, size.0, size.1
        ));
        svg.text.push_str(&format!("<title>{}</title>\n", escaped(title)));
        svg
    }

    /// A part of a drawing, to be put on a sheet.
    pub fn blank() -> Svg {
        Svg { text: String::new(), open: 0 }
    }

    /// The elements of a part, as [`Svg::put`] takes them.
    pub fn elements(mut self) -> String {
        while self.open > 0 {
            self.close();
        }
        self.text
    }

    /// Puts the elements of a part on this sheet.
    pub fn put(&mut self, elements: &str) {
        self.text.push_str(elements);
    }

    /// Opens a group; all that follows until [`Svg::close`] stands in it.
    pub fn group(&mut self, attributes: &[(&str, &str)]) {
        self.tag("g", attributes, ">");
        self.open += 1;
    }

    /// Closes the group opened last.
    pub fn close(&mut self) {
        if self.open > 0 {
            self.open -= 1;
            self.text.push_str("</g>\n");
        }
    }

    /// An element without content, such as a path.
    pub fn element(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.tag(name, attributes, "/>");
    }

    /// Ends the ground: what changes from one drawing of the same part of a map to the next stands behind this.
    pub fn part(&mut self) {
        self.text.push_str(PART);
    }

    /// A line of text from a point on, or round it if the attributes say so.
    pub fn words(&mut self, at: Point, attributes: &[(&str, &str)], words: &str) {
        let (x, y) = (at.0.to_string(), at.1.to_string());
        let mut all = vec![("x", x.as_str()), ("y", y.as_str())];
        all.extend_from_slice(attributes);
        self.tag("text", &all, ">");
        // The tag has ended its line; blanks in text would show.
        self.text.pop();
        self.text.push_str(&escaped(words));
        self.text.push_str("</text>\n");
    }

    /// Lines in one colour, so wide.
    pub fn stroke(&mut self, lines: &[Vec<Point>], colour: &str, wide: i32, more: &[(&str, &str)]) {
        if lines.is_empty() {
            return;
        }
        let (d, wide) = (path(lines, false), wide.to_string());
        let mut all = vec![("d", d.as_str()), ("stroke", colour), ("stroke-width", wide.as_str())];
        let usual = [("stroke-linecap", "round"), ("stroke-linejoin", "round"), ("fill", "none")];
        all.extend(usual.into_iter().filter(|(key, _)| !more.iter().any(|(other, _)| key == other)));
        all.extend_from_slice(more);
        self.element("path", &all);
    }

    /// Surfaces in one colour, each closed.
    pub fn fill(&mut self, lines: &[Vec<Point>], colour: &str, more: &[(&str, &str)]) {
        if lines.is_empty() {
            return;
        }
        let d = path(lines, true);
        let mut all = vec![("d", d.as_str()), ("fill", colour)];
        all.extend_from_slice(more);
        self.element("path", &all);
    }

    /// An upright rectangle: its corner, its size.
    pub fn rect(&mut self, corner: Point, size: Point, more: &[(&str, &str)]) {
        let place = [corner.0, corner.1, size.0, size.1].map(|n| n.to_string());
        let mut all: Vec<(&str, &str)> =
            ["x", "y", "width", "height"].into_iter().zip(place.iter().map(String::as_str)).collect();
        all.extend_from_slice(more);
        self.element("rect", &all);
    }

    /// A circle: its middle, its radius.
    pub fn circle(&mut self, at: Point, radius: i32, more: &[(&str, &str)]) {
        let place = [at.0, at.1, radius].map(|n| n.to_string());
        let mut all: Vec<(&str, &str)> = ["cx", "cy", "r"].into_iter().zip(place.iter().map(String::as_str)).collect();
        all.extend_from_slice(more);
        self.element("circle", &all);
    }

    /// Words with a halo of a colour, so wide, that sets them off from what lies under them.
    pub fn haloed(&mut self, at: Point, words: &str, colour: &str, halo: (&str, i32), more: &[(&str, &str)]) {
        let wide = halo.1.to_string();
        let mut all = vec![
            ("fill", colour),
            ("stroke", halo.0),
            ("stroke-width", wide.as_str()),
            ("stroke-linejoin", "round"),
            ("paint-order", "stroke"),
            ("font-family", FONT),
        ];
        all.extend_from_slice(more);
        self.words(at, &all, words);
    }

    /// Bold words of a size, with their middle over a point.
    pub fn lettering(&mut self, at: Point, words: &str, colour: &str, size: i32) {
        let size = size.to_string();
        let look = [
            ("fill", colour),
            ("font-size", size.as_str()),
            ("font-weight", "bold"),
            ("text-anchor", "middle"),
            ("font-family", FONT),
        ];
        self.words(at, &look, words);
    }

    /// The drawing, whole.
    pub fn finish(self) -> String {
        self.elements() + "</svg>\n"
    }

    fn tag(&mut self, name: &str, attributes: &[(&str, &str)], end: &str) {
        self.text.push('<');
        self.text.push_str(name);
        for (key, value) in attributes {
            self.text.push_str(&format!(" {key}=\"{}\"", escaped(value)));
        }
        self.text.push_str(end);
        self.text.push('\n');
    }
}

/// Text as XML and HTML take it: signs of markup escaped; what turns the direction of reading, and control characters, left out.
pub fn escaped(text: &str) -> String {
    let mut said = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => said.push_str("&amp;"),
            '<' => said.push_str("&lt;"),
            '>' => said.push_str("&gt;"),
            '"' => said.push_str("&quot;"),
            '\'' => said.push_str("&#39;"),
            '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{fffe}' | '\u{ffff}' => {}
            c if c.is_control() => {}
            c => said.push(c),
        }
    }
    said
}

/// A number of at most `end` that follows from a key alone: the same map is scattered with the same bytes.
pub fn scatter(key: (i32, i32, i32), end: i32) -> i32 {
    // SplitMix64, whose constants are those of its author.
    let mut x = 0_u64;
    for part in [key.0, key.1, key.2] {
        x = x.wrapping_add(u64::from(part.unsigned_abs())).wrapping_add(0x9e37_79b9_7f4a_7c15);
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^= x >> 31;
    }
    let span = u64::from(end.max(0).unsigned_abs()) + 1;
    i32::try_from(x % span).unwrap_or(0)
}
