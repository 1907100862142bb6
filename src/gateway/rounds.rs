//! What a notice of the dice waits for: rounds of the public beacon, and what is announced.
//!
//! A round comes from a player, an umpire, or a command of the operator's: the program itself asks nobody.

use super::error::{OfficeError, Trouble};
use super::office::Office;
use super::sitting::Sitting;
use super::when;
use crate::dice::beacon;
use crate::dice::two::{self, Notice, Source};
use crate::mail::shell;
use data_encoding::HEXLOWER_PERMISSIVE;
use jiff::{SignedDuration, Timestamp};
use std::collections::BTreeMap;

/// How long a round that exists can be sent before another may take its place.
const SECONDS_TO_SEND: i64 = 24 * 3600;
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
                        if let (word, why) = sitting.beacon_said(&format!("{round} {signature}"), false)?
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
    /// BEACON: a value for the notice that waits. Announced things are entered by an umpire or the operator alone.
    pub(super) fn beacon_said(&self, words: &str, trusted: bool) -> Result<(&'static str, String), Trouble> {
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
                        return refused(&format!("the notice waits for round {round}, and for no other."));
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
                    Err(why) => return refused(&format!("{why}: round {round}.  Nothing was changed.")),
                }
            }
        };
        self.act.keep_value(&self.row.id, notice.no, &value)?;
        let form = match &written.source {
            Source::Value(_) => format!("  It is mixed in as \"{}\".", String::from_utf8_lossy(&value)),
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
        match self.beacon_said(words, true)? {
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
