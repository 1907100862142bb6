//! Mails of people without a seat: TUTORIAL, LIST, SIGNON to an open game, TAKEOVER, OBSERVE; and the codes that came to an address.
//!
//! A sender is easily forged. So what a stranger asks for is first confirmed from his address, by a mail that holds no
//! word of his; and the post office writes to strangers so often in a day and no more, whoever they are.

use super::codes::{self, Purpose, count_guess, said_among};
use super::commands::{CODE_FIRST, code_in, codes_of};
use super::deadlines::terms_of;
use super::error::{OfficeError, Trouble};
use super::inbox::SET_ASIDE;
use super::lists::OPEN;
use super::office::Office;
use super::plain::Plain;
use super::sitting::Sitting;
use super::{Env, operator, when};
use crate::mail::auth;
use crate::mail::read::Incoming;
use crate::orders::{self, fold};
use crate::scenario;
use crate::store::{self, Act, Code, GameState, InboxMail, InboxState, StoreError};
use crate::text::and_list;
use serde::{Deserialize, Serialize};

/// What somebody without a seat asks of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Wish {
    /// A seat, and which seats or sides he would like.
    Seat(Vec<String>),
    /// To look on.
    Observe,
}

/// Reads the first line that asks for something: what, and of which game; for no game, where the games are asked for.
fn wish(script: &[String]) -> Option<Option<(String, Wish)>> {
    script.iter().find_map(|text| {
        let line = orders::line(0, text);
        let mut words = line.words.iter().map(|word| word.fold.clone());
        match words.next()?.as_str() {
            "list" => Some(None),
            "signon" | "takeover" => words.next().map(|game| Some((game, Wish::Seat(words.collect())))),
            "observe" => words.next().map(|game| Some((game, Wish::Observe))),
            _ => None,
        }
    })
}

/// Under which name the store counts what strangers get in a day; no address is like it.
const STRANGERS: &str = "(strangers)";

/// Whether a stranger may be written to today, which is then counted: neither his domain nor the whole house has had
/// enough.
pub(super) fn may_write_to(env: &Env<'_>, act: &Act<'_>, to: &str) -> Result<bool, StoreError> {
    let day = when::day(env.now);
    let limits = &env.config.limits;
    let domain = to.rsplit_once('@').map_or(to, |(_, domain)| domain);
    let domain = format!("{STRANGERS} at {domain}");
    let most = [(domain.as_str(), limits.strangers_per_domain_max), (STRANGERS, limits.strangers_per_day_max)];
    for (whose, most) in most {
        if act.answers_given(whose, &day)? >= most {
            return Ok(false);
        }
    }
    for (whose, _) in most {
        act.count_answer(whose, &day)?;
    }
    Ok(true)
}

impl Office {
    /// Answers somebody without a seat who brings a code or asks for an open game; false where he does neither.
    pub(super) fn stranger_asks(&mut self, mail: &InboxMail, incoming: &Incoming) -> Result<bool, OfficeError> {
        let Some(sender) = self.stranger(&incoming.head) else { return Ok(false) };
        let from = sender.to_lowercase();
        if let Some(server) = &self.config.trusted_authserv_id
            && auth::check(incoming.head.auth_results.as_deref(), server, sender).is_err()
        {
            return Ok(false);
        }
        if let Some(code) = self.code_brought(incoming, &from)? {
            self.redeem(mail, &from, &code)?;
            return Ok(true);
        }
        if self.buries_code(mail, incoming, &from)? {
            return Ok(true);
        }
        if self.learner_asks(mail, incoming, &from)? {
            return Ok(true);
        }
        let open = self.store.games_with_note(OPEN)?;
        let (Some(wish), false) = (wish(&incoming.script), open.is_empty()) else { return Ok(false) };
        let known = wish.and_then(|(game, wish)| Some((open.iter().find(|id| fold(id) == game)?.clone(), wish)));
        match known {
            Some((game, wish)) => self.ask_stranger(mail, &from, &game, wish)?,
            None => self.answer_with_list(mail, incoming, &from, &open)?,
        }
        Ok(true)
    }

    /// The code that an address was sent and now brings.
    fn code_brought(&mut self, incoming: &Incoming, from: &str) -> Result<Option<Code>, OfficeError> {
        let said = codes_of(&incoming.script);
        if said.is_empty() {
            return Ok(None);
        }
        let day = when::day(self.clock.now());
        let env = self.env();
        let found: Result<Option<Code>, Trouble> = self.store.try_act(|act| {
            let known = act.codes_of_address(from)?;
            // Nobody is locked out: a wrong code costs its writer no proof of who he is, so that it may be another's.
            for said in said.iter().take(usize::try_from(codes::GUESSES_TOLD).unwrap_or(usize::MAX)) {
                if let Some(code) = said_among(known.clone(), said) {
                    return Ok(Some(code));
                }
                if count_guess(act, from, &day)? == codes::GUESSES_TOLD {
                    let note = format!("Five wrong codes came in one day from what says it is {from}.");
                    operator::told(&env, act, "wrong codes", &note)?;
                }
            }
            Ok(None)
        });
        Ok(found?)
    }

    /// A code of an address that stands below other words: its sender is told how it is written; whether he brought one.
    fn buries_code(&self, mail: &InboxMail, incoming: &Incoming, from: &str) -> Result<bool, OfficeError> {
        let said = incoming.script.iter().filter_map(|line| code_in(line));
        let most = usize::try_from(codes::GUESSES_TOLD).unwrap_or(usize::MAX);
        let env = self.env();
        let done: Result<bool, Trouble> = self.store.try_act(|act| {
            let known = act.codes_of_address(from)?;
            if !said.take(most).any(|said| said_among(known.clone(), &said).is_some()) {
                return Ok(false);
            }
            act.settle(mail.id, InboxState::Refused, Some("its code stands below other words"))?;
            if may_write_to(&env, act, from)? {
                let notes = [format!("Your mail brought a code, and {CODE_FIRST}")];
                let answers = Some((mail.id, incoming.head.message_id.as_str()));
                Plain { to: from, topic: "Your code", notes: &notes, answers, named: &mail.own_name() }
                    .post(&env, act)?;
            }
            Ok(true)
        });
        Ok(done?)
    }

    /// What waited for the code of an address is done.
    fn redeem(&mut self, mail: &InboxMail, from: &str, code: &Code) -> Result<(), OfficeError> {
        self.deadline_before(&code.game, &mail.received)?;
        let done = self.with_game(&code.game, Some(mail.id), &mut |sitting| {
            sitting.act.assign(mail.id, &code.game, None)?;
            sitting.act.settle(mail.id, InboxState::Done, None)?;
            sitting.came = Some((mail.received.clone(), from.to_owned()));
            sitting.act.drop_code(code)?;
            let late = code.until < sitting.now();
            match Purpose::of(code).filter(|_| !late) {
                Some(purpose) => sitting.by_address(code, purpose),
                None => {
                    let note = format!("The code was good for {} days.  Nothing was done.", codes::DAYS);
                    sitting.tell_address(from, "Your code", &[note])
                }
            }
        })?;
        if done.is_some() {
            return Ok(());
        }
        // The game is set aside: the code stays good, and the mail is read when the game goes on.
        Ok(self.store.act(|act| {
            act.assign(mail.id, &code.game, None)?;
            act.settle(mail.id, InboxState::Quarantined, Some(SET_ASIDE))
        })?)
    }

    /// A wish is confirmed from the address that it came from before anything else is done. While one waits, a second is
    /// passed over without a word.
    fn ask_stranger(&mut self, mail: &InboxMail, from: &str, game: &str, wish: Wish) -> Result<(), OfficeError> {
        let env = self.env();
        let now = when::kept(env.now);
        let may = self.store.act(|act| {
            act.drop_codes_before(&now)?;
            let waits = act.codes_of_address(from)?.iter().any(|code| code.kind == Purpose::Wish(Wish::Observe).kind());
            let why = match waits {
                true => Some("a wish of its sender waits to be confirmed"),
                false if !may_write_to(&env, act, from)? => Some("enough strangers were answered today"),
                false => None,
            };
            if why.is_some() {
                act.settle(mail.id, InboxState::Refused, why)?;
            }
            Ok(why.is_none())
        })?;
        if !may {
            return Ok(());
        }
        let done = self.with_game(game, Some(mail.id), &mut |sitting| {
            sitting.act.settle(mail.id, InboxState::Done, None)?;
            let code = sitting.new_code("", from, &Purpose::Wish(wish.clone()))?;
            let notes = [
                format!("Somebody asked, from this address, for a part in the game {game}: a seat, or to look on."),
                "If it was you, answer this mail, from this address, with the line".to_owned(),
                format!("  CONFIRM {code}"),
                format!("It is good for {} days.  If it was not you, do nothing: nothing happens.", codes::DAYS),
            ];
            sitting.tell_address(from, "Games by mail", &notes)
        })?;
        match done {
            Some(()) => Ok(()),
            None => Ok(self.store.act(|act| act.settle(mail.id, InboxState::Refused, Some(SET_ASIDE)))?),
        }
    }

    /// The open games, as the one answer that a stranger gets in a day.
    fn answer_with_list(
        &mut self,
        mail: &InboxMail,
        incoming: &Incoming,
        from: &str,
        open: &[String],
    ) -> Result<(), OfficeError> {
        let notes = self.listed(open)?;
        let env = self.env();
        let id = incoming.head.message_id.as_str();
        let (answers, named) = (Some((mail.id, id)), mail.own_name());
        let plain = Plain { to: from, topic: "Games by mail", notes: &notes, answers, named: &named };
        let done: Result<(), Trouble> = self.store.try_act(|act| {
            act.settle(mail.id, InboxState::Done, None)?;
            if is_first_today(&env, act, from)? && may_write_to(&env, act, from)? {
                plain.post(&env, act)?;
            }
            Ok(())
        });
        Ok(done?)
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
}

/// Whether a stranger has had no answer today, which is then counted. Apart from a player's answers, should he be one.
pub(super) fn is_first_today(env: &Env<'_>, act: &Act<'_>, to: &str) -> Result<bool, StoreError> {
    Ok(act.count_answer(&format!("stranger {to}"), &when::day(env.now))? == 1)
}

impl Sitting<'_> {
    /// What a stranger asked for, now that he has confirmed it. Who got a seat's mail needs no second one.
    pub(super) fn wished(&mut self, from: &str, wish: &Wish) -> Result<(), Trouble> {
        let done = match wish {
            Wish::Seat(wanted) => self.wants_seat(from, wanted),
            Wish::Observe => self.wants_to_observe(from),
        };
        match done {
            Ok(said) if said.is_empty() => Ok(()),
            Ok(said) | Err(Trouble::Refused(said)) => self.tell_address(from, "Games by mail", &[said]),
            Err(other) => Err(other),
        }
    }
}
