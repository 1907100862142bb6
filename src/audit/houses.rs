//! What the program's own player gave is what it gives when it is asked again.

use super::verify::bytes;
use super::{GameLine, Line};
use crate::dice::Master;
use crate::gateway::{Whence, house_noise};
use crate::host::{Game, Input, Looked};

/// What the program's own player gave, against what it gives when it is asked again.
pub(super) struct Houses {
    game: String,
    master: Option<[u8; 32]>,
    epoch: String,
    /// The inputs that are others, by their place.
    pub(super) otherwise: Vec<usize>,
}

impl Houses {
    pub(super) fn new(game: &GameLine, lines: &[Line]) -> Houses {
        let first = super::two::notices(lines).first().and_then(|notice| notice.master).or(game.master.as_deref());
        Houses { game: game.id.clone(), master: first.and_then(bytes), epoch: String::new(), otherwise: Vec::new() }
    }

    /// Looks at an input before it is played.
    pub(super) fn look(&mut self, game: &dyn Game, at: usize, looked: &Looked<'_>) {
        let Looked::Input(input) = looked else { return };
        match input {
            Input::Restored { epoch } => self.epoch.clone_from(epoch),
            Input::Orders { seat, lines, end, mail } => {
                let (Whence::House(number), Some(master)) = (Whence::read(mail), self.master) else { return };
                let noise = house_noise(&Master::from_bytes(master), &self.game, &self.epoch, &seat.0, number);
                let given = game.bot(seat, noise).body().clone();
                let own: Vec<&String> = given.iter().filter(|line| *line != "END").collect();
                if *end != (own.len() < given.len()) || !own.into_iter().eq(lines.iter().map(|(_, line)| line)) {
                    self.otherwise.push(at);
                }
            }
            _ => {}
        }
    }
}
