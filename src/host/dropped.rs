//! What END ANYWAY leaves out of a sheet, in as few words as tell it.

use super::sheet::Waiting;
use crate::orders::mend::Mended;
use crate::text;
use std::collections::{BTreeMap, BTreeSet};

/// So many dropped lines are named as they stand, and so many reasons are given.
const DROPPED_WHOLE: usize = 3;
const DROPPED_WITH_WHY: usize = 6;

/// Lines that END ANYWAY leaves out: few as they stand, with their reasons; of many those with one reason together, the
/// commonest first, and the rest by verb. What an earlier answer has named is told by number and verb.
pub(super) fn dropped(bad: &[Waiting], faults: &BTreeMap<u32, Mended>, fresh: &BTreeSet<u32>) -> String {
    let why = |line: &Waiting| faults.get(&line.no).map(|mended| mended.why.trim_end_matches('.').to_owned());
    if bad.len() <= DROPPED_WITH_WHY {
        let whole = |line: &Waiting| {
            let text = if bad.len() > DROPPED_WHOLE { verb(&line.text) } else { line.text.clone() };
            let why = why(line).filter(|why| !why.is_empty()).map(|why| format!(" ({why})")).unwrap_or_default();
            format!("{} {text}{why}", line.no)
        };
        return bad.iter().map(whole).collect::<Vec<_>>().join("; ");
    }
    let mut groups: Vec<((String, String), Vec<u32>)> = Vec::new();
    for line in bad {
        let why = why(line).filter(|_| fresh.contains(&line.no)).unwrap_or_default();
        let key = (verb(&line.text), text::without_name(&line.text, &why).to_owned());
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, numbers)) => numbers.push(line.no),
            None => groups.push((key, vec![line.no])),
        }
    }
    groups.sort_by_key(|((_, why), numbers)| (why.is_empty(), std::cmp::Reverse(numbers.len())));
    let told = groups.iter().take_while(|((_, why), _)| !why.is_empty()).count().min(DROPPED_WITH_WHY);
    let (first, rest) = groups.split_at(told);
    let mut by: Vec<(&str, Vec<u32>)> = Vec::new();
    for ((verb, _), numbers) in rest {
        match by.iter_mut().find(|(known, _)| known == verb) {
            Some((_, all)) => all.extend(numbers),
            None => by.push((verb, numbers.clone())),
        }
    }
    by.iter_mut().for_each(|(_, numbers)| numbers.sort_unstable());
    let first = first.iter().map(|((verb, why), n)| format!("{} {verb} ({why})", text::runs(n)));
    let rest = by.iter().map(|(verb, n)| format!("{} {verb}", text::runs(n)));
    first.chain(rest).collect::<Vec<_>>().join("; ")
}

/// The first word of a line.
fn verb(text: &str) -> String {
    text.split_whitespace().next().unwrap_or_default().to_uppercase()
}
