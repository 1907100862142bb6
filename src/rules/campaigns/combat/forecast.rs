//! How a battle would go by the tables: the reckoning of the program's own player, who compares many quickly. What CHECK
//! says comes of the rules themselves (`rehearse::fight`).
//!
//! It takes two strengths as they are believed to be and plays bombardment, attack and counterattack with dice of its own,
//! which are no dice of the game. Losses lessen a strength in proportion; pursuit, reserves, stars and the wishes of the
//! plans are left out, so that it is a forecast of the tables and not of the battle.

use super::battle::{Marker, Party};
use super::designate::Field;
use super::field::{self, Array, Factor};
use crate::hex::Hex;
use crate::rules::campaigns::board::{Arm, Halves};
use crate::rules::campaigns::pieces::Piece;
use crate::rules::campaigns::tables::{Conditions, Tables, Weather};
use crate::rules::campaigns::view::View;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// One side of a battle, as somebody believes it to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Force {
    /// Strength of infantry and cavalry when it attacks, after terrain, in halves.
    pub attack: Halves,
    /// The same when it defends.
    pub defence: Halves,
    /// SP of infantry and cavalry, before terrain.
    pub sp: i32,
    /// SP of artillery that can fire.
    pub guns: i32,
    /// Whether it pays losses in SP (Pitched); else it goes back (Pursuit).
    pub marker: Marker,
}

/// Two forces and what lies about them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// Who attacks.
    pub attacker: Force,
    /// Who defends.
    pub defender: Force,
    /// Whether the affecting line of the table is used against the defender, and against the attacker (¶353).
    pub affecting: (bool, bool),
    /// Columns to the right in the attack.
    pub shift: i32,
    /// Rounds that it may last.
    pub rounds: u32,
}

/// How it went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Toll {
    /// SP that the attacker lost.
    pub attacker: i32,
    /// SP that the defender lost.
    pub defender: i32,
    /// Who left the field: -1 the attacker, 1 the defender, 0 nobody.
    pub field: i32,
}

/// Sums over many plays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outlook {
    /// Plays.
    pub plays: u32,
    /// In how many the defender left the field.
    pub won: u32,
    /// In how many the attacker did.
    pub lost: u32,
    /// SP that the attackers lost in all of them.
    pub attacker: u32,
    /// SP that the defenders lost.
    pub defender: u32,
}

/// Dice for reckoning: the same for the same question, and never the game's.
struct Cup(ChaCha8Rng);

impl Cup {
    /// A die that is even to one part in some hundred millions.
    fn d6(&mut self) -> i32 {
        i32::try_from((u64::from(self.0.next_u32()) * 6) >> 32).unwrap_or(0) + 1
    }
}

/// A force in the course of a battle.
struct Line<'a> {
    force: &'a Force,
    lost: i32,
}

impl Line<'_> {
    fn left(&self) -> i32 {
        (self.force.sp - self.lost).max(0)
    }

    /// What is left of a strength.
    fn share(&self, strength: Halves) -> Halves {
        if self.force.sp <= 0 { strength } else { Halves(strength.0 * self.left() / self.force.sp) }
    }

    /// Takes a loss in SP; who has none left is gone.
    fn take(&mut self, sp: i32) -> bool {
        self.lost += sp.clamp(0, self.left());
        self.left() == 0
    }
}

/// ¶300 steps 5-11 Many plays of one meeting; the seed names the dice.
pub fn outlook(tables: &Tables, weather: &Conditions, meeting: &Meeting, plays: u32, seed: u64) -> Outlook {
    let mut cup = Cup(ChaCha8Rng::seed_from_u64(seed));
    let mut sum = Outlook { plays, ..Outlook::default() };
    for _ in 0..plays {
        let toll = play(tables, weather, meeting, &mut cup);
        sum.won += u32::from(toll.field > 0);
        sum.lost += u32::from(toll.field < 0);
        sum.attacker += toll.attacker.unsigned_abs();
        sum.defender += toll.defender.unsigned_abs();
    }
    sum
}

/// One play.
fn play(tables: &Tables, weather: &Conditions, meeting: &Meeting, cup: &mut Cup) -> Toll {
    let mut attacker = Line { force: &meeting.attacker, lost: 0 };
    let mut defender = Line { force: &meeting.defender, lost: 0 };
    let toll = |a: &Line<'_>, d: &Line<'_>, field| Toll { attacker: a.lost, defender: d.lost, field };
    for _ in 0..meeting.rounds.max(1) {
        if bombard(tables, weather, &attacker, &mut defender, cup) {
            return toll(&attacker, &defender, 1);
        }
        if bombard(tables, weather, &defender, &mut attacker, cup) {
            return toll(&attacker, &defender, -1);
        }
        let field = half(tables, weather, (&mut attacker, &mut defender), (meeting.shift, meeting.affecting.0), cup);
        if field != 0 {
            return toll(&attacker, &defender, field);
        }
        let field = half(tables, weather, (&mut defender, &mut attacker), (0, meeting.affecting.1), cup);
        if field != 0 {
            return toll(&attacker, &defender, -field);
        }
    }
    toll(&attacker, &defender, 0)
}

/// ¶300 step 5, 343-347 Guns fire; whether nobody is left before them.
fn bombard(tables: &Tables, weather: &Conditions, by: &Line<'_>, on: &mut Line<'_>, cup: &mut Cup) -> bool {
    if by.force.guns <= 0 {
        return false;
    }
    let die = cup.d6() + tables.artillery.weather(weather) + tables.artillery.target(on.left());
    on.take(tables.artillery.fire(by.force.guns, die))
}

/// ¶300 steps 6-8, 350-354, 407-408 One half round: 1 if the attacked have left the field, -1 if the attackers have.
fn half<'a>(
    tables: &Tables,
    weather: &Conditions,
    (by, on): (&mut Line<'a>, &mut Line<'a>),
    (shift, affecting): (i32, bool),
    cup: &mut Cup,
) -> i32 {
    let attack = by.share(by.force.attack);
    if attack <= Halves(0) {
        return 0;
    }
    let snow = if weather.has(Weather::Snow) { tables.combat.modifiers.snow } else { 0 };
    let defence = on.share(on.force.defence);
    let result = tables.combat.crt(attack, defence, shift, affecting, cup.d6() + snow);
    let (loser, winner, beaten) = if result.attacker_loses { (by, on, -1) } else { (on, by, 1) };
    // ¶367: the winner never loses more than a loser that is eliminated had.
    let due = result.winner().min(loser.left());
    winner.take(due);
    let stands = matches!(loser.force.marker, Marker::Pitched | Marker::Refuse) && result.loser() <= loser.left();
    if !stands {
        return beaten;
    }
    if loser.take(result.loser()) { beaten } else { 0 }
}

/// ¶352-361 The meeting at a hex that all own forces next to it attack, if the enemy there has so many SP; `None` where
/// nobody of the viewer's can attack it.
pub fn meeting(v: &View, target: Hex, enemy: i32, markers: (Marker, Marker), rounds: u32) -> Option<Meeting> {
    let field = Field::of(v);
    let near: Vec<(_, Hex)> = field.forces().into_iter().filter(|(l, _)| field.can(l, target)).collect();
    let mut hexes: Vec<Hex> = near.iter().map(|(_, hex)| *hex).collect();
    hexes.sort_unstable();
    hexes.dedup();
    let pieces = near.into_iter().map(|(leader, _)| Piece::Leader(leader)).collect();
    let party = Party::new(&v.side_id(), None, pieces);
    let array = Array { own: &v.own, party: &party, hexes: &hexes, reserves: false };
    let sit = v.situation();
    let terrain = &v.board.tables.terrain;
    let citadel = sit.citadel(target);
    let walls = field::strong(&sit, target, &hexes);
    // ¶361: the defender takes one factor; walls are the best of all.
    let crest = v.board.exceptions.combat.crests_weaken && hexes.iter().all(|h| sit.crest(*h, target));
    let weakest = if walls {
        Factor::None
    } else if crest {
        Factor::Crest
    } else {
        Factor::Woods
    };
    let swamped = if walls { Factor::None } else { Factor::Swamp };
    let strength = |factor| field::attack(&sit, &array, &[target], factor);
    let arms = |arm: Arm| hexes.iter().map(|h| array.arm(&sit, *h, arm)).sum::<i32>();
    let own = Force {
        attack: strength(weakest).min(strength(swamped)),
        defence: field::defence(&sit, &array, &[target], Factor::None),
        sp: arms(Arm::Infantry) + arms(Arm::Cavalry),
        guns: if sit.woods(target) || citadel { 0 } else { arms(Arm::Artillery) },
        marker: markers.0,
    };
    let whole = Halves::whole(enemy);
    let wooded = hexes.iter().all(|h| sit.woods(*h));
    let foe = Force {
        attack: if wooded { terrain.into_woods(Arm::Infantry, whole) } else { whole },
        defence: if walls { terrain.in_fortification(whole) } else { whole },
        sp: enemy,
        guns: 0,
        marker: markers.1,
    };
    let affecting = (field::affecting(&sit, &hexes, &[target]), field::affecting(&sit, &[target], &hexes));
    (own.attack > Halves(0)).then_some(Meeting { attacker: own, defender: foe, affecting, shift: 0, rounds })
}

impl Outlook {
    /// So many of the plays, of a hundred.
    pub fn of_100(&self, plays: u32) -> u32 {
        plays * 100 / self.plays.max(1)
    }

    /// A sum over all plays as the mean of one, in words.
    pub fn tenths(&self, sum: u32) -> String {
        let plays = self.plays.max(1);
        format!("{}.{}", sum / plays, sum * 10 / plays % 10)
    }
}
