//! The subject of a mail: what it is about first, since a phone shows so much; then the game, and the reply tag last.
//!
//! It is ASCII, so that no program has to decode it, and short enough to stand on one line of a mail's head. Nothing of
//! it depends on what its reader may not know: what a mail is about, when something is due from him, the game's name.

use super::tag::ReplyTag;
use crate::text;

/// Characters of a subject.
pub const CHARS_MAX: usize = 65;
/// Characters of a topic that are kept however long the tag is.
const TOPIC_CHARS_MIN: usize = 9;

/// What stands behind the topic of a subject, where there is room.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Tail {
    /// Nothing.
    #[default]
    None,
    /// Until when the reader has something to do: `Sat 20:00`. It goes before the name of the game.
    Due(String),
    /// He has nothing to do.
    Quiet,
}

/// Puts a subject together.
pub fn composed(topic: &str, tail: &Tail, game: &str, tag: &ReplyTag) -> String {
    let (topic, tag) = (plain(topic), tag.to_string());
    let whole = match tail {
        Tail::None => topic.clone(),
        Tail::Due(at) => format!("{topic}, due {}", plain(at)),
        Tail::Quiet => format!("{topic}, nothing due"),
    };
    let with_game = |said: &str| format!("{said} - {game} {tag}");
    let in_order = match tail {
        Tail::Due(_) => vec![with_game(&whole), format!("{whole} {tag}"), with_game(&topic), format!("{topic} {tag}")],
        Tail::Quiet | Tail::None => vec![with_game(&whole), with_game(&topic), format!("{topic} {tag}")],
    };
    let fits = in_order.into_iter().find(|subject| subject.len() <= CHARS_MAX);
    fits.unwrap_or_else(|| {
        let room = CHARS_MAX.saturating_sub(tag.len() + 1).max(TOPIC_CHARS_MIN);
        format!("{} {tag}", cut(&topic, room))
    })
}

/// A text in ASCII, on one line, without what could be taken for a tag.
fn plain(text: &str) -> String {
    let ascii = text::ascii(text);
    let words: Vec<&str> = ascii.split_ascii_whitespace().collect();
    words.join(" ").chars().map(|c| if matches!(c, '[' | ']') || !c.is_ascii_graphic() { ' ' } else { c }).collect()
}

/// The first words of a text that have room.
fn cut(text: &str, room: usize) -> String {
    let mut said = String::new();
    for word in text.split(' ') {
        let more = if said.is_empty() { word.to_owned() } else { format!("{said} {word}") };
        if more.len() > room {
            break;
        }
        said = more;
    }
    if said.is_empty() { text.chars().take(room).collect() } else { said.trim_end_matches([',', ':', ';']).to_owned() }
}
