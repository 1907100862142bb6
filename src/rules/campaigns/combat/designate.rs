//! Which forces attack which hexes (¶143, 233-235, 302-313): the duty to attack, the attacks that a sheet names, and the
//! default for the rest. All of it is reckoned from the phasing side's view; what it cannot know shows when it attacks.

use super::battle::{BattleView, Party};
use super::clause::{self, Clause};
use super::field;
use crate::hex::Hex;
use crate::map::Ground;
use crate::rules::campaigns::board::{Arm, ArmyId, LeaderId, UnitId};
use crate::rules::campaigns::pieces::{Piece, Pieces, Track, Unit};
use crate::rules::campaigns::situation::Situation;
use crate::rules::campaigns::view::View;
use std::collections::{BTreeMap, BTreeSet};

/// One attack as designated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attack {
    /// Hexes attacked.
    pub hexes: Vec<Hex>,
    /// The force leader; `None` for vedettes on their own.
    pub lead: Option<LeaderId>,
    /// Counters that attack.
    pub pieces: Vec<Piece>,
}

/// What the phasing side has to decide with.
pub struct Field<'a> {
    sit: Situation<'a>,
    own: &'a Pieces,
    /// Hexes with enemy counters.
    foes: BTreeSet<Hex>,
    /// Citadels under siege: they may not be attacked (¶308).
    sieges: &'a BTreeSet<Hex>,
    /// The army whose Combat Phase it is (¶63).
    army: Option<&'a ArmyId>,
}

impl<'a> Field<'a> {
    /// The field as a side's view shows it.
    pub fn of(view: &'a View) -> Field<'a> {
        let mut foes: BTreeSet<Hex> = view.enemy.values().map(|c| c.hex).collect();
        foes.extend(view.enemy_sources.iter().flatten());
        Field { sit: view.situation(), own: &view.own, foes, sieges: &view.sieges, army: view.phase.army.as_ref() }
    }

    /// Whether an enemy counter stands in a hex.
    pub fn foe(&self, hex: Hex) -> bool {
        self.foes.contains(&hex)
    }

    /// Whether a citadel is under siege, so that nobody attacks it (¶308).
    pub fn besieged(&self, hex: Hex) -> bool {
        self.sieges.contains(&hex) && self.foes.contains(&hex)
    }

    /// ¶63, 312, 356 Own leaders that can attack, with their hexes: some infantry, or cavalry that is not in mountains.
    pub fn forces(&self) -> BTreeMap<LeaderId, Hex> {
        let able = |id: &LeaderId, hex: Hex| {
            self.has(id, Arm::Infantry) || (self.has(id, Arm::Cavalry) && self.sit.ground(hex) != Ground::Mountain)
        };
        let acts = |id: &LeaderId| self.own.of_phase(self.sit.board, self.army, id);
        self.own.on_map().filter(|(id, hex)| able(id, *hex) && acts(id)).map(|(id, hex)| (id.clone(), hex)).collect()
    }

    /// Whether a force has units of an arm.
    fn has(&self, leader: &LeaderId, arm: Arm) -> bool {
        let of_arm = |id: &UnitId| self.sit.board.units.get(id).is_some_and(|spec| spec.arm == arm);
        let force = |leading: &LeaderId| leading == leader || self.own.is_under(leading, leader);
        let here = |unit: &Unit| unit.sp > 0 && matches!(&unit.track, Track::Of(leading) if force(leading));
        self.own.units.iter().any(|(id, unit)| here(unit) && of_arm(id))
    }

    /// Whether a force may attack an enemy hex from where it stands.
    pub fn can(&self, leader: &LeaderId, to: Hex) -> bool {
        self.own.hex(leader).is_some_and(|from| self.may(from, to)) && !self.unhorsed(leader, to)
    }

    /// ¶356 Whether a force is no infantry, and mountains are before it or under it.
    pub fn unhorsed(&self, leader: &LeaderId, to: Hex) -> bool {
        let mountain = |h: Hex| self.sit.ground(h) == Ground::Mountain;
        (mountain(to) || self.own.hex(leader).is_some_and(mountain)) && !self.has(leader, Arm::Infantry)
    }

    /// Hexes with own vedettes and none of the forces that can attack.
    fn lone_vedettes(&self, forces: &BTreeMap<LeaderId, Hex>) -> BTreeSet<Hex> {
        let forces: BTreeSet<Hex> = forces.values().copied().collect();
        self.own
            .occupied()
            .into_iter()
            .filter(|h| !self.own.vedettes_at(*h).is_empty() && !forces.contains(h))
            .collect()
    }

    /// ¶304, 308, 342: whether an own force in a hex may attack an enemy hex.
    pub fn may(&self, from: Hex, to: Hex) -> bool {
        self.foes.contains(&to) && !self.besieged(to) && field::can_fight(&self.sit, from, to)
    }

    /// ¶233-235, 299, 304, 313: whether an own force in a hex must see to it that an enemy hex is attacked.
    pub fn must(&self, from: Hex, to: Hex) -> bool {
        self.may(from, to) && !field::optional(&self.sit, from, to)
    }

    /// Enemy hexes that somebody must attack.
    pub fn duties(&self) -> BTreeSet<Hex> {
        self.duties_among(|_| true)
    }

    /// Those among some hexes: where none of them has an enemy, nobody is asked.
    pub fn duties_among(&self, wanted: impl Fn(Hex) -> bool) -> BTreeSet<Hex> {
        let foes: Vec<Hex> = self.foes.iter().copied().filter(|hex| wanted(*hex)).collect();
        if foes.is_empty() {
            return BTreeSet::new();
        }
        let forces = self.forces();
        let vedettes = self.lone_vedettes(&forces);
        let near = |to: &Hex| {
            forces.iter().any(|(l, from)| self.can(l, *to) && self.must(*from, *to))
                || vedettes.iter().any(|from| self.must(*from, *to))
        };
        foes.into_iter().filter(near).collect()
    }

    /// Enemy hexes that somebody may attack.
    pub fn chances(&self) -> BTreeSet<Hex> {
        let forces = self.forces();
        let vedettes = self.lone_vedettes(&forces);
        let near =
            |to: &Hex| forces.keys().any(|l| self.can(l, *to)) || vedettes.iter().any(|from| self.may(*from, *to));
        self.foes.iter().copied().filter(near).collect()
    }

    /// ¶143-144: whether a leader can command some counters at once, from his own hex those in it and next to it.
    pub fn commands(&self, lead: &LeaderId, counters: &[LeaderId]) -> bool {
        let Some(hex) = self.own.hex(lead) else { return false };
        let near = |c: &LeaderId| self.own.hex(c).is_some_and(|h| h == hex || h.adjacent(hex));
        let all: BTreeSet<LeaderId> = counters.iter().flat_map(|c| self.own.force(c)).collect();
        let others: Vec<LeaderId> = all.into_iter().filter(|l| l != lead && !self.own.unemployed(l)).collect();
        let alone = counters.iter().all(|c| self.own.force(c).contains(lead));
        counters.iter().all(near) && (alone || self.own.can_command(self.sit.board, lead, &others))
    }

    /// The counters that a leader gathers for an attack on any of some hexes: his own first, then those next to the
    /// enemy, the strongest first, as far as his span goes.
    fn gather(&self, lead: &LeaderId, free: &BTreeMap<LeaderId, Hex>, targets: &BTreeSet<Hex>) -> Vec<LeaderId> {
        let counter = free.keys().find(|c| self.own.force(c).contains(lead));
        let Some(counter) = counter else { return Vec::new() };
        let mut group = vec![counter.clone()];
        let mut near: Vec<&LeaderId> = free
            .iter()
            .filter(|(c, _)| *c != counter && targets.iter().any(|t| self.can(c, *t)))
            .map(|(c, _)| c)
            .collect();
        near.sort_by_key(|c| (-self.own.sp(c), (*c).clone()));
        for other in near {
            let mut more = group.clone();
            more.push(other.clone());
            if self.commands(lead, &more) {
                group = more;
            }
        }
        group
    }

    /// Targets next to some counters.
    fn reached(&self, group: &[LeaderId], targets: &BTreeSet<Hex>) -> BTreeSet<Hex> {
        targets.iter().copied().filter(|t| group.iter().any(|c| self.can(c, *t))).collect()
    }

    /// D-90: the leader whose force reaches most of some hexes, then the one who gathers most SP, then the one of the
    /// greatest Initiative; and his force.
    fn best(&self, free: &BTreeMap<LeaderId, Hex>, targets: &BTreeSet<Hex>) -> Option<Attack> {
        let mut best: Option<((usize, i32, i32), Attack)> = None;
        for lead in free.keys().flat_map(|c| self.own.force(c)) {
            let group = self.gather(&lead, free, targets);
            let hexes = self.reached(&group, targets);
            if hexes.is_empty() {
                continue;
            }
            let sp = group.iter().map(|c| self.own.sp(c)).sum();
            let rank = (hexes.len(), sp, self.own.initiative(self.sit.board, &lead));
            if best.as_ref().is_none_or(|(known, _)| rank > *known) {
                let pieces = group.into_iter().map(Piece::Leader).collect();
                best = Some((rank, Attack { hexes: hexes.into_iter().collect(), lead: Some(lead), pieces }));
            }
        }
        best.map(|(_, attack)| attack)
    }

    /// Vedettes in the hexes of an attack go with it (¶311).
    fn with_vedettes(&self, mut attack: Attack) -> Attack {
        let hexes: BTreeSet<Hex> = attack.pieces.iter().filter_map(|p| self.own.piece_hex(p)).collect();
        for hex in hexes {
            attack.pieces.extend(self.own.vedettes_at(hex).into_iter().map(Piece::Vedette));
        }
        attack
    }
}

/// ¶302-313, D-90: all attacks of the phase, in the order in which they are fought.
pub fn attacks(view: &View) -> Vec<Attack> {
    let field = Field::of(view);
    let mut free = field.forces();
    let mut found: Vec<Attack> = Vec::new();
    let mut orders: BTreeMap<Hex, u32> = BTreeMap::new();
    for hex in view.own.plans.keys() {
        let clauses = clause::plan(view, *hex);
        if let Some(n) = clauses.iter().find_map(|c| if let Clause::Order(n) = c { Some(*n) } else { None }) {
            orders.insert(*hex, n);
        }
        if let Some(attack) = named(&field, &free, *hex, &clauses, &found) {
            free.retain(|c, _| !attack.pieces.contains(&Piece::Leader(c.clone())));
            found.push(attack);
        }
    }
    let mut open = open_duties(&field, &found);
    // D-91: who need not attack anybody is not drawn into an attack unasked.
    free.retain(|c, from| open.iter().any(|to| field.can(c, *to) && field.must(*from, *to)));
    while let Some(attack) = field.best(&free, &open) {
        free.retain(|c, _| !attack.pieces.contains(&Piece::Leader(c.clone())));
        found.push(attack);
        open = open_duties(&field, &found);
    }
    extend(&field, &mut found, &open);
    let mut found: Vec<Attack> = found.into_iter().map(|a| field.with_vedettes(a)).collect();
    vedette_attacks(&field, &mut found);
    order(view, found, &orders)
}

/// ¶302-313 The battle that an attack on a hex would be, before its first round: as the plans have it, else by all that
/// stand next to it. `None` where nobody can attack it.
pub fn expected(view: &View, hex: Hex) -> Option<BattleView> {
    let of = |view: &View| attacks(view).into_iter().find(|attack| attack.hexes.contains(&hex));
    let attack = of(view).or_else(|| {
        let mut named = view.clone();
        named.own.plans.entry(hex).or_default().push(format!("ATTACK {hex}"));
        of(&named)
    })?;
    let from: BTreeSet<Hex> = attack.pieces.iter().filter_map(|piece| view.own.piece_hex(piece)).collect();
    let party = Party::new(&view.own.side, attack.lead, attack.pieces);
    Some(BattleView::before(attack.hexes, from.into_iter().collect(), true, party))
}

/// ¶313 The battle that an attack on an own hex would be; `None` where nothing stands there.
pub fn defended(view: &View, hex: Hex) -> Option<BattleView> {
    let pieces = view.own.counters_at(hex);
    let leaders = view.own.leaders_at(hex).into_iter().filter(|l| !view.own.unemployed(l));
    let lead = leaders.max_by_key(|l| view.own.initiative(&view.board, l)).cloned();
    let near = view.board.map.neighbours(hex).into_iter().filter(|n| !view.tags_at(*n).is_empty());
    let from: Vec<Hex> = near.collect();
    let party = Party::new(&view.own.side, lead, pieces);
    (!party.pieces.is_empty()).then(|| BattleView::before(vec![hex], from, false, party))
}

/// Enemy hexes that must be attacked and are not.
fn open_duties(field: &Field<'_>, found: &[Attack]) -> BTreeSet<Hex> {
    let mut open = field.duties();
    open.retain(|h| !found.iter().any(|a| a.hexes.contains(h)));
    open
}

/// The attack that a plan names for a hex: ATTACK, with its leaders or the default ones.
fn named(
    field: &Field<'_>,
    free: &BTreeMap<LeaderId, Hex>,
    hex: Hex,
    clauses: &[Clause],
    found: &[Attack],
) -> Option<Attack> {
    let hexes = clauses.iter().find_map(|c| if let Clause::Attack(h) = c { Some(h.clone()) } else { None })?;
    let taken = |h: &Hex| found.iter().any(|a| a.hexes.contains(h));
    let hexes: Vec<Hex> = hexes.into_iter().filter(|h| field.foe(*h) && !field.besieged(*h) && !taken(h)).collect();
    if hexes.is_empty() {
        return None;
    }
    let targets: BTreeSet<Hex> = hexes.iter().copied().collect();
    let with = clauses.iter().find_map(|c| if let Clause::With(l) = c { Some(l.clone()) } else { None });
    let lead = clauses.iter().find_map(|c| if let Clause::Lead(l) = c { Some(l.clone()) } else { None });
    let mut group: Vec<LeaderId> = match (&with, &lead) {
        (Some(with), _) => {
            free.keys().filter(|c| field.own.force(c).iter().any(|l| with.contains(l))).cloned().collect()
        }
        (None, Some(lead)) => field.gather(lead, free, &targets),
        (None, None) => {
            let attack = field.best(free, &targets)?;
            return Some(Attack { hexes: keep(hexes, hex), ..attack });
        }
    };
    group.dedup();
    let lead = lead.filter(|l| field.commands(l, &group)).or_else(|| leader_of(field, &group))?;
    let reached = field.reached(&group, &targets);
    let hexes: Vec<Hex> = hexes.into_iter().filter(|h| reached.contains(h)).collect();
    if hexes.is_empty() {
        return None;
    }
    Some(Attack { hexes: keep(hexes, hex), lead: Some(lead), pieces: group.into_iter().map(Piece::Leader).collect() })
}

/// The hex of the plan stands first and names the battle.
fn keep(mut hexes: Vec<Hex>, first: Hex) -> Vec<Hex> {
    hexes.sort_by_key(|h| (*h != first, *h));
    hexes
}

/// D-90: the leader of the greatest Initiative that can command a group.
pub fn leader_of(field: &Field<'_>, group: &[LeaderId]) -> Option<LeaderId> {
    let mut all: Vec<LeaderId> = group.iter().flat_map(|c| field.own.force(c)).collect();
    all.sort_by_key(|l| (-field.own.initiative(field.sit.board, l), l.clone()));
    all.into_iter().find(|l| field.commands(l, group))
}

/// ¶304: a duty that no free force can meet is laid on the first attack that is adjacent to it.
fn extend(field: &Field<'_>, found: &mut [Attack], open: &BTreeSet<Hex>) {
    for target in open {
        for attack in found.iter_mut() {
            let able = |p: &Piece| match p {
                Piece::Leader(l) => field.can(l, *target),
                Piece::Vedette(_) | Piece::Garrison(_) => true,
            };
            let must = |p: &Piece| field.own.piece_hex(p).is_some_and(|h| field.must(h, *target));
            if attack.pieces.iter().any(|p| able(p) && must(p)) {
                attack.hexes.push(*target);
                break;
            }
        }
    }
}

/// ¶311: a vedette next to the enemy attacks on its own where no real force is in the zone of that enemy.
fn vedette_attacks(field: &Field<'_>, found: &mut Vec<Attack>) {
    for from in field.lone_vedettes(&field.forces()) {
        let open: Vec<Hex> = open_duties(field, found).into_iter().filter(|t| field.must(from, *t)).collect();
        if open.is_empty() {
            continue;
        }
        let pieces = field.own.vedettes_at(from).into_iter().map(Piece::Vedette).collect();
        found.push(Attack { hexes: open, lead: None, pieces });
    }
}

/// The order of battles: as BATTLE ORDER says, then the greatest odds first by what is known, then the lowest hex (D-90).
fn order(view: &View, found: Vec<Attack>, orders: &BTreeMap<Hex, u32>) -> Vec<Attack> {
    let key = |a: &Attack| {
        let first = a.hexes.iter().filter_map(|h| orders.get(h)).min().copied().unwrap_or(u32::MAX);
        let own: i32 = a
            .pieces
            .iter()
            .map(|p| match p {
                Piece::Leader(id) => view.own.sp(id),
                Piece::Vedette(_) | Piece::Garrison(_) => 0,
            })
            .sum();
        let foe: i32 = a.hexes.iter().map(|h| known_sp(view, *h)).sum();
        (first, -(own * 1000 / foe.max(1)), a.hexes.first().copied())
    };
    let mut found = found;
    found.sort_by_key(key);
    found
}

/// What a side knows of the strength in an enemy hex; ten where it knows nothing.
fn known_sp(view: &View, hex: Hex) -> i32 {
    let known: Vec<Option<i32>> = view
        .tags_at(hex)
        .iter()
        .filter_map(|n| view.enemy.get(n))
        .map(|c| c.tie.as_ref().and_then(|t| t.sp).map(|(sp, _)| sp))
        .collect();
    known.iter().map(|sp| sp.unwrap_or(10)).sum::<i32>().max(1)
}
