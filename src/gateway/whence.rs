//! Whence an input came: what the chain names in the place of a mail that nobody wrote.

use std::fmt;

/// Whence the lines of an input came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whence<'m> {
    /// The program's own player wrote them, when its seat had had so many mails.
    House(u32),
    /// The time of an END has come; the number of its line.
    Recall(u32),
    /// An umpire said them at the console.
    Console,
    /// They stand in the mail of this name.
    Mail(&'m str),
}

impl<'m> Whence<'m> {
    /// Reads what stands in the place of a mail's name.
    pub fn read(mail: &'m str) -> Whence<'m> {
        let number = |before: &str| mail.strip_prefix(before)?.parse().ok();
        match (number("house/"), number("recall/")) {
            (Some(number), _) => Whence::House(number),
            (_, Some(number)) => Whence::Recall(number),
            _ if mail == "console" => Whence::Console,
            _ => Whence::Mail(mail),
        }
    }
}

impl fmt::Display for Whence<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Whence::House(number) => write!(f, "house/{number}"),
            Whence::Recall(number) => write!(f, "recall/{number}"),
            Whence::Console => f.write_str("console"),
            Whence::Mail(mail) => f.write_str(mail),
        }
    }
}
