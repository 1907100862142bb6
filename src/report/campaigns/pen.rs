//! Words that every part of the paper writes alike: names, hexes, piles, page width.

use crate::fog::SideId;
use crate::hex::Hex;
use crate::host::paper::Format;
use crate::map::draw::short_name;
use crate::rules::campaigns::board::{Arm, LeaderId, UnitId};
use crate::rules::campaigns::flow::told::Who;
use crate::rules::campaigns::intel::Ident;
use crate::rules::campaigns::pieces::{Piece, Track};
use crate::rules::campaigns::view::View;
use crate::text;

/// Stands for a blank at which a line may not break.
const GLUE: char = '\u{a0}';

/// What writes: a view, and the form of the page.
pub struct Pen<'a> {
    /// What the side may know.
    pub v: &'a View,
    /// Width and character set.
    pub format: Format,
}

impl<'a> Pen<'a> {
    /// A pen for one page.
    pub fn new(v: &'a View, format: Format) -> Pen<'a> {
        Pen { v, format }
    }

    /// Columns of the page.
    pub fn width(&self) -> usize {
        if self.format.narrow { text::WIDTH_PHONE } else { text::WIDTH }
    }

    /// A name in the character set of the page; done before columns are measured, since `ö` becomes two letters.
    pub fn plain(&self, name: &str) -> String {
        if self.format.ascii { text::ascii(name) } else { name.to_owned() }
    }

    /// A leader as players call him: `Liechtenstein`, `Major General Cavalry 1`.
    pub fn leader(&self, id: &LeaderId) -> String {
        let Some(spec) = self.v.board.leaders.get(id) else { return id.0.clone() };
        let last = spec.name.rsplit_once(' ').map(|(_, last)| last).filter(|l| l.chars().count() > 2);
        match last {
            Some(last) if spec.major_general.is_none() => self.plain(last),
            Some(_) | None => self.plain(&spec.name),
        }
    }

    /// A leader in a column of fifteen: a Major General is `Maj.Gen. Cav 1`, on a phone `MG Cav 1`.
    pub fn leader_short(&self, id: &LeaderId) -> String {
        let spec = self.v.board.leaders.get(id);
        let general = spec.and_then(|s| s.major_general.zip(s.name.rsplit_once(' ')));
        match general {
            Some((arm, (_, number))) if self.format.narrow => format!("MG {} {number}", arm_short(arm)),
            Some((arm, (_, number))) => format!("Maj.Gen. {} {number}", arm_short(arm)),
            None => self.leader(id),
        }
    }

    /// Three capitals.
    pub fn code(&self, id: &LeaderId) -> String {
        self.v.board.leaders.get(id).map_or_else(String::new, |s| s.code.clone())
    }

    /// A unit's name; the leader on whose track it stands need not be named again.
    pub fn unit(&self, id: &UnitId, of: Option<&LeaderId>) -> String {
        let Some(spec) = self.v.board.units.get(id) else { return id.0.clone() };
        if of.is_some() && spec.arm == Arm::Artillery {
            return "art".to_owned();
        }
        let leader = of.and_then(|l| self.v.board.leaders.get(l)).map_or("", |l| l.name.as_str());
        let his = [format!("{leader}'s "), format!("{leader}' ")];
        let bare = his.iter().find_map(|own| spec.name.strip_prefix(own.as_str()));
        match bare {
            Some("division" | "brigade" | "corps") => self.plain(leader),
            Some(rest) => self.plain(rest),
            None => self.plain(spec.name.strip_suffix("'s division").unwrap_or(&spec.name)),
        }
    }

    /// A piece of a side.
    pub fn piece(&self, piece: &Piece) -> String {
        match piece {
            Piece::Leader(id) => self.leader(id),
            Piece::Vedette(n) => format!("v{n}"),
            Piece::Garrison(id) => self.garrison(id),
        }
    }

    /// A garrison by its town, where it stands.
    pub fn garrison(&self, id: &UnitId) -> String {
        let hex = match self.v.own.units.get(id).map(|u| &u.track) {
            Some(Track::Garrison(hex)) => Some(*hex),
            Some(Track::Of(_) | Track::Waiting) | None => None,
        };
        match hex.and_then(|h| self.place(h)) {
            Some(town) => format!("the garrison of {town}"),
            None => self.unit(id, None),
        }
    }

    /// A piece as the reader knows it: his own by name, a foreign counter by its number.
    pub fn who(&self, who: &Who) -> String {
        match who {
            Who::Own(piece) => self.piece(piece),
            Who::Foe(tag) => format!("E{tag}"),
        }
    }

    /// What a face shows.
    pub fn ident(&self, ident: &Ident) -> String {
        match ident {
            Ident::Leader(id) => self.leader(id),
            Ident::Vedette => "a vedette".to_owned(),
            Ident::Garrison => "a garrison".to_owned(),
        }
    }

    /// The same in as few letters as a map or a column has room for.
    pub fn ident_short(&self, ident: &Ident) -> String {
        match ident {
            Ident::Leader(id) => self.leader_short(id),
            Ident::Vedette => "vedette".to_owned(),
            Ident::Garrison => "garrison".to_owned(),
        }
    }

    /// The short name of a place.
    pub fn place(&self, hex: Hex) -> Option<String> {
        self.v.board.map.name(hex).map(|name| self.plain(&short_name(name)))
    }

    /// A hex with its place: `3647 Gaunersdorf`.
    pub fn at(&self, hex: Hex) -> String {
        match self.place(hex) {
            Some(place) => format!("{hex} {place}"),
            None => hex.to_string(),
        }
    }

    /// A side's name.
    pub fn side(&self, side: &SideId) -> String {
        self.v.board.side(side).map_or_else(|| side.0.clone(), |s| self.plain(&s.name))
    }

    /// Whether a side is the reader's own.
    pub fn mine(&self, side: &SideId) -> bool {
        self.v.side.as_ref() == Some(side)
    }

    /// A label in a column of ten, then text that hangs under itself; on a phone it hangs four in.
    pub fn labelled(&self, label: &str, said: &str) -> Vec<String> {
        if self.format.narrow {
            return text::wrap(&format!("{label}: {said}"), self.width(), "  ", 4);
        }
        text::wrap(said, self.width(), &format!("  {label:<10}"), 12)
    }
}

/// Words that no line break may part.
pub fn glued(words: &str) -> String {
    words.replace(' ', &GLUE.to_string())
}

/// Lines in which glued words have their blanks again.
pub fn unglued(lines: Vec<String>) -> Vec<String> {
    lines.into_iter().map(|l| l.replace(GLUE, " ")).collect()
}

/// An arm in three letters.
pub fn arm_short(arm: Arm) -> &'static str {
    match arm {
        Arm::Infantry => "Inf",
        Arm::Cavalry => "Cav",
        Arm::Artillery => "Art",
    }
}

/// Numbers of enemy counters in a row: `E4 E5`, three or more without a gap as `E1-E3`.
pub fn tags(numbers: &[u32]) -> Vec<String> {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for &n in numbers {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == n => *last = n,
            _ => runs.push((n, n)),
        }
    }
    let word = |(first, last): (u32, u32)| match last - first {
        0 => vec![format!("E{first}")],
        1 => vec![format!("E{first}"), format!("E{last}")],
        _ => vec![format!("E{first}-E{last}")],
    };
    runs.into_iter().flat_map(word).collect()
}
