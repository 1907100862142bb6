//! The marching body: what each kind of unit may spend and has spent (¶142, 202-204).

use crate::rules::campaigns::board::{Arm, Board, Halves, LeaderId, Quality};
use crate::rules::campaigns::pieces::Pieces;
use crate::rules::campaigns::situation::StepCost;
use crate::rules::campaigns::tables::TerrainEffects;

/// One kind of unit in a column: those that pay alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Gait {
    /// What the slowest of them may spend, without Extended March.
    base: Halves,
    /// What they may spend now.
    limit: Halves,
    /// What they have spent.
    spent: Halves,
}

/// A column on the march.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    foot: Option<Gait>,
    horse: Option<Gait>,
    /// MP of parts that were dropped off on the way: they count for the length of march (¶142).
    dropped: Halves,
    /// MP spent that are no march: bridge work (¶251).
    pub idle: Halves,
}

impl Column {
    /// ¶17, 147, 202-204, 256: the column of some leaders' units: foot, guns and trains together, horse apart.
    pub fn of(board: &Board, own: &Pieces, leaders: &[LeaderId]) -> Column {
        let mut column = Column { foot: None, horse: None, dropped: Halves(0), idle: Halves(0) };
        for (spec, _) in own.manifest(board, leaders) {
            column.admit(spec.arm == Arm::Cavalry, spec.allowance);
        }
        if leaders.iter().any(|l| own.leaders.get(l).is_some_and(|l| l.train)) {
            column.admit(false, Halves::whole(board.tables.terrain.allowances.bridge_train));
        }
        let bonus = old_guard_bonus(&board.tables.terrain, board, own, leaders);
        column.each(|gait| {
            gait.base = gait.base + bonus;
            gait.limit = gait.limit + bonus;
        });
        column
    }

    /// A single counter that pays as cavalry: a vedette, an unemployed leader, a center.
    pub fn rider(allowance: i32) -> Column {
        let allowance = Halves::whole(allowance);
        let gait = Gait { base: allowance, limit: allowance, spent: Halves(0) };
        Column { foot: None, horse: Some(gait), dropped: Halves(0), idle: Halves(0) }
    }

    fn admit(&mut self, horse: bool, allowance: Halves) {
        let slot = if horse { &mut self.horse } else { &mut self.foot };
        let slowest = slot.map_or(allowance, |gait| gait.base.min(allowance));
        *slot = Some(Gait { base: slowest, limit: slowest, spent: Halves(0) });
    }

    fn each(&mut self, mut f: impl FnMut(&mut Gait)) {
        for gait in [&mut self.foot, &mut self.horse].into_iter().flatten() {
            f(gait);
        }
    }

    fn gaits(&self) -> impl Iterator<Item = &Gait> {
        [&self.foot, &self.horse].into_iter().flatten()
    }

    /// ¶185 Adds the MP of an Extended March.
    pub fn extend(&mut self, extra: Halves) {
        self.each(|gait| gait.limit = gait.limit + extra);
    }

    /// ¶192 One MP less than the whole allowance.
    pub fn less_one(&mut self) {
        self.each(|gait| gait.limit = gait.limit - Halves::whole(1));
    }

    /// ¶193 One MP only.
    pub fn only_one(&mut self) {
        self.each(|gait| gait.limit = gait.limit.min(Halves::whole(1)));
    }

    /// ¶432 So many MP at most.
    pub fn at_most(&mut self, mp: Halves) {
        self.each(|gait| gait.limit = gait.limit.min(mp));
    }

    /// ¶202 Whether every unit can pay.
    pub fn can_pay(&self, cost: StepCost) -> bool {
        let fits = |gait: &Option<Gait>, mp: Halves| gait.is_none_or(|g| g.spent + mp <= g.limit);
        fits(&self.foot, cost.foot) && fits(&self.horse, cost.horse)
    }

    /// Pays for a step.
    pub fn pay(&mut self, cost: StepCost) {
        if let Some(gait) = &mut self.foot {
            gait.spent = gait.spent + cost.foot;
        }
        if let Some(gait) = &mut self.horse {
            gait.spent = gait.spent + cost.horse;
        }
    }

    /// ¶251 Pays for bridge work: MP that are spent waiting and are no march.
    pub fn wait(&mut self, mp: Halves) {
        self.pay(StepCost { foot: mp, horse: mp });
        self.idle = self.idle + mp;
    }

    /// ¶142, 256 Goes on at the pace of `rest`, as it would start, after a bridge train was left or taken: a train sets the
    /// pace of those it travels with. One taken by horse has come as far as they have.
    pub fn keep_pace(&mut self, rest: &Column) {
        match (self.foot, rest.foot, self.horse) {
            (None, Some(train), Some(horse)) => {
                let limit = train.base.min(horse.limit);
                self.foot = Some(Gait { base: train.base, limit, spent: horse.spent });
            }
            (Some(_), None, _) => self.go_on_as(rest),
            _ => {}
        }
    }

    /// ¶142 Goes on without what was dropped off: `rest` is the column of those who go on, as they would start.
    pub fn go_on_as(&mut self, rest: &Column) {
        self.dropped = self.march();
        let keep = |mine: &mut Option<Gait>, theirs: &Option<Gait>| match (mine.as_mut(), theirs) {
            (Some(gait), Some(slowest)) => {
                let faster = slowest.base - gait.base;
                gait.base = gait.base + faster;
                // What a roll of one MP allows does not grow with faster units.
                if gait.limit > Halves::whole(1) {
                    gait.limit = gait.limit + faster;
                }
            }
            (_, None) => *mine = None,
            (None, Some(_)) => {}
        };
        keep(&mut self.foot, &rest.foot);
        keep(&mut self.horse, &rest.horse);
    }

    /// ¶264 Length of march: the most that any kind of unit has spent, bridge work left out.
    pub fn march(&self) -> Halves {
        let most = self.gaits().map(|g| g.spent - self.idle).max().unwrap_or(Halves(0));
        most.max(self.dropped).max(Halves(0))
    }

    /// ¶186 MP beyond the base allowance, of the kind of unit that is furthest beyond.
    pub fn extra(&self) -> Halves {
        self.gaits().map(|g| g.spent - g.base).max().unwrap_or(Halves(0)).max(Halves(0))
    }

    /// ¶205 Whether horse has spent more than anybody else.
    pub fn ridden(&self) -> bool {
        self.horse.is_some_and(|horse| self.foot.is_none_or(|foot| horse.spent > foot.spent))
    }

    /// MP that every unit has left.
    pub fn left(&self) -> Halves {
        self.gaits().map(|g| g.limit - g.spent).min().unwrap_or(Halves(0))
    }

    /// What its foot and its horse may spend in all, where it has them.
    pub fn limits(&self) -> [Option<Halves>; 2] {
        [self.foot, self.horse].map(|gait| gait.map(|gait| gait.limit))
    }

    /// What every unit may spend in all.
    pub fn allowance(&self) -> Halves {
        self.gaits().map(|g| g.limit).min().unwrap_or(Halves(0))
    }

    /// Whether the column is of one kind of unit only, horse.
    pub fn all_horse(&self) -> bool {
        self.foot.is_none() && self.horse.is_some()
    }
}

/// ¶203 The bonus of a force of nothing but Old Guard foot, and any horse.
fn old_guard_bonus(terrain: &TerrainEffects, board: &Board, own: &Pieces, leaders: &[LeaderId]) -> Halves {
    let manifest = own.manifest(board, leaders);
    let fits = |arm: Arm, quality: Quality| match arm {
        Arm::Infantry => quality == Quality::OldGuard,
        Arm::Cavalry => true,
        Arm::Artillery => false,
    };
    let foot = manifest.iter().any(|(s, _)| s.arm == Arm::Infantry);
    if foot && manifest.iter().all(|(s, _)| fits(s.arm, s.quality)) { terrain.old_guard_bonus() } else { Halves(0) }
}
