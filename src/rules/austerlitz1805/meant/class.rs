//! R1: whether a line is an order at all, or a greeting, a signature, prose, a question.

use super::names::Thing;
use super::said::{Act, Said};
use crate::orders::mend::Topic;
use crate::orders::mend::hear::Token;
use crate::orders::mend::lexicon::Sense;

/// Words of a line whose verb stands without a unit or a place.
const BRIEF: usize = 4;

/// What a line is.
pub enum Class {
    /// No order in it.
    Nothing,
    /// A question.
    Question(Topic),
    /// An order with something wrong in it.
    Attempt,
}

/// What a line is.
pub fn of(said: &Said<'_>) -> Class {
    let content: Vec<&Token<Thing>> = said.tokens.iter().filter(|t| !filler(t)).collect();
    if said.quotes || said.tokens.is_empty() {
        return Class::Nothing;
    }
    let (act, head) = (said.act(), said.head());
    let named = !said.who().is_empty() || said.stranger().is_some();
    let placed = said.goal().is_some() || said.way().is_some();
    let whole = named && (act.is_some() || placed);
    let opening = said.tokens.iter().find(|t| !t.means(Sense::Greet) && !t.means(Sense::Polite));
    if said.means(Sense::Quote) && head.is_none() {
        return Class::Nothing;
    }
    let asked = opening.is_some_and(|t| t.senses.first() == Some(&Sense::Ask));
    let begged = said.tokens.first().is_some_and(|t| t.means(Sense::Polite) || t.key.is_some());
    if (said.asks || asked) && !(begged && (whole || head.is_some())) {
        return Class::Question(topic(said));
    }
    if let Some(Sense::Win | Sense::Supply | Sense::Help | Sense::Rule) = content.first().and_then(|t| t.senses.first())
        && !named
        && head.is_none()
        && content.len() <= BRIEF
        && act.is_none()
    {
        return Class::Question(topic(said));
    }
    let courteous = |t: &Token<Thing>| t.slips == 0 && (t.means(Sense::Greet) || t.means(Sense::Close));
    if head.is_none() && !whole && said.tokens.iter().any(courteous) {
        return Class::Nothing;
    }
    let first_person = opening.is_some_and(|t| t.senses.first() == Some(&Sense::Writer));
    if first_person && act != Some(Act::Done) && !(act.is_some() && (named || placed)) {
        return Class::Nothing;
    }
    if head.is_some() || whole || super::fog::names_chit(said) {
        return Class::Attempt;
    }
    let sure = said.tokens.iter().any(|t| t.slips == 0 && t.senses.first().is_some_and(|s| s.acts()));
    let brief = content.len() <= BRIEF;
    if placed && brief && (said.means(Sense::All) || said.means(Sense::To)) {
        return Class::Attempt;
    }
    if sure && act.is_some() && (brief || placed) {
        return Class::Attempt;
    }
    let sure_unit =
        said.tokens.iter().any(|t| t.slips == 0 && t.things.iter().any(|thing| matches!(thing, Thing::Own(_))));
    if brief && sure_unit { Class::Attempt } else { Class::Nothing }
}

fn filler(token: &Token<Thing>) -> bool {
    let light = [Sense::Fill, Sense::Polite, Sense::Writer, Sense::Greet, Sense::Ask];
    token.things.is_empty() && token.key.is_none() && token.senses.first().is_some_and(|s| light.contains(s))
}

/// What a question is about.
fn topic(said: &Said<'_>) -> Topic {
    let rule = said.means(Sense::Rule).then(|| said.words.iter().map(|w| &w.text).find(|t| numbered(t))).flatten();
    if let Some(rule) = rule {
        return Topic::Rule(rule.clone());
    }
    if said.means(Sense::Win) {
        return Topic::Win;
    }
    if said.means(Sense::Supply) {
        return Topic::Told(vec!["There is no supply in this game; ammunition is rule 20.".to_owned()]);
    }
    if let Some(told) = asked(said) {
        return Topic::Told(told);
    }
    match said.who().first().filter(|_| said.act().is_none()).and_then(|id| Some((id, said.v.table.unit(id)?))) {
        Some((id, unit)) => {
            let t = &said.v.table;
            let place = t.near_place(unit.pose.at);
            Topic::Told(vec![format!("{id}: at {} ({place}), {}.", unit.pose.at, unit.form.word())])
        }
        None => Topic::Help,
    }
}

/// What newcomers ask of this game: own losses, and the fog. All of it is printed, or lies open to the seat.
fn asked(said: &Said<'_>) -> Option<Vec<String>> {
    let says = |words: &[&str]| said.words.iter().any(|word| words.contains(&word.fold.as_str()));
    let t = &said.v.table;
    if says(&["lose", "lost", "losses", "loss", "casualties", "verluste", "pertes"]) {
        let names = |names: Vec<&str>| match names.as_slice() {
            [] => "nobody".to_owned(),
            some => crate::text::and_list(some),
        };
        let lost = [("Lost by you: ", said.v.lost(true)), ("Lost by the enemy: ", said.v.lost(false))];
        return Some(lost.into_iter().map(|(label, lost)| format!("{label}{}.", names(lost))).collect());
    }
    let fog = &t.board.tables.fog;
    let flow = t.board.flow.is_some();
    if flow && says(&["decoy", "decoys", "dummy", "dummies"]) {
        let most = fog.decoys;
        return Some(vec![
            format!("A decoy is an empty chit, and looks to the enemy like any other; a side has {most}. [16.4.2]"),
            "DECOY 4 PLACE place puts one down.".to_owned(),
        ]);
    }
    if flow && says(&["striped"]) {
        let striped = t.board.strategic.striped.as_ref()?;
        let (low, high) = striped.rect;
        let whom = t.board.side(&striped.side).map_or("", |side| side.name.as_str());
        return Some(vec![
            format!("The striped zone is the ground from {low} to {high}."),
            format!("It is closed to the {whom} until the assault has begun. [16.4.1.6]"),
        ]);
    }
    if flow && says(&["fog", "nebel", "brouillard"]) {
        let (kept, lifts, last) = (fog.turns, fog.lifts, fog.automatic);
        return Some(vec![
            format!("Fog stays to the end of turn {kept}. Then a die of {lifts} or more begins to lift it. [16.2]"),
            format!("On turn {last} it begins to lift without a die. [16.3.1]"),
            "It is gone two turns after it has begun to lift. [16.3]".to_owned(),
        ]);
    }
    None
}

/// `16.4`, `13.1.2`.
fn numbered(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit()) && text.chars().all(|c| c.is_ascii_digit() || c == '.')
}
