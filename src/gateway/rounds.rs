//! Rounds of the public beacon, asked of a command of the operator's: the program itself asks nobody.

use super::error::OfficeError;
use super::office::Office;
use crate::dice::beacon;
use crate::dice::two::{Notice, Source};
use crate::mail::shell;
use jiff::SignedDuration;
use std::collections::BTreeMap;

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
