//! What a notice of the dice waits for: rounds of the public beacon, and what is announced.
//!
//! A round comes from a player, an umpire, or a command of the operator's: the program itself asks nobody.

use super::error::{OfficeError, Trouble};
use super::office::Office;
use super::operator;
use super::press::UMPIRE;
use super::sitting::Sitting;
use super::when;
use crate::dice::beacon;
use crate::dice::two::{self, Notice, Source};
use crate::mail::shell;
use crate::store::GameState;
use data_encoding::HEXLOWER_PERMISSIVE;
use jiff::{SignedDuration, Timestamp};
use std::collections::BTreeMap;

/// How long a round that exists can be sent before another may take its place.
const SECONDS_TO_SEND: i64 = 24 * 3600;
/// How long any seat can contradict what was announced.
const HOURS_TO_CONTRADICT: i64 = 24;
/// The note that says what was announced last: its notice, and when it was entered.
const ANNOUNCED: &str = "announced";
/// Who brought a round that the operator's command printed.
const COMMAND: &str = "the post office's own command";
/// Longest value that is announced, in characters.
const VALUE_CHARS_MAX: usize = 400;
/// Minutes after which a round that could not be had is asked for again.
const AGAIN_MINUTES: i64 = 10;

impl Office {
    /// Asks for each round that is there and that a game waits for.
    pub(super) fn fetch_rounds(&mut self) -> Result<(), OfficeError> {
        let Some(command) = self.config.beacon_command.clone() else { return Ok(()) };
        let now = self.clock.now();
        let mut wanted: BTreeMap<u64, Vec<String>> = BTreeMap::new();
        for game in self.store.games_that_wait_for_dice()? {
            let last = self.store.notices(&game)?.pop();
            let written = last.and_then(|notice| Notice::read(&notice.text.filter(|_| notice.value.is_none())?));
            if let Some(Source::Quicknet(round)) = written.map(|written| written.source)
                && now.as_second() >= beacon::time_of(round)
            {
                wanted.entry(round).or_default().push(game);
            }
        }
        self.rounds_asked.retain(|round, _| wanted.contains_key(round));
        for (round, games) in wanted {
            let asked = self.rounds_asked.get(&round);
            if asked.is_some_and(|at| now.duration_since(*at) < SignedDuration::from_mins(AGAIN_MINUTES)) {
                continue;
            }
            self.rounds_asked.insert(round, now);
            let printed = shell::printed(&command.replace("{round}", &round.to_string()), &self.dir);
            let signature = printed.and_then(|text| signature_in(&text));
            let signature = match signature {
                Ok(signature) => signature,
                Err(why) => {
                    tracing::warn!(round, why, "beacon_command does not give the round");
                    continue;
                }
            };
            for game in games {
                self.time_of(&game, &mut |office| {
                    office.with_game(&game, None, &mut |sitting| {
                        if let (word, why) = sitting.beacon_said(COMMAND, &format!("{round} {signature}"), false)?
                            && word != "DONE"
                        {
                            tracing::warn!(round, why, "beacon_command gives no round");
                        }
                        sitting.dice_if_ready()
                    })
                });
            }
        }
        Ok(())
    }
}

impl Sitting<'_> {
    /// BEACON of a seat: a round, or WRONG and what was announced.
    pub(super) fn beacon_by_seat(&mut self, seat: &str, words: &str) -> Result<(&'static str, String), Trouble> {
        let (first, rest) = words.trim().split_once(' ').unwrap_or((words.trim(), ""));
        match first.eq_ignore_ascii_case("wrong") {
            true => self.beacon_wrong(seat, rest),
            false => self.beacon_said(seat, words, false),
        }
    }

    /// BEACON WRONG: a seat contradicts what was announced, and the game is held for the umpire; each seat once.
    fn beacon_wrong(&mut self, seat: &str, words: &str) -> Result<(&'static str, String), Trouble> {
        let refused = |why: String| Ok(("REFUSED", why));
        let id = self.id();
        let kept = self.act.note(&id, ANNOUNCED)?;
        let kept = kept.as_deref().and_then(|kept| kept.split_once(' '));
        let Some((no, at)) = kept.and_then(|(no, at)| Some((no.parse::<u32>().ok()?, at.parse::<Timestamp>().ok()?)))
        else {
            return refused("nothing was announced in this game; a round is known by its signature.".to_owned());
        };
        let until = at.checked_add(SignedDuration::from_hours(HOURS_TO_CONTRADICT)).unwrap_or(Timestamp::MAX);
        let (said, mixed) = (two::announced(words), self.announced(no)?);
        let once = format!("contradicted {no} {seat}");
        if self.env.now > until || self.row.state == GameState::Over {
            return refused(format!("it could be contradicted until {}.", when::said_in(until, &self.zone()?)));
        }
        if said.is_empty() || said.chars().count() > VALUE_CHARS_MAX {
            return refused("write BEACON WRONG and what was announced, in letters or figures.".to_owned());
        }
        if said == mixed {
            return refused(format!("\"{mixed}\" is what was mixed in."));
        }
        if self.act.note(&id, &once)?.is_some() {
            return refused("you have contradicted it already, and all were told.".to_owned());
        }
        self.act.set_note(&id, &once, Some("yes"))?;
        if !self.row.held {
            self.hold()?;
        }
        let note = format!(
            "{seat} says that \"{said}\" was announced; mixed into the dice is \"{mixed}\" (notice {no}).  The game is held. \
             Compare it yourself.  RELEASE of the umpire or the operator lets it go on, and REWIND gives new dice."
        );
        for other in self.players() {
            self.notice(&other.0, "what was announced is contradicted", vec![note.clone()])?;
        }
        self.notice(UMPIRE, "what was announced is contradicted", vec![note.clone()])?;
        operator::told(self.env, self.act, "what was announced is contradicted", &format!("{id}: {note}"))?;
        Ok(("DONE", "all are told, and the game is held.".to_owned()))
    }

    /// What was announced for a notice, in the form in which it was mixed in.
    fn announced(&self, no: u32) -> Result<String, Trouble> {
        let value = self.notices()?.into_iter().find(|notice| notice.no == no).and_then(|notice| notice.value);
        Ok(value.map(|value| String::from_utf8_lossy(&value).into_owned()).unwrap_or_default())
    }

    /// A round that is none of its notice's is refused, and all are told who brought it: of each once a notice, so that
    /// nobody fills the others' mailboxes.
    fn no_such_round(&self, by: &str, no: u32, why: String) -> Result<(&'static str, String), Trouble> {
        let (id, once) = (self.id(), format!("no such round {no} {by}"));
        if self.act.note(&id, &once)?.is_none() {
            self.act.set_note(&id, &once, Some("yes"))?;
            let note = format!("{by} brought a round of the beacon that was refused: {why}");
            let topic = "a round of the beacon was refused";
            for seat in self.players() {
                self.notice(&seat.0, topic, vec![note.clone()])?;
            }
            self.notice(UMPIRE, topic, vec![note])?;
        }
        Ok(("REFUSED", why))
    }

    /// BEACON: a value for the notice that waits. Announced things are entered by an umpire or the operator alone.
    pub(super) fn beacon_said(&self, by: &str, words: &str, trusted: bool) -> Result<(&'static str, String), Trouble> {
        let refused = |why: &str| Ok(("REFUSED", why.to_owned()));
        let waits =
            self.waits_for_dice()?.and_then(|notice| Some((notice.text.as_deref().and_then(Notice::read)?, notice)));
        let Some((written, notice)) = waits else { return refused("no notice of this game waits for a value.") };
        if notice.value.is_some() {
            return Ok(("DONE", "the value is known already.".to_owned()));
        }
        let value = match &written.source {
            Source::None => return refused("the notice that waits needs words, and no value."),
            Source::Value(_) if !trusted => {
                return refused("what was announced is entered by the umpire or the operator, for all to compare.");
            }
            Source::Value(_) => match two::announced(words) {
                said if said.is_empty() => return refused("say what was announced, in letters or figures."),
                long if long.chars().count() > VALUE_CHARS_MAX => return refused("it is too long to be compared."),
                said => said.into_bytes(),
            },
            Source::Quicknet(round) => {
                let said: Vec<&str> = words.split_whitespace().collect();
                let signature = match said.as_slice() {
                    [no, signature] if no.parse() == Ok(*round) => signature,
                    [signature] if signature.len() == beacon::DIGITS => signature,
                    [no, _] if no.parse::<u64>().is_ok() => {
                        let why = format!("the notice waits for round {round}, and for no other.");
                        return self.no_such_round(by, notice.no, why);
                    }
                    _ => {
                        return refused(&format!(
                            "write BEACON {round} and the {} digits of its signature.",
                            beacon::DIGITS
                        ));
                    }
                };
                if self.env.now.as_second() < beacon::time_of(*round) {
                    return refused(&format!("round {round} does not exist yet."));
                }
                match beacon::value(*round, signature) {
                    Ok(_) => HEXLOWER_PERMISSIVE.decode(signature.as_bytes()).unwrap_or_default(),
                    Err(why) => {
                        let why = format!("{why}: round {round}.  Nothing was changed.");
                        return self.no_such_round(by, notice.no, why);
                    }
                }
            }
        };
        self.act.keep_value(&self.row.id, notice.no, &value)?;
        let form = match &written.source {
            Source::Value(_) => {
                self.act.set_note(&self.row.id, ANNOUNCED, Some(&format!("{} {}", notice.no, self.env.now)))?;
                format!("  It is mixed in as \"{}\".", String::from_utf8_lossy(&value))
            }
            Source::None | Source::Quicknet(_) => String::new(),
        };
        Ok(("DONE", format!("it is the value that the dice wait for.{form}")))
    }

    /// BEACON of an umpire or the operator: a value, or AGAIN with a reason.
    pub(super) fn beacon_by_umpire(&mut self, words: &str) -> Result<String, Trouble> {
        let (first, rest) = words.trim().split_once(' ').unwrap_or((words.trim(), ""));
        if first.eq_ignore_ascii_case("again") {
            let reason = rest.trim().strip_prefix("REASON").map_or("", str::trim);
            return match reason {
                "" => Err(Trouble::Refused("say why: BEACON AGAIN REASON the round cannot be had".to_owned())),
                reason => self.beacon_again(reason),
            };
        }
        match self.beacon_said("the umpire or the operator", words, true)? {
            ("DONE", said) => Ok(said),
            (_, why) => Err(Trouble::Refused(why)),
        }
    }

    /// BEACON AGAIN: the value cannot be had, and a new notice takes the place of the one that waits.
    pub(super) fn beacon_again(&mut self, reason: &str) -> Result<String, Trouble> {
        let Some(notice) = self.waits_for_dice()?.filter(|notice| notice.text.is_some()) else {
            return Err(Trouble::Refused("no notice of this game waits for a value.".to_owned()));
        };
        match notice.text.as_deref().and_then(Notice::read).map(|written| written.source) {
            Some(Source::Quicknet(round)) => {
                let until = beacon::time_of(round).saturating_add(SECONDS_TO_SEND);
                // Whoever has seen the round must not be able to pass it over.
                if self.env.now.as_second() < until {
                    let at = Timestamp::from_second(until).map(when::said).unwrap_or_default();
                    let why = format!("all have until {at} to send round {round}; only then can it be given up.");
                    return Err(Trouble::Refused(why));
                }
            }
            Some(Source::Value(_)) => {}
            Some(Source::None) | None => {
                let why = "this game has no beacon; its notices wait for words alone.";
                return Err(Trouble::Refused(why.to_owned()));
            }
        }
        for seat in self.players() {
            let note = format!("The notice {} of the dice is given up.  The reason: {reason}", notice.no);
            self.notice(&seat.0, "a notice is given up", vec![note])?;
        }
        self.again(&[])?;
        Ok(format!("notice {} is given up, and another one is written; all are told.", notice.no))
    }
}

/// The signature in what a command prints: its digits alone, or JSON with a field `signature`.
fn signature_in(text: &str) -> Result<String, String> {
    let json: Option<serde_json::Value> = serde_json::from_str(text.trim()).ok();
    let said = json.as_ref().and_then(|json| json.get("signature")).and_then(serde_json::Value::as_str);
    let said = said.unwrap_or(text).trim();
    match said.len() == beacon::DIGITS && said.bytes().all(|b| b.is_ascii_hexdigit()) {
        true => Ok(said.to_owned()),
        false => Err(format!("it prints neither {} hexadecimal digits nor JSON with a signature", beacon::DIGITS)),
    }
}
