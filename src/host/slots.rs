//! Which dice slot a turn is played in.
//!
//! Each turn of a game has one slot. A turn that is played again has another: under dice protocol 1 a spare one, committed
//! before the game; under protocol 2 one that a notice commits when play goes back, behind all that there were.

use crate::dice::{Epochs, SPARE_SLOTS, Secrets};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The slots of a game.
#[derive(Clone, Serialize, Deserialize)]
pub(super) enum Slots {
    /// Dice protocol 1.
    One {
        /// Slots in which play has been.
        used: BTreeSet<u32>,
        /// One more for each restore from a backup.
        epochs: Epochs,
    },
    /// Dice protocol 2.
    Two {
        /// One more for each time that play has gone back.
        stretches: Vec<Stretch>,
        /// The first slot behind those of notices that came to nothing.
        free: u32,
    },
}

/// Turns that are played one after another, each in the slot behind the one of the turn before.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(super) struct Stretch {
    slot: u32,
    turn: u32,
}

impl Slots {
    pub(super) fn of(secrets: &Secrets) -> Slots {
        match secrets {
            Secrets::One { .. } => Slots::one(),
            Secrets::Two(_) => Slots::Two { stretches: vec![Stretch { slot: 0, turn: 0 }], free: 0 },
        }
    }

    /// Those of protocol 1, with the set-up's in use.
    pub(super) fn one() -> Slots {
        Slots::One { used: BTreeSet::from([0]), epochs: Epochs::default() }
    }

    /// The epochs of protocol 1.
    pub(super) fn epochs(&self) -> Epochs {
        match self {
            Slots::One { epochs, .. } => epochs.clone(),
            Slots::Two { .. } => Epochs::default(),
        }
    }

    /// Takes the slot of a turn.
    pub(super) fn open(&mut self, turn: u32, last: u32) -> u32 {
        let spares = self.spares(last);
        match self {
            Slots::One { used, epochs } => {
                let own = epochs.first().saturating_add(turn);
                let slot = if used.contains(&own) { first_spare(epochs, last).saturating_add(spares) } else { own };
                used.insert(slot);
                slot
            }
            Slots::Two { stretches, .. } => slot_of(stretches, turn),
        }
    }

    /// The slot of a turn that nobody plays, unless play has been in it.
    pub(super) fn passed_over(&self, turn: u32) -> Option<u32> {
        match self {
            Slots::One { used, epochs } => {
                Some(epochs.first().saturating_add(turn)).filter(|slot| !used.contains(slot))
            }
            Slots::Two { stretches, .. } => Some(slot_of(stretches, turn)),
        }
    }

    /// Spare slots in which play has been.
    pub(super) fn spares(&self, last: u32) -> u32 {
        match self {
            Slots::One { used, epochs } => {
                u32::try_from(used.range(first_spare(epochs, last)..).count()).unwrap_or(u32::MAX)
            }
            Slots::Two { .. } => 0,
        }
    }

    /// How many spare slots going back to a turn would take, and how many are left, where they are too few.
    pub(super) fn too_few(&self, turn: u32, last: u32) -> Option<(u32, u32)> {
        let Slots::One { used, epochs } = self else { return None };
        let first = epochs.first();
        let wanted = used.range(first.saturating_add(turn)..=first.saturating_add(last)).count();
        let (wanted, left) = (u32::try_from(wanted).unwrap_or(u32::MAX), SPARE_SLOTS.saturating_sub(self.spares(last)));
        (wanted > left).then_some((wanted, left))
    }

    /// The post office was restored: protocol 1 begins another epoch; under protocol 2 a game that has not begun does so in
    /// slots of its own, and one that has goes back.
    pub(super) fn restored(&mut self, epoch: &str, last: u32, begun: bool) {
        match self {
            Slots::One { epochs, .. } => _ = epochs.begin(epoch, last),
            Slots::Two { .. } if !begun => self.gone_back(0, last),
            Slots::Two { .. } => {}
        }
    }

    /// A notice came to nothing: nobody plays in its slots.
    pub(super) fn passed(&mut self, end: u32) {
        if let Slots::Two { free, .. } = self {
            *free = end.saturating_add(1).max(*free);
        }
    }

    /// Play goes back to a turn: protocol 2 takes it and those behind it in new slots.
    pub(super) fn gone_back(&mut self, turn: u32, last: u32) {
        let slot = self.next(turn, last).0;
        if let Slots::Two { stretches, .. } = self {
            stretches.push(Stretch { slot, turn });
        }
    }

    /// Under protocol 2, the first and the last of the slots in which a turn and those behind it would be played, with one
    /// in which a game stands whose last turn is over.
    pub(super) fn next(&self, turn: u32, last: u32) -> (u32, u32) {
        let end = last.saturating_add(1);
        let first = match self {
            Slots::One { .. } => 0,
            Slots::Two { stretches, free } => slot_of(stretches, end).saturating_add(1).max(*free),
        };
        (first, first.saturating_add(end.saturating_sub(turn)))
    }
}

/// The first of the spare slots that lie behind the turns'.
fn first_spare(epochs: &Epochs, last: u32) -> u32 {
    epochs.first().saturating_add(last).saturating_add(1)
}

fn slot_of(stretches: &[Stretch], turn: u32) -> u32 {
    let Stretch { slot, turn: first } = stretches.last().copied().unwrap_or(Stretch { slot: 0, turn: 0 });
    slot.saturating_add(turn.saturating_sub(first))
}
