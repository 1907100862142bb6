//! What the operator is told by mail: of games without an umpire, of games set aside, and that mails were set aside.

use super::error::{OfficeError, Trouble};
use super::office::Office;
use super::plain::Plain;
use super::press::{UMPIRE, is_umpire};
use super::{Env, when};
use crate::store::Act;

/// Mails to the operator in a day; `estafette status` and `estafette mail list` hold all.
const TOLD_PER_DAY_MAX: u32 = 20;
/// Under which names the store counts them, and the mails set aside; no address is like these.
const TOLD: &str = "(operator)";
const SET_ASIDE: &str = "(set aside)";
/// Under what name mails to the operator are counted, to tell them apart.
const NAMED: &str = "(operator, named)";

impl Office {
    /// Writes something down and tells what it says to the umpire of the game, in one act; to the operator, where the
    /// game has no umpire, or it is he who is in trouble.
    pub(super) fn and_tell_umpire(
        &mut self,
        game: &str,
        seat: &str,
        topic: &str,
        work: &dyn Fn(&Act<'_>) -> Result<Option<String>, Trouble>,
    ) -> Result<(), OfficeError> {
        if !is_umpire(seat) && self.store.seat(game, UMPIRE)?.is_some() {
            let done = self.with_game(game, None, &mut |sitting| match work(sitting.act)? {
                Some(note) => sitting.notice(UMPIRE, topic, vec![note]),
                None => Ok(()),
            })?;
            if done.is_some() {
                return Ok(());
            }
        }
        let env = self.env();
        let done = self.store.try_act(|act| match work(act)? {
            Some(note) => told(&env, act, topic, &format!("{game}: {note}")),
            None => Ok(()),
        });
        done.map_err(OfficeError::from)
    }
}

/// Tells the operator, once a day, that mails were set aside.
pub(super) fn set_aside(env: &Env<'_>, act: &Act<'_>, mail: i64, reason: &str) -> Result<(), Trouble> {
    if env.config.operator.is_none() || act.count_answer(SET_ASIDE, &when::day(env.now))? != 1 {
        return Ok(());
    }
    let note = format!(
        "A mail was set aside: {reason}  It is the first today; `estafette mail list` shows all, and `estafette mail \
         retry in:{mail}` has it read again."
    );
    told(env, act, "a mail was set aside", &note)
}

/// Writes to the operator, if the settings name one; `topic` and the time tell the mail from others.
pub(super) fn tell(env: &Env<'_>, act: &Act<'_>, topic: &str, notes: &[String]) -> Result<(), Trouble> {
    let Some(to) = &env.config.operator else { return Ok(()) };
    // Two such mails of one second are two.
    let count = act.count_answer(NAMED, &when::day(env.now))?;
    let named = format!("{topic} {} {count}", when::kept(env.now));
    Plain { to, topic, notes, answers: None, named: &named }.post(env, act)
}

/// Writes to the operator within an act; not more often than he would read.
pub(super) fn told(env: &Env<'_>, act: &Act<'_>, topic: &str, note: &str) -> Result<(), Trouble> {
    let Some(to) = &env.config.operator else { return Ok(()) };
    let day = when::day(env.now);
    let count = act.count_answer(TOLD, &day)?;
    if count > TOLD_PER_DAY_MAX {
        return Ok(());
    }
    let mut notes = vec![note.to_owned()];
    if count == TOLD_PER_DAY_MAX {
        notes.push(
            "This is the last mail of its kind today.  `estafette status` and `estafette mail list` say more.".into(),
        );
    }
    let subject = format!("{}: {topic}", env.config.name);
    let named = format!("operator {day} {count} {topic} {note}");
    Plain { to, topic: &subject, notes: &notes, answers: None, named: &named }.post(env, act)
}
