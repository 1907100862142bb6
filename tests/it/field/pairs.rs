//! 13.13 Two attackers of one enemy, on a grid of placements.

use super::{A, B, C, E, L, id, two};
use estafette::rules::austerlitz1805::moves::contact::{self, Tries};
use estafette::rules::austerlitz1805::table::Table;

/// Two columns or two lines before an enemy in line or in column, of whom each could strike him if the other were not there.
fn placements() -> Vec<(String, Table)> {
    let mut all = Vec::new();
    for (form, gap, far) in [(C, 500, [9450, 9250, 9000, 8750, 8500]), (L, 1000, [9600, 9350, 9050, 8800, 8600])] {
        for (enemy, off) in [(L, [-450, -200, 0, 300]), (C, [-400, -150, 0, 250])] {
            for (y, off, wide) in
                far.iter().flat_map(|y| off.iter().flat_map(move |x| [0, 150, 400].map(|w| (*y, *x, w))))
            {
                let t = two(enemy, (3000 - gap / 2 + off, y, form), (3000 + gap / 2 + off + wide, y, form));
                if reaches(&t, A, B) && reaches(&t, B, A) {
                    let what = format!("{} at {off}, {y}, {wide} apart, before {}", form.word(), enemy.word());
                    all.push((what, t));
                }
            }
        }
    }
    all
}

fn reaches(t: &Table, one: &str, other: &str) -> bool {
    !contact::contacts(t, &id(one), &id(E), Tries::Attack, &[id(other)]).is_empty()
}

#[test]
fn of_pairs_that_could_both_strike_alone_nearly_all_strike_together() {
    let all = placements();
    let (mut both, mut halves) = (0, 0);
    for (what, t) in &all {
        match contact::pair(t, (&id(A), &id(B)), &id(E), Tries::Attack) {
            None => println!("not both: {what}"),
            Some(pair) => {
                both += 1;
                halves += i32::from(pair.halves);
            }
        }
    }
    println!("{} placements, {both} both in, {halves} with half each", all.len());
}
