//! What has happened, for an umpire: in the very words and numbers in which each side was told of it.

use super::barrier::Stuff;
use super::hosted::{Hosted, look};
use super::paper::{Drawing, Format, Paper};
use crate::fog::{Seen, Viewer};

/// What each side was told since an entry of the chain.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct News {
    /// Entries of the chain now: from here on goes the next.
    pub entries: usize,
    /// One paragraph an event, each with the name of the side that read it.
    pub story: Vec<String>,
    /// The battles, as the first side that fought them reads of them.
    pub battles: Vec<Drawing>,
}

/// Paragraphs that are shown for one question.
const IN_A_ROW: usize = 8;

impl<R: Paper> Hosted<R> {
    /// What each side was told since an entry of the chain.
    pub(super) fn news_since(&self, since: usize) -> Seen<News> {
        let mut news = News { entries: self.past.entries, ..News::default() };
        for (at, side) in self.ground.sides.iter().enumerate() {
            let told: Vec<R::Sighting> = self.past.told(at, since).iter().map(|t| t.body.clone()).collect();
            if told.is_empty() {
                continue;
            }
            let view = look(&self.core.now, side);
            let stuff =
                Stuff::<R> { view: &view, before: None, told, format: Format::default(), whole: false, offers: None };
            let sections = stuff.write();
            news.story.extend(sections.story.into_iter().map(|said| format!("To {side}: {said}")));
            if news.battles.is_empty() {
                news.battles = sections.battles;
            }
        }
        Seen::sealed(Viewer::Umpire, news)
    }

    /// What the index of rules says under a paragraph; under the one above it, where it has nothing of its own: `300` for
    /// `300.7`.
    /// Of several in a row, such as `415-416`, each under its number.
    pub(super) fn ruled(paragraph: &str) -> Vec<String> {
        if let Some((first, last)) = paragraph.trim_start_matches('¶').split_once('-')
            && let (Ok(first), Ok(last)) = (first.parse::<u32>(), last.parse::<u32>())
        {
            let all = (first..=last).take(IN_A_ROW);
            return all
                .flat_map(|n| Self::ruled(&n.to_string()).into_iter().map(move |said| format!("{n}: {said}")))
                .collect();
        }
        let mut asked = paragraph;
        loop {
            let known = R::rule(asked);
            if !known.is_empty() {
                return known;
            }
            let bare = asked.trim_end_matches(|c: char| c.is_ascii_lowercase());
            asked = match asked.rsplit_once('.') {
                _ if bare.len() < asked.len() => bare,
                Some((above, _)) => above,
                None => return Vec::new(),
            };
        }
    }
}
