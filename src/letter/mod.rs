//! Letters: what stands in a mail, filled into the templates that an umpire may edit.
//!
//! Everything here is words: a [`Context`] of ready lines goes in, a subject and a body come out. What a line may be
//! (width, plain letters, nothing that a mail program would take for a quotation) is seen to in one place,
//! [`shape::finish`].

mod context;
mod filters;
mod inert;
mod page;
pub mod replay;
pub mod shape;
pub mod sheet;
mod templates;

pub use context::{Answer, Block, Choice, Context, Example, Inset, Lodged, Map, Plate, Press, Question, Seed};
pub use templates::{LetterError, NAMES, Templates};

/// The form in which a letter is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// The widest a line may be, in characters: 76 or 40.
    pub width: usize,
    /// Pure ASCII.
    pub ascii: bool,
}

/// A letter written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The subject, without its reply tag.
    pub subject: String,
    /// The body, lines ended by `\n`.
    pub body: String,
}

impl Form {
    /// The usual form: 76 columns.
    pub const WIDE: Form = Form { width: crate::text::WIDTH, ascii: false };

    /// Whether this is the form for a phone.
    pub fn narrow(&self) -> bool {
        self.width <= crate::text::WIDTH_PHONE
    }
}
