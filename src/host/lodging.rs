//! What is said of a sheet that is lodged: lines that nobody could read when their time comes, and what it takes the place of.

use super::hosted::Hosted;
use super::paper::Paper;
use crate::fog::SeatId;
use crate::orders::{self, Fault};

/// What stands between the lines of a sheet.
const THEN: &str = "then";

impl<R: Paper> Hosted<R> {
    /// What is said of a standing answer that is about to be set: nothing, but of a lodged sheet. It is read on the seat's own
    /// view; what may not be carried out now may when its time comes.
    pub(super) fn of_lodged(&self, seat: &SeatId, key: &str, value: &str) -> Vec<String> {
        let word = key.split_whitespace().next().unwrap_or_default();
        let Some(post) = self.post_of(seat).and_then(|at| self.core.posts.get(at)) else { return Vec::new() };
        let Some(default) = R::doctrines().iter().find(|k| R::lodges() == Some(k.word) && k.word == word) else {
            return Vec::new();
        };
        let mut found: Vec<String> = (1_u32..)
            .zip(lines(value))
            .filter_map(|(n, line)| match orders::read(R::verbs(), &post.view, &orders::line(n, &line)) {
                Err(fault @ Fault::Unclear { .. }) => {
                    Some(format!("BUT its line {n}, {line}, cannot be read as things stand: {fault}"))
                }
                _ => None,
            })
            .collect();
        let old = self.core.desk.book(seat);
        let old = old.get(key).filter(|old| *old != default.default && *old != value);
        found.extend(old.map(|old| format!("It takes the place of: {old}.")));
        found
    }
}

/// The lines of a sheet, without its turn.
fn lines(value: &str) -> Vec<String> {
    let line = orders::line(0, value);
    let turn = line.words.first().is_some_and(|word| word.fold == "turn");
    let words: Vec<_> = line.words.iter().skip(if turn { 2 } else { 0 }).collect();
    let text = |words: &[&orders::Word]| words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
    let lines: Vec<String> = words.split(|word| word.fold == THEN).map(text).collect();
    // NONE and PASS are no lines.
    if lines.iter().all(|line| !line.contains(' ')) { Vec::new() } else { lines }
}
