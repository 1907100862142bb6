//! What happened, one paragraph an event: subject first, past tense, the rule at the end; what was seen, not what is.
//!
//! Sightings come one by one; this file joins them. Steps of one piece are one sentence, counters turned down together
//! are one list, and what belongs to a paragraph's own actor goes on in it. The sentences stand in a file a chapter.

mod admin;
mod amend;
mod combat;
mod courier;
mod fight;
mod flow;
mod march;
mod organization;

use super::enemy::{Learnt, Shown};
use super::head;
use super::pen::Pen;
use crate::fog::SideId;
use crate::hex::Hex;
use crate::host::paper::Drawing;
use crate::rules::campaigns::Sighting;
use crate::rules::campaigns::board::Halves;
use crate::rules::campaigns::combat::told as fought;
use crate::rules::campaigns::flow::told::{Glimpse, Open, Who, Why};
use crate::rules::campaigns::intel::Ident;
use crate::rules::campaigns::pieces::Piece;
use crate::rules::campaigns::tables::Provenance;
use crate::rules::campaigns::telling::Sighting as Lists;
use crate::text::{and_list, plural};
use fight::Fight;

/// A paragraph longer than this, in characters, is not gone on with: about three lines.
const LONG: usize = 200;

/// The finished story.
pub struct Told {
    /// The paragraphs, unnumbered.
    pub paragraphs: Vec<String>,
    /// The battles, a page each.
    pub battles: Vec<Drawing>,
    /// The paragraph that tells each sighting, from 1; a battle's is its summary.
    pub told_in: Vec<Option<usize>>,
    /// Where each counter was shown.
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
    /// In a battle: the label of the row that it begins.
    pub label: Option<String>,
}

/// A story while it is written.
pub struct Tale<'p, 'a> {
    /// Who writes.
    pub pen: &'p Pen<'a>,
    paragraphs: Vec<Paragraph>,
    open: bool,
    /// Where each counter was shown, by place among the paragraphs.
    shown: Vec<(u32, usize)>,
    /// The battles told of.
    pub fights: Vec<Fight>,
    /// The battle that is being told.
    battle: Option<u32>,
    run: Option<Run>,
    /// Attrition rolls for marches that cost nothing.
    pub unhurt: u32,
    /// Where each sighting is told, by place among the paragraphs.
    told_in: Vec<Option<usize>>,
    /// Whether a sighting is being heard, and whether what is written now was heard before it.
    hearing: bool,
    behind: bool,
}

#[derive(Default)]
pub(in crate::report::campaigns::story) struct Paragraph {
    /// The battle that it is a row of.
    battle: Option<u32>,
    /// Its label there.
    label: String,
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
    /// Counters that came onto the map.
    Came,
    /// Counters that left the map.
    Left,
    /// Own losses, already with their cause.
    Lost(&'static str),
}

/// One line on a turn: losses, counters shown, battles, objectives.
pub fn summary(pen: &Pen<'_>, turn: u32, told: &[Sighting]) -> String {
    let (mut lost, mut shown, mut taken) = (0, 0_i64, 0_i64);
    for sighting in told {
        match sighting {
            Sighting::Flow(Lists::Partly(Glimpse::Lost { sp, .. })) => lost += sp,
            Sighting::Flow(Lists::Partly(Glimpse::Shown { who: Who::Foe(_), .. })) => shown += 1,
            Sighting::Flow(Lists::Open(Open::Control { side, .. })) if pen.mine(side) => taken += 1,
            _ => {}
        }
    }
    let battles = write(pen, told).battles.len();
    let weather = told.iter().rev().find_map(|s| match s {
        Sighting::Flow(Lists::Open(Open::Weather { weather, .. })) => Some(format!(", {weather}")),
        _ => None,
    });
    let weather = weather.unwrap_or_default();
    let mut said = vec![format!("you lost {lost} SP")];
    let mut count = |n: i64, one: &str, many: &str| {
        if n > 0 {
            said.push(plural(n, one, many));
        }
    };
    count(shown, "counter revealed", "counters revealed");
    count(i64::try_from(battles).unwrap_or(0), "battle", "battles");
    count(taken, "place taken", "places taken");
    format!("Turn {turn}{weather}: {}", said.join(", "))
}

/// Writes what a side was told.
pub fn write(pen: &Pen<'_>, told: &[Sighting]) -> Told {
    let mut tale = Tale {
        pen,
        paragraphs: Vec::new(),
        open: false,
        shown: Vec::new(),
        fights: Vec::new(),
        battle: None,
        run: None,
        unhurt: 0,
        told_in: Vec::new(),
        hearing: false,
        behind: false,
    };
    for sighting in told {
        tale.hear(sighting);
    }
    tale.flush();
    tale.spared();
    tale.finish()
}

/// What a side was told in one turn: a line for the turn, one for each stage, one a paragraph.
pub fn history(pen: &Pen<'_>, turn: u32, told: &[Sighting]) -> Vec<String> {
    let first = pen.v.board.turns.0;
    let date = pen.v.board.calendar.get(&turn).map_or_else(String::new, |date| format!("   {date}"));
    let head = if turn < first { "SET-UP".to_owned() } else { format!("TURN {turn}{date}") };
    let mut lines = vec![pen.plain(&head)];
    let mut stage = String::new();
    let mut from = 0;
    for (at, sighting) in told.iter().enumerate() {
        if let Sighting::Flow(Lists::Open(Open::Stage { at: next })) = sighting {
            chapter(pen, &stage, told.get(from..at).unwrap_or_default(), &mut lines);
            (stage, from) = (head::stage_at(pen, next).0, at + 1);
        }
    }
    chapter(pen, &stage, told.get(from..).unwrap_or_default(), &mut lines);
    lines
}

/// What was told in one stage, under its name; nothing where nothing was.
fn chapter(pen: &Pen<'_>, stage: &str, told: &[Sighting], lines: &mut Vec<String>) {
    let told = write(pen, told).paragraphs;
    if !told.is_empty() && !stage.is_empty() {
        lines.push(pen.plain(&format!("- {stage}")));
    }
    lines.extend(told.into_iter().map(|paragraph| format!("  {paragraph}")));
}

impl Tale<'_, '_> {
    fn hear(&mut self, told: &Sighting) {
        let battle = self.belongs(told);
        if battle != self.battle {
            self.flush();
            self.battle = battle;
            self.open = battle.is_some() && self.paragraphs.iter().any(|p| p.battle == battle);
        }
        if let Sighting::Combat(s) = told {
            fight::note(self, s);
        }
        self.told_in.push(None);
        self.hearing = true;
        match told {
            Sighting::Flow(s) => flow::tell(self, s),
            Sighting::Admin(s) => admin::tell(self, s),
            Sighting::Organization(s) => organization::tell(self, s),
            Sighting::March(s) => march::tell(self, s),
            Sighting::Combat(s) => combat::tell(self, s),
            Sighting::Umpire(s) => amend::tell(self, s),
            Sighting::Courier(s) => courier::tell(self, s),
        }
        self.hearing = false;
        // What has no words of its own is told nowhere.
        if self.run.is_none()
            && let Some(last) = self.told_in.last_mut()
        {
            last.get_or_insert(usize::MAX);
        }
    }

    /// The battle that a sighting is told in: its own, that of its counter, or the one being told while its steps go on.
    fn belongs(&self, told: &Sighting) -> Option<u32> {
        let of = |who: &Who| self.fights.iter().find(|f| f.holds(who)).map(|f| f.no).filter(|_| self.battle.is_some());
        match told {
            Sighting::Combat(
                Lists::Partly(fought::Glimpse::Designated { .. }) | Lists::Own(fought::Own::Guns { .. }),
            ) => None,
            Sighting::Combat(Lists::Open(fought::Open::Siege { .. } | fought::Open::Surrendered { .. })) => None,
            Sighting::Combat(s) => fight::number(s).or(self.battle),
            Sighting::Flow(Lists::Partly(
                Glimpse::Moved { who, .. }
                | Glimpse::Shown { who, .. }
                | Glimpse::Strength { who, .. }
                | Glimpse::Vanished { who, .. }
                | Glimpse::Appeared { who, .. },
            )) => of(who).or(self.battle),
            Sighting::Flow(Lists::Partly(Glimpse::Lost { .. })) => self.battle,
            Sighting::Flow(_) | Sighting::Admin(_) | Sighting::Organization(_) | Sighting::March(_) => None,
            Sighting::Umpire(_) | Sighting::Courier(_) => None,
        }
    }

    /// The pages: the story with a line for each battle, and the battles.
    fn finish(self) -> Told {
        let pen = self.pen;
        let mut told = Told { paragraphs: Vec::new(), battles: Vec::new(), told_in: Vec::new(), shown: Shown::new() };
        // For each paragraph its number in the story, and whether a battle tells it.
        let mut numbers: Vec<(usize, Option<usize>)> = Vec::new();
        let mut summed: Vec<(u32, usize, Option<usize>)> = Vec::new();
        for paragraph in &self.paragraphs {
            let Some(no) = paragraph.battle else {
                told.paragraphs.push(paragraph.whole(pen));
                numbers.push((told.paragraphs.len(), None));
                continue;
            };
            if let Some((_, line, n)) = summed.iter().find(|(known, ..)| *known == no) {
                numbers.push((*line, *n));
                continue;
            }
            let Some(fight) = self.fights.iter().find(|f| f.no == no) else { continue };
            let rows: Vec<&Paragraph> = self.paragraphs.iter().filter(|p| p.battle == Some(no)).collect();
            if !fight.fought {
                told.paragraphs.push(fight::unfought(pen, fight, &rows));
                numbers.push((told.paragraphs.len(), None));
                summed.push((no, told.paragraphs.len(), None));
                continue;
            }
            let n = told.battles.len() + 1;
            told.battles.push(fight::page(pen, fight, &rows, n));
            told.paragraphs.push(fight::summary(pen, fight, n));
            numbers.push((told.paragraphs.len(), Some(n)));
            summed.push((no, told.paragraphs.len(), Some(n)));
        }
        told.told_in = self.told_in.iter().map(|at| at.and_then(|at| numbers.get(at)).map(|(n, _)| *n)).collect();
        for (tag, at) in &self.shown {
            if let Some((line, battle)) = numbers.get(*at) {
                told.shown.insert(*tag, battle.map_or(Learnt::Line(*line), Learnt::Battle));
            }
        }
        told
    }

    /// ¶264 One line for all marches that cost nothing.
    fn spared(&mut self) {
        if self.unhurt > 0 {
            self.battle = None;
            let rolls = plural(i64::from(self.unhurt), "roll", "rolls");
            let says = format!("attrition: no loss in {rolls}");
            let chart = Some("march_attrition");
            self.sentence(&Sentence { subject: None, says, rules: &["264"], chart, link: Link::Fresh, label: None });
        }
    }

    /// A sentence that stands whole and begins a paragraph.
    pub fn whole(&mut self, says: String, rules: &[&'static str]) {
        self.sentence(&Sentence { subject: None, says, rules, chart: None, link: Link::Fresh, label: None });
    }

    /// A row of a battle.
    pub fn row(&mut self, label: &str, says: String, rules: &[&'static str], chart: Option<&'static str>) {
        let label = Some(label.to_owned());
        self.sentence(&Sentence { subject: None, says, rules, chart, link: Link::Fresh, label });
    }

    /// Whether the battle being told has a row of that label already.
    pub fn has_row(&self, label: &str) -> bool {
        self.paragraphs.iter().any(|p| p.battle == self.battle && p.label == label)
    }

    /// A sentence of a subject.
    pub fn of(&mut self, who: &Who, says: String, rules: &[&'static str], link: Link) {
        self.sentence(&Sentence { subject: Some(who), says, rules, chart: None, link, label: None });
    }

    /// A sentence without a subject of its own that goes on with what is told.
    pub fn and(&mut self, says: String, rules: &[&'static str], chart: Option<&'static str>) {
        self.sentence(&Sentence { subject: None, says, rules, chart, link: Link::Along, label: None });
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
            // Marches of the enemy that show nothing share a line.
            let together = why != Why::March || (self.battle.is_none() && foreign(who, pieces));
            match pieces.iter_mut().find(|(w, hexes)| w == who && hexes.last() == Some(&from)) {
                Some((_, hexes)) => {
                    hexes.push(to);
                    return;
                }
                None if together => {
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
        if let (Who::Foe(tag), Some(at)) = (who, self.at()) {
            self.shown.push((*tag, at));
        }
    }

    /// The paragraph that is being told.
    fn at(&self) -> Option<usize> {
        self.paragraphs.iter().rposition(|p| p.battle == self.battle)
    }

    /// Sightings whose words have just been written are told in this paragraph; the one being heard waits for its own.
    fn settle(&mut self) {
        let at = self.at();
        let waiting = self.told_in.len().saturating_sub(usize::from(self.hearing && self.behind));
        for told in self.told_in.iter_mut().take(waiting).filter(|told| told.is_none()) {
            *told = at;
        }
    }

    /// Writes what is waiting.
    fn flush(&mut self) {
        let Some(run) = self.run.take() else { return };
        let heard = std::mem::replace(&mut self.behind, true);
        self.write(run);
        self.behind = heard;
    }

    fn write(&mut self, run: Run) {
        match run {
            Run::Steps { why, mut pieces } => {
                // Of several marches the last may have more told of it.
                if why == Why::March && pieces.len() > 1 {
                    let front = pieces.split_off(pieces.len() - 1);
                    let says = flow::moves(self.pen, &std::mem::replace(&mut pieces, front));
                    self.whole(says, &[]);
                }
                for (who, hexes) in pieces {
                    let (says, rules) = flow::path(why, &who, &hexes);
                    // Who leaves before combat stands in a row of his own battle.
                    let leaves = self.battle.is_some() && why == Why::Withdrew && !self.has_row("Left");
                    let (subject, label) = (Some(&who), leaves.then(|| "Left".to_owned()));
                    self.sentence(&Sentence { subject, says, rules, chart: None, link: Link::Same, label });
                }
            }
            Run::List { kind, items, rules } => {
                let (says, link) = flow::list(kind, &and_list(&items));
                self.sentence(&Sentence { subject: None, says, rules, chart: None, link, label: None });
            }
            Run::Places { kind, places } => {
                let word = if kind == List::Left { "from" } else { "at" };
                let item =
                    |(hex, names): &(Hex, Vec<String>)| format!("{} {word} {}", and_list(names), self.pen.at(*hex));
                let joined = places.iter().map(item).collect::<Vec<_>>().join("; ");
                let (says, link) = flow::list(kind, &joined);
                self.sentence(&Sentence { subject: None, says, rules: &[], chart: None, link, label: None });
            }
            Run::Control(sides) => {
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
        let last = self.at().and_then(|at| self.paragraphs.get(at));
        let goes_on = self.open
            && last.is_some_and(|p| match s.link {
                // In a battle only a label begins a row.
                _ if p.battle.is_some() => s.label.is_none(),
                Link::Fresh => false,
                Link::Along => true,
                Link::Same => s.subject.is_some_and(|who| p.actors.contains(who)) && p.said.chars().count() < LONG,
            });
        if !goes_on {
            // Before the parties are named their faces are shown.
            let seen = if self.battle.is_some() { "Seen" } else { "" };
            let label = s.label.clone().unwrap_or_else(|| seen.to_owned());
            self.paragraphs.push(Paragraph { battle: self.battle, label, ..Paragraph::default() });
            self.open = true;
        }
        let house = s
            .chart
            .is_some_and(|c| self.pen.v.board.tables.sources.get(c).is_some_and(|s| s.provenance == Provenance::House));
        let Some(p) = self.at().and_then(|at| self.paragraphs.get_mut(at)) else { return };
        if !p.said.is_empty() {
            p.said.push_str("  ");
        }
        let words = match s.subject {
            None => s.says.clone(),
            Some(who) if p.last.as_ref() == Some(who) => format!("{} {}", pronoun(who), s.says),
            Some(who) => format!("{} {}", self.pen.who(who), s.says),
        };
        if !words.is_empty() {
            // A row of a battle goes on from its label.
            let first = p.said.is_empty() && !p.label.is_empty();
            p.said.push_str(&if first { words } else { sentence_case(&words) });
            p.said.push('.');
        }
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
        self.settle();
    }
}

impl Paragraph {
    /// Takes over the rules of another.
    fn join(&mut self, other: &Paragraph) {
        self.house |= other.house;
        for rule in &other.rules {
            if !self.rules.contains(rule) {
                self.rules.push(rule);
            }
        }
    }

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

/// Whether a piece and all others that moved are the enemy's.
fn foreign(who: &Who, pieces: &[(Who, Vec<Hex>)]) -> bool {
    matches!(who, Who::Foe(_)) && pieces.iter().all(|(who, _)| matches!(who, Who::Foe(_)))
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
        _ => crate::text::capital(words),
    }
}
