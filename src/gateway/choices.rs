//! The choices of a game, kept in its chain: the last word on each counts.

use super::acts::Umpire;
use super::error::Trouble;
use super::ledger::{Class, Entry};
use super::player::Reply;
use super::sitting::Sitting;
use crate::fog::SeatId;
use crate::host::{Act, Input};
use crate::letter::Block;
use serde_json::json;

/// The kind of a choice in the chain.
const KIND: &str = "option";

/// A choice: key, values, the first of them in force where nothing was said, and what it decides.
pub(crate) const CHOICES: &[(&str, &[&str], &str)] = &[
    ("press", &["white", "grey", "none"], "whether seats may write to each other, signed (white) or not (grey)"),
    ("postal", &["off", "on"], "whether press waits for the next report to all"),
    ("rewind", &["any", "open"], "whether play may go back to any turn, or only within the one whose seeds are unseen"),
    ("kriegsspiel", &["off", "on"], "whether the umpire decides each combat himself, with the tables as advice"),
];

impl Sitting<'_> {
    /// What is chosen under a key.
    pub(super) fn choice(&self, key: &str) -> Result<String, Trouble> {
        for entry in self.act.log_of_kind(&self.row.id, &format!("post.{KIND}"), 1)?.iter().rev() {
            let body: serde_json::Value = serde_json::from_str(&entry.body).unwrap_or_default();
            let text = |name: &str| body.get(name).and_then(|value| value.as_str()).unwrap_or_default().to_owned();
            if text("key") == key {
                return Ok(text("value"));
            }
        }
        let known = CHOICES.iter().find(|(name, _, _)| *name == key);
        Ok(known.and_then(|(_, values, _)| values.first()).map_or_else(String::new, |value| (*value).to_owned()))
    }

    /// Writes a choice down.
    pub(super) fn choose(&self, key: &str, value: &str) -> Result<(), Trouble> {
        known(key, value)?;
        self.enter(KIND, &json!({"key": key, "value": value}))
    }

    /// OPTION: lists the choices, or makes one; all seats are told of a change.
    pub(super) fn option(
        &mut self,
        who: &Umpire,
        choice: Option<&(String, String)>,
        reply: &mut Reply,
    ) -> Result<String, Trouble> {
        let Some((key, value)) = choice else {
            let mut lines = Vec::new();
            for (key, values, about) in CHOICES {
                lines.push(format!("  {key:<12} {:<7} of {}", self.choice(key)?, values.join(", ")));
                lines.push(format!("  {:<20} {about}", ""));
            }
            reply.blocks.push(Block::new("OPTIONS", lines));
            return Ok("see below.".to_owned());
        };
        known(key, value)?;
        if self.choice(key)? == *value {
            return Err(Trouble::Refused(format!("{key} is {value} already.")));
        }
        let text = format!("OPTION {key} {value}");
        let mut input = false;
        if key == "kriegsspiel" {
            if self.seat(super::press::UMPIRE)?.is_none() {
                return Err(Trouble::Refused("the game has no umpire who could decide.".to_owned()));
            }
            let act = Act::Free { on: value == "on" };
            self.hosted.may(&act).map_err(|fault| Trouble::Refused(fault.to_string()))?;
            let by = SeatId(who.seat.clone());
            let letters = self.take(Input::Umpire { by, act, reason: String::new() })?;
            input = true;
            self.post_all(&letters)?;
        }
        self.choose(key, value)?;
        self.ledger(&who.by, Entry { input, ..Entry::new(Class::Order, &self.sides(), &text, "") })?;
        for seat in self.players() {
            let note = format!("The game is played with {key} {value} from now on.");
            self.notice(&seat.0, "the umpire has changed an option", vec![note])?;
        }
        Ok(format!("{key} is {value} from now on; all seats are told."))
    }
}

/// Whether a choice is one of those there are.
pub(super) fn known(key: &str, value: &str) -> Result<(), Trouble> {
    if key == "couriers" {
        let why = "couriers ride between several seats of one side, and are agreed when a game is made: new --staff.";
        return Err(Trouble::Refused(why.to_owned()));
    }
    let Some((_, values, _)) = CHOICES.iter().find(|(name, _, _)| *name == key) else {
        let names: Vec<&str> = CHOICES.iter().map(|(name, _, _)| *name).collect();
        return Err(Trouble::Refused(format!("there is no option \"{key}\"; there are {}.", names.join(", "))));
    };
    if values.contains(&value) {
        return Ok(());
    }
    Err(Trouble::Refused(format!("{key} is one of {}, not \"{value}\".", values.join(", "))))
}
