//! The handbook: one chapter a reader, carried inside the program and printed by `estafette handbook`.
//!
//! A chapter is plain text of at most 76 columns (tables and examples of mails excepted), in Markdown's simplest form, so that it reads as it
//! stands in a terminal, in a mail and on a web page.

/// One chapter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chapter {
    /// Its name on the command line.
    pub name: &'static str,
    /// Whom it is for, and what it tells him.
    pub about: &'static str,
    /// The text.
    pub text: &'static str,
}

/// All chapters, in the order in which a new reader would want them.
pub const CHAPTERS: [Chapter; 6] = [
    Chapter {
        name: "player",
        about: "how to play by mail: commands, orders, reports",
        text: include_str!("player.md"),
    },
    Chapter {
        name: "umpire",
        about: "a week at the umpire's desk; several players a side",
        text: include_str!("umpire.md"),
    },
    Chapter {
        name: "operator",
        about: "games, mail servers, services, limits, security",
        text: include_str!("operator.md"),
    },
    Chapter { name: "auditor", about: "how to check the dice and a whole game", text: include_str!("auditor.md") },
    Chapter {
        name: "scenario",
        about: "how to write a scenario, and those that there are",
        text: include_str!("scenario.md"),
    },
    Chapter {
        name: "contributor",
        about: "rule cases, coverage, style, where to read next",
        text: include_str!("contributor.md"),
    },
];

/// The chapter of a name.
///
/// # Errors
/// A sentence that names the chapters there are, and the nearest.
pub fn chapter(name: &str) -> Result<&'static Chapter, String> {
    let names = || CHAPTERS.iter().map(|chapter| chapter.name);
    CHAPTERS.iter().find(|chapter| chapter.name == name.to_lowercase()).ok_or_else(|| {
        let near = crate::text::nearest(name, names());
        let hint = near.map_or_else(String::new, |near| format!("  Did you mean {near}?"));
        let all: Vec<&str> = names().collect();
        format!("the handbook has no chapter \"{name}\"; it has {}.{hint}", crate::text::and_list(&all))
    })
}
