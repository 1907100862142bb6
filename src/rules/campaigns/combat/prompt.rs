//! Questions of this chapter. III.b Combat (¶298-410).
//!
//! Each is answered first from the seat's plan for the battle, then from its doctrine, else by the catalogue's default;
//! only ASK leaves it open. An answer is a line such as `BATTLE 0705 TYPE PITCHED`, so that several open questions cannot
//! be mixed up.

use super::battle::BattleView;
use super::clause::{Clause, Pick, Siege};
use super::{answer, clause, wishes};
use crate::hex::Hex;
use crate::orders::{Args, Fault, Line};
use crate::rules::Ask;
use crate::rules::campaigns::board::UnitId;
use crate::rules::campaigns::combat::question::{Answer, Prompt};
use crate::rules::campaigns::view::View;
use crate::rules::journal::Book;

/// Its place in the journal: own names and public words only.
pub fn address(p: &Prompt) -> String {
    format!("battle/{}/{}", p.hex, p.what.word())
}

/// The reader's battle of a prompt.
pub fn battle<'v>(v: &'v View, p: &Prompt) -> Option<&'v BattleView> {
    v.battles.iter().find(|b| b.no == p.no)
}

/// The question as its seat reads it.
pub fn ask(v: &View, p: &Prompt) -> Ask {
    let (question, rule, mut answers) = answer::wording(v, p);
    let default = by(v, &without_asking(v), p, &Book::default()).or_else(|| answers.first().cloned());
    let default = default.unwrap_or_default();
    if !answers.contains(&default) {
        answers.insert(0, default.clone());
    }
    Ask { question, rule, answers, default }
}

/// A view without its plans: what the default is where a seat has asked to be asked and then says nothing.
fn without_asking(v: &View) -> View {
    let mut plain = v.clone();
    plain.own.plans.clear();
    plain
}

/// Reads an answer.
///
/// # Errors
/// The fault of the line.
pub fn read(v: &View, p: &Prompt, line: &Line) -> Result<Answer, Fault> {
    let mut args = Args::new(line, 0);
    if args.key("BATTLE") || args.key("DEFEND") {
        let at = crate::rules::campaigns::words::hex(v, &mut args)?;
        let ours = battle(v, p).is_some_and(|b| b.hexes.contains(&at) || b.from.contains(&at));
        if at != p.hex && !ours {
            return Err(Fault::refused(format!("the question is about {}", p.hex), ""));
        }
    }
    let read = answer::read(v, p, &mut args)?;
    match args.peek() {
        None => Ok(read),
        Some(extra) => Err(Fault::unclear(&extra.text, "the end of the answer", [], None)),
    }
}

/// The doctrine's answer; `None` where the seat wants to be asked.
pub fn doctrine(v: &View, p: &Prompt, book: &Book) -> Option<String> {
    by(v, v, p, book)
}

/// The answer of plans, book and default. `plans` is the view whose plans count.
fn by(v: &View, plans: &View, p: &Prompt, book: &Book) -> Option<String> {
    let answer = wishes::answer(plans, p, book)?;
    Some(answer::line(v, p, &answer))
}

/// Units of a pick that a prompt may name.
pub fn picked(pick: &Pick<UnitId>, all: &[UnitId]) -> Vec<UnitId> {
    match pick {
        Pick::All => all.to_vec(),
        Pick::None | Pick::Least => Vec::new(),
        Pick::These(units) => units.iter().filter(|u| all.contains(u)).cloned().collect(),
    }
}

/// The wish for a siege in the plan of a hex that no battle is fought in.
pub fn siege_wish(v: &View, hex: Hex) -> Option<Siege> {
    clause::plan(v, hex).into_iter().rev().find_map(|c| if let Clause::Siege(s) = c { Some(s) } else { None })
}
