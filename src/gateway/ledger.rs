//! The umpires' ledger: every look at hidden things, every override and every ruling is an entry of the game's chain.
//!
//! Each side is told how many entries touch it, and no more; when the game is over all of it is shown. An entry touches
//! the sides whose hidden things were looked at or changed, and those to whom a ruling is told: never a side because of
//! what another has.

use super::error::Trouble;
use super::sitting::Sitting;
use crate::fog::SideId;
use crate::store::LogEntry;
use crate::text::plural;
use serde::{Deserialize, Serialize};

/// The kind of its entries in the chain.
const KIND: &str = "ledger";

/// What stands above it in the file that reveals a whole game.
pub const LEDGER: &str = "THE UMPIRE'S LEDGER";
/// What stands behind it there.
pub const BEHIND_LEDGER: &str = "MASTER AND SEEDS";

/// What kind of act it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Class {
    /// His page of each stage.
    Page,
    /// A look at hidden things that he asked for.
    Look,
    /// A ruling.
    Ruling,
    /// Something of the game was changed.
    Change,
    /// The clock or the letters were stopped or let go.
    Order,
}

/// An entry.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Entry {
    /// When.
    pub at: String,
    /// By which umpire, and from where.
    pub by: String,
    pub class: Class,
    /// The sides that it touches.
    pub touches: Vec<String>,
    /// What was done, as it was written.
    pub text: String,
    pub reason: String,
    /// Whether it is an act on the game itself, whose input stands before it.
    pub input: bool,
}

impl Entry {
    /// An act that is none on the game itself.
    pub(super) fn new(class: Class, touches: &[SideId], text: &str, reason: &str) -> Entry {
        Entry {
            at: String::new(),
            by: String::new(),
            class,
            touches: touches.iter().map(|side| side.0.clone()).collect(),
            text: text.to_owned(),
            reason: reason.to_owned(),
            input: false,
        }
    }

    /// One line of the ledger.
    fn line(&self) -> String {
        let touched = if self.touches.is_empty() { String::new() } else { format!(" [{}]", self.touches.join(", ")) };
        let reason = if self.reason.is_empty() { String::new() } else { format!(": {}", self.reason) };
        format!("{}  {}  {}{touched}{reason}", self.at, self.by, self.text)
    }
}

impl Sitting<'_> {
    /// Writes an entry and tells the other umpires of it.
    pub(super) fn ledger(&self, by: &str, entry: Entry) -> Result<(), Trouble> {
        let tell = !matches!(entry.class, Class::Page | Class::Look);
        let entry = Entry { at: self.entry_time()?, by: by.to_owned(), ..entry };
        let body = serde_json::to_value(&entry).unwrap_or_default();
        self.enter(KIND, &body)?;
        let own = by.split(' ').next().unwrap_or(by);
        for other in self.umpires()?.into_iter().filter(|seat| tell && seat != own) {
            self.desk().notice_to(&other, &format!("{by} has acted"), vec![entry.line()])?;
        }
        Ok(())
    }

    /// Every entry, oldest first.
    fn entries(&self) -> Result<Vec<(u32, Entry)>, Trouble> {
        let kind = format!("post.{KIND}");
        let read = |entry: LogEntry| serde_json::from_str(&entry.body).ok().map(|body: Entry| (entry.seq, body));
        Ok(self.act.log_of_kind(&self.row.id, &kind, 1)?.into_iter().filter_map(read).collect())
    }

    /// The whole ledger, without his pages of each stage, which are counted.
    pub(super) fn ledger_lines(&self) -> Result<Vec<String>, Trouble> {
        Ok(said(&self.entries()?))
    }

    /// How many entries touch a side, as its reports say it; nothing in a game without an umpire.
    pub(super) fn ledger_note(&self, side: &str) -> Result<Option<String>, Trouble> {
        if self.umpires()?.is_empty() {
            return Ok(None);
        }
        let entries = self.entries()?;
        let of = |class: Class| {
            entries.iter().filter(|(_, e)| e.class == class && e.touches.iter().any(|s| s == side)).count()
        };
        let (looks, rulings, changes) = (of(Class::Look), of(Class::Ruling), of(Class::Change));
        Ok(Some(format!(
            "The umpire's ledger touches your side in {} ({}, {}, {}).",
            count(looks + rulings + changes, "entry", "entries"),
            count(looks, "look", "looks"),
            count(rulings, "ruling", "rulings"),
            count(changes, "change", "changes"),
        )))
    }

    /// What other umpires changed after this one was written a mail.
    pub(super) fn changed_since(&self, umpire: &str, number: u32) -> Result<Vec<String>, Trouble> {
        let mails = self.act.log_of_kind(&self.row.id, "post.mail", 1)?;
        let written = |mail: &&LogEntry| {
            let body: serde_json::Value = serde_json::from_str(&mail.body).unwrap_or_default();
            let is = |name: &str, text: &str| body.get(name).and_then(|v| v.as_str()) == Some(text);
            let numbered = body.get("number").and_then(serde_json::Value::as_u64) == Some(u64::from(number));
            is("direction", "out") && is("seat", umpire) && numbered
        };
        let Some(seq) = mails.iter().find(written).map(|mail| mail.seq) else { return Ok(Vec::new()) };
        let entries = self.entries()?;
        let his = |entry: &Entry| entry.by.split(' ').next() == Some(umpire);
        let changed = |entry: &Entry| matches!(entry.class, Class::Change | Class::Order);
        let later = entries.iter().filter(|(at, entry)| *at > seq && changed(entry) && !his(entry));
        Ok(later.map(|(_, entry)| entry.line()).collect())
    }
}

/// The ledger as the last mail of a game shows it: each entry but the pages, which are counted.
fn said(entries: &[(u32, Entry)]) -> Vec<String> {
    let pages = entries.iter().filter(|(_, entry)| entry.class == Class::Page).count();
    let others = entries.iter().filter(|(_, entry)| entry.class != Class::Page);
    let mut lines: Vec<String> = others.map(|(seq, entry)| format!("{seq}  {}", entry.line())).collect();
    if pages > 0 {
        lines.push(format!("{} of the whole truth, one at each stage.", count(pages, "page", "pages")));
    }
    lines
}

/// The same from the chain's entries of this kind: their numbers and bodies.
pub fn said_in_chain<'b>(entries: impl Iterator<Item = (u32, &'b serde_json::Value)>) -> Vec<String> {
    let read = |(seq, body): (u32, &serde_json::Value)| Some((seq, serde_json::from_value(body.clone()).ok()?));
    said(&entries.filter_map(read).collect::<Vec<_>>())
}

fn count(n: usize, one: &str, many: &str) -> String {
    plural(i64::try_from(n).unwrap_or(i64::MAX), one, many)
}
