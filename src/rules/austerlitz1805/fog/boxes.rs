//! 16.4.2 Boxes: what a chit may hold, how many there are, where it is put on the map.

use super::super::board::{Arm, Kind, UnitId};
use super::super::event::{Fact, Secret};
use super::super::hands::{Hand, table, tell};
use super::super::mist::ChitId;
use super::super::state::Hidden;
use super::super::strategic::{Rect, Zone, holds, waiting};
use super::super::table::{Table, um};
use super::hidden;
use crate::fog::SideId;
use crate::orders::Fault;
use crate::plane::{Spot, UM};
use crate::rules::austerlitz1805::board::Soil;
use std::collections::{BTreeMap, BTreeSet};

/// Places are tried so many units apart where the program looks for one.
const GRID: i32 = 250;

/// One chit of a sealed sheet.
struct Dealt {
    number: u8,
    units: Vec<UnitId>,
    at: Spot,
}

/// The chits of the sealed sheets, held back until both are carried out.
#[derive(Default)]
pub struct Deal {
    sides: BTreeMap<SideId, Vec<Dealt>>,
}

/// 16.4.2.1, A-46 What a chit may hold: one infantry and one battery, with one cavalry or without; or two cavalry and one
/// horse battery; an HQ rides with units only.
///
/// # Errors
/// What is too much, and what to leave out.
pub fn may_hold(t: &Table, units: &[UnitId]) -> Result<(), Fault> {
    too_much(t, units).map_or(Ok(()), |(_, why)| Err(Fault::refused(why, "16.4.2.1")))
}

/// Which of some units is too much for one chit, by its place among them, and why.
fn too_much(t: &Table, units: &[UnitId]) -> Option<(usize, String)> {
    let of = |arm: Arm| units.iter().enumerate().filter(|(_, u)| t.arm(u) == arm).collect::<Vec<_>>();
    let (foot, horse, guns, staff) = (of(Arm::Infantry), of(Arm::Cavalry), of(Arm::Artillery), of(Arm::Hq));
    let out = |units: &[(usize, &UnitId)], why: &str| {
        units.last().map(|(place, unit)| (*place, format!("{why}; leave {unit} out")))
    };
    let twice = units.iter().enumerate().find(|(n, u)| units.iter().take(*n).any(|other| other == *u));
    if let Some((place, unit)) = twice {
        return Some((place, format!("{unit} is named twice")));
    }
    if foot.len() > 1 {
        return out(&foot, "a chit holds one infantry unit");
    }
    if guns.len() > 1 {
        return out(&guns, "a chit holds one battery");
    }
    if staff.len() > 1 {
        return out(&staff, "one HQ rides with a chit");
    }
    if horse.len() > 2 {
        return out(&horse, "a chit holds two cavalry units at most");
    }
    if horse.len() == 2 && !foot.is_empty() {
        return out(&horse, "two cavalry units go without infantry");
    }
    if horse.len() == 2 && guns.iter().any(|(_, g)| t.kind(g) != Kind::Horse) {
        return out(&guns, "two cavalry units take a horse battery along, no foot battery");
    }
    if foot.is_empty() && horse.is_empty() && guns.is_empty() {
        return out(&staff, "an HQ rides with units");
    }
    None
}

/// 16.4.2.2 That no new chit is left, to who has put some down on the same sheet or has none at all.
fn none_left(most: u32) -> String {
    match most {
        0 => "no new chit of this turn is left".to_owned(),
        1 => "you have 1 new chit in this turn".to_owned(),
        most => format!("you have {most} new chits in this turn"),
    }
}

/// 16.4.2, 16.4.2.2, A-20 Whether a box is free and a chit of the turn left, which a decoy uses up as well; `dealt` are those
/// of the same sheet.
fn may_use(t: &Table, own: &Hidden, number: u8, decoy: bool, dealt: &[Dealt]) -> Result<(), Fault> {
    let fog = &t.board.tables.fog;
    if number == 0 || number > fog.boxes {
        return Err(Fault::refused(format!("the boxes are numbered 1 to {}", fog.boxes), "16.4.2"));
    }
    if own.boxes.contains_key(&number) || dealt.iter().any(|d| d.number == number) {
        let used = |n: &u8| own.boxes.contains_key(n) || dealt.iter().any(|d| d.number == *n);
        let free = (1..=fog.boxes).find(|n| !used(n)).map_or(String::new(), |n| format!("; box {n} is free"));
        return Err(Fault::refused(format!("box {number} is in use{free}"), "16.4.2"));
    }
    let most = own.quota.map_or(0, |q| q.chits);
    if u32::try_from(dealt.len()).unwrap_or(u32::MAX) >= most {
        return Err(Fault::refused(none_left(most), "16.4.2.2"));
    }
    let out = own.boxes.values().filter(|b| b.units.is_empty()).count();
    let here = dealt.iter().filter(|d| d.units.is_empty()).count();
    if decoy && out + here + own.decoys_spent >= fog.decoys {
        return Err(Fault::refused(format!("your {} decoys are used up", fog.decoys), "16.4.2"));
    }
    Ok(())
}

/// 16.4.2.4, 18.2 Where a chit may be put down: in an area where its units' corps, or for a decoy any corps, stands. Who is
/// still on the strategic map is looked up once for all places that are tried.
struct Lying<'a> {
    t: &'a Table,
    own: &'a Hidden,
    side: &'a SideId,
    decoy: bool,
    /// 28.2.9: the corps that fills a division's chit up rides with it, wherever it stands itself.
    rides: Option<&'a String>,
    /// Its units with their corps; for a decoy all that are on the strategic map.
    present: Vec<(UnitId, String)>,
}

impl<'a> Lying<'a> {
    fn of(t: &'a Table, own: &'a Hidden, side: &'a SideId, units: &[UnitId]) -> Result<Lying<'a>, Fault> {
        let decoy = units.is_empty();
        let mut present = waiting(t, own, side);
        if let Some(unit) = units.iter().find(|unit| !present.iter().any(|(u, _)| u == *unit)) {
            let boxed = own.boxes.iter().find(|(_, boxed)| boxed.units.contains(unit));
            let why = match boxed {
                Some((number, _)) => format!("{unit} is in your chit {number}"),
                None => format!("{unit} is not on your strategic map"),
            };
            return Err(Fault::refused(why, "16.4.2.4"));
        }
        present.retain(|(unit, _)| decoy || units.contains(unit));
        let lead = units.first().map(|u| t.board.group(u)).unwrap_or_default();
        Ok(Lying { t, own, side, decoy, rides: t.board.fills(side, &lead), present })
    }

    /// Whether a corps stands in an area that holds a place.
    fn inside(&self, corps: &String, at: Spot) -> bool {
        let zone = self.own.corps.get(corps).and_then(|z| self.t.board.zone(z));
        zone.is_some_and(|z| holds(z.rect, at))
    }

    /// Whether it is a decoy, and no corps stands where it would be put down.
    fn away(&self, at: Spot) -> bool {
        self.decoy && !self.present.iter().any(|(_, corps)| self.inside(corps, at))
    }

    /// Of its units the first whose corps does not stand where they would be put down.
    fn off(&self, at: Spot) -> Option<&(UnitId, String)> {
        let off = |(_, corps): &&(UnitId, String)| !self.inside(corps, at) && self.rides != Some(corps);
        self.present.iter().find(|one| !self.decoy && off(one))
    }

    /// 16.4.2.4, 16.4.2.5 Whether it may lie at a place, and no word of why.
    fn fits(&self, at: Spot) -> bool {
        !self.away(at) && self.off(at).is_none() && shut(self.t, self.side, at).is_none()
    }

    /// 16.4.2.4, 16.4.2.5 Whether it may lie at a place.
    fn at(&self, at: Spot) -> Result<(), Fault> {
        let t = self.t;
        if self.away(at) {
            let why = format!("no corps of yours stands in {}, so no chit can come from there", areas(t, at));
            return Err(Fault::refused(why, "16.4.2.4"));
        }
        if let Some((unit, corps)) = self.off(at) {
            let area = self.own.corps.get(corps).map_or("", String::as_str);
            let why = format!("{unit} is with {corps} in {area}, and {at} lies in {}", areas(t, at));
            return Err(Fault::refused(why, "16.4.2.4"));
        }
        ground(t, self.side, at)
    }
}

fn areas(t: &Table, at: Spot) -> String {
    let names: Vec<&str> = t.board.zones_at(at).map(|z| z.id.as_str()).collect();
    if names.is_empty() { "no area".to_owned() } else { names.join(" and ") }
}

/// What closes a place to a chit.
enum Shut {
    /// 16.4.1.6 It lies in the striped zone, before the assault.
    Striped,
    /// 15.1 It lies in a pond.
    Pond,
    /// 16.4.2.5 An enemy is too near.
    Near,
}

/// 16.4.2.5, 15.1, 16.4.1.6 What closes a place to a chit, if anything.
fn shut(t: &Table, side: &SideId, at: Spot) -> Option<Shut> {
    let pond = || t.board.ground.soils(Soil::Pond).any(|a| a.shape.holds(at.fine()));
    let near = || t.enemy_within(side, &t.chit_shape(at), t.board.tables.fog.apart - 1);
    match () {
        () if t.board.closed(t.mist.assault, side, at) => Some(Shut::Striped),
        () if pond() => Some(Shut::Pond),
        () if near() => Some(Shut::Near),
        () => None,
    }
}

/// 16.4.2.5, A-48, 15.1, 16.4.1.6 Whether the ground lets a chit be put down: 3 UM from every enemy unit and chit, on no
/// pond, not in a zone that is closed.
///
/// # Errors
/// Why not, and how much is missing.
pub fn ground(t: &Table, side: &SideId, at: Spot) -> Result<(), Fault> {
    match shut(t, side, at) {
        None => Ok(()),
        Some(Shut::Striped) => {
            let why = format!("{at} lies in the striped zone, closed to you until the assault has begun");
            Err(Fault::refused(why, "16.4.1.6"))
        }
        Some(Shut::Pond) => Err(Fault::refused(format!("{at} lies in a pond"), "15.1")),
        Some(Shut::Near) => Err(Fault::refused(too_near(t, side, at), "16.4.2.5")),
    }
}

/// Who is too near to a place, and by how much.
fn too_near(t: &Table, side: &SideId, at: Spot) -> String {
    let (shape, apart) = (t.chit_shape(at), t.board.tables.fog.apart);
    let units = t.standing().filter(|(_, u)| u.side != *side).map(|(id, _)| (t.shape(id).gap(&shape), id.0.clone()));
    let chits = t.mist.chits.iter().filter(|(_, c)| c.side != *side);
    let chits = chits.map(|(id, c)| (t.chit_shape(c.at).gap(&shape), id.0.clone()));
    let near = units.chain(chits).min();
    near.map_or(String::new(), |(gap, who)| {
        format!("{at} is {} UM from {who}; a chit is put down {} UM or more away", um(gap.units()), um(apart))
    })
}

/// 16.4.2-16.4.2.5 Whether a side may put a chit down.
///
/// # Errors
/// Why not.
pub fn may_place(t: &Table, own: &Hidden, side: &SideId, number: u8, units: &[UnitId], at: Spot) -> Result<(), Fault> {
    allowed(t, own, side, (number, units, at), &[])
}

/// 16.4.2-16.4.2.5 Of some places the first where a side may put a chit down.
pub fn first_place(
    t: &Table,
    (own, side): (&Hidden, &SideId),
    (number, units): (u8, &[UnitId]),
    places: impl IntoIterator<Item = Spot>,
) -> Option<Spot> {
    may_lie(t, (own, side), (number, units), places).next()
}

/// 16.4.2-16.4.2.5 Of some places those where a side may put a chit down.
pub fn may_lie<'a>(
    t: &'a Table,
    (own, side): (&'a Hidden, &'a SideId),
    (number, units): (u8, &[UnitId]),
    places: impl IntoIterator<Item = Spot>,
) -> impl Iterator<Item = Spot> {
    let sound = sound(t, own, (number, units), &[]).is_ok();
    let lying = sound.then(|| Lying::of(t, own, side, units).ok()).flatten();
    places.into_iter().filter(move |at| lying.as_ref().is_some_and(|lying| lying.fits(*at)))
}

/// 16.4.2-16.4.2.2 Whether there may be such a chit, wherever it lies.
fn sound(t: &Table, own: &Hidden, (number, units): (u8, &[UnitId]), dealt: &[Dealt]) -> Result<(), Fault> {
    may_use(t, own, number, units.is_empty(), dealt).and_then(|()| loaded(t, units, dealt))
}

/// 16.4.2.1 Whether a chit may hold some units, none of which is in another chit of the same sheet.
fn loaded(t: &Table, units: &[UnitId], dealt: &[Dealt]) -> Result<(), Fault> {
    let twice = |unit: &&UnitId| dealt.iter().any(|d| d.units.contains(unit));
    let dealt = units.iter().find(twice).map(|unit| format!("{unit} is in another chit of this sheet"));
    may_hold(t, units).and_then(|()| dealt.map_or(Ok(()), |why| Err(Fault::refused(why, "16.4.2.1"))))
}

fn allowed(
    t: &Table,
    own: &Hidden,
    side: &SideId,
    (number, units, at): (u8, &[UnitId], Spot),
    dealt: &[Dealt],
) -> Result<(), Fault> {
    let lies = |units: &[UnitId], at: Spot| Lying::of(t, own, side, units).and_then(|lying| lying.at(at));
    let usable = |number: u8| may_use(t, own, number, units.is_empty(), dealt);
    sound(t, own, (number, units), dealt).and_then(|()| lies(units, at)).map_err(|fault| {
        let Fault::Refused { why, rule, .. } = fault else { return fault };
        let mut cure = Cure { number, units: units.to_vec(), at, why: Vec::new() };
        let found = cure.boxed(usable, t.board.tables.fog.boxes)
            && cure.fewer(t)
            && loaded(t, &cure.units, dealt).is_ok()
            && cure.moved(|units| lies(units, at), |units| elsewhere(t, own, side, units, at));
        match found {
            true => {
                let copy = Some(line(cure.number, &cure.units, cure.at));
                Fault::Refused { why: cure.why.join("; "), rule, copy }
            }
            false => Fault::Refused { why, rule, copy: None },
        }
    })
}

/// The line that would be taken: another box, fewer units, another place; with a reason for each that it changes.
struct Cure {
    number: u8,
    units: Vec<UnitId>,
    at: Spot,
    why: Vec<String>,
}

impl Cure {
    /// 16.4.2 Another box, if this one is not free. Whether there is one.
    fn boxed(&mut self, usable: impl Fn(u8) -> Result<(), Fault>, most: u8) -> bool {
        let Err(fault) = usable(self.number) else { return true };
        self.why.push(fault.why());
        let free = (1..=most).find(|number| usable(*number).is_ok());
        self.number = free.unwrap_or(self.number);
        free.is_some()
    }

    /// 16.4.2.1 Fewer units, each with the reason why it is too much. Whether any is left.
    fn fewer(&mut self, t: &Table) -> bool {
        let decoy = self.units.is_empty();
        while let Some((place, why)) = too_much(t, &self.units) {
            self.units.remove(place);
            self.why.push(why);
        }
        decoy || !self.units.is_empty()
    }

    /// 16.4.2.4, 16.4.2.5 Another place, and how far from the first. Whether there is one.
    fn moved(
        &mut self,
        lies: impl Fn(&[UnitId]) -> Result<(), Fault>,
        elsewhere: impl Fn(&[UnitId]) -> Option<Spot>,
    ) -> bool {
        let Err(fault) = lies(&self.units) else { return true };
        self.why.push(fault.why());
        let Some(to) = elsewhere(&self.units) else { return false };
        let (x, y) = (i64::from(to.x - self.at.x), i64::from(to.y - self.at.y));
        let far = i32::try_from((x * x + y * y).isqrt()).unwrap_or(i32::MAX);
        // As a ruler reads it.
        self.why.push(format!("the nearest place for it is {to}, {} UM off", um(far / 10 * 10)));
        self.at = to;
        true
    }
}

/// The nearest place where the same chit could lie, in the areas of those whom it holds.
fn elsewhere(t: &Table, own: &Hidden, side: &SideId, units: &[UnitId], at: Spot) -> Option<Spot> {
    let lying = Lying::of(t, own, side, units).ok()?;
    let areas: BTreeSet<&String> = lying.present.iter().filter_map(|(_, corps)| own.corps.get(corps)).collect();
    let zones = areas.into_iter().filter_map(|id| t.board.zone(id));
    let nearest = |zone: &Zone| spots(zone.rect, at).into_iter().find(|to| lying.fits(*to));
    zones.filter_map(nearest).min_by_key(|to| {
        let (dx, dy) = (i64::from(to.x - at.x), i64::from(to.y - at.y));
        (dx * dx + dy * dy, *to)
    })
}

/// A chit or decoy as its owner writes it.
pub fn line(number: u8, units: &[UnitId], at: Spot) -> String {
    let names: Vec<&str> = units.iter().map(|u| u.0.as_str()).collect();
    if names.is_empty() {
        return format!("DECOY {number} PLACE {at}");
    }
    format!("CHIT {number} = {} PLACE {at}", names.join(", "))
}

impl Deal {
    fn of(&self, side: &SideId) -> &[Dealt] {
        self.sides.get(side).map_or(&[], Vec::as_slice)
    }

    /// 16.4.2.3-16.4.2.5 One line of a sheet. Where both put chits down too near each other, those of the side that moves
    /// first stand.
    pub fn take(&mut self, cx: &mut Hand<'_>, side: &SideId, number: u8, units: Vec<UnitId>, at: Spot) {
        let (t, own) = (table(cx), hidden(cx, side));
        if let Err(fault) = allowed(t, own, side, (number, &units, at), self.of(side)) {
            return cx.outcome(fault.into());
        }
        if !self.apart(t, side, at) {
            let lying = Lying::of(t, own, side, &units);
            let lies = |to: &Spot| lying.as_ref().is_ok_and(|lying| lying.at(*to).is_ok());
            let there = |to: &Spot| self.apart(t, side, *to) && lies(to);
            let zones: Vec<&Zone> = t.board.zones_at(at).collect();
            let found = zones.into_iter().flat_map(|z| spots(z.rect, at)).find(there);
            let why = match found {
                Some(to) => format!("an enemy chit came down too near at the same time; chit {number} lies at {to}"),
                None => format!("an enemy chit came down too near at the same time; chit {number} stays off the map"),
            };
            cx.outcome(crate::rules::Outcome::Failed { why, rule: "16.4.2.5".to_owned() });
            if let Some(at) = found {
                self.sides.entry(side.clone()).or_default().push(Dealt { number, units, at });
            }
            return;
        }
        self.sides.entry(side.clone()).or_default().push(Dealt { number, units, at });
    }

    /// 16.4.2.5 Whether a place is far enough from the chits that the other side has put down on the same sheets.
    fn apart(&self, t: &Table, side: &SideId, at: Spot) -> bool {
        let (shape, near) = (t.chit_shape(at), t.board.tables.fog.apart - 1);
        let mut others = self.sides.iter().filter(|(s, _)| *s != side).flat_map(|(_, dealt)| dealt);
        !others.any(|d| t.chit_shape(d.at).gap(&shape).within(near))
    }

    /// A-21 What is left of each corps goes into chits in its area, as far as the boxes go.
    pub fn rest(&mut self, cx: &Hand<'_>, side: &SideId) {
        let (t, own) = (table(cx), hidden(cx, side));
        let taken: BTreeSet<&UnitId> = self.of(side).iter().flat_map(|d| &d.units).collect();
        let mut left: BTreeMap<String, Vec<UnitId>> = BTreeMap::new();
        for (unit, corps) in waiting(t, own, side).into_iter().filter(|(u, _)| !taken.contains(u)) {
            left.entry(corps).or_default().push(unit);
        }
        for (corps, mut units) in left {
            let Some(zone) = own.corps.get(&corps).and_then(|z| t.board.zone(z)) else { continue };
            while let Some(load) = load(t, &mut units) {
                let used = |n: &u8| own.boxes.contains_key(n) || self.of(side).iter().any(|d| d.number == *n);
                let number = (1..=t.board.tables.fog.boxes).find(|n| !used(n));
                let troops = load.iter().filter(|u| matches!(t.arm(u), Arm::Infantry | Arm::Cavalry)).count();
                let Some((number, at)) = number.zip(self.free(t, side, zone, troops > 1)) else { break };
                self.sides.entry(side.clone()).or_default().push(Dealt { number, units: load, at });
            }
        }
    }

    /// The free place nearest to the middle of an area: 1 UM from the side's other chits, so that what they hold can move when
    /// it comes out, and 1 1/2 UM where two units of troops do; less where the area has no such room.
    fn free(&self, t: &Table, side: &SideId, zone: &Zone, two: bool) -> Option<Spot> {
        let lies = |at: &Spot, room: i32| {
            let shape = t.chit_shape(*at);
            let near = |other: Spot| {
                let other = t.chit_shape(other);
                if room > 0 { other.gap(&shape).within(room - 1) } else { other.overlaps(&shape) }
            };
            let own = t.mist.chits.values().any(|c| c.side == *side && near(c.at));
            let dealt = self.of(side).iter().any(|d| near(d.at));
            !own && !dealt && self.apart(t, side, *at) && ground(t, side, *at).is_ok()
        };
        let spots = spots(zone.rect, middle(zone));
        let rooms = [if two { 3 * UM / 2 } else { UM }, UM, UM / 2, 0];
        rooms.into_iter().find_map(|room| spots.iter().copied().find(|at| lies(at, room)))
    }

    /// 16.4.2.4 All chits come down at once. Their names follow their places from the north-west on, so that no name tells
    /// which box or line it belongs to.
    pub fn lay(self, cx: &mut Hand<'_>) {
        for (side, mut dealt) in self.sides {
            dealt.sort_by_key(|d| (-d.at.y, d.at.x, d.number));
            let spots: Vec<Spot> = dealt.iter().map(|d| d.at).collect();
            let chits = named(table(cx), &side, &spots);
            tell(cx, Fact::Placed { side: side.clone(), chits: chits.clone() });
            for (dealt, (chit, _)) in dealt.into_iter().zip(chits) {
                let Dealt { number, units, at: _ } = dealt;
                cx.emit(Secret::Filled { side: side.clone(), number, units, chit }.into());
            }
        }
    }
}

/// Names for new chits at places, in that order.
pub fn named(t: &Table, side: &SideId, spots: &[Spot]) -> Vec<(ChitId, Spot)> {
    let letter = side.0.chars().next().unwrap_or('x').to_ascii_uppercase();
    let made = t.mist.made.get(side).copied().unwrap_or(0);
    (made + 1..).zip(spots).map(|(n, at)| (ChitId(format!("{letter}C{n}")), *at)).collect()
}

/// The next chit's load out of units of one corps: infantry, cavalry and guns as far as they go, and an HQ with them.
fn load(t: &Table, units: &mut Vec<UnitId>) -> Option<Vec<UnitId>> {
    let mut load: Vec<UnitId> = Vec::new();
    for arm in [Arm::Infantry, Arm::Cavalry, Arm::Cavalry, Arm::Artillery, Arm::Hq] {
        let fits =
            |u: &UnitId| t.arm(u) == arm && may_hold(t, &[load.as_slice(), std::slice::from_ref(u)].concat()).is_ok();
        if let Some(at) = units.iter().position(fits) {
            load.push(units.remove(at));
        }
    }
    (!load.is_empty()).then_some(load)
}

/// The middle of an area.
pub fn middle(zone: &Zone) -> Spot {
    let (low, high) = zone.rect;
    Spot::new((low.x + high.x) / 2, (low.y + high.y) / 2)
}

/// Places of a rectangle, the nearest to some place first.
fn spots((low, high): Rect, middle: Spot) -> Vec<Spot> {
    let columns = (low.x..=high.x).step_by(GRID.unsigned_abs() as usize);
    let mut found: Vec<Spot> = columns
        .flat_map(|x| (low.y..=high.y).step_by(GRID.unsigned_abs() as usize).map(move |y| Spot::new(x, y)))
        .collect();
    found.sort_by_key(|s| {
        let (dx, dy) = (i64::from(s.x - middle.x), i64::from(s.y - middle.y));
        (dx * dx + dy * dy, s.x, s.y)
    });
    found
}
