//! Games that form by mail: LIST, SIGNON to an open game, TAKEOVER of a seat that is free, OBSERVE.
//!
//! Only games that their host has opened are ever named to somebody without a seat; where there is none, a stranger gets
//! the same short answer as ever.

use super::deadlines::terms_of;
use super::error::{OfficeError, Trouble};
use super::office::Office;
use super::plain::Plain;
use super::post::Extras;
use super::sitting::Sitting;
use super::when;
use crate::letter::{Block, Context};
use crate::mail::auth;
use crate::mail::read::Incoming;
use crate::orders::{self, fold};
use crate::scenario;
use crate::store::{self, GameState, InboxMail, InboxState, Punctuality, Waiting};
use crate::terms::{Observers, Terms};
use crate::text::{and_list, nearest};
use jiff::SignedDuration;
use serde_json::json;

/// The note of games that their host has opened.
pub(super) const OPEN: &str = "open";
/// Mails of one stranger that are answered in a day.
const ASKED_PER_DAY_MAX: u32 = 10;
/// Deadlines after which a writer's record says something.
const RECORD_MIN: u32 = 5;

/// What somebody without a seat asks for.
enum Wish {
    List,
    /// A seat of a game: the game, and the seats or sides he would like.
    Seat(String, Vec<String>),
    Observe(String),
}

/// Reads the first line that is a wish.
fn wish(script: &[String]) -> Option<Wish> {
    script.iter().find_map(|text| {
        let line = orders::line(0, text);
        let mut words = line.words.iter().map(|word| word.fold.clone());
        match words.next()?.as_str() {
            "list" => Some(Wish::List),
            "signon" | "takeover" => words.next().map(|game| Wish::Seat(game, words.collect())),
            "observe" => words.next().map(Wish::Observe),
            _ => None,
        }
    })
}

impl Office {
    /// Answers somebody without a seat who asks for an open game; false where nothing is open or he asks for nothing.
    pub(super) fn stranger_asks(&mut self, mail: &InboxMail, incoming: &Incoming) -> Result<bool, OfficeError> {
        let open = self.store.games_with_note(OPEN)?;
        let (Some(wish), false) = (wish(&incoming.script), open.is_empty()) else { return Ok(false) };
        let Some(from) = self.stranger(&incoming.head).cloned() else { return Ok(false) };
        if let Some(server) = &self.config.trusted_authserv_id
            && auth::check(incoming.head.auth_results.as_deref(), server, &from).is_err()
        {
            return Ok(false);
        }
        let day = when::day(self.clock.now());
        if self.store.act(|act| act.count_answer(&format!("asks {from}"), &day))? > ASKED_PER_DAY_MAX {
            self.store.act(|act| act.settle(mail.id, InboxState::Refused, Some("asks too often")))?;
            return Ok(true);
        }
        let notes = match wish {
            Wish::List => self.listed(&open)?,
            Wish::Seat(game, wanted) => self.asked_of(&open, &game, mail.id, &mut |s| s.wants_seat(&from, &wanted))?,
            Wish::Observe(game) => self.asked_of(&open, &game, mail.id, &mut |s| s.wants_to_observe(&from))?,
        };
        let env = self.env();
        let id = incoming.head.message_id.clone();
        let plain = Plain {
            to: &from,
            topic: "Games by mail",
            notes: &notes,
            answers: Some((mail.id, &id)),
            named: &mail.digest,
        };
        self.store.try_act(|act| {
            act.settle(mail.id, InboxState::Done, None)?;
            // Who got a seat's mail needs no second one.
            if notes.iter().all(String::is_empty) { Ok(()) } else { plain.post(&env, act) }
        })?;
        Ok(true)
    }

    /// The open games, for all who ask.
    fn listed(&mut self, open: &[String]) -> Result<Vec<String>, OfficeError> {
        let mut notes = Vec::new();
        for id in open {
            let Some(row) = self.store.game(id)? else { continue };
            if !matches!(row.state, GameState::Forming | GameState::Playing) {
                continue;
            }
            let title = self.title(&row)?;
            let terms = terms_of(&self.store, &row)?;
            let state = if row.state == GameState::Forming { "forms" } else { "is under way" };
            let free = self.with_game(id, None, &mut |sitting| sitting.free_seats())?.unwrap_or_default();
            let free = if free.is_empty() { "none".to_owned() } else { and_list(&free) };
            notes.push(format!("{id}: {title} ({}).  It {state}; free seats: {free}.", row.ruleset));
            notes.extend(terms.said());
            notes.extend(terms.asks_of_joiners());
            notes.push(format!("SIGNON {id} and the seat or side that you would like asks for a seat."));
        }
        Ok(notes)
    }

    /// The scenario's title.
    pub(super) fn title(&self, row: &store::Game) -> Result<String, OfficeError> {
        let files = self.store.scenario(&row.scenario_digest)?;
        let title = files.iter().find_map(|file| scenario::header(&file.path, &file.text).ok());
        Ok(title.map_or_else(|| row.id.clone(), |head| head.title))
    }

    fn asked_of(
        &mut self,
        open: &[String],
        game: &str,
        inbox: i64,
        work: &mut dyn FnMut(&mut Sitting<'_>) -> Result<String, Trouble>,
    ) -> Result<Vec<String>, OfficeError> {
        let Some(id) = open.iter().find(|id| fold(id) == game) else {
            let near = nearest(game, open.iter().map(String::as_str));
            let hint = near.map_or_else(String::new, |near| format!("  Did you mean {near}?"));
            return Ok(vec![format!("No open game is called \"{game}\".{hint}  LIST names the open games.")]);
        };
        let mut refused = None;
        let said = self.with_game(id, Some(inbox), &mut |sitting| match work(sitting) {
            Err(Trouble::Refused(why)) => {
                refused = Some(why);
                Ok(None)
            }
            other => other.map(Some),
        })?;
        let said = said.flatten().or(refused);
        Ok(vec![said.unwrap_or_else(|| "The game cannot be reached now; try again later.".to_owned())])
    }
}

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
    fn wants_seat(&mut self, from: &str, wanted: &[String]) -> Result<String, Trouble> {
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
    fn wants_to_observe(&mut self, from: &str) -> Result<String, Trouble> {
        if self.terms()?.observers == Observers::None {
            return Err(Trouble::Refused("This game has no observers.".to_owned()));
        }
        if let Some(seat) = self.other_seat("", from)? {
            return Err(Trouble::Refused(format!("You have the seat {seat} of this game.")));
        }
        let taken = self.act.seats(&self.row.id)?;
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
            return self.public_page(seat);
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
        let blocks = vec![Block { title: "HISTORY".to_owned(), lines }];
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
                .map(|(slot, roll)| format!("{slot:>2} {}", super::page::rolled(roll)))
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
