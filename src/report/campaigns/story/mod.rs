//! What happened, one paragraph an event: subject first, past tense, the rule at the end; what was seen, not what is.
//!
//! Sightings come one by one; this file joins them. Steps of one piece are one sentence, counters turned down together
//! are one list, and what belongs to a paragraph's own actor goes on in it. The sentences stand in a file a chapter.

mod admin;
mod combat;
mod flow;
mod march;
mod organization;

use super::enemy::Shown;
use super::head;
use super::pen::Pen;
use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::campaigns::Sighting;
use crate::rules::campaigns::board::Halves;
use crate::rules::campaigns::flow::told::{Sighting as Flow, Who, Why};
use crate::rules::campaigns::intel::Ident;
use crate::rules::campaigns::pieces::Piece;
use crate::rules::campaigns::tables::Provenance;
use crate::text::and_list;
use std::collections::BTreeMap;

/// A paragraph longer than this, in characters, is not gone on with: about three lines.
const LONG: usize = 200;

/// The finished story.
pub struct Told {
    /// The paragraphs, unnumbered.
    pub paragraphs: Vec<String>,
    /// Where each counter was shown, by paragraph from 1.
    pub shown: Shown,
}

/// How a sentence stands to the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    /// It begins a paragraph.
    Fresh,
    /// It goes on where its subject is the paragraph's actor already.
    Same,
    /// It goes on with whatever is being told.
    Along,
}

/// A sentence of a chapter.
pub struct Sentence<'s> {
    /// Who did it; `None` where the sentence stands whole.
    pub subject: Option<&'s Who>,
    /// What is said of the subject, without a full stop.
    pub says: String,
    /// Paragraphs, such as `192`.
    pub rules: &'s [&'static str],
    /// The chart that decided, by its name in the tables.
    pub chart: Option<&'static str>,
    /// How it stands to the one before.
    pub link: Link,
}

/// A story while it is written.
pub struct Tale<'p, 'a> {
    /// Who writes.
    pub pen: &'p Pen<'a>,
    paragraphs: Vec<Paragraph>,
    open: bool,
    shown: Shown,
    /// Hexes that name the battles told of.
    pub battles: BTreeMap<u32, Hex>,
    run: Option<Run>,
}

#[derive(Default)]
struct Paragraph {
    actors: Vec<Who>,
    last: Option<Who>,
    said: String,
    rules: Vec<&'static str>,
    house: bool,
}

/// Sightings of one kind in a row, not yet written.
enum Run {
    /// Steps of one piece; of several where they go together, as in a pursuit.
    Steps { why: Why, pieces: Vec<(Who, Vec<Hex>)> },
    /// A list that shares its words.
    List { kind: List, items: Vec<String>, rules: &'static [&'static str] },
    /// Counters that came or went, by where.
    Places { kind: List, places: Vec<(Hex, Vec<String>)> },
    /// Objectives that changed hands.
    Control(Vec<(SideId, Vec<String>)>),
}

/// What a list says of its items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum List {
    /// Counters turned face down.
    Down,
    /// Counters that came onto the map.
    Came,
    /// Counters that left the map.
    Left,
    /// Own losses, already with their cause.
    Lost(&'static str),
    /// Own forces that stood still and lost nothing.
    Still,
}

/// Writes what a side was told.
pub fn write(pen: &Pen<'_>, told: &[Sighting]) -> Told {
    let mut tale =
        Tale { pen, paragraphs: Vec::new(), open: false, shown: Shown::new(), battles: BTreeMap::new(), run: None };
    for sighting in told {
        tale.hear(sighting);
    }
    tale.flush();
    Told { paragraphs: tale.paragraphs.iter().map(|p| p.whole(pen)).collect(), shown: tale.shown }
}

/// The turn of a sighting, as far as it says one, and a line about it.
pub fn history(pen: &Pen<'_>, told: &Sighting) -> (u32, String) {
    let turn = match told {
        Sighting::Flow(Flow::Turn { turn } | Flow::Begun { turn, .. }) => *turn,
        _ => pen.v.turn,
    };
    if let Sighting::Flow(Flow::Stage { at }) = told {
        return (turn, format!("-- {}", head::stage_at(pen, at).0));
    }
    let line = write(pen, std::slice::from_ref(told)).paragraphs.into_iter().next().unwrap_or_default();
    (turn, line)
}

impl Tale<'_, '_> {
    fn hear(&mut self, told: &Sighting) {
        match told {
            Sighting::Flow(s) => flow::tell(self, s),
            Sighting::Admin(s) => admin::tell(self, s),
            Sighting::Organization(s) => organization::tell(self, s),
            Sighting::March(s) => march::tell(self, s),
            Sighting::Combat(s) => combat::tell(self, s),
        }
    }

    /// A sentence that stands whole and begins a paragraph.
    pub fn whole(&mut self, says: String, rules: &[&'static str]) {
        self.sentence(&Sentence { subject: None, says, rules, chart: None, link: Link::Fresh });
    }

    /// A sentence of a subject.
    pub fn of(&mut self, who: &Who, says: String, rules: &[&'static str], link: Link) {
        self.sentence(&Sentence { subject: Some(who), says, rules, chart: None, link });
    }

    /// A sentence without a subject of its own that goes on with what is told.
    pub fn and(&mut self, says: String, rules: &[&'static str], chart: Option<&'static str>) {
        self.sentence(&Sentence { subject: None, says, rules, chart, link: Link::Along });
    }

    /// Ends the paragraph: what comes next begins one.
    pub fn close(&mut self) {
        self.flush();
        self.open = false;
    }

    /// A step of a piece; steps in a row are one sentence, a sentence each where several go together.
    pub fn step(&mut self, who: &Who, from: Hex, to: Hex, why: Why) {
        if let Some(Run::Steps { why: same, pieces }) = &mut self.run
            && *same == why
        {
            match pieces.iter_mut().find(|(w, hexes)| w == who && hexes.last() == Some(&from)) {
                Some((_, hexes)) => {
                    hexes.push(to);
                    return;
                }
                None if why != Why::March => {
                    pieces.push((who.clone(), vec![from, to]));
                    return;
                }
                None => {}
            }
        }
        self.flush();
        self.run = Some(Run::Steps { why, pieces: vec![(who.clone(), vec![from, to])] });
    }

    /// The end of a march: what it cost is said in the sentence of its path, if that is still to be written.
    pub fn spent(&mut self, who: &Who, mp: Halves, why: &str, rules: &'static [&'static str]) {
        match self.run.take() {
            Some(Run::Steps { why: reason, pieces }) if matches!(pieces.as_slice(), [(w, _)] if w == who) => {
                let hexes = pieces.into_iter().flat_map(|(_, hexes)| hexes).collect::<Vec<_>>();
                let (says, path_rules) = flow::path(reason, who, &hexes);
                let rules: Vec<&'static str> = path_rules.iter().chain(rules).copied().collect();
                self.of(who, format!("{says}, {mp} MP{why}"), &rules, Link::Same);
            }
            run => {
                self.run = run;
                self.flush();
                let spent = if mp.0 == 0 { "did not move".to_owned() } else { format!("used {mp} MP") };
                self.of(who, format!("{spent}{why}"), rules, Link::Same);
            }
        }
    }

    /// An item of a list; items of one kind in a row are one sentence.
    pub fn item(&mut self, kind: List, item: String, rules: &'static [&'static str]) {
        if let Some(Run::List { kind: k, items, .. }) = &mut self.run
            && *k == kind
        {
            items.push(item);
            return;
        }
        self.flush();
        self.run = Some(Run::List { kind, items: vec![item], rules });
    }

    /// A counter that came onto the map or left it; several in a row are one sentence.
    pub fn place(&mut self, kind: List, who: &Who, hex: Hex, shows: Option<&Ident>) {
        let same = matches!(&self.run, Some(Run::Places { kind: k, .. }) if *k == kind);
        if !same {
            self.flush();
            self.run = Some(Run::Places { kind, places: Vec::new() });
        }
        let shows = shows.map_or_else(String::new, |ident| format!(" ({})", self.pen.ident(ident)));
        let name = format!("{}{shows}", self.pen.who(who));
        let Some(Run::Places { places, .. }) = &mut self.run else { return };
        match places.iter_mut().find(|(h, _)| *h == hex) {
            Some((_, names)) => names.push(name),
            None => places.push((hex, vec![name])),
        }
    }

    /// An objective that changed hands; several in a row are one sentence.
    pub fn control(&mut self, side: &SideId, hex: Hex) {
        if !matches!(self.run, Some(Run::Control(_))) {
            self.flush();
            self.run = Some(Run::Control(Vec::new()));
        }
        let at = self.pen.at(hex);
        let Some(Run::Control(sides)) = &mut self.run else { return };
        match sides.iter_mut().find(|(s, _)| s == side) {
            Some((_, held)) => held.push(at),
            None => sides.push((side.clone(), vec![at])),
        }
    }

    /// Notes where a counter was shown.
    pub fn note_shown(&mut self, who: &Who) {
        if let Who::Foe(tag) = who {
            self.shown.insert(*tag, self.paragraphs.len());
        }
    }

    /// Writes what is waiting.
    fn flush(&mut self) {
        match self.run.take() {
            None => {}
            Some(Run::Steps { why, pieces }) => {
                for (who, hexes) in pieces {
                    let (says, rules) = flow::path(why, &who, &hexes);
                    self.of(&who, says, rules, Link::Same);
                }
            }
            Some(Run::List { kind, items, rules }) => {
                let (says, link) = flow::list(kind, &items, &and_list(&items));
                self.sentence(&Sentence { subject: None, says, rules, chart: None, link });
            }
            Some(Run::Places { kind, places }) => {
                let word = if kind == List::Left { "from" } else { "at" };
                let item =
                    |(hex, names): &(Hex, Vec<String>)| format!("{} {word} {}", and_list(names), self.pen.at(*hex));
                let joined = places.iter().map(item).collect::<Vec<_>>().join("; ");
                let (says, link) = flow::list(kind, &[], &joined);
                self.sentence(&Sentence { subject: None, says, rules: &[], chart: None, link });
            }
            Some(Run::Control(sides)) => {
                let says = flow::control(self.pen, &sides);
                self.whole(says, &["415"]);
            }
        }
    }

    /// Writes a sentence.
    pub fn sentence(&mut self, s: &Sentence<'_>) {
        if self.run.is_some() {
            self.flush();
        }
        let goes_on = self.open
            && self.paragraphs.last().is_some_and(|p| match s.link {
                Link::Fresh => false,
                Link::Along => true,
                Link::Same => s.subject.is_some_and(|who| p.actors.contains(who)) && p.said.chars().count() < LONG,
            });
        if !goes_on {
            self.paragraphs.push(Paragraph::default());
            self.open = true;
        }
        let house = s
            .chart
            .is_some_and(|c| self.pen.v.board.tables.sources.get(c).is_some_and(|s| s.provenance == Provenance::House));
        let Some(p) = self.paragraphs.last_mut() else { return };
        if !p.said.is_empty() {
            p.said.push_str("  ");
        }
        let words = match s.subject {
            None => s.says.clone(),
            Some(who) if p.last.as_ref() == Some(who) => format!("{} {}", pronoun(who), s.says),
            Some(who) => format!("{} {}", self.pen.who(who), s.says),
        };
        p.said.push_str(&sentence_case(&words));
        p.said.push('.');
        p.house |= house;
        for rule in s.rules {
            if !p.rules.contains(rule) {
                p.rules.push(rule);
            }
        }
        if let Some(who) = s.subject {
            if !p.actors.contains(who) {
                p.actors.push(who.clone());
            }
            p.last = Some(who.clone());
        }
    }
}

impl Paragraph {
    /// The paragraph with its rules.
    fn whole(&self, pen: &Pen<'_>) -> String {
        let mut notes: Vec<String> = Vec::new();
        if !self.rules.is_empty() {
            notes.push(format!("¶{}", self.rules.join(", ")));
        }
        if self.house {
            notes.push("house table".to_owned());
        }
        let said = if notes.is_empty() { self.said.clone() } else { format!("{}  [{}]", self.said, notes.join(", ")) };
        pen.plain(&said)
    }
}

/// A subject that has just been named.
fn pronoun(who: &Who) -> &'static str {
    match who {
        Who::Own(Piece::Leader(_)) => "he",
        Who::Own(Piece::Vedette(_) | Piece::Garrison(_)) | Who::Foe(_) => "it",
    }
}

/// The same with a capital at its head, except for vedettes (`v4`), whose number is their name.
fn sentence_case(words: &str) -> String {
    let mut chars = words.chars();
    match (chars.next(), chars.next()) {
        (Some('v'), Some(n)) if n.is_ascii_digit() => words.to_owned(),
        (Some(first), _) => first.to_uppercase().chain(words.chars().skip(1)).collect(),
        (None, _) => String::new(),
    }
}
