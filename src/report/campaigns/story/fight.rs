//! A battle on paper: rows of what was told of it, round by round, and the table of losses (¶298-410).
//!
//! A battle is told by itself, however its steps lie among those of others: each row has its own label. What the other
//! side chose and did not show is in no sighting, and so in no row.

use super::combat;
use super::{Paragraph, Tale};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::host::paper::Drawing;
use crate::report::campaigns::pen::Pen;
use crate::rules::campaigns::combat::battle::Ended;
use crate::rules::campaigns::combat::told::{Compared, Glimpse, Open, Own, Pursuit, Resolved, Sighting};
use crate::rules::campaigns::flow::told::{Cause, Who};
use crate::text::{self, Column, Table, and_list};

/// Columns of a row's label, with its margin.
const HANG: usize = 16;

/// Where strength was lost, in the order of the table of losses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Where {
    Guns,
    Attack,
    Counter,
    Pursuit,
    Other,
}

/// A battle while it is told.
pub struct Fight {
    /// Its number.
    pub no: u32,
    /// Its hex, as far as it was told.
    pub hex: Option<Hex>,
    /// Where it is attacked from.
    from: Vec<Hex>,
    /// Counters that were named as fighting in it.
    cast: Vec<Who>,
    /// Whether the last half told is a counterattack.
    counter: bool,
    lost: Vec<(bool, Where, i32)>,
    how: Option<Ended>,
    /// Whether it came to a round.
    pub fought: bool,
}

impl Fight {
    fn new(no: u32) -> Fight {
        Fight {
            no,
            hex: None,
            from: Vec::new(),
            cast: Vec::new(),
            counter: false,
            lost: Vec::new(),
            how: None,
            fought: false,
        }
    }

    /// Whether a counter was named as fighting in it.
    pub fn holds(&self, who: &Who) -> bool {
        self.cast.contains(who)
    }

    fn lost(&self, mine: bool) -> i32 {
        self.lost.iter().filter(|(whose, ..)| *whose == mine).map(|(.., sp)| sp).sum()
    }
}

/// What the table and the summary need of a sighting.
enum Note<'s> {
    /// The words alone tell it.
    Nothing,
    /// Where it is.
    At(Hex),
    /// A round is fought there, or where it was told to be.
    Fought(Option<Hex>),
    /// Who fights in it.
    Cast(&'s [Who], &'s [Who]),
    /// Who fights in it too.
    Joined(&'s Who),
    /// Whether a half round is a counterattack.
    Half(bool),
    /// Who lost how much, and by what.
    Lost(&'s SideId, Cause, i32),
    /// How it ended.
    Ended(Ended),
}

/// The battle that a sighting belongs to.
pub fn number(told: &Sighting) -> Option<u32> {
    told_of(told).map(|(no, _)| no)
}

/// The battle that a sighting belongs to, and what is noted of it.
fn told_of(told: &Sighting) -> Option<(u32, Note<'_>)> {
    match told {
        Sighting::Open(told) => open_of(told),
        Sighting::Own(Own::GunsLeft { .. } | Own::Guns { .. }) => None,
        Sighting::Partly(told) => glimpse_of(told),
    }
}

fn open_of(told: &Open) -> Option<(u32, Note<'_>)> {
    Some(match told {
        Open::Odds(Compared { no, counter, .. }) => (*no, Note::Half(*counter)),
        Open::Result(Resolved { no, .. }) => (*no, Note::Fought(None)),
        Open::Ended { no, how } => (*no, Note::Ended(*how)),
        Open::Stated { no, .. }
        | Open::Refused { no, .. }
        | Open::Showed { no, .. }
        | Open::Overridden { no }
        | Open::Retreated { no, .. }
        | Open::Pursued(Pursuit { no, .. })
        | Open::Destroyed { no, .. }
        | Open::Critical { no, .. }
        | Open::Control { no, .. }
        | Open::Ground { no, .. } => (*no, Note::Nothing),
        Open::Escape { .. } | Open::Siege { .. } | Open::Surrendered { .. } | Open::SourceLost { .. } => return None,
    })
}

fn glimpse_of(told: &Glimpse) -> Option<(u32, Note<'_>)> {
    Some(match told {
        Glimpse::Round { no, hex, .. } => (*no, Note::At(*hex)),
        Glimpse::Fight { no, hex, .. } => (*no, Note::Fought(Some(*hex))),
        Glimpse::Met { no, attack, defend, .. } | Glimpse::Formed { no, attack, defend, .. } => {
            (*no, Note::Cast(attack, defend))
        }
        Glimpse::Joined { no, who } => (*no, Note::Joined(who)),
        Glimpse::Took { no, side, sp, cause } => (*no, Note::Lost(side, *cause, *sp)),
        Glimpse::Reserved { no, .. }
        | Glimpse::Committed { no, .. }
        | Glimpse::Marked { no, .. }
        | Glimpse::Edge { no, .. }
        | Glimpse::OwnFire { no, .. }
        | Glimpse::FoeFire { no, .. }
        | Glimpse::Staked { no }
        | Glimpse::Unformed { no }
        | Glimpse::Shifted { no, .. }
        | Glimpse::Concentrated { no, .. } => (*no, Note::Nothing),
        Glimpse::Designated { .. } | Glimpse::Detached { .. } | Glimpse::Morale { .. } | Glimpse::Track { .. } => {
            return None;
        }
    })
}

/// Writes down what the table and the summary need of a sighting.
pub fn note(tale: &mut Tale<'_, '_>, told: &Sighting) {
    if let Sighting::Partly(Glimpse::Designated { battles, .. }) = told {
        for (no, at, from) in battles {
            let fight = open(tale, *no);
            fight.hex = fight.hex.or_else(|| at.first().copied());
            fight.from.clone_from(from);
        }
    }
    let Some((no, note)) = told_of(told) else { return };
    let pen = tale.pen;
    let fight = open(tale, no);
    match note {
        Note::Nothing => {}
        Note::At(hex) => fight.hex = Some(hex),
        Note::Fought(hex) => {
            fight.hex = hex.or(fight.hex);
            fight.fought = true;
        }
        Note::Cast(attack, defend) => fight.cast = attack.iter().chain(defend).cloned().collect(),
        Note::Joined(who) => fight.cast.push(who.clone()),
        Note::Half(counter) => fight.counter = counter,
        Note::Lost(side, cause, sp) => {
            let place = match cause {
                Cause::Bombardment => Where::Guns,
                Cause::Combat if fight.counter => Where::Counter,
                Cause::Combat => Where::Attack,
                Cause::Pursuit => Where::Pursuit,
                Cause::Attrition | Cause::Repulse | Cause::Surrender => Where::Other,
            };
            fight.lost.push((pen.mine(side), place, sp));
        }
        Note::Ended(how) => fight.how = Some(how),
    }
}

/// The battle of a number, begun if nothing was told of it yet.
fn open<'t>(tale: &'t mut Tale<'_, '_>, no: u32) -> &'t mut Fight {
    let at = tale.fights.iter().position(|f| f.no == no).unwrap_or_else(|| {
        tale.fights.push(Fight::new(no));
        tale.fights.len() - 1
    });
    &mut tale.fights[at]
}

/// What the story says of a battle: who lost what, how it ended, where it is told.
pub fn summary(pen: &Pen<'_>, fight: &Fight, n: usize) -> String {
    let place = fight.hex.map_or_else(|| "a battle".to_owned(), |hex| format!("battle of {}", pen.at(hex)));
    let foe = foe(pen);
    let lost = match (fight.lost(true), fight.lost(false)) {
        (0, 0) => "nobody lost any SP".to_owned(),
        (own, theirs) => format!("you lost {own} SP, {foe} {theirs}"),
    };
    let how = fight.how.map_or("it goes on", |how| combat::ended(how, fight.fought));
    pen.plain(&format!("{}: {lost}; {how}.  See BATTLE {n}.", super::sentence_case(&place)))
}

/// A battle in which nobody fought, as a paragraph of the story.
pub fn unfought(pen: &Pen<'_>, fight: &Fight, rows: &[&Paragraph]) -> String {
    let place = fight.hex.map_or_else(|| "there".to_owned(), |hex| format!("at {}", pen.at(hex)));
    let mut whole = Paragraph::default();
    let (mut parties, mut then) = (Vec::new(), Vec::new());
    for row in rows {
        let said = row.said.trim_end_matches('.');
        match row.label.as_str() {
            "" | "Seen" | "Left" | "Outcome" => then.push(format!("{}.", super::sentence_case(said))),
            // Who met whom comes first, whatever was laid open before.
            label @ ("Attack" | "Defence" | "Stated") => parties.push(format!("{} {said}", label.to_lowercase())),
            label => then.push(format!("{label}: {said}.")),
        }
        whole.join(row);
    }
    let met = if parties.is_empty() { String::new() } else { format!(": {}", parties.join("; ")) };
    let mut said = vec![super::sentence_case(&format!("{place}{met}."))];
    said.extend(then);
    whole.said = said.join("  ");
    whole.whole(pen)
}

/// The other side.
fn foe(pen: &Pen<'_>) -> String {
    let other = pen.v.side.as_ref().map(|side| pen.v.board.enemy(side));
    other.map_or_else(|| "the other side".to_owned(), |side| combat::who(pen, &side))
}

/// The page of a battle: its rows, then the table of losses.
pub fn page(pen: &Pen<'_>, fight: &Fight, rows: &[&Paragraph], n: usize) -> Drawing {
    let mut title = format!("BATTLE {n}");
    if let Some(hex) = fight.hex {
        title.push_str(&format!("   {}", pen.at(hex)));
    }
    if !fight.from.is_empty() {
        let from: Vec<String> = fight.from.iter().map(|hex| pen.at(*hex)).collect();
        title.push_str(&format!(", attacked from {}", and_list(&from)));
    }
    let mut lines = Vec::new();
    for row in rows {
        lines.extend(self::row(pen, row));
    }
    let table = losses(pen, fight);
    if !table.is_empty() {
        lines.push(String::new());
        lines.extend(table);
    }
    Drawing { title: pen.plain(&title), lines, ..Drawing::default() }
}

fn row(pen: &Pen<'_>, row: &Paragraph) -> Vec<String> {
    let said = row.whole(pen);
    let label = pen.plain(&row.label);
    if said.is_empty() {
        return vec![format!("  {label}")];
    }
    if pen.format.narrow {
        return text::wrap(&format!("{label}: {said}"), pen.width(), "  ", 4);
    }
    text::wrap(&said, pen.width(), &format!("  {label:<width$}", width = HANG - 2), HANG)
}

/// SP lost by side and step; only the steps in which any were.
fn losses(pen: &Pen<'_>, fight: &Fight) -> Vec<String> {
    if fight.lost.iter().all(|(.., sp)| *sp == 0) {
        return Vec::new();
    }
    let steps = [
        (Where::Guns, "guns"),
        (Where::Attack, "attack"),
        (Where::Counter, "counter"),
        (Where::Pursuit, "pursuit"),
        (Where::Other, "other"),
    ];
    let sum = |mine: bool, step: Where| -> i32 {
        fight.lost.iter().filter(|(whose, at, _)| *whose == mine && *at == step).map(|(.., sp)| sp).sum()
    };
    let used: Vec<_> = steps.into_iter().filter(|(step, _)| sum(true, *step) + sum(false, *step) > 0).collect();
    let mut head = vec!["SP LOST".to_owned()];
    head.extend(used.iter().map(|(_, word)| (*word).to_owned()));
    head.push("all".to_owned());
    let line = |name: &str, mine: bool| {
        let mut cells = vec![name.to_owned()];
        cells.extend(used.iter().map(|(step, _)| sum(mine, *step).to_string()));
        cells.push(fight.lost(mine).to_string());
        cells
    };
    let rows = [head, line("you", true), line("they", false)];
    // On a phone more than three steps beside each other are too wide: there the steps stand below each other.
    let rows = if pen.format.narrow && used.len() > 3 { turned(&rows) } else { rows.to_vec() };
    let mut columns = vec![Column::left()];
    columns.extend(vec![Column::right(); rows.first().map_or(0, Vec::len).saturating_sub(1)]);
    let gap = if pen.format.narrow { 1 } else { 3 };
    Table::new(&columns, pen.width()).gap(gap).lines(&rows)
}

/// The columns of a table as its rows.
fn turned(rows: &[Vec<String>]) -> Vec<Vec<String>> {
    let wide = rows.first().map_or(0, Vec::len);
    (0..wide).map(|i| rows.iter().filter_map(|row| row.get(i).cloned()).collect()).collect()
}
