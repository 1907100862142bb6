//! Leaders who take units along.

/// Whether each of some units finds somebody who takes it along, none of them more than there is room for with him. `takers`
/// are those who could take a unit.
pub fn all_taken<'l>(
    units: &'l [String],
    takers: impl Fn(&str) -> Vec<&'l String>,
    room: impl Fn(&str) -> usize,
) -> bool {
    let mut taken = Taken { takers, room, pairs: Vec::new() };
    units.iter().all(|unit| taken.finds(unit, &mut Vec::new()))
}

/// Who takes whom.
struct Taken<'l, T, R> {
    takers: T,
    room: R,
    pairs: Vec<(&'l String, &'l String)>,
}

impl<'l, T: Fn(&str) -> Vec<&'l String>, R: Fn(&str) -> usize> Taken<'l, T, R> {
    /// A leader for one more unit; one who is full gives up a unit that another can take.
    fn finds(&mut self, unit: &'l String, asked: &mut Vec<&'l String>) -> bool {
        for leader in (self.takers)(unit) {
            if asked.contains(&leader) {
                continue;
            }
            asked.push(leader);
            let mine: Vec<&String> = self.pairs.iter().filter(|(by, _)| *by == leader).map(|(_, unit)| *unit).collect();
            if mine.len() < (self.room)(leader) {
                self.pairs.push((leader, unit));
                return true;
            }
            for other in mine {
                if self.finds(other, asked) {
                    self.pairs.retain(|pair| *pair != (leader, other));
                    self.pairs.push((leader, unit));
                    return true;
                }
            }
        }
        false
    }
}
