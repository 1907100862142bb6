//! One hosted game: takes inputs, plays legs, keeps what must be kept, and makes paper at barriers.
//!
//! The face ([`Game`]) speaks text, sealed paper and opaque bodies; no type of a ruleset passes it. What it returns is
//! committed whole by its caller before the next input. It reads no clock and sends nothing.

pub mod asked;
mod barrier;
mod desk;
mod dropped;
mod explain;
pub mod film;
mod fold;
pub mod hosted;
mod judge;
mod ken;
mod laid;
mod legs;
mod lodging;
mod mending;
mod news;
pub mod paper;
mod past;
mod remarks;
mod replay;
mod reveal;
mod riders;
pub mod sheet;
mod slots;
mod snapshot;
pub mod standing;
mod take;
mod trial;
mod umpire;

use crate::dice::{Epochs, Fiat, Roll, Scope, Secrets};
use crate::fog::{SeatId, Seen, SideId};
use crate::orders::Fault;
use crate::rules::kept::Row;
use crate::rules::{Due, Outcome, Stage, Tally, Umpired};
pub use news::News;
use paper::{Format, SeatData, Sections, SheetState, Topic};
use sheet::{Came, Edited, Verdict};
pub use trial::{NO_ORDER, Rehearsal};

/// How the orders of a game are carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tempo {
    /// Each mail of a seat on move is carried out on receipt.
    Live,
    /// Orders wait and may be changed, and all are carried out when every seat on move has said END.
    Sealed,
}

/// Something from outside that the rules must hear of. Everything that can change a game is one of these.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Input {
    /// The game begins: all seats have signed on, or their time is over.
    Begin,
    /// Order lines and answers of a seat's mail, in order, general commands already taken out.
    Orders {
        /// Who wrote.
        seat: SeatId,
        /// Number in the mail and text of each line; long lines already joined.
        lines: Vec<(u32, String)>,
        /// Whether END stood in the mail.
        end: bool,
        /// Identity of the mail.
        mail: String,
    },
    /// A seat's mail edits its sheet, answers its questions and ends, general commands already taken out.
    Sheet {
        /// Who wrote.
        seat: SeatId,
        /// Its lines in order.
        edits: Vec<Edited>,
        /// Identity of the mail.
        mail: String,
        /// What they have come to; the host fills it in when the mail is taken.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        came: Option<Came>,
    },
    /// A standing answer is set.
    Doctrine {
        /// Whose.
        seat: SeatId,
        /// The key.
        key: String,
        /// The value.
        value: String,
        /// Identity of the mail.
        mail: String,
    },
    /// The lines that wait in a seat's sealed sheet are taken back: nothing has been rolled or seen because of them.
    Undo {
        /// Whose.
        seat: SeatId,
        /// Identity of the mail.
        mail: String,
    },
    /// One of several seats of a side writes to another by courier.
    Dispatch {
        /// Who writes.
        seat: SeatId,
        /// Who is to read it.
        to: SeatId,
        /// What it says.
        lines: Vec<String>,
    },
    /// The deadline of the open stage has passed: defaults answer what is open, sheets end.
    Deadline,
    /// Another has taken a seat: if it had resigned, it is asked again from now on.
    Return {
        /// Whose.
        seat: SeatId,
    },
    /// A seat has resigned: from now on its doctrine and defaults play at once.
    Resign {
        /// Whose.
        seat: SeatId,
        /// Identity of the mail.
        mail: String,
    },
    /// The post office was restored from a backup: play goes on from the last rest point, with dice that nobody has seen.
    Restored {
        /// The name from which the new seeds follow.
        epoch: String,
    },
    /// A notice of the dice came to nothing: nobody plays in its slots, and a game that has not begun does so behind them.
    Anew {
        /// The last of its slots.
        end: u32,
    },
    /// An umpire changes the course of the game.
    Umpire {
        /// His seat.
        by: SeatId,
        /// What he does.
        act: Act,
        /// Why, in his words.
        reason: String,
    },
}

/// What somebody sees who looks on while a game is played again.
#[derive(Clone, Copy, Debug)]
pub enum Looked<'l> {
    /// An entry of the envelope.
    Entry,
    /// An input, before it is played.
    Input(&'l Input),
    /// What has come of that input.
    Made(&'l Batch),
}

/// Who looks on while a game is played again.
pub type Watch<'w> = dyn FnMut(&dyn Game, usize, Looked<'_>) + 'w;

/// What an umpire can do to a game itself. What he only looks at or says is no input, and stands in the ledger alone.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Act {
    /// Something of a side is put right.
    Amend {
        /// Whose.
        side: SideId,
        /// What, in the ruleset's words of amendment.
        text: String,
    },
    /// The dice of a roll that is still to come are fixed.
    Fiat(Fiat),
    /// Play goes back to a rest point, by its number in the list of those that stand.
    Rewind {
        /// The number, from 1.
        rest: usize,
    },
    /// Lines are entered for a seat.
    Become {
        /// Whose.
        seat: SeatId,
        /// Number and text of each line.
        lines: Vec<(u32, String)>,
        /// Whether END stood below them.
        end: bool,
        /// Identity of the mail.
        mail: String,
    },
    /// The umpire decides combats himself from now on, with the tables as advice; or no longer.
    Free {
        /// Whether he does.
        on: bool,
    },
    /// The umpire decides the combat that waits for him.
    Judge {
        /// The dice he wants; none lets the tables' answer stand.
        dice: Option<Vec<u32>>,
    },
}

/// A point to which play can go back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rest {
    /// Its number, from 1.
    pub number: usize,
    /// The turn.
    pub turn: u32,
    /// The stage that was open there, as reports name it.
    pub stage: String,
    /// The order that had just been carried out, if one had.
    pub after: String,
}

/// One entry of the chain, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Dice slot it belongs to.
    pub slot: u32,
    /// `input`, `given`, `event`, `sight`, `roll`, `line`, `rest`, `rewind`.
    pub kind: &'static str,
    /// JSON of one line.
    pub body: String,
}

/// What became of one line of a mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answered {
    /// Its number in the mail.
    pub no: u32,
    /// The line.
    pub text: String,
    /// Its outcome; `None` while it is only taken (sealed tempo, or waiting its turn).
    pub outcome: Option<Outcome>,
    /// What was said of it on receipt, where the sheet was.
    pub verdict: Option<Verdict>,
    /// Numbers, within the letter's story, of the sightings it caused: first and last.
    pub lines: Option<(u32, u32)>,
    /// What CHECK says of it, such as its cost; empty outside CHECK.
    pub notes: Vec<String>,
}

/// Why a letter goes out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occasion {
    /// The set-up, before anything has happened.
    Opening,
    /// The answer to this seat's own order mail.
    Answer,
    /// The rules ask this seat something while it has not written: it would learn nothing else now.
    Question,
    /// A stage has ended: goes to all seats, whatever happened.
    StageReport,
    /// The game is over.
    GameOver,
}

/// Paper for one seat, sealed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letter {
    /// The turn of which it tells: play may have gone on when it is posted.
    pub turn: u32,
    /// To whom.
    pub seat: SeatId,
    /// Why.
    pub occasion: Occasion,
    /// What stands in it; its viewer is the seat's side.
    pub sections: Seen<Sections>,
}

/// All that one input caused: to be committed in one transaction, then kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    /// Entries of the chain.
    pub entries: Vec<Entry>,
    /// The umpire's rows, whole, if they changed.
    pub rows: Option<Vec<Row>>,
    /// Journal, desk and barriers of the open leg as JSON, for reopening.
    pub open: String,
    /// Letters to write, in the scenario's order of seats.
    pub letters: Vec<Letter>,
    /// All that is due now.
    pub dues: Vec<Due>,
    /// Dice that an umpire had fixed and that no roll fitted.
    pub lapsed: Vec<Fiat>,
    /// Amendments that waited for a rest point and cannot be made there, each with the reason.
    pub unamended: Vec<String>,
    /// Slots that closed: their seeds may be shown.
    pub slots_closed: Vec<u32>,
    /// Whether the game is over.
    pub over: bool,
}

/// Why a hosted game cannot go on: it is to be held and the umpire told; no other game is touched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// What is wrong, for the umpire.
    pub why: String,
}

/// Where a chain that is played again comes out otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Otherwise {
    /// The place of the first entry that is another, from 0 in the list as given.
    pub at: usize,
    /// What was kept, and what came out.
    pub why: String,
}

/// What comes of a part of a chain behind one that comes out otherwise: where it begins, and how far it is the same; none
/// where there is no such part.
pub type Behind = Option<(usize, Result<u64, Otherwise>)>;

/// An object-safe game.
pub trait Game {
    /// Its ruleset and engine version.
    fn ruleset(&self) -> (&'static str, u32);
    /// Seats and sides in the scenario's order.
    fn seats(&self) -> Vec<(SeatId, SideId)>;
    /// The form in which a seat wants its mail from now on; not kept, so that it is said again after opening.
    fn form(&mut self, _seat: &SeatId, _format: Format) {}
    /// Says that nobody reads its letters: from now on no lines are sought for them that could be offered, and no odds. What is
    /// played is the same.
    fn unread(&mut self);
    /// Sides in the scenario's order, those that the rules lead themselves among them.
    fn sides(&self) -> Vec<SideId>;
    /// Who has won so far, and numbers by which a run of many games is summed up.
    fn tally(&self) -> Tally;
    /// Whether play stands at a rest point, with nothing decided behind it: another program may go on from here.
    fn at_rest(&self) -> bool;
    /// Why the order that is half carried out comes out otherwise under this program than it was kept; then play can only go
    /// back.
    fn otherwise(&self) -> Option<&str>;
    /// Where it stands, in bytes, where it can be opened from there; none where it cannot.
    fn snapshot(&self) -> Option<Vec<u8>>;
    /// Whether a snapshot is what the chain before it comes to.
    fn follows(&self, entries: &[(u32, String, String)], snapshot: &[u8]) -> bool;
    /// How many of the host's entries lie before what is at hand of it; 0 where it was opened from its beginning.
    fn behind(&self) -> usize;
    /// Whether something was asked for since it was opened that lies before what is at hand: whatever came of that counts for
    /// nothing, and has to be asked of the whole game.
    fn fell_short(&self) -> bool;
    /// Takes one input.
    ///
    /// # Errors
    /// When what was kept comes out otherwise, or cannot be read.
    fn take(&mut self, input: Input) -> Result<Batch, Broken>;
    /// What the lines of a mail come to as play stands now, whatever was kept with them; none of any other input.
    fn decided(&self, input: &Input) -> Option<sheet::Came>;
    /// The open stage, `None` when the game is over.
    fn stage(&self) -> Option<Stage>;
    /// The current dice slot.
    fn slot(&self) -> u32;
    /// The turn that is played, which is its dice slot too unless play has gone back.
    fn turn(&self) -> u32 {
        self.slot()
    }
    /// The last slot the scenario can reach.
    fn last_slot(&self) -> u32;
    /// Spare slots that are used up.
    fn spares(&self) -> u32 {
        0
    }
    /// The epochs of its dice: one more for each time that the post office was restored.
    fn epochs(&self) -> Epochs {
        Epochs::default()
    }
    /// Under dice protocol 2, the first and last slot that a notice commits if play goes back to a rest point, by its
    /// number; `None` for a game that begins anew.
    fn slots_from(&self, _rest: Option<usize>) -> (u32, u32) {
        (0, self.last_slot())
    }
    /// New secrets of its dice: those of a notice more, or its salt.
    fn give(&mut self, _secrets: Secrets) {}
    /// What is due now.
    fn dues(&self) -> Vec<Due>;
    /// How many lines of a seat wait in a sealed sheet, with its END: they can be taken back.
    fn waiting(&self, seat: &SeatId) -> usize;
    /// Whether a seat may give lines now, and what it should be told if not.
    fn on_move(&self, seat: &SeatId) -> bool;
    /// CHECK: what each line would come to, from the seat's view alone; nothing is done.
    fn check(&self, seat: &SeatId, lines: &[(u32, String)]) -> Seen<Vec<Answered>>;
    /// CHECK of a whole plan: each line on the board that those above it leave, behind what waits if the sheet is named.
    fn rehearse(&self, seat: &SeatId, lines: &[(u32, String)], sheet: bool) -> Seen<Rehearsal>;
    /// How a seat's open sheet stands; none where it has none.
    fn sheet(&self, seat: &SeatId) -> Seen<Option<SheetState>>;
    /// The number of a seat's END that counts and has not taken effect yet.
    fn called(&self, seat: &SeatId) -> Option<u32>;
    /// A report of where the seat stands now (REPORT), with what it was told since `since_turn` (its current turn if `None`).
    fn report(&self, seat: &SeatId, since_turn: Option<u32>) -> Seen<Sections>;
    /// What the opening mail shows a seat before the game begins: its own view of the set-up.
    fn preview(&self, seat: &SeatId) -> Seen<Sections>;
    /// RULES: what the index of rules says under a paragraph, `242` or `16.4`, or under the one above it; public.
    fn rule(&self, paragraph: &str) -> Vec<String>;
    /// A paragraph that this game's index has, for examples.
    fn paragraph(&self) -> &'static str;
    /// What an umpire's lines name in examples.
    fn umpired(&self) -> Umpired;
    /// VICTORY: how the game is won, and how it stands as the seat may know it.
    fn victory(&self, seat: &SeatId) -> Seen<Vec<String>>;
    /// HELP: what the ruleset explains, topic by topic; public.
    fn topics(&self) -> &'static [Topic];
    /// WHY: how a seat came to know a line of its last report, with the dice and the paragraphs it rests on.
    fn why(&self, seat: &SeatId, line: usize) -> Seen<Vec<String>>;
    /// MAP: drawings of an area; `None` for the whole.
    fn map(&self, seat: &SeatId, area: Option<&str>, format: Format) -> Seen<Vec<String>>;
    /// MAP as a picture in SVG; none where the ruleset draws none, else the picture or what is wrong with the area.
    fn plate(&self, seat: &SeatId, area: Option<&str>) -> Seen<Option<Result<String, String>>>;
    /// What the seat sees as data, with a drawing of its ground; none where the ruleset gives none.
    fn seat_data(&self, seat: &SeatId) -> Seen<Option<SeatData>>;
    /// ORDERS: every verb with examples from the seat's own pieces.
    fn examples(&self, seat: &SeatId) -> Seen<Vec<String>>;
    /// What the program's own player would write from this seat's view: answers to open questions first, then orders,
    /// then END. `noise` picks among equals; the same view and noise give the same lines.
    fn bot(&self, seat: &SeatId, noise: u64) -> Seen<Vec<String>>;
    /// HISTORY: what the seat was told, turn by turn, one line an event; of one turn if it is named.
    fn history(&self, seat: &SeatId, turn: Option<u32>) -> Seen<Vec<String>>;
    /// DOCTRINE: the keys, their values as they were set last, what they decide.
    fn doctrine(&self, seat: &SeatId) -> Seen<Vec<String>>;
    /// From when on a standing answer counts that is set now: the same words at all times, so that they tell nothing.
    fn answers_count(&self) -> String;
    /// Whether a doctrine line is well-formed; the fault as text otherwise.
    ///
    /// # Errors
    /// The fault, as text for the seat.
    fn doctrine_line(&self, seat: &SeatId, words: &str) -> Result<(String, String), String>;
    /// What is said of a doctrine line besides: of a lodged sheet what cannot be read in it, and what it takes the place of.
    fn doctrine_said(&self, seat: &SeatId, key: &str, value: &str) -> Seen<Vec<String>>;
    /// Rolls that all seats of a side may see (`None`: all), by slot.
    fn rolls(&self, side: Option<&SideId>) -> Vec<(u32, Roll)>;
    /// Rolls that a seat has been told of, by slot.
    fn rolls_of(&self, seat: &SeatId) -> Vec<(u32, Roll)>;
    /// A roll as the game reads the faces of its dice, for a player to read.
    fn faced(&self, roll: &Roll) -> Roll;
    /// How many rolls there are, and those behind so many of them, by slot.
    fn rolls_behind(&self, count: usize) -> (usize, Vec<(u32, Roll)>);
    /// The umpire's page: all.
    fn truth(&self) -> Seen<Sections>;
    /// The same without the rolls.
    fn truth_now(&self) -> Seen<Sections>;
    /// What each side was told since an entry of the chain: for an umpire.
    fn news(&self, since: usize) -> Seen<News>;
    /// What a side knows where play stands now, with what it was told since its last letter: for an umpire.
    fn shown(&self, side: &SideId) -> Seen<Sections>;
    /// Who knows what of a piece, for an umpire.
    ///
    /// # Errors
    /// A piece that there is not.
    fn who_knows(&self, piece: &str) -> Result<Vec<String>, Fault>;
    /// The points to which play can go back, oldest first.
    fn rests(&self) -> Vec<Rest>;
    /// What forbids an umpire's act; it changes nothing.
    ///
    /// # Errors
    /// Why it cannot be.
    fn may(&self, act: &Act) -> Result<(), Fault>;
    /// How many amendments wait until the order that is half carried out has been carried out.
    fn amends(&self) -> usize;
    /// The dice that an umpire has fixed and that have not been rolled yet.
    fn fiats(&self) -> Vec<Fiat>;
    /// How many rolls of a label there were in the open slot, with those that lie fixed.
    fn rolled(&self, scope: &Scope, label: &str) -> u32;
    /// What each side knew, turn by turn, against the truth, and the luck of the dice; for when the game is over.
    fn reveal(&self) -> Vec<String>;
    /// The game as a film: as all sides knew it, for an umpire and for when it is over; or what one seat was told so far.
    fn film(&self, seat: Option<&SeatId>) -> Seen<Option<film::Film>>;
    /// What each side lost, and how the dice fell to whom, in a few lines; none before the game is over.
    fn toll(&self) -> Vec<String>;
    /// SUMMARY: a line a turn of what the seat was told.
    fn summary(&self, seat: &SeatId) -> Seen<Vec<String>>;
    /// Whether an umpire decides the combats.
    fn free(&self) -> bool;
    /// Whether seats of one side write to each other by courier, and why one seat cannot send another one now.
    ///
    /// # Errors
    /// Why it cannot, as a sentence.
    fn may_dispatch(&self, from: &SeatId, to: &SeatId) -> Result<(), String>;
    /// Whether two seats write to each other by courier alone.
    fn by_courier(&self, from: &SeatId, to: &SeatId) -> bool;
    /// Whether a word begins an order of the ruleset: the word itself, or what stands for it alone.
    fn is_verb(&self, word: &str) -> bool;
    /// Before the game begins: what lines would come to on the view that the opening mail shows.
    fn foreseen(&self, seat: &SeatId, lines: &[(u32, String)]) -> Seen<Vec<Answered>>;
    /// Whether the game begins with a sheet that all write at once on what the opening mail shows: its set-up.
    fn opens_with_set_up(&self) -> bool;
    /// Whether a line holds no order, as its seat's last letter shows things.
    fn is_prose(&self, seat: &SeatId, text: &str) -> bool;
    /// Whether a line that begins as a continuation does go on with the one above it, as its seat's last letter shows things.
    fn joins(&self, seat: &SeatId, above: &str, line: &str) -> bool;
    /// Whether a word begins a continuation line.
    fn continues(&self, word: &str) -> bool;
    /// The same game with everything outside a side's knowledge changed; for the noninterference tests.
    fn scrambled(&self, keep: &SideId, noise: u64) -> Box<dyn Game>;
    /// Plays every input of the chain again from the beginning and compares every entry.
    ///
    /// # Errors
    /// The first difference.
    fn replay(&self, entries: &[(u32, String, String)]) -> Result<u64, Otherwise> {
        self.replay_watched(entries, &mut |_, _, _| {})
    }
    /// The same; before and behind each input, and at each entry of the envelope, `watch` sees the game as it then stands,
    /// with the entry's place from 0 and what it is.
    ///
    /// # Errors
    /// The first difference.
    fn replay_watched(&self, entries: &[(u32, String, String)], watch: &mut Watch<'_>) -> Result<u64, Otherwise>;
    /// Folds the chain to the first rest point behind a place, and plays again what stands behind that: the place from which
    /// on, and what comes of it. None where there is no such point, or this program does not find the game so there.
    fn replay_behind(&self, entries: &[(u32, String, String)], place: usize) -> Behind;
    /// Walks from the set-up through every event of the game so far and looks at the state after each; how many there were.
    ///
    /// # Errors
    /// The first event after which the state cannot be, and why.
    fn walk(&self) -> Result<u64, Broken>;
}
