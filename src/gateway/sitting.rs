//! One game within one act: what its host causes and what is posted go into the same transaction.

use super::error::Trouble;
use super::strike::Secrets;
use super::{Env, form, when};
use crate::dice::{self, Bytes32, Fiat, Scope, hex, scopes};
use crate::fog::{SeatId, SideId};
use crate::host::film::Film;
use crate::host::{Batch, Game, Input, Letter};
use crate::rules::kept::{Cell, Row};
use crate::store::{self, Act, GameState, NewEntry, READABLE, Seat};
use serde_json::json;
use std::cell::OnceCell;

/// Under which note a game keeps the last time that an entry of its chain bears.
pub(super) const WRITTEN: &str = "written";

/// A game, its row, and the act in which both are changed.
pub(super) struct Sitting<'a> {
    pub env: &'a Env<'a>,
    pub act: &'a Act<'a>,
    pub row: store::Game,
    pub hosted: &'a mut Box<dyn Game>,
    /// The inbox row that is being acted on.
    pub inbox: Option<i64>,
    /// Slots that closed in this act.
    pub closed: Vec<u32>,
    /// Whether all seats were told something in this act.
    pub told_all: bool,
    /// Mails of this writer in this hour, with this one.
    pub answers_this_hour: u32,
    /// When the mail that is being acted on came in, as the store keeps it, and from whom.
    pub came: Option<(String, String)>,
    /// The number of the seat's mail that it answers.
    pub answered: Option<u32>,
    /// The secrets of the game's mails, once they were asked for.
    pub secrets: OnceCell<Secrets>,
    /// The whole game as its last letters have it, once one of them was written.
    pub ended: OnceCell<Option<Film>>,
    /// What goes with the letters that are posted now: the notice from which the dice follow.
    pub enclosed: Vec<(String, String, Vec<u8>)>,
    /// What stands in these letters of it.
    pub told_with: Vec<String>,
    /// What going back has come to, for the umpire who wanted it.
    pub went_back: Option<String>,
    /// Whom and what play waited for as the act began.
    pub waited: Vec<(SeatId, String)>,
}

impl<'a> Sitting<'a> {
    pub(super) fn new(
        env: &'a Env<'a>,
        act: &'a Act<'a>,
        row: store::Game,
        hosted: &'a mut Box<dyn Game>,
        inbox: Option<i64>,
    ) -> Sitting<'a> {
        let waited = hosted.dues().into_iter().map(|due| (due.seat, due.address)).collect();
        Sitting {
            env,
            act,
            row,
            hosted,
            inbox,
            closed: Vec::new(),
            told_all: false,
            answers_this_hour: 0,
            came: None,
            answered: None,
            secrets: OnceCell::new(),
            ended: OnceCell::new(),
            enclosed: Vec::new(),
            told_with: Vec::new(),
            went_back: None,
            waited,
        }
    }

    /// Why play cannot go on where it stands; but for a game that goes back as soon as its dice are there, or that was set
    /// aside already.
    pub(super) fn stuck(&self) -> Result<Option<String>, Trouble> {
        if self.row.state != GameState::Playing || self.hosted.otherwise().is_none() || self.waits_for_dice()?.is_some()
        {
            return Ok(None);
        }
        self.why_stuck()
    }

    /// The same, whatever the game's state.
    pub(super) fn why_stuck(&self) -> Result<Option<String>, Trouble> {
        let seats = super::office::owing(self.act.dues(&self.row.id)?);
        Ok(super::table::stuck(&**self.hosted, &seats))
    }

    /// The game's id.
    pub(super) fn id(&self) -> String {
        self.row.id.clone()
    }

    /// Writes an entry of the envelope into the chain; its kind begins with `post.`.
    pub(super) fn enter(&self, kind: &str, body: &serde_json::Value) -> Result<(), Trouble> {
        self.desk().enter(kind, body)
    }

    /// Gives an input to the host and keeps all that it caused; the letters are to be posted in this same act.
    pub(super) fn take(&mut self, input: Input) -> Result<Vec<Letter>, Trouble> {
        if let Input::Resign { seat, .. } = &input {
            self.act.set_desk(&self.row.id, &seat.0, super::hands::RESIGNED, Some("yes"))?;
        }
        let batch = self.hosted.take(input)?;
        self.keep(&batch)?;
        self.told_all |= batch.letters.iter().any(|l| super::letters::to_all(l.occasion));
        Ok(batch.letters)
    }

    /// Gives an input to the host as [`Sitting::take`] does; says which sides saw something of it before play went on.
    pub(super) fn take_telling(&mut self, input: Input) -> Result<(Vec<Letter>, Vec<SideId>), Trouble> {
        let batch = self.hosted.take(input)?;
        self.keep(&batch)?;
        self.told_all |= batch.letters.iter().any(|l| super::letters::to_all(l.occasion));
        let mut sides: Vec<SideId> = Vec::new();
        for entry in batch.entries.iter().take_while(|entry| entry.kind != "rest").filter(|e| e.kind == "sight") {
            let body: serde_json::Value = serde_json::from_str(&entry.body).unwrap_or_default();
            let side = body.get("side").and_then(|side| side.as_str()).unwrap_or_default();
            if !side.is_empty() && !sides.iter().any(|known| known.0 == side) {
                sides.push(SideId(side.to_owned()));
            }
        }
        Ok((batch.letters, sides))
    }

    /// The umpires' seats in the scenario's order.
    pub(super) fn umpires(&self) -> Result<Vec<String>, Trouble> {
        self.desk().umpires()
    }

    /// The side that an umpire plays himself: he writes from an address of its seat.
    pub(super) fn plays(&self, umpire: &str) -> Result<Option<String>, Trouble> {
        let seats = self.act.seats(&self.row.id)?;
        let own = seats.iter().find(|seat| seat.seat == umpire).map(|seat| seat.addresses.clone()).unwrap_or_default();
        let plays = seats.into_iter().find(|s| s.side.is_some() && s.addresses.iter().any(|a| own.contains(a)));
        Ok(plays.and_then(|seat| seat.side))
    }

    fn keep(&mut self, batch: &Batch) -> Result<(), Trouble> {
        let id = self.id();
        let entries: Vec<NewEntry<'_>> =
            batch.entries.iter().map(|e| NewEntry { slot: e.slot, kind: e.kind, body: &e.body }).collect();
        self.act.append(&id, &entries)?;
        if let Some(rows) = &batch.rows {
            let rows: Vec<Row> = rows.iter().map(readable).collect();
            self.act.replace_rows(&id, &rows)?;
        }
        self.act.set_open_leg(&id, Some(&batch.open))?;
        for fiat in &batch.lapsed {
            self.tell_lapsed(fiat)?;
        }
        for why in &batch.unamended {
            self.tell_unamended(why)?;
        }
        for slot in &batch.slots_closed {
            self.close_slot(*slot)?;
        }
        if batch.over && self.row.state == GameState::Playing {
            self.row.state = GameState::Over;
            self.act.set_game_state(&id, GameState::Over)?;
            let masters: Vec<String> = self.dice()?.masters().iter().map(|master| hex(master)).collect();
            match self.is_two() {
                true => self.enter("over", &json!({"masters": masters}))?,
                false => self.enter("over", &json!({"master": hex(&self.row.master)}))?,
            }
        }
        self.keep_recalls()
    }

    /// A fiat that no roll fitted is no secret from who wrote it.
    fn tell_lapsed(&self, fiat: &Fiat) -> Result<(), Trouble> {
        let dice: Vec<String> = fiat.dice.iter().map(u32::to_string).collect();
        let note = format!(
            "FIAT {} {} = {} fitted no roll: none of that label and number was thrown with so many dice of that size \
             before it lapsed.  The ledger keeps it; say it again if you still want it.",
            fiat.scope.text(),
            fiat.label,
            dice.join(" ")
        );
        self.tell_umpires_apart("a fiat has lapsed", &[note])
    }

    /// An amendment that was taken and comes to nothing is no secret from who wrote it.
    fn tell_unamended(&self, why: &str) -> Result<(), Trouble> {
        let note = format!("What you amended waited for an order to be carried out, and cannot be made now.  {why}");
        self.tell_umpires_apart("an amendment was not made", &[note])
    }

    /// Tells the umpires who play no side of this game.
    pub(super) fn tell_umpires_apart(&self, topic: &str, notes: &[String]) -> Result<(), Trouble> {
        for umpire in self.umpires()? {
            if self.plays(&umpire)?.is_none() {
                self.desk().notice_to(&umpire, topic, notes.to_vec())?;
            }
        }
        Ok(())
    }

    /// The seeds of a slot go into the chain, and wait for each seat's next report.
    fn close_slot(&mut self, slot: u32) -> Result<(), Trouble> {
        if self.closed.contains(&slot) {
            return Ok(());
        }
        self.closed.push(slot);
        let dice = self.dice()?;
        for scope in scopes(&self.sides()) {
            let seed = self.seed(&dice, slot, &scope)?;
            self.enter("seed", &json!({"slot": slot, "scope": scope.text(), "seed": hex(&seed)}))?;
        }
        for seat in self.act.seats(&self.row.id)? {
            let waiting = self.act.desk(&self.row.id, &seat.seat, "seeds")?.unwrap_or_default();
            let waiting = format!("{waiting} {slot}");
            self.act.set_desk(&self.row.id, &seat.seat, "seeds", Some(waiting.trim()))?;
        }
        Ok(())
    }

    /// A seed of the game's dice.
    pub(super) fn seed(&self, dice: &dice::Secrets, slot: u32, scope: &Scope) -> Result<Bytes32, Trouble> {
        let seed = dice.seed(&self.hosted.epochs(), &self.row.id, slot, scope);
        seed.ok_or_else(|| Trouble::Game(format!("no notice commits slot {slot}")))
    }

    /// The sides in the scenario's order.
    pub(super) fn sides(&self) -> Vec<SideId> {
        self.hosted.sides()
    }

    /// The playing seats in the scenario's order.
    pub(super) fn players(&self) -> Vec<SeatId> {
        self.hosted.seats().into_iter().map(|(seat, _)| seat).collect()
    }

    /// A seat's row.
    pub(super) fn seat(&self, name: &str) -> Result<Option<Seat>, Trouble> {
        Ok(self.act.seat(&self.row.id, name)?)
    }

    /// Tells the host in which form each seat wants its mail.
    pub(super) fn tell_forms(&mut self) -> Result<(), Trouble> {
        for seat in self.act.seats(&self.row.id)? {
            self.hosted.form(&SeatId(seat.seat), form::read(&seat.format));
        }
        Ok(())
    }

    /// When the mail that is answered came in: that time counts, whatever its sender's clock says.
    pub(super) fn receipt(&self) -> Option<String> {
        let (came, _) = self.came.as_ref()?;
        let zone = self.zone().unwrap_or(jiff::tz::TimeZone::UTC);
        let at = came.parse::<jiff::Timestamp>().ok()?.to_zoned(zone).strftime("%a %-d %b %H:%M:%S %Z").to_string();
        Some(format!("Received {at}."))
    }

    /// The time that an entry of the chain bears; no later act on the game comes before it.
    ///
    /// # Errors
    /// The database.
    pub(super) fn entry_time(&self) -> Result<String, Trouble> {
        let now = self.now();
        self.act.set_note(&self.row.id, WRITTEN, Some(&now))?;
        Ok(now)
    }

    /// The time now, as the store keeps it.
    pub(super) fn now(&self) -> String {
        when::kept(self.env.now)
    }
}

/// A row as the store takes it; what has no table of its own goes to the board's, its facts in one text.
pub(super) fn readable(row: &Row) -> Row {
    let known = READABLE.iter().find(|(table, _)| *table == row.table);
    if known.is_some_and(|(_, columns)| row.columns.iter().all(|(name, _)| columns.contains(name))) {
        return row.clone();
    }
    let said = |cell: &Cell| match cell {
        Cell::Null => String::new(),
        Cell::Int(n) => n.to_string(),
        Cell::Text(text) => text.clone(),
    };
    let facts: Vec<String> = row.columns.iter().map(|(name, cell)| format!("{name}={}", said(cell))).collect();
    let name = row.columns.first().map(|(_, cell)| said(cell)).unwrap_or_default();
    let text = |text: &str| Cell::Text(text.to_owned());
    Row {
        table: "board_rows",
        columns: vec![("board", text(row.table)), ("name", text(&name)), ("facts", text(&facts.join(" ")))],
    }
}
