//! II.a Reinforcements (¶56, 154-163): ENTER and DELAY.

use super::clause::Act;
use super::{clause, offmap, path};
use crate::hex::Hex;
use crate::map::Road;
use crate::orders::{Args, Fault, Verb};
use crate::rules::campaigns::board::{Arm, Halves, LeaderId, Reinforcement};
use crate::rules::campaigns::order::turned;
use crate::rules::campaigns::organization::order::{Enter, Order};
use crate::rules::campaigns::organization::paris;
use crate::rules::campaigns::organization::vedettes::{in_pool, per_force, vedettes};
use crate::rules::campaigns::pieces::{Leader, Place};
use crate::rules::campaigns::situation::{Situation, StepCost};
use crate::rules::campaigns::view::View;
use crate::rules::campaigns::{retreat, words};

/// ENTER and DELAY.
pub fn verbs() -> Vec<Verb<View, super::super::Order>> {
    vec![
        Verb {
            word: "ENTER",
            usage: "leader [AT hex] [EXTENDED n] [MARCH hex hex …] [VEDETTES n]  {IF test act [ELSE act]}",
            rule: "¶154-163",
            examples: |v| waiting(v).iter().filter_map(|r| line(v, r)).take(2).collect(),
            read: |v, args| {
                turned(v, args, |v, args| Ok(super::super::Order::Organization(Order::Enter(read_enter(v, args)?))))
            },
        },
        Verb {
            word: "DELAY",
            usage: "leader",
            rule: "¶161-162",
            examples: |v| {
                let first = waiting(v).into_iter().take(1);
                first.map(|r| format!("DELAY {}", words::order_name(v, &r.leader))).collect()
            },
            read: |v, args| {
                let leader = read_leader(v, args)?.leader.clone();
                Ok(super::super::Order::Organization(Order::Delay { leader }))
            },
        },
    ]
}

/// ¶154 The entry on the track of a leader who waits and whose turn has come; ¶376 or of a force that retreated off the
/// map.
pub fn due(v: &View, leader: &LeaderId) -> Option<Reinforcement> {
    let own = v.own.leaders.get(leader)?;
    match own.place {
        Place::Off(exit) if own.under.is_none() => {
            let units = v.own.units_of(&v.own.force(leader)).into_iter().map(|(id, u)| (id.clone(), u.sp)).collect();
            let hex = match v.own.army.abroad.get(leader) {
                Some(abroad) if v.turn < abroad.turn => return None,
                Some(abroad) => offmap::doors(&v.situation(), abroad).first().copied()?,
                None => retreat::entry(&v.situation(), exit)?,
            };
            Some(Reinforcement { turn: v.turn, side: v.own.side.clone(), leader: leader.clone(), hex, units })
        }
        Place::Waiting if !v.own.army.arrived.contains(leader) => {
            let fits = |r: &&Reinforcement| r.leader == *leader && r.side == v.own.side && r.turn <= v.turn;
            v.board
                .reinforcements
                .iter()
                .find(fits)
                .cloned()
                .or_else(|| heir(v, leader))
                .or_else(|| paris::due(v, leader))
        }
        Place::Waiting | Place::Off(_) | Place::At(_) | Place::Gone(_) | Place::Bound(_) => None,
    }
}

/// ¶113 Who supersedes a commander comes at a place of his own some turns after the first was eliminated.
fn heir(v: &View, leader: &LeaderId) -> Option<Reinforcement> {
    let heir = v.board.special.successor.get(&v.own.side).filter(|heir| heir.then == *leader)?;
    v.own.army.fallen.filter(|turn| turn + heir.turns <= v.turn)?;
    let track = v.board.reinforcements.iter().find(|r| r.leader == *leader)?;
    Some(Reinforcement { turn: v.turn, hex: heir.hex, ..track.clone() })
}

/// Whether a force comes back that retreated off the map (¶376).
fn comes_back(v: &View, leader: &LeaderId) -> bool {
    v.own.leaders.get(leader).is_some_and(|l| matches!(l.place, Place::Off(_)))
}

/// Everybody who may enter now: who comes back, then the reinforcements in the order of the track.
pub(super) fn waiting(v: &View) -> Vec<Reinforcement> {
    let off = v.own.leaders.keys().filter(|l| comes_back(v, l)).filter_map(|l| due(v, l));
    off.chain(v.board.reinforcements.iter().filter_map(|r| due(v, &r.leader))).collect()
}

fn read_leader(v: &View, args: &mut Args<'_>) -> Result<Reinforcement, Fault> {
    let mut names = words::all_leaders(v);
    let out = |l: &Leader| l.under.is_none() && matches!(l.place, Place::Waiting | Place::Off(_));
    names.retain(|(_, id)| v.own.leaders.get(id).is_some_and(out));
    let leader = args.name("one of your reinforcements", &names)?;
    let him = words::name(v, &leader);
    due(v, &leader).ok_or_else(|| match v.board.reinforcements.iter().find(|r| r.leader == leader) {
        _ if v.own.army.abroad.get(&leader).is_some_and(|away| v.turn < away.turn) => {
            let turn = v.own.army.abroad.get(&leader).map_or(0, |away| away.turn);
            Fault::refused(format!("{him} may come back from turn {turn} on"), "¶219-221")
        }
        _ if v.own.army.abroad.contains_key(&leader) => {
            Fault::refused(format!("no hex is open to {him}; he waits for the next turn"), "¶219")
        }
        _ if comes_back(v, &leader) => Fault::refused(format!("no edge hex is open to {him}"), "¶376"),
        Some(r) => Fault::refused(format!("{him} comes on turn {}", r.turn), "¶154"),
        None if paris::of(&v.board.special, &v.own).is_some_and(|p| p.leader == leader) => {
            Fault::refused("no enemy force is near enough to Paris for its garrison to take the field", "¶127")
        }
        None => Fault::refused(format!("{him} is not on the reinforcement track"), "¶154"),
    })
}

fn read_enter(v: &View, args: &mut Args<'_>) -> Result<Enter, Fault> {
    let track = read_leader(v, args)?;
    let (mut at, mut extended, mut vedettes) = (None, None, None);
    let (mut path, mut branches) = (Vec::new(), Vec::new());
    while !args.done() {
        match args.one_of("AT, MARCH or VEDETTES", &["AT", "MARCH", "VEDETTES", "EXTENDED", "IF"])? {
            "AT" => at = Some(words::hex(v, args)?),
            "MARCH" => path = path::hexes(v, args)?,
            "VEDETTES" => vedettes = Some(args.number("how many vedettes, 0 to 2")?),
            "EXTENDED" => extended = Some(super::read::extended(v, args)?),
            _ => branches.push(clause::branch(v, args)?),
        }
    }
    let hex = at.or(path.first().copied()).unwrap_or(track.hex);
    if path.first() != Some(&hex) {
        path.insert(0, hex);
    }
    let order = Enter { leader: track.leader.clone(), path, extended, vedettes: 0, branches };
    may_enter(v, &track, hex, drives_off(&order))?;
    may_march(v, &track, &order)?;
    let vedettes = vedettes_with(v, &track, vedettes)?;
    Ok(Enter { vedettes, ..order })
}

/// ¶57, 114, 147, 160 Whether the rest of the march may be ordered.
fn may_march(v: &View, track: &Reinforcement, order: &Enter) -> Result<(), Fault> {
    let Some((hex, rest)) = order.path.split_first() else { return Ok(()) };
    path::check(&v.situation(), *hex, rest, &|way| {
        let hexes = super::read::hexes(way);
        format!("ENTER {} AT {hex} MARCH {hexes}", words::order_name(v, &order.leader))
    })?;
    if let Some(besieged) = order.path.iter().find(|h| v.sieges.contains(h)) {
        return Err(Fault::refused(format!("{besieged} is besieged and cannot be entered"), "¶217"));
    }
    if order.extended.is_none() {
        return Ok(());
    }
    if v.board.policies.reinforcements_plain {
        return Err(Fault::refused("a reinforcement makes no Extended March", "¶160"));
    }
    if track.units.is_empty() {
        return Err(Fault::refused("a leader without troops makes no Extended March", "¶185"));
    }
    if v.own.army.ap < 1 || v.own.army.ap - 1 < v.phase.floor {
        return Err(Fault::refused(format!("it costs 1 AP, and you have {}", v.own.army.ap), "¶160, 185"));
    }
    Ok(())
}

/// Whether the order declares a repulse at a contact.
fn drives_off(order: &Enter) -> bool {
    order.branches.iter().any(|b| b.then == Act::Repulse || b.otherwise == Some(Act::Repulse))
}

/// ¶154, 161-163 Whether a reinforcement may enter at a hex, as far as its side knows; into a hex with enemy counters only
/// by a repulse.
pub(super) fn may_enter(v: &View, track: &Reinforcement, hex: Hex, repulse: bool) -> Result<(), Fault> {
    if let Some(army) = other_phase(v, &track.leader) {
        let him = words::name(v, &track.leader);
        return Err(Fault::refused(format!("{him} is not of the {army}, whose phase it is"), "¶55, 151"));
    }
    let back = comes_back(v, &track.leader);
    if let Some(abroad) = v.own.army.abroad.get(&track.leader) {
        let doors = offmap::doors(&v.situation(), abroad);
        if !doors.contains(&hex) {
            let open: Vec<String> = doors.iter().map(Hex::to_string).collect();
            let why = format!("he may come back at {}", crate::text::and_list(&open));
            return Err(Fault::refused(why, "¶219-220"));
        }
    } else if back && hex != track.hex {
        return Err(Fault::refused(
            format!("he must come back as near to his exit as he can: at {}", track.hex),
            "¶376",
        ));
    }
    let abroad = v.own.army.abroad.contains_key(&track.leader);
    if !abroad && hex != track.hex && (track.turn == v.turn || !hex.adjacent(track.hex)) {
        let why = format!("the entry hex is {}; on later turns a hex beside it will do", track.hex);
        return Err(Fault::refused(why, "¶163"));
    }
    let situation = v.situation();
    let open = repulse && !track.units.is_empty() && !situation.fortification(hex);
    if situation.enemy.contains_key(&hex) && !open {
        let him = words::order_name(v, &track.leader);
        return Err(Fault::Refused {
            why: format!("an enemy counter stands in {hex}"),
            rule: "¶161".to_owned(),
            copy: Some(format!("DELAY {him}")),
        });
    }
    let Some(cost) = first_cost(&situation, track, hex, earlier(v, hex)) else {
        return Err(Fault::refused(format!("{hex} cannot be entered"), "¶212"));
    };
    match paid(v, track, cost).into_iter().find(|(mp, has)| mp > has) {
        Some((mp, has)) => {
            Err(Fault::refused(format!("entering there costs {mp} MP now; the force has {has}"), "¶157"))
        }
        None => Ok(()),
    }
}

/// ¶202 What each unit of a force pays for a hex, and the MP that it has; ¶40 a leader without units has nine and pays as
/// cavalry does.
fn paid(v: &View, track: &Reinforcement, cost: StepCost) -> Vec<(Halves, Halves)> {
    let units = track.units.keys().filter_map(|u| v.board.units.get(u));
    let each: Vec<_> =
        units.map(|u| (if u.arm == Arm::Cavalry { cost.horse } else { cost.foot }, u.allowance)).collect();
    if each.is_empty() { vec![(cost.horse, Halves::whole(9))] } else { each }
}

/// ¶55, 151 The name of the army whose phase it is, where a leader is of another one.
pub(super) fn other_phase<'a>(v: &'a View, leader: &LeaderId) -> Option<&'a str> {
    let army = v.board.army(&v.own.side, v.phase.army.as_ref())?;
    (!v.own.of_phase(&v.board, Some(&army.id), leader)).then_some(army.name.as_str())
}

/// How many forces have entered at a hex this turn.
pub fn earlier(v: &View, hex: Hex) -> i32 {
    let troops = |l: &LeaderId| has_troops(v, l) || v.own.leaders.contains_key(l) && !v.own.unemployed(l);
    let forces = v.phase.entered.iter().filter(|(l, h)| **h == hex && troops(l)).count();
    i32::try_from(forces).unwrap_or(0)
}

fn has_troops(v: &View, leader: &LeaderId) -> bool {
    v.board.reinforcements.iter().any(|r| r.leader == *leader && !r.units.is_empty())
}

/// ¶157, 205 MP for the first hex: by road where a road leads off the map there, else by its terrain; one more for each
/// force that has entered there this turn on a primary road, two more without.
pub fn first_cost(situation: &Situation<'_>, track: &Reinforcement, hex: Hex, earlier: i32) -> Option<StepCost> {
    let roads = situation.board.map.neighbours(hex).into_iter().filter_map(|n| situation.board.map.road(hex, n));
    // ¶163: beside the entry hex there is no road from off the map.
    let abroad = situation.own.army.abroad.contains_key(&track.leader);
    let road = roads.max().filter(|_| hex == track.hex || abroad);
    let StepCost { foot, horse } = situation.inside(hex, road)?;
    let each = if road == Some(Road::Primary) { 1 } else { 2 };
    let surcharge = Halves::whole(each * earlier);
    Some(StepCost { foot: foot + surcharge, horse: horse + surcharge })
}

/// ¶158 Vedettes for a new force: two, or as many as are asked for, out of the pool.
pub(super) fn vedettes_with(v: &View, track: &Reinforcement, asked: Option<i32>) -> Result<u32, Fault> {
    let free = u32::try_from(in_pool(&v.own).len()).unwrap_or(0);
    // ¶158: they come with new forces and reinforcements, not with a force that was in play.
    if track.units.is_empty() || comes_back(v, &track.leader) {
        return match asked {
            None | Some(0) => Ok(0),
            Some(_) if track.units.is_empty() => {
                Err(Fault::refused("vedettes come with forces, not with a leader alone", "¶158"))
            }
            Some(_) => Err(Fault::refused("vedettes come with new forces only", "¶158")),
        };
    }
    let most = per_force(v);
    match asked.map(u32::try_from) {
        None => Ok(free.min(most)),
        Some(Ok(n)) if n <= most && n <= free => Ok(n),
        Some(Ok(n)) if n <= most => Err(Fault::refused(format!("the pool holds {free} vedettes"), "¶158")),
        Some(Ok(_) | Err(_)) => Err(Fault::refused(format!("at most {} with a force", vedettes(most)), "¶158")),
    }
}

/// What CHECK says of an entry.
pub fn check(v: &View, order: &Enter) -> Vec<String> {
    let (Some(track), Some(hex)) = (due(v, &order.leader), order.path.first()) else { return Vec::new() };
    let cost = first_cost(&v.situation(), &track, *hex, earlier(v, *hex));
    let most = cost.and_then(|cost| paid(v, &track, cost).into_iter().map(|(mp, _)| mp).max());
    most.map(|mp| format!("the first hex costs {mp} MP (¶157)")).into_iter().collect()
}

fn line(v: &View, track: &Reinforcement) -> Option<String> {
    may_enter(v, track, track.hex, false).ok()?;
    Some(format!("ENTER {} AT {}", words::order_name(v, &track.leader), track.hex))
}
