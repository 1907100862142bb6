//! ¶216, 234, 360 What redoubts do for those who stand in them.

use crate::hex::Hex;
use crate::rules::campaigns::combat::field;
use crate::rules::campaigns::redoubts::Redoubt;
use crate::rules::campaigns::situation::Situation;
use crate::rules::campaigns::stands::Firm;

impl Situation<'_> {
    /// The finished redoubt in a hex that its own side holds, or could.
    fn redoubt(&self, hex: Hex) -> Option<&Redoubt> {
        let held = self.enemy.contains_key(&hex);
        let found = if held { self.foe_redoubts.get(&hex) } else { self.own.redoubts.get(&hex) };
        found.filter(|redoubt| redoubt.finished())
    }

    /// ¶216 Whether a hex is a fortification against attackers in some hexes: whoever comes, or by a redoubt.
    pub fn walls(&self, hex: Hex, attackers: &[Hex]) -> bool {
        self.fortification(hex) || self.entrenched(hex, attackers)
    }

    /// ¶216 Whether all of some attackers who can attack a hex come over the hexsides of a redoubt in it.
    pub fn entrenched(&self, hex: Hex, attackers: &[Hex]) -> bool {
        let Some(redoubt) = self.redoubt(hex) else { return false };
        let front = redoubt.front(hex);
        let mut near = attackers.iter().filter(|from| field::can_fight(self, **from, hex)).peekable();
        near.peek().is_some() && near.all(|from| front.contains(from))
    }

    /// ¶360 The same, where its title doubles those who defend it.
    pub fn doubled(&self, hex: Hex, attackers: &[Hex]) -> bool {
        let doubles = self.board.exceptions.redoubts.as_ref().is_some_and(|rules| rules.doubled);
        doubles && self.entrenched(hex, attackers)
    }

    /// ¶234 Whether a redoubt in a hex keeps out the zone of somebody in another: all of the other side who press the hex
    /// stand over redoubt hexsides.
    pub fn screened(&self, hex: Hex, from: Hex) -> bool {
        if self.redoubt(hex).is_none() {
            return false;
        }
        let foes_redoubt = self.enemy.contains_key(&hex);
        let presses = |near: &Hex| match foes_redoubt {
            true => self.own.occupied_by_force(*near),
            false => self.enemy.get(near).is_some_and(|there| there.zone() != Firm::No),
        };
        let mut attackers: Vec<Hex> = hex.neighbours().into_iter().filter(presses).collect();
        attackers.push(from);
        self.entrenched(hex, &attackers)
    }
}
