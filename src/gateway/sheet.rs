//! What a mail does to its seat's sheet: its words, and the lines that its suggestions and checks stand for.

use super::commands::{Command, Item, What};
use super::error::Trouble;
pub use super::joined::several;
use super::joined::{BEHIND, is_placeholder, says_done};
use super::player::Reply;
use super::sitting::Sitting;
use crate::fog::SeatId;
use crate::host::sheet::{Edit, Edited, Ending, Verdict};
use crate::host::{Answered, Game, Input};
use crate::mail::read::Incoming;
use crate::orders::mend::LETTERS;
use crate::orders::{Fault, Word};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A word about the sheet, beside END and UNDO.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SheetWord {
    /// END ANYWAY.
    EndAnyway,
    /// END IF ALL DONE.
    EndIfAllDone,
    /// A word that is nearly END.
    NearlyEnd,
    /// YES 2, YES 2B: suggestions are taken.
    Yes(Vec<(u32, Option<char>)>),
    /// YES ALL: all suggestions that stand alone.
    YesAll,
    /// `2 = line`.
    Rewrite(u32, String),
    /// UNDO 2.
    Undo(Vec<u32>),
    /// UNDO END.
    UndoEnd,
    /// REVISE: the lines below it stand in place of what waits; alone it sends these.
    Revise,
    /// SEND: the lines of the CHECK that is answered.
    Send,
}

/// Under which name the desk keeps the number of the mail with the last suggestions, and the last CHECK.
const SUGGESTED: &str = "suggested";
const CHECKED: &str = "checked";

/// The lines of a CHECK, and the mail that answered it.
#[derive(Default, Serialize, Deserialize)]
struct Checked {
    mail: u32,
    /// The stage for which they were tried.
    #[serde(default)]
    stage: String,
    /// The lines; one that is left out is empty.
    lines: Vec<String>,
    /// Their numbers in the answer.
    #[serde(default)]
    numbers: Vec<u32>,
    /// What its answer offered for lines that are not taken.
    #[serde(default)]
    offered: Vec<Offered>,
}

/// What the answer to a CHECK offers for one of its lines.
#[derive(Clone, Serialize, Deserialize)]
struct Offered {
    /// The number of the line in the answer.
    no: u32,
    /// Its place among the lines of the CHECK.
    place: usize,
    lines: Vec<String>,
}

/// What a YES takes: numbers of lines with the letters of their suggestions, or all that stand alone.
pub type Keys<'i> = Option<&'i [(u32, Option<char>)]>;

/// The suggestions that a YES takes of those that are offered for lines, each with the number of its line.
///
/// # Errors
/// The first that there is not, as `2B`.
pub fn picked<'l>(offered: &[(u32, &'l [String])], keys: Keys<'_>) -> Result<Vec<(u32, &'l String)>, String> {
    let every: Vec<(u32, Option<char>)> =
        offered.iter().filter(|(_, lines)| lines.len() == 1).map(|(no, _)| (*no, None)).collect();
    let pick = |(no, letter): &(u32, Option<char>)| {
        let letter = letter.unwrap_or('A');
        let lines = offered.iter().find(|(of, _)| of == no).map(|(_, lines)| *lines);
        let line = lines.and_then(|lines| lines.get(usize::from(letter as u8 - b'A')));
        line.map(|line| (*no, line)).ok_or_else(|| format!("{no}{letter}"))
    };
    keys.unwrap_or(&every).iter().map(pick).collect()
}

impl Checked {
    /// Whether keys mean lines of this CHECK; those of the sheet have numbers of their own.
    fn has(&self, keys: Keys<'_>) -> bool {
        let offers = |no: &u32| self.offered.iter().any(|offered| offered.no == *no);
        !self.offered.is_empty() && keys.is_none_or(|keys| keys.iter().all(|(no, _)| offers(no)))
    }

    /// Whether these are numbers of its lines.
    fn counts(&self, lines: &[u32]) -> bool {
        !lines.is_empty() && lines.iter().all(|line| self.numbers.contains(line))
    }

    /// Leaves lines out; what they said.
    fn leave(&mut self, lines: &[u32]) -> String {
        let mut left = Vec::new();
        for (no, line) in self.numbers.iter().zip(&mut self.lines).filter(|(no, _)| lines.contains(no)) {
            left.push(format!("{no} {}", crate::text::quoted(line)));
            line.clear();
        }
        left.join("; ")
    }

    /// Puts suggestions in the places of the lines for which they were offered.
    ///
    /// # Errors
    /// A suggestion that there is not.
    fn take(&mut self, keys: Keys<'_>) -> Result<(), String> {
        let offers: Vec<(u32, &[String])> = self.offered.iter().map(|o| (o.no, o.lines.as_slice())).collect();
        let taken = picked(&offers, keys)
            .map_err(|key| format!("there is no suggestion {key}; the answer to your CHECK lists those there are."))?;
        for (no, line) in taken {
            let place = self.offered.iter().find(|offered| offered.no == no).map(|offered| offered.place);
            if let Some(at) = place.and_then(|place| self.lines.get_mut(place)) {
                line.clone_into(at);
            }
        }
        Ok(())
    }
}

/// What stands behind END, but for courtesies.
///
/// # Errors
/// Any other word: the end of something else would close the sheet.
pub(super) fn ending(text: &str, rest: &[&Word]) -> Result<Command, Fault> {
    let bare = |word: &&Word| word.fold.trim_matches([',', '.', '!']).to_owned();
    let mut folds: Vec<String> = rest.iter().map(bare).filter(|word| !word.is_empty()).collect();
    while folds.last().is_some_and(|word| BEHIND.contains(&word.as_str())) {
        folds.pop();
    }
    let folds: Vec<&str> = folds.iter().map(String::as_str).collect();
    match folds.as_slice() {
        [] => Ok(Command::End),
        ["anyway"] => Ok(Command::Sheet(SheetWord::EndAnyway)),
        ["if", "all", "done"] => Ok(Command::Sheet(SheetWord::EndIfAllDone)),
        _ => {
            let expected = "END alone on its line, END ANYWAY or END IF ALL DONE";
            Err(Fault::unclear(text, expected, [], Some("END".to_owned())))
        }
    }
}

/// A word, or END where it is that and a sign behind it.
pub(super) fn unsigned(word: &str) -> &str {
    let bare = word.trim_end_matches(['.', '!', ',', ';', ':']);
    if bare == "end" { bare } else { word }
}

/// Whether a line is one word that is nearly END, and no other that would stand alone; or says in other words that its writer
/// is done.
pub(super) fn is_nearly_end(words: &[Word]) -> bool {
    let [word] = words else { return says_done(words) };
    let said = word.fold.trim_end_matches(['.', '!', ',', ';', ':']);
    // Nobody's name: Ed, Ned, And.
    said.starts_with('e') && said != "ed" && said.chars().count() > 1 && strsim::osa_distance(said, "end") == 1
}

/// What stands behind UNDO: nothing, END, or numbers.
///
/// # Errors
/// Any other word.
pub(super) fn undo(rest: &[&Word]) -> Result<Command, Fault> {
    match rest {
        [] => Ok(Command::Undo),
        [one] if one.fold == "all" => Ok(Command::Undo),
        [one] if one.fold == "end" => Ok(Command::Sheet(SheetWord::UndoEnd)),
        _ => {
            let odd = rest.iter().find(|word| word.text.parse::<u32>().is_err());
            match odd {
                None => {
                    let lines = rest.iter().filter_map(|word| word.text.parse().ok()).collect();
                    Ok(Command::Sheet(SheetWord::Undo(lines)))
                }
                Some(odd) => {
                    let example = Some("UNDO 2".to_owned());
                    Err(Fault::unclear(&odd.text, "the number of a line, END, or nothing", [], example))
                }
            }
        }
    }
}

/// `YES 2`, `YES 2B 3A`, `YES ALL`; a YES of another kind answers a question.
pub(super) fn yes(rest: &[&Word]) -> Option<SheetWord> {
    if let [one] = rest
        && one.fold == "all"
    {
        return Some(SheetWord::YesAll);
    }
    let keys: Option<Vec<(u32, Option<char>)>> = rest.iter().map(|word| key(&word.text)).collect();
    keys.filter(|keys| !keys.is_empty()).map(SheetWord::Yes)
}

/// What is said of a line that is copied where its writer was to put one.
const PLACEHOLDER: &str = "write the line itself behind the number and the =; these words only hold its place.";

/// `2 = line`, `2=line`, and a suggestion copied with its number, `2A line`; a fault where only what holds its place is there.
pub(super) fn numbered(text: &str, is_verb: &dyn Fn(&str) -> bool) -> Option<Result<SheetWord, Fault>> {
    if is_placeholder(text) {
        return Some(Err(Fault::refused(PLACEHOLDER, "")));
    }
    let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
    if digits.is_empty() || digits.len() > 3 {
        return None;
    }
    let rest = text.get(digits.len()..)?;
    let no = digits.parse().ok()?;
    if let Some(line) = rest.trim_start().strip_prefix('=') {
        return Some(Ok(SheetWord::Rewrite(no, line.trim().to_owned()))).filter(|_| !line.trim().is_empty());
    }
    let line = rest.strip_prefix(|letter| LETTERS.contains(&letter))?;
    let first = line.split_whitespace().next().filter(|_| line.starts_with(' '))?;
    is_verb(first).then(|| Ok(SheetWord::Rewrite(no, line.trim().to_owned())))
}

/// `2` or `2B`.
pub(super) fn key(text: &str) -> Option<(u32, Option<char>)> {
    let letter = text.chars().next_back().filter(char::is_ascii_alphabetic).map(|c| c.to_ascii_uppercase());
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let no = digits.parse().ok()?;
    (digits.len() + usize::from(letter.is_some()) == text.len()).then_some((no, letter))
}

/// Whether the game keeps the words of a line for ever.
pub(super) fn is_kept(item: &Item) -> bool {
    matches!(item.what, What::Order | What::General(Ok(Command::Sheet(SheetWord::Rewrite(..)))))
}

/// Whether a line of a mail only tries those below it.
pub fn is_check(item: &Item) -> bool {
    matches!(item.what, What::General(Ok(Command::Check(_) | Command::CheckSheet(_))))
}

/// Whether a line of a mail is for its seat's sheet.
pub(super) fn is_for_sheet(item: &Item) -> bool {
    match &item.what {
        What::Order => true,
        What::General(Ok(command)) => matches!(command, Command::End | Command::Undo | Command::Sheet(_)),
        _ => false,
    }
}

/// What one line of a mail does to its seat's sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Does<'i> {
    /// It is not for the sheet, or only asks.
    Nothing,
    /// It is an edit, whoever reads it and whenever.
    Edits(Edit),
    /// It ends the sheet, at once or later, as the terms of the game say.
    Ends(Ending),
    /// It stands for suggestions of a letter: those with these keys, or all that stand alone.
    Suggested(Keys<'i>),
    /// It stands for the lines of a CHECK.
    Checked,
}

/// What one line of a mail does to its seat's sheet, with those below it. The audit asks it again from the mail's bytes.
pub fn does<'i>(item: &'i Item, below: &[Item]) -> Does<'i> {
    let command = match &item.what {
        What::Order => return Does::Edits(Edit::Add),
        What::General(Ok(command)) => command,
        _ => return Does::Nothing,
    };
    match command {
        Command::End => Does::Ends(Ending::Counted),
        Command::Undo => Does::Edits(Edit::DropAll),
        Command::Sheet(word) => match word {
            SheetWord::EndAnyway => Does::Ends(Ending::Anyway),
            SheetWord::EndIfAllDone => Does::Ends(Ending::IfAllDone),
            SheetWord::NearlyEnd => Does::Edits(Edit::End(Ending::Doubtful)),
            SheetWord::Rewrite(line, text) => Does::Edits(Edit::Rewrite { line: *line, text: text.clone() }),
            SheetWord::Undo(lines) => Does::Edits(Edit::Drop(lines.clone())),
            SheetWord::UndoEnd => Does::Edits(Edit::UndoEnd),
            SheetWord::Revise if below.iter().any(|item| item.what == What::Order) => Does::Edits(Edit::Replace),
            // Alone it only asks.
            SheetWord::Revise => Does::Nothing,
            SheetWord::Yes(keys) => Does::Suggested(Some(keys)),
            SheetWord::YesAll => Does::Suggested(None),
            SheetWord::Send => Does::Checked,
        },
        _ => Does::Nothing,
    }
}

/// Of two suggestions for one line, both taken by one mail, the later is a line of its own: neither is lost.
fn beside(edits: &[Edited], item: &Item, edited: Edited, next: u32) -> Edited {
    let taken = |line: u32| edits.iter().any(|e| matches!(&e.edit, Edit::Rewrite { line: at, .. } if *at == line));
    match (&item.what, edited.edit) {
        (What::General(Ok(Command::Sheet(SheetWord::Yes(_)))), Edit::Rewrite { line, text }) if taken(line) => {
            Edited { no: next, text, edit: Edit::Add }
        }
        (_, edit) => Edited { edit, ..edited },
    }
}

/// Numbers the lines of a mail on from those that its seat's sheet has had, where one is for the sheet.
pub fn number_on(game: &dyn Game, seat: &SeatId, items: &mut [Item]) {
    let on = |item: &Item| is_for_sheet(item) || matches!(item.what, What::General(Ok(Command::CheckSheet(_))));
    if !items.iter().any(on) {
        return;
    }
    let sheet = game.sheet(seat);
    let base = sheet.body().as_ref().map_or(0, |sheet| sheet.top);
    for item in items {
        item.no = item.no.saturating_add(base);
        if let What::General(Ok(Command::Check(lines) | Command::CheckSheet(lines))) = &mut item.what {
            lines.iter_mut().for_each(|(no, _)| *no = no.saturating_add(base));
        }
    }
}

impl Sitting<'_> {
    /// Gives what is for the sheet to the host.
    pub(super) fn sheet_lines(
        &mut self,
        seat: &str,
        mail: &Incoming,
        items: &[Item],
        reply: &mut Reply,
    ) -> Result<(), Trouble> {
        let mut edits = Vec::new();
        let mut amiss = reply.amiss;
        // Before all else, since SEND may stand above YES.
        let mut of_check = self.of_check(seat, mail, items)?;
        let mut next = items.last().map_or(1, |item| item.no.saturating_add(1));
        for (at, item) in items.iter().enumerate() {
            let below = items.get(at + 1..).unwrap_or_default();
            let edits_of = match of_check.remove(&at) {
                Some(Ok(said)) => {
                    reply.say(item, "DONE", &said);
                    continue;
                }
                Some(Err(why)) => Err(why),
                None => self.edits_of(seat, mail, (item, next), below)?,
            };
            match edits_of {
                Ok(more) => {
                    if let (What::General(Ok(Command::Sheet(SheetWord::Send))), Some(first), Some(last)) =
                        (&item.what, more.first(), more.last())
                    {
                        let as_what = if first.no == last.no {
                            format!("line {}", first.no)
                        } else {
                            format!("lines {} to {}", first.no, last.no)
                        };
                        reply.say(item, "DONE", &format!("your last CHECK is sent as {as_what}."));
                    }
                    next = more.last().map_or(next, |last| next.max(last.no.saturating_add(1)));
                    for edited in more {
                        let beside = beside(&edits, item, edited, next);
                        if beside.no == next {
                            next = next.saturating_add(1);
                            reply.say(item, "DONE", &format!("it stands beside the other as line {}.", beside.no));
                        }
                        edits.push(beside);
                    }
                }
                Err(why) => {
                    amiss = true;
                    reply.say(item, "NOT TAKEN", &why);
                }
            }
        }
        if amiss {
            // A mail with END is one plan: nothing of it is carried out without a part, unless END ANYWAY says so.
            let ends = edits.iter_mut().filter(|edited| is_plain_end(&edited.edit));
            ends.for_each(|edited| edited.edit = Edit::End(Ending::Held));
        } else if self.forgets_check(seat, mail, items, &edits)? {
            edits.iter_mut().for_each(|edited| edited.edit = Edit::End(Ending::Unsent));
        }
        if edits.is_empty() {
            return Ok(());
        }
        let seat = SeatId(seat.to_owned());
        let letters = self.take(Input::Sheet { seat, edits, mail: mail.head.message_id.clone(), came: None })?;
        reply.letters.extend(letters);
        reply.edited = true;
        Ok(())
    }

    /// Whether a mail says END and no more, over an empty sheet, while the lines of the CHECK that its writer was last answered
    /// for this stage are not sent.
    fn forgets_check(&self, seat: &str, mail: &Incoming, items: &[Item], edits: &[Edited]) -> Result<bool, Trouble> {
        let ends = !edits.is_empty() && edits.iter().all(|edited| is_plain_end(&edited.edit));
        let sheet = self.hosted.sheet(&SeatId(seat.to_owned())).body().clone().unwrap_or_default();
        let empty = sheet.lines.is_empty() && sheet.faulty.is_empty() && sheet.begun == 0 && !sheet.ended;
        if !ends || !empty || items.iter().any(is_check) {
            return Ok(false);
        }
        let Some(checked) = self.kept_check(seat)? else { return Ok(false) };
        let now = self.hosted.stage().map(|stage| stage.key).unwrap_or_default();
        let last: Option<u32> = self.act.desk(&self.row.id, seat, SUGGESTED)?.and_then(|n| n.parse().ok());
        let newer = self.answered_mail(mail)?.is_some_and(|answered| answered > checked.mail);
        let sent = last.is_some_and(|last| last >= checked.mail);
        Ok(checked.lines.iter().any(|line| !line.is_empty()) && checked.stage == now && !newer && !sent)
    }

    /// What one line of a mail does to the sheet, or why it cannot.
    fn edits_of(
        &self,
        seat: &str,
        mail: &Incoming,
        (item, next): (&Item, u32),
        below: &[Item],
    ) -> Result<Result<Vec<Edited>, String>, Trouble> {
        let one = |edit| vec![Edited { no: item.no, text: item.text.clone(), edit }];
        Ok(Ok(match does(item, below) {
            Does::Nothing => Vec::new(),
            Does::Edits(edit) => one(edit),
            Does::Ends(ending) => one(self.end_by_terms(ending)?),
            Does::Suggested(keys) => return self.suggested(seat, mail, item, keys),
            Does::Checked => return self.checked(seat, mail, next),
        }))
    }

    /// The number of the mail that a mail answers.
    fn answered_mail(&self, mail: &Incoming) -> Result<Option<u32>, Trouble> {
        Ok(match &mail.head.tag {
            Some(tag) => self.act.tag_holder(&tag.secret.to_lowercase())?.map(|holder| holder.mail_number),
            None => None,
        })
    }

    /// The lines that YES stands for: those of the mail that is answered, and of no other.
    fn suggested(
        &self,
        seat: &str,
        mail: &Incoming,
        item: &Item,
        keys: Keys<'_>,
    ) -> Result<Result<Vec<Edited>, String>, Trouble> {
        let last: Option<u32> = self.act.desk(&self.row.id, seat, SUGGESTED)?.and_then(|n| n.parse().ok());
        if let (Some(last), Some(answered)) = (last, self.answered_mail(mail)?)
            && answered < last
        {
            return Ok(Err(format!(
                "the suggestions of mail {answered} are gone; those of mail {last} stand.  Answer mail {last}."
            )));
        }
        let sheet = self.hosted.sheet(&SeatId(seat.to_owned())).body().clone().unwrap_or_default();
        let offers: Vec<(u32, &[String])> = sheet.faulty.iter().map(|(no, _, lines)| (*no, lines.as_slice())).collect();
        let taken = match picked(&offers, keys) {
            Ok(taken) => taken,
            Err(key) => {
                return Ok(Err(format!("there is no suggestion {key}; your last answer lists those there are.")));
            }
        };
        let mut edits = Vec::new();
        for (line, text) in taken {
            let edit = |edit| Edited { no: item.no, text: item.text.clone(), edit };
            match crate::orders::fold(text.trim()).as_str() {
                // The one general command that a repair may name.
                "end" => {
                    let end = self.end_by_terms(Ending::Counted)?;
                    edits.extend([edit(Edit::Drop(vec![line])), edit(end)]);
                }
                _ => edits.push(edit(Edit::Rewrite { line, text: text.clone() })),
            }
        }
        if edits.is_empty() {
            return Ok(Err("no line has a suggestion that stands alone.".to_owned()));
        }
        Ok(Ok(edits))
    }

    /// The words of a mail that take what the answer to a CHECK offers, or leave a line of it out, by place, with what is said
    /// of them: with SEND they change the lines that are sent. None where another letter is answered.
    fn of_check(
        &self,
        seat: &str,
        mail: &Incoming,
        items: &[Item],
    ) -> Result<BTreeMap<usize, Result<String, String>>, Trouble> {
        let changes = |does: &Does<'_>| matches!(does, Does::Suggested(_) | Does::Edits(Edit::Drop(_)));
        let all = items.iter().enumerate().map(|(at, item)| (at, does(item, &[])));
        let words: Vec<(usize, Does<'_>)> = all.filter(|(_, does)| changes(does)).collect();
        let mut taken = BTreeMap::new();
        if words.is_empty() {
            return Ok(taken);
        }
        let Some(mut checked) = self.kept_check(seat)? else { return Ok(taken) };
        let sends = items.iter().any(|item| does(item, &[]) == Does::Checked);
        let sheet = self.hosted.sheet(&SeatId(seat.to_owned())).body().clone().unwrap_or_default();
        let waits =
            |line: &u32| sheet.lines.iter().any(|(no, _)| no == line) || sheet.faulty.iter().any(|(no, ..)| no == line);
        let last: Option<u32> = self.act.desk(&self.row.id, seat, SUGGESTED)?.and_then(|n| n.parse().ok());
        let answers = self.answered_mail(mail)?.map_or(sends, |answered| answered == checked.mail);
        if !answers || last.is_some_and(|last| last >= checked.mail) {
            return Ok(taken);
        }
        let unsent = || "nothing of your CHECK is sent yet.  Write SEND below it, in the same mail.".to_owned();
        for (at, does) in words {
            match does {
                Does::Suggested(keys) if checked.has(keys) => {
                    let said = checked.take(keys).map(|()| "it is sent with your CHECK.".to_owned());
                    taken.insert(at, if sends { said } else { Err(unsent()) });
                }
                Does::Edits(Edit::Drop(lines)) if sends && checked.counts(&lines) && !lines.iter().any(waits) => {
                    taken.insert(at, Ok(format!("left out of your CHECK: {}.", checked.leave(&lines))));
                }
                _ => {}
            }
        }
        if taken.values().any(Result::is_ok) {
            self.set_check(seat, &checked)?;
        }
        Ok(taken)
    }

    /// The lines of the CHECK that is answered, numbered on from `next`.
    fn checked(&self, seat: &str, mail: &Incoming, next: u32) -> Result<Result<Vec<Edited>, String>, Trouble> {
        let Some(checked) = self.kept_check(seat)? else {
            return Ok(Err("no CHECK of yours is there to be sent.".to_owned()));
        };
        if self.answered_mail(mail)?.is_some_and(|answered| answered < checked.mail) {
            return Ok(Err(format!("your last CHECK is answered in mail {}: answer that one.", checked.mail)));
        }
        let lines: Vec<String> = checked.lines.into_iter().filter(|line| !line.is_empty()).collect();
        if lines.is_empty() {
            return Ok(Err("your last CHECK had no order below it; what waits is in your sheet.".to_owned()));
        }
        // The game keeps them once more.
        let chars: usize = lines.iter().map(|line| line.chars().count()).sum();
        let most = self.env.config.limits.order_chars_per_day_max;
        let (name, day) = (format!("order characters of {}/{seat}", self.row.id), super::when::day(self.env.now));
        if self.act.count_more(&name, &day, u32::try_from(chars).unwrap_or(u32::MAX))? > most {
            return Ok(Err(format!("the orders of a seat have at most {most} characters in a day.")));
        }
        let edited = |(no, text): (u32, String)| Edited { no, text, edit: Edit::Add };
        Ok(Ok((next..).zip(lines).map(edited).collect()))
    }

    /// Keeps the lines of a CHECK for SEND, and what is offered for those that are not taken.
    pub(super) fn keep_check(&self, seat: &str, lines: &[(u32, String)], answers: &[Answered]) -> Result<(), Trouble> {
        let offered = answers.iter().filter_map(|answer| match &answer.verdict {
            Some(Verdict::NotTaken(mended)) if !mended.lines.is_empty() => {
                let place = lines.iter().position(|(no, _)| *no == answer.no)?;
                Some(Offered { no: answer.no, place, lines: mended.lines.clone() })
            }
            _ => None,
        });
        let offered = offered.collect();
        let (numbers, lines) = lines.iter().cloned().unzip();
        let stage = self.hosted.stage().map(|stage| stage.key).unwrap_or_default();
        self.set_check(seat, &Checked { mail: 0, stage, lines, numbers, offered })
    }

    /// The last CHECK of a seat.
    fn kept_check(&self, seat: &str) -> Result<Option<Checked>, Trouble> {
        let kept = self.act.desk(&self.row.id, seat, CHECKED)?;
        Ok(kept.and_then(|text| serde_json::from_str(&text).ok()))
    }

    fn set_check(&self, seat: &str, checked: &Checked) -> Result<(), Trouble> {
        let text = serde_json::to_string(checked).unwrap_or_default();
        Ok(self.act.set_desk(&self.row.id, seat, CHECKED, Some(&text))?)
    }

    /// Notes which mail has shown suggestions, or answered a CHECK.
    pub(super) fn note_shown(&self, seat: &str, edited: bool, checked: bool) -> Result<(), Trouble> {
        if !edited && !checked {
            return Ok(());
        }
        let number = self.seat(seat)?.map_or(0, |row| row.mails_sent);
        if edited {
            self.act.set_desk(&self.row.id, seat, SUGGESTED, Some(&number.to_string()))?;
        }
        if checked && let Some(kept) = self.kept_check(seat)? {
            self.set_check(seat, &Checked { mail: number, ..kept })?;
        }
        Ok(())
    }

    /// REVISE alone: the sheet as lines to copy.
    pub(super) fn sheet_block(&self, seat: &str) -> Vec<String> {
        let sheet = self.hosted.sheet(&SeatId(seat.to_owned())).body().clone().unwrap_or_default();
        let mut lines: Vec<(u32, String)> = sheet.lines;
        lines.extend(sheet.faulty.into_iter().map(|(no, text, _)| (no, text)));
        lines.sort_by_key(|(no, _)| *no);
        let mut said = vec!["  REVISE".to_owned()];
        said.extend(lines.iter().flat_map(|(_, text)| crate::text::wrap(text, 76, "  ", 8)));
        said.extend(sheet.ended.then(|| "  END".to_owned()));
        said
    }
}

fn is_plain_end(edit: &Edit) -> bool {
    matches!(edit, Edit::End(ending) | Edit::Later(ending) if !matches!(ending, Ending::Anyway | Ending::Doubtful))
}
