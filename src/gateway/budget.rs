//! The budget of a mail: how many lines of each sort are read, asked for, or sent on, whoever wrote it and however long
//! it is. What is above it is not done, and is answered in one sentence a sort (invariant 6).
//!
//! Only lines are counted, never the time they take: what a mail does must not depend on the machine.

use super::commands::{Command, Item, What};
use super::sheet::SheetWord;
use super::verbs::Verb;
use crate::config::MailLimits;
use crate::letter::Answer;

/// Lines of a message to others.
const MESSAGE_LINES_MAX: usize = 400;

/// What is counted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    /// For the rules, or read by nobody.
    Order,
    /// Asks to be shown something.
    Asked,
    /// Changes something of the seat or of the game.
    Setting,
    /// Makes mails to others.
    Message,
    /// Asks for the bundle.
    Audit,
    /// Asks for a mail again.
    Resend,
}

/// Why a line is above the budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Over {
    /// There are too many of its sort.
    Many(Sort),
    /// The lines above it have used up the characters of a mail.
    Heavy,
    /// The line itself is too long.
    Wide,
    /// What belongs to it is too long.
    Long,
    /// An END below lines that were not read.
    End,
    /// The same was asked above.
    Twice,
}

/// The lines that are above the budget for one reason.
struct Heap {
    over: Over,
    first: u32,
    last: u32,
    count: usize,
    text: String,
}

/// A mail within its budget.
pub(super) struct Rationed {
    /// What is acted on.
    pub items: Vec<Item>,
    /// The answers to the rest: one a reason.
    pub over: Vec<Answer>,
}

/// Takes out of a mail what is above its budget.
pub(super) fn ration(items: Vec<Item>, limits: &MailLimits) -> Rationed {
    let mut ration = Ration { limits, counts: [0; 6], chars: 0, heaps: Vec::new(), cut: false, asked: Vec::new() };
    let items = items.into_iter().filter_map(|item| ration.admit(item)).collect();
    let Ration { heaps, .. } = ration;
    Rationed { items, over: heaps.into_iter().map(|heap| heap.answer(limits)).collect() }
}

/// How far the budget of a mail is used.
struct Ration<'a> {
    limits: &'a MailLimits,
    counts: [usize; 6],
    /// Characters of lines for the rules.
    chars: usize,
    heaps: Vec<Heap>,
    /// Whether a line for the rules was left unread.
    cut: bool,
    /// What was asked for, with the line.
    asked: Vec<Command>,
}

impl Ration<'_> {
    fn admit(&mut self, mut item: Item) -> Option<Item> {
        let sort = sort_of(&item.what);
        let over = if self.cut && item.what.ends() {
            Some(Over::End)
        } else if item.text.chars().nth(self.limits.line_chars_max).is_some() {
            Some(Over::Wide)
        } else if is_long(&item.what, self.limits) {
            Some(Over::Long)
        } else if sort == Some(Sort::Asked) && self.is_twice(&item.what) {
            Some(Over::Twice)
        } else {
            match sort {
                Some(sort) if !self.has_room(sort) => Some(Over::Many(sort)),
                Some(Sort::Order) if !self.is_light(&item.text) => Some(Over::Heavy),
                _ => None,
            }
        };
        if let Some(over) = over {
            self.cut |= sort == Some(Sort::Order);
            self.heap(over, item.no, item.text);
            return None;
        }
        if let What::General(Ok(Command::Check(tried) | Command::CheckSheet(tried))) = &mut item.what {
            self.check(tried);
        }
        Some(item)
    }

    /// Lines below CHECK are counted with the orders.
    fn check(&mut self, tried: &mut Vec<(u32, String)>) {
        for (no, text) in std::mem::take(tried) {
            if text.chars().nth(self.limits.line_chars_max).is_some() {
                self.heap(Over::Wide, no, text);
            } else if !self.has_room(Sort::Order) {
                self.heap(Over::Many(Sort::Order), no, text);
            } else if !self.is_light(&text) {
                self.heap(Over::Heavy, no, text);
            } else {
                tried.push((no, text));
            }
        }
    }

    fn has_room(&mut self, sort: Sort) -> bool {
        let most = most(sort, self.limits);
        let count = self.counts.get_mut(sort as usize);
        count.is_some_and(|count| {
            *count += 1;
            *count <= most
        })
    }

    /// Whether a line for the rules still fits the characters of a mail.
    fn is_light(&mut self, text: &str) -> bool {
        self.chars = self.chars.saturating_add(text.chars().count());
        self.chars <= self.limits.order_chars_max
    }

    fn is_twice(&mut self, what: &What) -> bool {
        let What::General(Ok(command)) = what else { return false };
        let known = self.asked.contains(command);
        if !known && self.asked.len() < self.limits.asked_max {
            self.asked.push(command.clone());
        }
        known
    }

    fn heap(&mut self, over: Over, no: u32, text: String) {
        match self.heaps.iter_mut().find(|heap| heap.over == over) {
            Some(heap) => {
                heap.last = no;
                heap.count += 1;
            }
            None => self.heaps.push(Heap { over, first: no, last: no, count: 1, text }),
        }
    }
}

impl Heap {
    /// One sentence for all of them.
    fn answer(self, limits: &MailLimits) -> Answer {
        let text = match self.count {
            1 => self.text,
            count if count == (self.last - self.first) as usize + 1 => {
                format!("lines {} to {}", self.first, self.last)
            }
            count => format!("{count} lines between {} and {}", self.first, self.last),
        };
        let again = "Nothing was done; ask again in another mail.";
        let why = match self.over {
            Over::Many(Sort::Audit) => format!("not answered: more than one AUDIT in one mail.  {again}"),
            Over::Many(sort) => {
                format!("not answered: more than {} {} in one mail.  {again}", most(sort, limits), noun(sort))
            }
            Over::Wide => format!("not read: longer than {} characters, and no line is.", limits.line_chars_max),
            Over::Heavy => {
                format!("not read: the orders of one mail have at most {} characters.  {again}", limits.order_chars_max)
            }
            Over::Long => format!(
                "not done: longer than {} characters or {} lines, with all that belongs to it.",
                limits.message_chars_max, MESSAGE_LINES_MAX
            ),
            Over::End => {
                "lines above it were not read, and so nothing ends.  Send them in another mail, and END below \
                          them."
                    .to_owned()
            }
            Over::Twice => "it stands above in the same words, and is answered there.".to_owned(),
        };
        Answer { no: self.first, text, word: "REFUSED".to_owned(), why, ..Answer::default() }
    }
}

fn most(sort: Sort, limits: &MailLimits) -> usize {
    match sort {
        Sort::Order => limits.order_lines_max,
        Sort::Asked => limits.asked_max,
        Sort::Setting => limits.settings_max,
        Sort::Message => limits.messages_max,
        Sort::Audit => 1,
        Sort::Resend => limits.resent_max,
    }
}

fn noun(sort: Sort) -> &'static str {
    match sort {
        Sort::Order => "order lines",
        Sort::Asked => "questions",
        Sort::Setting => "settings",
        Sort::Message => "messages to others",
        Sort::Audit => "bundles",
        Sort::Resend => "mails sent again",
    }
}

/// What a line is counted as; an END is not counted.
fn sort_of(what: &What) -> Option<Sort> {
    let command = match what {
        What::Order | What::AfterEnd | What::BrokenOff | What::Umpires | What::General(Err(_)) => {
            return Some(Sort::Order);
        }
        What::General(Ok(command)) => command,
    };
    Some(match command {
        Command::End | Command::Sheet(SheetWord::EndAnyway | SheetWord::EndIfAllDone) => return None,
        Command::Sheet(SheetWord::Rewrite(..)) => Sort::Order,
        Command::Audit => Sort::Audit,
        Command::Resend(_) => Sort::Resend,
        Command::Press { .. }
        | Command::Dispatch { .. }
        | Command::Message { .. }
        | Command::Umpire(Verb::Ruling { .. } | Verb::Remind(_) | Verb::Become { .. }) => Sort::Message,
        Command::Orders
        | Command::Help(_)
        | Command::Victory
        | Command::Check(_)
        | Command::CheckSheet(_)
        | Command::Doctrine(None)
        | Command::Report(_)
        | Command::Part(_)
        | Command::Map(_)
        | Command::History(_)
        | Command::Summary
        | Command::Rules(_)
        | Command::Why(_)
        | Command::Deadline
        | Command::Umpire(Verb::Show(_) | Verb::WhoKnows(_) | Verb::Option(None) | Verb::Rewind { rest: None, .. }) => {
            Sort::Asked
        }
        Command::Signon
        | Command::Nonce(_)
        | Command::NonceHash(_)
        | Command::Beacon(_)
        | Command::Doctrine(Some(_))
        | Command::Undo
        | Command::Sheet(_)
        | Command::Absent(_)
        | Command::Resign
        | Command::Address(_)
        | Command::Confirm(_)
        | Command::Format(_)
        | Command::Hold
        | Command::Release
        | Command::Extend { .. }
        | Command::Time(_)
        | Command::StandIn(_)
        | Command::Umpire(_) => Sort::Setting,
    })
}

/// Whether the lines that belong to a command are more than one message bears.
fn is_long(what: &What, limits: &MailLimits) -> bool {
    let What::General(Ok(
        Command::Press { lines, .. }
        | Command::Dispatch { lines, .. }
        | Command::Message { lines, .. }
        | Command::Umpire(Verb::Ruling { lines, .. } | Verb::Become { lines, .. }),
    )) = what
    else {
        return false;
    };
    let chars: usize = lines.iter().map(|line| line.chars().count()).sum();
    chars > limits.message_chars_max || lines.len() > MESSAGE_LINES_MAX
}
