//! R1: whether a line is an order at all, or a greeting, a signature, prose, a question.

use super::said::{Act, Said, Who};
use crate::orders::mend::Topic;
use crate::orders::mend::hear::Token;
use crate::orders::mend::lexicon::Sense;
use crate::rules::campaigns::meant::names::{self, Thing};
use crate::rules::campaigns::words;

/// Words of a line whose verb stands without a piece or a place.
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
    let placed = !said.places().is_empty() || said.sides().next().is_some();
    let whole = named && (act.is_some() || placed || said.means(Sense::Mode));
    let opening = said.tokens.iter().find(|t| !t.means(Sense::Greet) && !t.means(Sense::Polite));
    if said.means(Sense::Quote) && head.is_none() {
        return Class::Nothing;
    }
    // A word to the umpire that orders nothing is for him.
    let addressed = said.tokens.first().is_some_and(|t| t.means(Sense::Umpire));
    if addressed && head.is_none() && (said.means(Sense::Not) || act.is_none()) {
        return Class::Nothing;
    }
    let asked = opening.is_some_and(|t| t.senses.first() == Some(&Sense::Ask));
    let begged = said.tokens.first().is_some_and(|t| t.means(Sense::Polite) || t.key.is_some());
    if (said.asks || asked) && !(begged && (whole || head.is_some())) {
        return Class::Question(topic(said));
    }
    if let Some(told) = lone(said, &content, named || head.is_some()) {
        return Class::Question(told);
    }
    let courteous = |t: &Token<Thing>| t.slips == 0 && (t.means(Sense::Greet) || t.means(Sense::Close));
    if head.is_none() && !whole && said.tokens.iter().any(courteous) {
        return Class::Nothing;
    }
    let first_person = opening.is_some_and(|t| t.senses.first() == Some(&Sense::Writer));
    if first_person && act != Some(Act::Done) && !(act.is_some() && (named || placed)) {
        return Class::Nothing;
    }
    if head.is_some() || whole {
        return Class::Attempt;
    }
    if placed && brief(&content) && (said.means(Sense::All) || said.means(Sense::To)) {
        return Class::Attempt;
    }
    let sure = said.tokens.iter().any(|t| t.slips == 0 && t.senses.first().is_some_and(|s| s.acts()));
    if sure && act.is_some() && (brief(&content) || placed) {
        return Class::Attempt;
    }
    let sure_piece = said.tokens.iter().any(|t| t.slips == 0 && !t.things.is_empty() && t.things.iter().any(piece));
    let numbered = said.tokens.iter().any(|t| t.things.iter().any(|t| matches!(t, Thing::Place(_) | Thing::Side(_))));
    if brief(&content) && (sure_piece || (numbered && content.len() <= 2)) { Class::Attempt } else { Class::Nothing }
}

fn brief(content: &[&Token<Thing>]) -> bool {
    content.len() <= BRIEF
}

fn piece(thing: &Thing) -> bool {
    matches!(thing, Thing::Leader(_) | Thing::Vedette(_) | Thing::Center)
}

fn filler(token: &Token<Thing>) -> bool {
    let light = [Sense::Fill, Sense::Polite, Sense::Writer, Sense::Greet, Sense::Ask];
    token.things.is_empty() && token.key.is_none() && token.senses.first().is_some_and(|s| light.contains(s))
}

/// A line that is a word for something to be told: `SUPPLY`, `victory`, `rule 168`.
fn lone(said: &Said<'_>, content: &[&Token<Thing>], busy: bool) -> Option<Topic> {
    let first = content.first()?;
    if busy || content.len() > BRIEF || said.act().is_some_and(|act| act != Act::Done) {
        return None;
    }
    match first.senses.first()? {
        Sense::Supply | Sense::Win | Sense::Help | Sense::Rule => Some(topic(said)),
        _ => None,
    }
}

/// What a question is about.
fn topic(said: &Said<'_>) -> Topic {
    let digits = |text: &&str| !text.is_empty() && text.len() < 5 && text.bytes().all(|b| b.is_ascii_digit());
    let marked = said.words.iter().find_map(|w| w.text.strip_prefix('¶')).filter(digits);
    let named = said.words.iter().map(|w| w.text.as_str()).find(digits).filter(|_| said.means(Sense::Rule));
    if let Some(number) = marked.or(named) {
        return Topic::Rule(number.to_owned());
    }
    if said.means(Sense::Win) {
        return Topic::Win;
    }
    if said.means(Sense::Supply) {
        return Topic::Told(supply(said));
    }
    let who = said.who();
    match who.first().filter(|_| said.act().is_none()) {
        Some(who) => Topic::Told(vec![whereabouts(said, who)]),
        None => Topic::Help,
    }
}

/// ¶72-107 Where supply stands.
fn supply(said: &Said<'_>) -> Vec<String> {
    let v = said.v;
    let army = &v.own.army;
    let at = |hex| match v.board.map.name(hex) {
        Some(_) => format!("{} {hex}", names::written(v, hex)),
        None => hex.to_string(),
    };
    let mut told = Vec::new();
    told.push(match army.center {
        Some(hex) => {
            let idle = v.situation().idle().map_or_else(|| "active".to_owned(), |idle| idle.words().0.to_owned());
            format!("center {}, {idle}", at(hex))
        }
        None => "your center is not on the map".to_owned(),
    });
    if let Some(hex) = army.source {
        told.push(format!(
            "source {}",
            v.board.map.name(hex).map_or_else(|| hex.to_string(), |_| names::written(v, hex))
        ));
    }
    let most = v.board.policies.max_loc(&v.own.side);
    told.push(
        army.loc.as_ref().map_or_else(|| "no LOC".to_owned(), |l| format!("LOC {} of {most}", l.effective.max(0))),
    );
    told.push(format!("AP {}", army.ap));
    let sit = v.situation();
    let far: Vec<String> =
        v.own.on_map().filter(|(_, hex)| !sit.hears_the_center(*hex)).map(|(l, _)| words::name(v, l)).collect();
    told.push(match far.as_slice() {
        [] => "all forces in dispatch distance".to_owned(),
        far => format!("out of dispatch distance: {}", far.join(", ")),
    });
    vec![format!("{}.", told.join("; "))]
}

/// Where an own piece stands.
fn whereabouts(said: &Said<'_>, who: &Who) -> String {
    let at = said.hex(who).map_or_else(
        || "not on the map".to_owned(),
        |hex| match said.v.board.map.name(hex) {
            Some(_) => format!("at {} {hex}", names::written(said.v, hex)),
            None => format!("at {hex}"),
        },
    );
    match who {
        Who::Leader(id) => format!("{}: {at}, {} SP.", words::name(said.v, id), said.v.own.sp(id)),
        Who::Vedette(n) => format!("v{n}: {at}."),
        Who::Center => format!("Your center: {at}."),
    }
}
