//! WHY: how a seat came to know a line of its last report.

use super::barrier::{Post, Stretch};
use super::hosted::Hosted;
use super::paper::Paper;
use super::reveal::faced;
use std::collections::BTreeSet;

impl<R: Paper> Hosted<R> {
    /// How a seat came to know a line of its last report: the line, the dice it rests on, its paragraphs in short.
    pub(super) fn explain(&self, at: usize, line: usize) -> Vec<String> {
        let Some(post) = self.core.posts.get(at) else { return Vec::new() };
        let entries = post.since..post.barrier;
        let stretch = Stretch { entries: entries.clone(), since_turn: 0, whole: false, told: 0 };
        let Some(sections) = self.sections(at, &stretch) else { return Vec::new() };
        let Some(said) = line.checked_sub(1).and_then(|n| sections.story.get(n)) else {
            return vec![match sections.story.len() {
                0 => "Your last report told nothing.".to_owned(),
                n => format!("Your last report has lines 1 to {n}."),
            }];
        };
        let mut lines = vec![format!("{line}  {said}")];
        let long = self.told_whole(at, &stretch, (line, said), &sections.told_in);
        lines.extend(long.into_iter().map(|said| format!("  {said}")));
        lines.extend(self.thrown_for(post, &entries, line, &sections.told_in));
        let battle = sections.battles.iter().filter(|b| said.contains(&format!("See {}.", head(&b.title))));
        let mut rules: Vec<String> = paragraphs(said);
        for rule in battle.flat_map(|b| paragraphs(&b.lines.join(" "))) {
            if !rules.contains(&rule) {
                rules.push(rule);
            }
        }
        let width = if post.form.narrow { crate::text::WIDTH_PHONE } else { crate::text::WIDTH };
        summed_up(lines, rules, Self::ruled, width)
    }

    /// What a short letter told in one line, each thing by itself with all its numbers, as HISTORY tells it.
    fn told_whole(
        &self,
        at: usize,
        stretch: &Stretch,
        (line, said): (usize, &str),
        told_in: &[Option<usize>],
    ) -> Vec<String> {
        if told_in.is_empty() {
            return Vec::new();
        }
        let Some(mut stuff) = self.stuff(at, stretch) else { return Vec::new() };
        let mut behind = told_in.iter();
        stuff.told.retain(|_| behind.next().is_some_and(|told| *told == Some(line)));
        let each = R::history(stuff.view, self.core.turn, &stuff.told).into_iter().skip(1);
        each.map(|one| one.trim().to_owned()).filter(|one| one != said).take(WHY_MOST / 2).collect()
    }

    /// The rolls behind a line: those made since the sighting before each of its own.
    fn thrown_for(
        &self,
        post: &Post<R>,
        entries: &std::ops::Range<usize>,
        line: usize,
        told_in: &[Option<usize>],
    ) -> Vec<String> {
        let places: Vec<usize> =
            self.told_to(post, entries.start).map(|t| t.at).filter(|at| *at < entries.end).collect();
        let (mut found, mut start) = (Vec::new(), entries.start);
        for (i, place) in places.iter().enumerate() {
            let told = if told_in.is_empty() { Some(i + 1) } else { told_in.get(i).copied().flatten() };
            // What a short letter leaves out has its dice with what it tells next.
            let Some(told) = told else { continue };
            let here = told == line;
            let span = start..*place;
            start = place + 1;
            let rolls = self.past.rolls(span.start).iter().filter(|r| span.contains(&r.at) && self.sees_roll(post, r));
            found.extend(rolls.filter(|_| here).map(|r| {
                let dice: Vec<String> = faced::<R>(&r.roll).dice.iter().map(u32::to_string).collect();
                let (label, n, sides) = (&r.roll.label, r.roll.n, r.roll.sides);
                format!("  {} die  {label} {n}: {}d{sides} {}", r.roll.scope.text(), dice.len(), dice.join(" "))
            }));
        }
        found
    }
}

/// A title up to its first wide gap: `BATTLE 1`.
fn head(title: &str) -> &str {
    title.split("   ").next().unwrap_or(title)
}

/// The lines of WHY with the paragraphs behind them: each statement once, and so many that the whole fits; of the rest the
/// numbers.
fn summed_up(mut lines: Vec<String>, rules: Vec<String>, ruled: fn(&str) -> Vec<String>, width: usize) -> Vec<String> {
    let high = |line: &String| crate::text::wrap(line, width.saturating_sub(INDENT), "", INDENT).len();
    let mut room = WHY_MOST.saturating_sub(lines.iter().map(high).sum::<usize>());
    let mut told: BTreeSet<String> = BTreeSet::new();
    let mut rest: Vec<String> = Vec::new();
    for rule in rules {
        let new: Vec<String> = ruled(&rule).into_iter().filter(|said| !told.contains(said)).collect();
        if new.is_empty() {
            continue;
        }
        let part: Vec<String> =
            std::iter::once(rule.clone()).chain(new.iter().map(|said| format!("  {said}"))).collect();
        let takes = part.iter().map(high).sum::<usize>();
        if takes > room {
            rest.push(format!("RULES {}", rule.trim_start_matches('¶')));
            continue;
        }
        room -= takes;
        told.extend(new);
        lines.extend(part);
    }
    if !rest.is_empty() {
        lines.push(format!("More: {}.", rest.join(", ")));
    }
    lines
}

/// Lines of an answer to WHY, but for the numbers of what it leaves out.
const WHY_MOST: usize = 56;
/// Columns that a continued line stands in.
const INDENT: usize = 2;

/// The paragraphs that a text cites in brackets, in order: `[¶31, 300.3a, house table]` cites 31 and 300.3a.
fn paragraphs(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for bracket in text.split('[').skip(1).filter_map(|rest| rest.split(']').next()) {
        let sign = if bracket.starts_with('¶') { "¶" } else { "" };
        for word in bracket.trim_start_matches('¶').split(", ") {
            let number = crate::text::paragraphs(word).map(|number| format!("{sign}{number}")).unwrap_or_default();
            if !number.is_empty() && !found.contains(&number) {
                found.push(number);
            }
        }
    }
    found
}
