//! The pieces of a battle on hexes as a seat sees them: maps of them, and rows, where those of a hex that are alike stand
//! together.

use super::{Chart, Mark, Window, close, whole, worded};
use crate::hex::{Hex, Hexside};
use crate::host::paper::Drawing;
use crate::orders::Fault;
use crate::rules::tactical::field::Field;
use crate::rules::tactical::ground::Arm;
use crate::rules::tactical::tags::Contact;
use crate::rules::tactical::words::{among, label};
use crate::text;
use std::collections::BTreeMap;

/// Rows of hexes of a close-up.
const ROWS: i16 = 7;
/// Pieces that are no nearer to an enemy are not what a short letter is for.
const NEAR: u32 = 6;
/// What stands between a row's pieces and its facts until the row is as wide as its page.
const FACTS: &str = "\t";
/// Who looks where the umpire does.
pub const BOTH: &str = "Both sides";
/// Where an enemy was last seen.
const LAST: char = 'x';
/// The same, as the title of a map says it.
const LAST_SEEN: &str = "; x last seen there";
/// What stands for the facts of the row above.
const SAME: &str = "  as above";
/// Blanks before a row.
const INDENT: usize = 2;

/// A piece on the map, as it is drawn and told.
#[derive(Clone, Debug, Default)]
pub struct Piece {
    /// Its name.
    pub id: String,
    /// Where it stands.
    pub hex: Hex,
    /// Whether it is of the side that looks.
    pub own: bool,
    /// The name that it shares with others of its kind.
    pub regiment: String,
    /// That name in at most three characters.
    pub code: String,
    /// Its letter on the map of the whole field.
    pub letter: char,
    /// How it stands, in a sign, where nothing else is to be said of it.
    pub sign: Option<char>,
    /// Whether it is tired.
    pub tired: bool,
    /// Whether it runs.
    pub runs: bool,
    /// How it faces on a map, in at most two characters.
    pub facing: String,
    /// How it faces in a row.
    pub faces: &'static str,
    /// Whether it is printed on the map, and never moves.
    pub fixed: bool,
    /// Whether it only looks like somebody.
    pub hollow: bool,
    /// Whether it acts now, or has acted.
    pub acts: (bool, bool),
    /// Whether it may act now.
    pub able: bool,
    /// Whether it lies on top of others.
    pub top: bool,
    /// What its row says behind its name.
    pub facts: String,
}

/// How the maps of a game are drawn.
pub struct Style {
    /// The letter of a kind of ground.
    pub glyph: fn(&str) -> Option<char>,
    /// What the signs of a close-up mean.
    pub close: &'static str,
    /// What the signs of the whole field mean.
    pub whole: &'static str,
    /// A place on the map, as an example.
    pub example: &'static str,
    /// Whether a stack of several names has a sign of its own.
    pub mixed: bool,
}

/// All that a seat sees on the map.
pub struct Roster<'v> {
    /// The ground.
    pub field: &'v Field,
    /// Hexsides along which something runs, and its sign.
    pub edges: BTreeMap<Hexside, char>,
    /// The pieces, in the order of their names.
    pub pieces: Vec<Piece>,
    /// Tags of enemies out of sight, and where they were last seen.
    pub ghosts: Vec<(String, Hex)>,
    /// Leaders, and where those stand that are on the map.
    pub leaders: Vec<(&'v str, Option<Hex>)>,
    /// What its maps look like.
    pub style: &'static Style,
    /// Columns of a page.
    pub width: usize,
}

impl Roster<'_> {
    /// Pieces that are somebody.
    fn standing(&self) -> impl Iterator<Item = &Piece> {
        self.pieces.iter().filter(|piece| !piece.hollow)
    }

    /// What stands where: of a hex the piece of which most is said.
    fn chart(&self) -> Chart<'_> {
        let mut stacks: BTreeMap<Hex, Vec<&Piece>> = BTreeMap::new();
        for piece in self.pieces.iter().filter(|piece| !piece.fixed) {
            stacks.entry(piece.hex).or_default().push(piece);
        }
        let mut marks: BTreeMap<Hex, Mark> = BTreeMap::new();
        for (hex, stack) in &mut stacks {
            // Somebody is shown before nobody, and who lies on top before the others.
            stack.sort_by_key(|piece| (piece.hollow, !piece.top));
            let state = match stack.len() {
                _ if stack.iter().any(|piece| piece.runs) => 'r',
                _ if stack.iter().any(|piece| piece.tired) => 'f',
                1 => stack.first().and_then(|piece| piece.sign).unwrap_or(' '),
                _ => ' ',
            };
            let Some(first) = stack.first() else { continue };
            let name = if first.own { first.code.to_uppercase() } else { first.code.to_lowercase() };
            let mixed = self.style.mixed && stack.iter().any(|piece| piece.code != first.code);
            let counted = stack.len() > 1 && state == ' ';
            let token = match counted {
                _ if mixed => among(&name),
                true => label(&name, stack.len()),
                false => name,
            };
            marks.insert(*hex, Mark { token, state, facing: first.facing.clone(), leader: false });
        }
        for (tag, hex) in &self.ghosts {
            marks.entry(*hex).or_insert_with(|| Mark { token: tag.clone(), state: LAST, ..Mark::default() });
        }
        for hex in self.leaders.iter().filter_map(|(_, hex)| *hex) {
            marks.entry(hex).or_insert_with(|| Mark { state: ' ', ..Mark::default() }).leader = true;
        }
        Chart { field: self.field, glyph: self.style.glyph, edges: self.edges.clone(), marks }
    }

    /// The hex round which a seat would look: where its pieces that may act are nearest to the enemy, to where he was last seen
    /// if none is in sight, or amidst them if he never was; `acts` where only those that act count.
    pub fn middle(&self, acts: bool) -> Option<Hex> {
        let moving = || self.standing().filter(|piece| !piece.fixed);
        let mut foes: Vec<Hex> = moving().filter(|piece| !piece.own).map(|piece| piece.hex).collect();
        if foes.is_empty() {
            foes = self.ghosts.iter().map(|(_, hex)| *hex).collect();
        }
        if foes.is_empty() {
            let able = moving().any(|piece| piece.own && piece.able);
            let own = moving().filter(|piece| piece.own && (piece.able || !able)).map(|piece| piece.hex);
            let own: Vec<Hex> = own.collect();
            let apart = |hex: &Hex| own.iter().map(|other| other.distance(*hex)).sum::<u32>();
            return own.iter().copied().min_by_key(|hex| (apart(hex), *hex));
        }
        let near = |hex: Hex| foes.iter().map(|foe| foe.distance(hex)).min().unwrap_or(u32::MAX);
        let own = moving().filter(|piece| piece.own && (piece.acts.0 || !acts));
        own.map(|piece| (near(piece.hex), piece.acts.1 && !piece.acts.0, piece.hex)).min().map(|(.., hex)| hex)
    }

    fn round(&self, hex: Hex) -> Drawing {
        let window = Window::round(self.field, hex, ROWS, self.width);
        let title = format!("round {hex}: {}{}", self.style.close, self.last_seen());
        Drawing { title, lines: close(&self.chart(), window), ..Drawing::default() }
    }

    /// What a title says of those out of sight.
    fn last_seen(&self) -> &'static str {
        if self.ghosts.is_empty() { "" } else { LAST_SEEN }
    }

    /// The close-up of a letter, round the pieces that may act.
    pub fn close(&self, acts: bool) -> Option<Drawing> {
        self.middle(acts).map(|hex| self.round(hex))
    }

    /// The whole field.
    pub fn whole(&self) -> Drawing {
        let there = |hex: Hex| {
            let here = self.pieces.iter().filter(|piece| piece.hex == hex && !piece.fixed);
            here.min_by_key(|piece| (piece.hollow, !piece.top))
        };
        let sign = |hex: Hex| match there(hex) {
            Some(piece) if piece.own => Some(piece.letter.to_ascii_uppercase()),
            Some(piece) => Some(piece.letter),
            None if self.ghosts.iter().any(|(_, at)| *at == hex) => Some(LAST),
            None => self.leaders.iter().any(|(_, at)| *at == Some(hex)).then_some('*'),
        };
        let lines = strips(&whole(&self.chart(), sign), self.width);
        Drawing {
            title: format!("{}{}", self.style.whole, self.last_seen()),
            lines,
            theatre: true,
            ..Drawing::default()
        }
    }

    /// Short names of own pieces that differ from those that they share with others.
    pub fn codes(&self) -> Vec<String> {
        let own = self.standing().filter(|piece| piece.own && piece.code != piece.regiment);
        let mut codes: Vec<String> = own.map(|piece| format!("{} {}", piece.code, piece.regiment)).collect();
        codes.dedup();
        codes
    }

    /// A map of an area, or of all; `legend` says what the characters mean.
    ///
    /// # Errors
    /// The fault of the area's name.
    pub fn area(&self, area: Option<&str>, legend: impl Fn() -> Vec<String>) -> Result<Vec<String>, Fault> {
        let wrapped = |line: &str, hang| text::wrap(line, self.width, "", hang);
        let drawn = |drawing: Drawing| wrapped(&drawing.title, 2).into_iter().chain(drawing.lines).collect();
        let Some(area) = area else { return Ok(drawn(self.whole())) };
        if area.eq_ignore_ascii_case("KEY") {
            return Ok(legend().iter().flat_map(|line| wrapped(line, 8)).collect());
        }
        self.named(area).map(|hex| drawn(self.round(hex)))
    }

    /// The hex that a word means: its number, a unit, a leader, a town.
    ///
    /// # Errors
    /// Unclear, with the nearest name.
    pub fn named(&self, area: &str) -> Result<Hex, Fault> {
        let named = |name: &str| text::same_name(name, area);
        let unit =
            || self.pieces.iter().find(|piece| named(&piece.id) || named(&piece.regiment)).map(|piece| piece.hex);
        let leader = || self.leaders.iter().find(|(name, _)| named(name)).and_then(|(_, hex)| *hex);
        let places = &self.field.places;
        let placed = |name: &str| named(name) || named(&worded(name));
        let place = || places.iter().find(|(name, _)| placed(name)).and_then(|(_, hexes)| hexes.first().copied());
        let on = |hex: &Hex| self.field.cells.contains_key(hex);
        let hex = Hex::parse(area).filter(on).or_else(unit).or_else(leader).or_else(place);
        hex.ok_or_else(|| {
            let names = places.keys().map(String::as_str).chain(self.leaders.iter().map(|(name, _)| *name));
            let example = format!("MAP {}", self.style.example);
            Fault::unclear(area, "a hex, a unit, a leader or a town", names, Some(example))
        })
    }

    /// Whether pieces of both sides stand so near that a close-up is worth its lines.
    pub fn in_touch(&self) -> bool {
        let foes: Vec<Hex> = self.standing().filter(|piece| !piece.own).map(|piece| piece.hex).collect();
        let near = |hex: Hex| foes.iter().any(|foe| foe.distance(hex) <= NEAR);
        self.standing().any(|piece| piece.own && !piece.fixed && near(piece.hex))
    }

    /// Rows of pieces, in the order of their hexes; on a phone those with the same facts behind the first of them, so that they
    /// are told once.
    fn rows(&self, fits: impl Fn(&Piece) -> bool) -> Vec<String> {
        // Who lies on top of a stack, stands first.
        let mut found: BTreeMap<(Hex, bool, &str, &str), Vec<&str>> = BTreeMap::new();
        for piece in self.pieces.iter().filter(|piece| fits(piece)) {
            found.entry((piece.hex, !piece.top, piece.faces, &piece.facts)).or_default().push(&piece.id);
        }
        let row = |((hex, under, faces, facts), ids): (&(Hex, bool, &str, &str), &Vec<&str>)| {
            let top = if *under { "" } else { ", top" };
            let place = self.field.place(*hex).map_or_else(String::new, |place| format!(" ({})", worded(place)));
            format!("{hex} {faces:2}  {}{top}{place}{FACTS}{facts}", ids.join(" "))
        };
        let first = |facts: &str| found.keys().position(|(.., known)| *known == facts);
        let rank = |((.., facts), _): &(&(Hex, bool, &str, &str), &Vec<&str>)| {
            first(facts).filter(|_| self.width < text::WIDTH)
        };
        let mut sorted: Vec<_> = found.iter().collect();
        sorted.sort_by_key(rank);
        sorted.into_iter().map(row).collect()
    }

    /// All pieces of a side, with what stands before and behind them.
    pub fn all(&self, own: bool, before: Vec<String>, behind: Vec<String>) -> Vec<String> {
        let rows = self.rows(|piece| piece.own == own);
        self.broken(before.into_iter().chain(rows).chain(behind))
    }

    /// How far the nearest piece of the other side is from who stands in a hex.
    fn nearest(&self, hex: Hex) -> u32 {
        let whose = self.standing().find(|piece| piece.hex == hex).is_some_and(|piece| piece.own);
        let foes = self.standing().filter(|piece| piece.own != whose && !piece.fixed);
        foes.map(|piece| piece.hex.distance(hex)).min().unwrap_or(u32::MAX)
    }

    /// Pieces in few lines for a short letter: those that can act or are near the enemy, and how many besides.
    pub fn short(&self, own: bool, before: Vec<String>, behind: Vec<String>) -> Vec<String> {
        let near = |piece: &Piece| self.nearest(piece.hex) <= NEAR && !piece.fixed;
        let shown = |piece: &Piece| piece.own == own && ((own && piece.able) || near(piece));
        let rows = self.rows(shown);
        let others = self.pieces.iter().filter(|piece| piece.own == own && !shown(piece)).count();
        let what = match own {
            true if self.pieces.iter().any(|piece| piece.own && piece.able) => "that cannot act, far from the enemy",
            true => "far from the enemy",
            false => "far off",
        };
        let all = if own { "UNITS" } else { "ENEMY" };
        let more = (others > 0).then(|| format!("{others} more {what}: {all} has all."));
        self.broken(before.into_iter().chain(rows).chain(more).chain(behind))
    }

    /// Rows that an earlier letter did not have so.
    pub fn changed(&self, before: &Roster<'_>) -> Vec<String> {
        let old = before.rows(|_| true);
        self.broken(self.rows(|_| true).into_iter().filter(|row| !old.contains(row)))
    }

    /// Lines as wide as the page: a row that is too long goes on with its facts on a line of their own; where the row above has
    /// the same, they are told once.
    fn broken(&self, lines: impl Iterator<Item = String>) -> Vec<String> {
        let (width, mut above) = (self.width, None);
        let fold = |line: String| {
            let long = line.rsplit_once(FACTS).filter(|_| text::width(&line) + INDENT > width);
            let facts = long.map(|(_, facts)| facts.to_owned());
            let same = facts.is_some() && facts == above;
            above = facts;
            match long {
                Some((head, _)) if same && text::width(head) + text::width(SAME) + INDENT <= width => {
                    vec![format!("{:INDENT$}{head}{SAME}", "")]
                }
                Some((head, facts)) => {
                    let facts = facts.split_whitespace().collect::<Vec<_>>().join(" ");
                    let mut lines = text::wrap(head, width, "  ", 4);
                    lines.extend(text::wrap(&facts, width, "    ", 4));
                    lines
                }
                None => text::wrap(&line.replace(FACTS, "  "), width, "  ", 4),
            }
        };
        lines.flat_map(fold).collect()
    }
}

/// The letter of an arm on the map of the whole field.
pub fn letter(arm: Arm) -> char {
    match arm {
        Arm::Cav => 'h',
        Arm::Art => 'g',
        Arm::Inf => 'f',
    }
}

/// Enemies that are out of sight, as they were last seen.
pub fn ghosts(seen: &[(String, Contact)]) -> Vec<String> {
    let line = |(tag, contact): &(String, Contact)| {
        let face = &contact.face;
        let name = face.regiment.as_ref().map_or_else(String::new, |name| format!(", {name}"));
        format!("{}     {tag}  {}{name}, last seen on turn {}", face.hex, face.arm, contact.turn)
    };
    seen.iter().map(line).collect()
}

/// Pieces that wait off the map, by the hexes by which they come.
pub fn waiting<'v>(pieces: impl Iterator<Item = (&'v String, Hex)>) -> Vec<String> {
    let mut doors: BTreeMap<Hex, Vec<&str>> = BTreeMap::new();
    pieces.for_each(|(id, door)| doors.entry(door).or_default().push(id));
    doors.iter().map(|(hex, ids)| format!("Off the map, to come on by {hex}: {}.", ids.join(" "))).collect()
}

/// A drawing of the whole field in strips that a page holds, each with the numbers of its rows, from west to east.
fn strips(lines: &[String], page: usize) -> Vec<String> {
    const NUMBERS: usize = 3;
    let columns = page.saturating_sub(NUMBERS).max(1);
    let widest = lines.iter().map(|line| line.len()).max().unwrap_or_default().saturating_sub(NUMBERS);
    let mut found = Vec::new();
    for from in (0..widest.max(1)).step_by(columns) {
        if from > 0 {
            found.push(String::new());
        }
        for line in lines {
            let numbers: String = line.chars().take(NUMBERS).collect();
            let cells: String = line.chars().skip(NUMBERS + from).take(columns).collect();
            found.push(format!("{numbers}{cells}").trim_end().to_owned());
        }
    }
    found
}
