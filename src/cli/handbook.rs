//! `estafette handbook`: the chapters that the program carries.

use super::{Desk, Done, Failure, USAGE};
use crate::handbook::{self, CHAPTERS};
use serde_json::json;

impl Desk<'_> {
    /// Prints a chapter, or the list of them.
    pub(super) fn handbook(&mut self, name: Option<&str>) -> Done {
        let Some(name) = name else { return self.chapters() };
        let chapter = handbook::chapter(name).map_err(|why| Failure::Said(USAGE, why))?;
        if self.json {
            self.say(&json!({"chapter": chapter.name, "text": chapter.text}).to_string())?;
        } else {
            self.say(chapter.text.trim_end())?;
        }
        Ok(0)
    }

    fn chapters(&mut self) -> Done {
        if self.json {
            let all: Vec<_> =
                CHAPTERS.iter().map(|chapter| json!({"chapter": chapter.name, "about": chapter.about})).collect();
            self.say(&json!(all).to_string())?;
            return Ok(0);
        }
        self.say("estafette handbook CHAPTER prints one of these:")?;
        for chapter in CHAPTERS {
            self.say(&format!("  {:<12} {}", chapter.name, chapter.about))?;
        }
        Ok(0)
    }
}
