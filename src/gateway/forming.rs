//! From a scenario to the first stage: the opening mails, sign-on, the salt of the dice, and what waited for it.

use super::commands::{Command, Item, What};
use super::error::Trouble;
use super::player::{Reply, orders_of};
use super::post::Extras;
use super::sitting::Sitting;
use super::{due, page, table, when};
use crate::dice::{hex, salt};
use crate::fog::SeatId;
use crate::host::Input;
use crate::host::sheet::{Edit, Edited, Ending, Verdict};
use crate::mail::read::Incoming;
use crate::store::{Due, GameState, Seat};
use crate::terms::Terms;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// How many commitment lines stand in the text of the opening mail.
const LINES_SHOWN: usize = 2;

/// Lines of a sign-on mail that wait for the game to begin.
#[derive(Default, Serialize, Deserialize)]
struct Waiting {
    lines: Vec<(u32, String)>,
    end: bool,
    mail: String,
}

impl Sitting<'_> {
    /// Posts the opening mail to every seat, with the commitments.
    pub(super) fn open_forming(&self, title: &str) -> Result<(), Trouble> {
        let mut players = self.players();
        let mut vacant = Vec::new();
        for seat in &players {
            if self.is_vacant(&seat.0)? {
                vacant.push(seat.0.clone());
            }
        }
        players.retain(|seat| !vacant.contains(&seat.0));
        let mut dues = Vec::new();
        for seat in &players {
            dues.push(self.sign_on_due(&seat.0)?);
        }
        self.set_dues(&dues, &|_| super::due::OPENING.to_owned())?;
        self.enter("commit", &json!({"root": self.root()?, "lines": self.list_now()?.len()}))?;
        for seat in &players {
            self.opening_mail(&seat.0, title, &dues)?;
        }
        let seats: Vec<&str> = players.iter().map(|seat| seat.0.as_str()).collect();
        let note =
            format!("The game {} is made; opening mails went to {}.", self.row.id, crate::text::and_list(&seats));
        let mut notes = vec![note, self.tempo_line()?];
        if !vacant.is_empty() {
            notes.push(format!("Vacant, and listed for all who ask: {}.", crate::text::and_list(&vacant)));
        }
        self.notice(super::press::UMPIRE, "the game is made", notes)
    }

    /// The sign-on that is due from a seat.
    pub(super) fn sign_on_due(&self, seat: &str) -> Result<Due, Trouble> {
        let terms = self.terms()?;
        let due_at = terms.calendar.due(self.env.now, &terms.time_of(due::SIGN_ON, false), &[]).map(when::kept);
        let (address, default_text) = (due::SIGN_ON.to_owned(), "SIGNON".to_owned());
        Ok(Due { seat: seat.to_owned(), address, default_text, due_at })
    }

    /// Posts the opening mail to one seat, with the commitments.
    pub(super) fn opening_mail(&self, seat: &str, title: &str, dues: &[Due]) -> Result<(), Trouble> {
        let list = self.list_now()?;
        let text: String = list.iter().map(|line| format!("{line}\n")).collect();
        let id = SeatId(seat.to_owned());
        let mut context = page::context(self.hosted.preview(&id).body());
        context.title = title.to_owned();
        context.set_up = self.hosted.opens_with_set_up();
        context.due = self.due_line(dues, seat)?;
        context.if_not = match self.terms()?.open {
            true => "the seat goes to whoever waits for one".to_owned(),
            false if context.set_up => "the historical set-up and the default doctrine play for you".to_owned(),
            false => "your default doctrine plays for you".to_owned(),
        };
        context.notes = vec![self.tempo_line()?];
        context.root = self.root()?;
        context.trust = self.trust()?;
        context.commitments = list.iter().take(LINES_SHOWN).map(ToString::to_string).collect();
        context.commitments_count = u32::try_from(list.len()).unwrap_or(u32::MAX);
        if context.head.is_empty() {
            context.head = format!("you are {seat}");
        }
        let mut attachments = vec![("commitments.txt".to_owned(), "text/plain".to_owned(), text.into_bytes())];
        if self.is_two() {
            let bound = crate::audit::terms_of(self.act, &self.row.id)?;
            attachments.push(("terms.txt".to_owned(), "text/plain".to_owned(), bound.into_bytes()));
        }
        let tail = self.tail(dues, seat)?;
        self.post(seat, "opening.txt", context, Extras { attachments, tail, ..Extras::default() })
    }

    fn tempo_line(&self) -> Result<String, Trouble> {
        let tempo = match self.row.tempo {
            crate::store::Tempo::Live => "live: each mail is carried out when it comes",
            crate::store::Tempo::Sealed => {
                "sealed: orders wait and may be changed; all sheets are carried out together"
            }
        };
        if self.terms()? == Terms::of_hours(self.row.deadline_hours) {
            let hours =
                self.row.deadline_hours.map_or_else(|| "no deadline".to_owned(), |h| format!("{h} hours a stage"));
            return Ok(format!("Tempo: {tempo}; {hours}."));
        }
        Ok(format!("Tempo: {tempo}.  {}", self.terms()?.said().join("  ")))
    }

    /// Takes the sign-on lines of a mail; its orders wait for the game to begin.
    pub(super) fn sign_on(
        &mut self,
        seat: &str,
        mail: &Incoming,
        items: &[Item],
        reply: &mut Reply,
    ) -> Result<(), Trouble> {
        self.doctrine_lines(seat, mail, items, reply)?;
        let mut nonce: Option<(&Item, &str, bool)> = None;
        let mut signs = None;
        for item in items {
            match &item.what {
                What::General(Ok(Command::Nonce(words))) => nonce = Some((item, words, false)),
                What::General(Ok(Command::NonceHash(hash))) => nonce = Some((item, hash, true)),
                What::General(Ok(Command::Signon)) => signs = Some(item),
                _ => {}
            }
        }
        let before = self.seat(seat)?.and_then(|row| row.signed_on);
        if let Some((item, _, true)) = nonce.filter(|_| !self.is_two()) {
            reply.say(item, "REFUSED", "this game takes NONCE and words of your own.");
            nonce = None;
        }
        let mut odd = None;
        if let Some(item) = signs.filter(|_| before.is_some()) {
            reply.say(item, "DONE", "you had signed on already; your first NONCE counts.");
        } else if let Some(item) = signs {
            let own = (mail.head.message_id.as_str(), None);
            let (words, hash) = nonce.map_or(own, |(_, said, hash)| if hash { ("", Some(said)) } else { (said, None) });
            odd = self.first_nonce(seat, words, hash)?;
            if odd.is_none() {
                self.act.sign_on(&self.row.id, seat, &self.now(), words)?;
                let mut body = json!({"seat": seat, "nonce": words, "message_id": mail.head.message_id});
                if let (Some(hash), Some(body)) = (hash, body.as_object_mut()) {
                    body.insert("hash".to_owned(), json!(hash));
                }
                self.enter("signon", &body)?;
                reply.say(item, "DONE", "you have signed on.");
            }
        }
        // Words that open a hash have their answer already.
        if let Some((item, _, hash)) = nonce.filter(|(item, ..)| !reply.has(item)) {
            match (signs.is_some(), before.is_some(), odd) {
                (_, true, _) => reply.say(item, "REFUSED", "you have signed on; your first NONCE counts."),
                (true, false, Some(why)) => {
                    reply.say(item, "REFUSED", &why);
                    reply
                        .notes
                        .push("You have not signed on yet: your SIGNON waits for a NONCE that counts.".to_owned());
                }
                (true, false, None) if hash => reply.say(item, "DONE", super::notice::HASH_KEPT),
                (true, false, None) => reply.say(item, "DONE", "mixed into the dice."),
                (false, false, _) => reply.say(item, "REFUSED", "it goes with SIGNON, in one mail."),
            }
        }
        self.keep_waiting(seat, mail, items, reply)?;
        if signs.is_none() && before.is_none() {
            reply.notes.push("You have not signed on yet: send SIGNON.".to_owned());
        }
        reply.notes.push("The game begins when all seats have signed on, or when the time is up.".to_owned());
        Ok(())
    }

    /// Keeps the order lines of a mail until the game begins, those that can be taken on what the opening mail showed; the
    /// others are answered at once, and are not kept. An END closes the set-up at most, and not with a slip above it.
    fn keep_waiting(&self, seat: &str, mail: &Incoming, items: &[Item], reply: &mut Reply) -> Result<(), Trouble> {
        const KEPT: &str = "kept until the game begins.";
        const NOT_KEPT: &str = "Not kept: send it once more, below that line put right.";
        let written = orders_of(items);
        let seen = self.hosted.foreseen(&SeatId(seat.to_owned()), &written);
        let (mut lines, mut slips) = (Vec::new(), false);
        for answered in seen.body() {
            let mut answer = page::answer(answered, "TAKEN");
            let taken = matches!(answered.verdict, Some(Verdict::Taken { .. }));
            slips |= matches!(answered.verdict, Some(Verdict::NotTaken(_)) | None);
            if taken {
                lines.push((answered.no, answered.text.clone()));
                answer.brief.clear();
                answer.why = format!("{KEPT}  {}", answer.why).trim_end().to_owned();
            }
            if matches!(answered.verdict, Some(Verdict::Waits { .. })) {
                answer.why = format!("{}  {NOT_KEPT}", answer.why);
            }
            // There is no sheet yet in which a suggestion could be taken by its number.
            if let Some(choice) = std::mem::take(&mut answer.choices).into_iter().next() {
                answer.copy = choice.text;
            }
            reply.answers.push(answer);
        }
        let ends = items.iter().find(|item| item.what == What::General(Ok(Command::End)));
        let end = match ends {
            None => false,
            Some(item) if !self.hosted.opens_with_set_up() => {
                let why = "this game has no set-up to end; the first report shows you what your END would close.";
                reply.say(item, "PASSED OVER", why);
                false
            }
            Some(item) if slips => {
                let why = "a line above it is not taken.  Send that line put right, and END; what is TAKEN is kept.";
                reply.say(item, "NOT COUNTED", why);
                false
            }
            Some(item) => {
                reply.say(item, "TAKEN", "kept until the game begins; it ends your first sheet and nothing else.");
                true
            }
        };
        for item in items {
            if let What::General(Ok(Command::Resign)) = item.what {
                reply.say(item, "REFUSED", "the game has not begun.");
            }
        }
        if lines.is_empty() && !end {
            return Ok(());
        }
        let mut waiting = self.waiting(seat)?;
        waiting.lines.extend(lines);
        waiting.end |= end;
        waiting.mail.clone_from(&mail.head.message_id);
        let text = json!(waiting).to_string();
        self.act.set_desk(&self.row.id, seat, "waiting", Some(&text))?;
        Ok(())
    }

    fn waiting(&self, seat: &str) -> Result<Waiting, Trouble> {
        let kept = self.act.desk(&self.row.id, seat, "waiting")?;
        Ok(kept.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default())
    }

    /// Begins the game if all players have signed on.
    pub(super) fn begin_if_all_in(&mut self) -> Result<(), Trouble> {
        match self.all_in()? {
            true if self.is_two() => self.close_sign_on(),
            true => self.begin(),
            false => Ok(()),
        }
    }

    /// Whether all players have signed on.
    pub(super) fn all_in(&self) -> Result<bool, Trouble> {
        let seats: Vec<Seat> = self.act.seats(&self.row.id)?;
        Ok(self.players().iter().all(|p| seats.iter().any(|s| s.seat == p.0 && s.signed_on.is_some())))
    }

    /// Closes sign-on: fixes the salt and begins, or writes the notice and waits for what it waits for.
    pub(super) fn begin(&mut self) -> Result<(), Trouble> {
        let players = self.players();
        let seats: Vec<Seat> = self.act.seats(&self.row.id)?;
        let mut nonces = Vec::new();
        for player in &players {
            let seat = seats.iter().find(|s| s.seat == player.0);
            if seat.is_some_and(|s| s.signed_on.is_none()) {
                // Who never wrote has given nothing to the salt.
                self.act.sign_on(&self.row.id, &player.0, &self.now(), "")?;
                self.enter("signon", &json!({"seat": player, "nonce": "", "absent": true}))?;
            }
            let nonce = seat.and_then(|s| s.nonce.clone()).unwrap_or_default();
            nonces.push((player.0.clone(), nonce));
        }
        if self.is_two() {
            return self.close_sign_on();
        }
        self.enter("salt", &json!({"salt": hex(&salt(&nonces))}))?;
        self.begin_now()
    }

    /// Begins, and gives the host what waited.
    pub(super) fn begin_now(&mut self) -> Result<(), Trouble> {
        let players = self.players();
        self.row.state = GameState::Playing;
        self.act.set_game_state(&self.row.id, GameState::Playing)?;
        *self.hosted = table::open(self.env.entries, self.act, &self.row)?;
        self.tell_forms()?;
        self.enter_program()?;
        let mut letters = self.take(Input::Begin)?;
        // An END that came before anything was shown ends the set-up, and no sheet that opens behind it.
        let set_up = self.hosted.stage().filter(|stage| stage.secret).map(|stage| stage.key);
        for player in &players {
            let waiting = self.waiting(&player.0)?;
            self.act.set_desk(&self.row.id, &player.0, "waiting", None)?;
            let seat = SeatId(player.0.clone());
            let Waiting { lines, end, mail } = waiting;
            let end = end && set_up.is_some() && self.hosted.stage().map(|stage| stage.key) == set_up;
            if lines.is_empty() && !end {
                continue;
            }
            let add = |(no, (_, text)): (u32, (u32, String))| Edited { no, text, edit: Edit::Add };
            let mut edits: Vec<Edited> = (1..).zip(lines).map(add).collect();
            let no = u32::try_from(edits.len()).unwrap_or(u32::MAX).saturating_add(1);
            if end {
                let edit = self.end_by_terms(Ending::Counted)?;
                edits.push(Edited { no, text: "END".to_owned(), edit });
            }
            letters.extend(self.take(Input::Sheet { seat, edits, mail, came: None })?);
        }
        self.post_all(&letters)
    }

    /// Posts letters that answer nobody's mail in particular.
    pub(super) fn post_all(&mut self, letters: &[crate::host::Letter]) -> Result<(), Trouble> {
        let dues = self.keep_dues()?;
        for letter in letters {
            let context = self.context_of(letter, &dues)?;
            self.post_letter(letter, context, Extras::default())?;
        }
        if std::mem::take(&mut self.told_all) {
            self.umpire_page()?;
            self.public_pages()?;
        }
        Ok(())
    }
}
