//! Games that form by mail: a seat for who asks for one, the waiting list, and those who look on.
//!
//! Only games that their host has opened are ever named to somebody without a seat; where there is none, a stranger gets
//! the same short answer as ever.

use super::echo::Echo;
use super::error::Trouble;
use super::post::Extras;
use super::sitting::Sitting;
use super::when;
use crate::letter::{Block, Context};
use crate::mail::read::Incoming;
use crate::orders::fold;
use crate::store::{GameState, Punctuality, Waiting};
use crate::terms::{Observers, Terms};
use crate::text::and_list;
use jiff::SignedDuration;
use serde_json::json;

/// The note of games that their host has opened.
pub(super) const OPEN: &str = "open";
/// Deadlines after which a writer's record says something.
const RECORD_MIN: u32 = 5;

impl Sitting<'_> {
    /// The playing seats that are free for others.
    pub(super) fn free_seats(&mut self) -> Result<Vec<String>, Trouble> {
        let mut free = Vec::new();
        for seat in self.players() {
            if self.is_free(&seat.0)? {
                free.push(seat.0);
            }
        }
        Ok(free)
    }

    /// Somebody asks for a seat of this open game.
    pub(super) fn wants_seat(&mut self, from: &str, wanted: &[String]) -> Result<String, Trouble> {
        let terms = self.terms()?;
        if let Some(seat) = self.other_seat("", from)? {
            return Err(Trouble::Refused(format!(
                "You have the seat {seat} of this game; answer the mails that you got for it."
            )));
        }
        self.admits(&terms, from)?;
        let sides: Vec<(String, String)> =
            self.hosted.seats().into_iter().map(|(seat, side)| (seat.0, side.0)).collect();
        let known = |word: &String| sides.iter().any(|(seat, side)| fold(seat) == *word || fold(side) == *word);
        if let Some(odd) = wanted.iter().find(|word| !known(word)) {
            let names: Vec<&str> = sides.iter().map(|(seat, _)| seat.as_str()).collect();
            return Err(Trouble::Refused(format!("No seat is called \"{odd}\"; the seats are {}.", and_list(&names))));
        }
        let free = self.free_seats()?;
        let side = |seat: &str| sides.iter().find(|(name, _)| name == seat).map(|(_, side)| fold(side));
        let fits = |word: &String, seat: &String| fold(seat) == *word || side(seat).as_ref() == Some(word);
        let mut chosen = wanted.iter().find_map(|word| free.iter().find(|seat| fits(word, seat)).cloned());
        if wanted.is_empty() {
            chosen = free.first().cloned();
        }
        let Some(seat) = chosen else {
            let waiting = Waiting {
                game: self.id(),
                address: from.to_lowercase(),
                preference: wanted.join(" "),
                since: self.now(),
            };
            self.act.wait_for(&waiting)?;
            let place = self.act.waiting_for(&self.row.id)?.iter().position(|w| w.address == waiting.address);
            let place = place.map_or(1, |place| place + 1);
            return Ok(format!(
                "No such seat is free.  You are on the waiting list, place {place}; a mail comes when one is."
            ));
        };
        // A seat that was played has secrets: where there is an umpire, he says who gets them.
        if self.row.state == GameState::Playing && self.seat(super::press::UMPIRE)?.is_some() {
            self.ask_for_seat(&seat, from)?;
            return Ok(format!(
                "The umpire is asked whether you may take the seat {seat}; a mail comes when he says yes."
            ));
        }
        if self.row.state == GameState::Playing && !self.is_vacant(&seat)? {
            return self.ask_for_left(&seat, from);
        }
        self.hand_over(&seat, from, "the waiting list")?;
        Ok(String::new())
    }

    /// Whether the host admits a joiner.
    fn admits(&self, terms: &Terms, from: &str) -> Result<(), Trouble> {
        if !terms.invited.is_empty() && !terms.invited.contains(&from.to_lowercase()) {
            return Err(Trouble::Refused("This game is for those whom its host has invited.".to_owned()));
        }
        let record = self.act.punctuality(from)?;
        match (terms.punctual, hundredths(record)) {
            (Some(least), Some(kept)) if kept < u32::from(least) => Err(Trouble::Refused(format!(
                "This game asks of joiners that they have kept {least} of a hundred deadlines; you have kept {kept}."
            ))),
            _ => Ok(()),
        }
    }

    /// Somebody asks to look on.
    pub(super) fn wants_to_observe(&mut self, from: &str) -> Result<String, Trouble> {
        if self.terms()?.observers == Observers::None {
            return Err(Trouble::Refused("This game has no observers.".to_owned()));
        }
        if let Some(seat) = self.other_seat("", from)? {
            return Err(Trouble::Refused(format!("You have the seat {seat} of this game.")));
        }
        let taken = self.act.seats(&self.row.id)?;
        let looking = taken.iter().filter(|row| Self::is_observer(&row.seat) && !row.addresses.is_empty()).count();
        if looking >= self.env.config.limits.observers_per_game_max {
            return Err(Trouble::Refused("As many look on at this game as may.".to_owned()));
        }
        let free = (1..).map(|n| format!("{OBSERVER}{n}")).find(|name| !taken.iter().any(|row| row.seat == *name));
        let seat = free.unwrap_or_default();
        self.act.add_onlooker(&self.row.id, &seat)?;
        self.act.set_addresses(&self.row.id, &seat, &[from.to_lowercase()])?;
        self.enter("observer", &json!({"seat": seat}))?;
        self.public_page(&seat)?;
        Ok(String::new())
    }

    /// Whether a seat only looks on.
    pub(super) fn is_observer(seat: &str) -> bool {
        seat.starts_with(OBSERVER)
    }

    /// A mail of an observer: RESIGN ends it, all else gets what is public.
    pub(super) fn observer_mail(&mut self, seat: &str, incoming: &Incoming) -> Result<(), Trouble> {
        let leaves = incoming.script.iter().any(|text| fold(text) == "resign" || fold(text) == "resign yes");
        let asks = incoming.script.iter().any(|text| matches!(fold(text).as_str(), "history" | "summary"));
        if !leaves && asks {
            return self.public_history(seat);
        }
        if !leaves {
            return match self.echo(seat, incoming, true)? {
                Echo::Silent => Ok(()),
                Echo::Answered | Echo::Last(_) => self.public_page(seat),
            };
        }
        let note = "You look on no more.".to_owned();
        self.notice(seat, "you look on no more", vec![note])?;
        self.act.set_addresses(&self.row.id, seat, &[])?;
        self.enter("observer", &json!({"seat": seat, "left": true}))
    }

    /// What all may know of the game, to all who look on.
    pub(super) fn public_pages(&self) -> Result<(), Trouble> {
        let observers = self.terms()?.observers;
        for row in self.act.seats(&self.row.id)?.iter().filter(|row| Self::is_observer(&row.seat)) {
            match observers {
                Observers::AllAfter(days) if !row.addresses.is_empty() => self.truth_later(&row.seat, days)?,
                _ => self.public_page(&row.seat)?,
            }
        }
        Ok(())
    }

    /// The whole truth of now, for one who looks on and gets it when it is old.
    fn truth_later(&self, seat: &str, days: u16) -> Result<(), Trouble> {
        let by = SignedDuration::from_hours(i64::from(days) * 24);
        let not_before = Some(self.env.now.checked_add(by).unwrap_or(jiff::Timestamp::MAX));
        let mut context = self.truth(None)?;
        context.notes =
            vec![format!("You look on: this was the truth {days} days before you get it.  RESIGN ends it.")];
        context.due = "nothing from you".to_owned();
        self.post(seat, "umpire.txt", context, Extras { not_before, ..Extras::default() })
    }

    /// HISTORY for one who looks on: the stages as they came, with the public dice of each slot; all, when it is over.
    fn public_history(&self, seat: &str) -> Result<(), Trouble> {
        let mut lines = Vec::new();
        if self.row.state == GameState::Over {
            lines.extend(self.revealed()?);
        } else {
            let mut last = String::new();
            for entry in self.act.log_of_kind(&self.row.id, "rest", 1)? {
                let body: serde_json::Value = serde_json::from_str(&entry.body).unwrap_or_default();
                let key = body.get("stage").and_then(|key| key.as_str()).unwrap_or_default();
                // How often play rested within a stage is nobody's business.
                if key != last {
                    lines.push(format!("  stage {key}"));
                    last = key.to_owned();
                }
            }
            lines.extend(self.public_rolls().into_iter().map(|roll| format!("  {roll}")));
        }
        let blocks = vec![Block::new("HISTORY", lines)];
        let due = format!("nothing from you; now {}", when::said_in(self.env.now, &self.zone()?));
        let topic = "what all may know".to_owned();
        let context = Context { head: topic.clone(), topic, blocks, due, ..Context::default() };
        self.post(seat, "answer.txt", context, Extras::default())
    }

    /// The public dice that all sides were told of, by slot.
    fn public_rolls(&self) -> Vec<String> {
        let mut rolls: Option<Vec<String>> = None;
        for side in self.sides() {
            let told: Vec<String> = self
                .hosted
                .rolls(Some(&side))
                .iter()
                .filter(|(_, roll)| roll.scope == crate::dice::Scope::Public)
                .map(|(slot, roll)| format!("{slot:>2} {}", super::page::rolled(&self.hosted.faced(roll))))
                .collect();
            rolls = Some(match rolls {
                None => told,
                Some(before) => before.into_iter().filter(|roll| told.contains(roll)).collect(),
            });
        }
        rolls.unwrap_or_default()
    }

    /// What all may know: the stage, who is on move, the public dice that all sides were told of.
    fn public_page(&self, seat: &str) -> Result<(), Trouble> {
        let stage = self.hosted.stage();
        let title = stage.as_ref().map_or_else(|| "the game is over".to_owned(), |stage| stage.title.clone());
        let title = if self.row.state == GameState::Forming { "the game forms".to_owned() } else { title };
        let mut notes = vec![match self.terms()?.observers {
            Observers::AllAfter(days) => {
                format!("You look on: what happens comes to you {days} days later.  RESIGN ends it.")
            }
            _ => "You look on: what is public comes at each change of stage.  RESIGN ends it.".to_owned(),
        }];
        if let Some(stage) = stage.filter(|_| self.row.state == GameState::Playing) {
            let on_move: Vec<&str> = stage.on_move.iter().map(|seat| seat.0.as_str()).collect();
            if !on_move.is_empty() {
                notes.push(format!("On move: {}.", and_list(&on_move)));
            }
        }
        let rolls = self.public_rolls();
        let seen = self.act.desk(&self.row.id, seat, "rolls")?.and_then(|n| n.parse::<usize>().ok()).unwrap_or(0);
        self.act.set_desk(&self.row.id, seat, "rolls", Some(&rolls.len().to_string()))?;
        let rolls_public = rolls.into_iter().skip(seen).collect();
        let due = format!("nothing from you; now {}", when::said_in(self.env.now, &self.zone()?));
        let context = Context { head: title.clone(), topic: title, notes, rolls_public, due, ..Context::default() };
        self.post(seat, "answer.txt", context, Extras::default())
    }
}

/// What an observer's seat begins with.
const OBSERVER: &str = "observer-";

/// What part of his deadlines a writer kept, in hundredths; none while the record is too short to say anything.
fn hundredths(record: Punctuality) -> Option<u32> {
    let all = record.met.saturating_add(record.missed);
    (all >= RECORD_MIN).then(|| record.met.saturating_mul(100).checked_div(all).unwrap_or(0))
}

impl Terms {
    /// What a host asks of those who join.
    pub(super) fn asks_of_joiners(&self) -> Vec<String> {
        let mut said = Vec::new();
        if !self.invited.is_empty() {
            said.push("Only those whom its host has invited may sign on.".to_owned());
        }
        if let Some(least) = self.punctual {
            said.push(format!("Who joins must have kept {least} of a hundred deadlines, or be new here."));
        }
        match self.observers {
            Observers::None => {}
            Observers::Public => said.push("OBSERVE and its name sends you what is public.".to_owned()),
            Observers::AllAfter(days) => {
                said.push(format!("OBSERVE and its name sends you all, {days} days after it happened."));
            }
        }
        said
    }
}
