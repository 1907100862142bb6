//! What a seat may order by all it knows. Nothing is refused here for what its view does not hold.

use super::order::{ForceOrder, How, Part};
use super::read::{hexes, how_words};
use super::step::held;
use super::{bridge, offmap, parts, plotted, stack, train};
use crate::hex::{Hex, Hexside};
use crate::orders::Fault;
use crate::rules::campaigns::board::{Halves, LeaderId};
use crate::rules::campaigns::pieces::Piece;
use crate::rules::campaigns::sequence::At;
use crate::rules::campaigns::situation::Situation;
use crate::rules::campaigns::view::View;
use crate::rules::campaigns::words;

type Allowed = Result<(), Fault>;

/// ¶147-217 Whether a force order may be given.
///
/// # Errors
/// Refused, with the paragraph.
pub fn force(v: &View, order: &ForceOrder) -> Allowed {
    let name = words::name(v, &order.leader);
    if order.how == How::Hold {
        return plotted::free(v, &order.leader, &name);
    }
    let still = order.path.is_empty() && order.works.is_empty() && order.mode.is_none() && !order.off_map;
    if still && order.trains.is_empty() && order.with.is_empty() && order.how != How::Plotted {
        return Err(Fault::Unclear {
            said: String::new(),
            expected: "a MARCH or BRIDGE step".to_owned(),
            nearest: None,
            example: None,
        });
    }
    if v.own.unemployed(&order.leader) {
        return Err(Fault::Refused {
            why: format!("{name} has no troops; he moves as an unemployed leader"),
            rule: "¶40".to_owned(),
            copy: Some(format!("LEADER {} MARCH {}", words::order_name(v, &order.leader), hexes(&order.path))),
        });
    }
    in_season(v, order.how, &order.leader, &order.path, &name)?;
    exceptions(v, order, &name)?;
    let Some(hex) = v.own.hex(&order.leader) else { return Err(Fault::refused("he is not on the map", "¶147")) };
    plotted::allowed(v, order, hex)?;
    ready(v, &order.leader, &order.path, hex, &name)?;
    if let (true, Some(&end)) = (order.with.is_empty(), order.path.last()) {
        end_of_march(v, &order.leader, end, &name)?;
    }
    parts::allowed(v, order, hex)?;
    train::allowed(v, order, hex)?;
    offmap::allowed(v, order, hex)?;
    crossings(v, &order.leader, hex, &order.path)?;
    modes(v, order, hex, &name)?;
    drops(v, order, hex)?;
    for work in &order.works {
        bridge::allowed(v, order, hex, work)?;
    }
    match order.how {
        How::Command(extended) => command(v, order, hex, extended.is_some()),
        How::Free(extended) => free(v, order, hex, extended.is_some()),
        How::Plotted | How::Initiative | How::Forced | How::Hold => Ok(()),
    }
}

/// ¶150, 164, 185, 224 What a title or a scenario forbids to a march.
fn exceptions(v: &View, order: &ForceOrder, name: &str) -> Allowed {
    let special = &v.board.special;
    if v.board.exceptions.marches.no_extended && matches!(order.how, How::Command(Some(_)) | How::Free(Some(_))) {
        return Err(Fault::refused("there are no Extended Marches in this game", "¶185"));
    }
    if special.leaves(&order.leader, v.turn) {
        return Err(Fault::refused(format!("{name} is withdrawn this turn and does not march"), "¶164"));
    }
    for (a, b, hexes) in &special.keep_apart {
        let other = if *a == order.leader { b } else { a };
        if *a != order.leader && *b != order.leader {
            continue;
        }
        let near = |h: &&Hex| v.own.hex(other).is_some_and(|there| there.distance(**h) <= *hexes);
        if let Some(hex) = order.path.iter().find(near) {
            let his = words::name(v, other);
            return Err(Fault::refused(format!("{hex} is within {hexes} hexes of {his}; they keep apart"), "¶150"));
        }
    }
    let closed = |hex: &&Hex| special.closed(&v.own.side, **hex);
    match order.path.iter().chain(order.with.iter().flat_map(|part| &part.path)).find(closed) {
        Some(hex) => Err(Fault::refused(format!("{hex} is closed to your side"), "¶224")),
        None => Ok(()),
    }
}

/// ¶57-58, 115 Whether all of a force was raised out of the pool this turn, and so counts as a reinforcement.
pub fn mustered(v: &View, leader: &LeaderId) -> bool {
    let units = v.own.units_of(&v.own.force(leader));
    !units.is_empty() && units.iter().all(|(id, _)| v.phase.mustered.contains(*id))
}

/// ¶115, 160, 167 Whether the force has a free command, and may use it.
fn free(v: &View, order: &ForceOrder, hex: Hex, extended: bool) -> Allowed {
    let name = words::name(v, &order.leader);
    if !mustered(v, &order.leader) {
        let why = "a free command is for March Regiments raised this turn; a reinforcement has it with ENTER";
        return Err(Fault::refused(why, "¶115, 154"));
    }
    if !v.situation().zones_on(hex).is_empty() {
        return Err(Fault::refused(format!("{name} stands next to the enemy; no command moves him"), "¶167, 237"));
    }
    if extended && (v.own.army.ap < 1 || v.own.army.ap - 1 < v.phase.floor) {
        return Err(Fault::refused(format!("it costs 1 AP, and you have {}", v.own.army.ap), "¶160, 185"));
    }
    Ok(())
}

/// ¶50, 58, 64 Whether it is the time for such a move.
fn in_season(v: &View, how: How, leader: &LeaderId, path: &[Hex], name: &str) -> Allowed {
    let side = v.side_id();
    // ¶55, 62, 151: an army moves its own forces, in its own phase.
    if let Some(army) = v.board.army(&side, v.phase.army.as_ref())
        && !v.own.of_phase(&v.board, Some(&army.id), leader)
    {
        return Err(Fault::refused(format!("{name} is not of the {}, whose phase it is", army.name), "¶55, 62, 151"));
    }
    match (how, &v.at) {
        (How::Forced, At::Reaction(phasing)) if *phasing != side => Ok(()),
        (How::Forced, _) => {
            Err(Fault::refused("a Forced March is made on sheet R, in the enemy's player-turn", "¶297"))
        }
        (_, At::Own(phasing)) if *phasing == side => {
            if v.phase.acted.contains(leader) {
                return Err(Fault::refused(format!("{name} has had his move or attempt this turn"), "¶170, 200"));
            }
            if v.phase.entered.contains_key(leader) {
                return Err(Fault::refused(format!("{name} entered this turn and has moved"), "¶57"));
            }
            if mustered(v, leader) && !matches!(how, How::Free(_)) {
                let free = ForceOrder { path: path.to_vec(), ..ForceOrder::bare(leader.clone(), How::Free(None)) };
                return Err(Fault::Refused {
                    why: format!("{name} counts as a reinforcement this turn and has a free command"),
                    rule: "¶57-58, 115".to_owned(),
                    copy: Some(line(v, &free)),
                });
            }
            Ok(())
        }
        (_, At::Reaction(phasing)) if *phasing != side => Err(Fault::Refused {
            why: "on sheet R forces move by Forced March only".to_owned(),
            rule: "¶297".to_owned(),
            copy: Some(format!("FORCE {} FORCED MARCH {}", words::order_name(v, leader), hexes(path))),
        }),
        _ => Err(Fault::refused("forces move on sheet A, in their own Movement Phase", "¶149")),
    }?;
    if v.phase.acted.contains(leader) {
        return Err(Fault::refused(format!("{name} has had his attempt in this segment"), "¶200"));
    }
    if how == How::Forced && v.own.army.forced.contains(leader) {
        return Err(Fault::refused(format!("{name} has tried a Forced March this turn"), "¶63"));
    }
    Ok(())
}

/// ¶225-228 Whether a part of a multi-hex force may march as the order says.
///
/// # Errors
/// Refused, with the paragraph.
pub fn part(v: &View, order: &ForceOrder, part: &Part, hex: Hex, name: &str) -> Allowed {
    in_season(v, order.how, &part.leader, &part.path, name)?;
    ready(v, &part.leader, &part.path, hex, name)?;
    bridges(v, marches_foraging(v, order), hex, &part.path)?;
    crossings(v, &order.leader, hex, &part.path)
}

/// ¶214 Only one force crosses a pontoon in each phase.
fn crossings(v: &View, leader: &LeaderId, from: Hex, path: &[Hex]) -> Allowed {
    let own = Piece::Leader(leader.clone());
    let mut at = from;
    for next in path {
        let taken =
            Hexside::between(at, *next).and_then(|edge| v.phase.crossed.get(&edge)).is_some_and(|by| *by != own);
        if taken && v.situation().by_pontoon(at, *next) {
            return Err(Fault::refused(
                format!("another force has crossed the pontoon {at}/{next} in this phase"),
                "¶214",
            ));
        }
        at = *next;
    }
    Ok(())
}

/// ¶114, 137, 217 Whether the force may leave its hex.
fn ready(v: &View, leader: &LeaderId, path: &[Hex], hex: Hex, name: &str) -> Allowed {
    if path.is_empty() {
        return Ok(());
    }
    let members = v.own.force(leader);
    if v.own.units_of(&members).iter().any(|(_, u)| u.immobile) {
        return Err(Fault::refused(
            format!("{name} has taken replacements this turn and cannot leave his hex"),
            "¶114",
        ));
    }
    let fixed = |id: &&crate::rules::campaigns::board::UnitId| v.board.units.get(*id).is_some_and(|u| u.garrison);
    if let Some((garrison, _)) = v.own.units_of(&members).into_iter().find(|(id, _)| fixed(id)) {
        let what = v.board.units.get(garrison).map_or("a garrison", |u| u.name.as_str());
        return Err(Fault::refused(format!("{what} is a garrison and stays where it is"), "¶23, 132"));
    }
    if v.own.sp(leader) > v.board.policies.stack_sp {
        return Err(Fault::refused(
            format!("{name} has more than {} SP; no such force can march", v.board.policies.stack_sp),
            "¶137",
        ));
    }
    siege(v, hex, path)?;
    zones(&v.situation(), hex, path)
}

/// ¶138, 140, 216, 293 Whether a force may end its march in a hex, as it is held now.
fn end_of_march(v: &View, leader: &LeaderId, end: Hex, name: &str) -> Allowed {
    if !stack::nations_fit(&v.board, &v.own, leader, end) {
        let apart =
            if v.board.exceptions.ground.one_army_hex { "forces of two armies" } else { "units of two nationalities" };
        return Err(Fault::refused(format!("{apart} would stand in {end}"), "¶293"));
    }
    let most = stack::limit(&v.board, &v.own, end);
    if !stack::fits(&v.board, &v.own, leader, end) {
        let why = format!("{name} cannot end his march in {end}: more than {most} SP would stand there");
        return Err(Fault::refused(why, if most < v.board.policies.stack_sp { "¶216" } else { "¶293" }));
    }
    if !stack::may_join(&v.board, &v.own, leader, end) {
        let why = format!("{name} cannot end his march in {end}: nobody there could command the whole");
        return Err(Fault::refused(why, "¶138, 140"));
    }
    Ok(())
}

/// ¶217 No way out of a besieged citadel, nor into one.
fn siege(v: &View, from: Hex, path: &[Hex]) -> Allowed {
    let sit = v.situation();
    let way: Vec<Hex> = std::iter::once(from).chain(path.iter().copied()).collect();
    let step = |w: &[Hex]| Some((*w.first()?, sit.besieged(&v.sieges, *w.first()?, *w.last()?)?));
    match way.windows(2).find_map(step) {
        Some((_, fort)) if !v.sieges.contains(&fort) => {
            Err(Fault::refused(format!("a besieger closes the way to and from {fort} on that side"), "¶217"))
        }
        Some((at, fort)) if at == fort => {
            Err(Fault::refused(format!("{fort} is besieged; whoever wants to leave must attack"), "¶217"))
        }
        Some((_, fort)) => Err(Fault::refused(format!("{fort} is besieged and cannot be entered"), "¶217")),
        None => Ok(()),
    }
}

/// ¶238 Not EZOC to EZOC, where the first surely holds.
fn zones(sit: &Situation<'_>, from: Hex, path: &[Hex]) -> Allowed {
    let Some(&first) = path.first() else { return Ok(()) };
    if held(sit, from) && held(sit, first) {
        return Err(Fault::refused(
            format!("{from} and {first} both lie in enemy zones of control; no force goes from one to the other"),
            "¶238",
        ));
    }
    Ok(())
}

/// ¶214, 271, 278 Whether a change of mode makes sense, and whether a foraging force would need a bridge.
fn modes(v: &View, order: &ForceOrder, from: Hex, name: &str) -> Allowed {
    let forages = v.own.leaders.get(&order.leader).is_some_and(|l| l.forage);
    if let Some(mode) = order.mode {
        if !v.board.policies.forage {
            return Err(Fault::refused("foraging is not permitted in this game", "¶271"));
        }
        if mode.forage == forages {
            let now = if forages { "Forage" } else { "Concentrated" };
            return Err(Fault::refused(format!("{name} is in {now} Mode already"), "¶278"));
        }
    }
    bridges(v, marches_foraging(v, order), from, &order.path)
}

/// ¶278 Whether the force is in Forage Mode on its march.
fn marches_foraging(v: &View, order: &ForceOrder) -> bool {
    match order.mode {
        Some(mode) if mode.first => mode.forage,
        _ => v.own.leaders.get(&order.leader).is_some_and(|l| l.forage),
    }
}

/// ¶214 Whether foragers would need a bridge.
fn bridges(v: &View, forages: bool, from: Hex, path: &[Hex]) -> Allowed {
    let sit = v.situation();
    let mut at = from;
    for next in path {
        if forages && v.board.map.river(at, *next).is_some() && sit.ford(at, *next).is_none() {
            let why = format!("foragers have no use of the bridge {at}/{next}; MODE CONCENTRATE before MARCH, 3 MP");
            return Err(Fault::refused(why, "¶214"));
        }
        at = *next;
    }
    Ok(())
}

/// ¶141-142 Who may be dropped off, and where.
fn drops(v: &View, order: &ForceOrder, from: Hex) -> Allowed {
    let mut staying = Vec::new();
    for (leader, hex) in &order.drops {
        let name = words::name(v, leader);
        let under = v.own.leaders.get(leader).and_then(|l| l.under.as_ref());
        if let Some(part) = order.with.iter().find(|p| p.leader == *leader || Some(&p.leader) == under) {
            part_drop(v, part, leader, *hex, &name)?;
            continue;
        }
        if under != Some(&order.leader) {
            let chief = words::name(v, &order.leader);
            return Err(Fault::refused(format!("{name} is not subordinate to {chief}"), "¶141"));
        }
        if v.own.units_of(std::slice::from_ref(leader)).is_empty() {
            return Err(Fault::refused(format!("{name} has no troops of his own"), "¶141"));
        }
        if *hex != from && !order.path.contains(hex) {
            return Err(Fault::refused(format!("{hex} is not on the path"), "¶141"));
        }
        staying.push(leader.clone());
    }
    let going: Vec<LeaderId> = v.own.force(&order.leader).into_iter().filter(|l| !staying.contains(l)).collect();
    if !order.drops.is_empty() && v.own.units_of(&going).is_empty() {
        return Err(Fault::refused("nobody with troops would be left to go on", "¶141"));
    }
    Ok(())
}

/// ¶225 Whether a part, or a subordinate of it, may be left where the order says: on its way, the part itself at its end.
fn part_drop(v: &View, part: &Part, leader: &LeaderId, hex: Hex, name: &str) -> Allowed {
    let here = v.own.hex(&part.leader);
    let own_end = part.path.last().copied().or(here) == Some(hex);
    let passed = here == Some(hex) || part.path.contains(&hex);
    if *leader == part.leader && !own_end {
        return Err(Fault::refused(format!("{name} is left behind at the end of his own path"), "¶225"));
    }
    if !passed {
        return Err(Fault::refused(format!("{hex} is not on his path"), "¶141, 225"));
    }
    Ok(())
}

/// ¶167-172, 174, 185 Whether the force may get a Movement Command.
///
/// # Errors
/// Refused, with the paragraph.
pub fn command(v: &View, order: &ForceOrder, hex: Hex, extended: bool) -> Allowed {
    let name = words::name(v, &order.leader);
    let by_initiative = ForceOrder { how: How::Initiative, ..order.clone() };
    let copy = force(v, &by_initiative).is_ok().then(|| line(v, &by_initiative));
    let refuse = |why: String, rule: &str| Err(Fault::Refused { why, rule: rule.to_owned(), copy: copy.clone() });
    if v.board.policies.no_command_turns.get(&v.side_id()).is_some_and(|turns| turns.contains(&v.turn)) {
        let date = v.board.calendar.get(&v.turn).cloned().unwrap_or_default();
        return refuse(format!("no command may be given on the turn of {date}"), "¶168");
    }
    if v.board.special.no_commands.contains(&order.leader) {
        return refuse(format!("{name} never receives a Movement Command"), "¶167");
    }
    if let Some(alone) = v.board.special.independent(&order.leader, v.turn) {
        let why = format!("{name} belongs to no army before turn {}; he moves by initiative", alone.until);
        return refuse(why, "¶169");
    }
    if let Some(other) = v.own.stranger(&v.board, &order.leader) {
        let why = format!("{} is of the other army; a mixed force moves by initiative", words::name(v, &other));
        return refuse(why, "¶173");
    }
    if v.phase.center_moved {
        return refuse("the center has moved this turn; commands come before".to_owned(), "¶177");
    }
    if let Some(idle) = v.situation().idle() {
        let (why, rule) = idle.words();
        return refuse(format!("{why}; no command can be given"), &format!("{rule}, 171"));
    }
    if !v.situation().zones_on(hex).is_empty() {
        return refuse(format!("{name} stands next to the enemy and can move by initiative only"), "¶167, 237");
    }
    if extended && parts::members(&v.own, order).iter().any(|l| v.own.leaders.get(l).is_some_and(|l| l.train)) {
        return refuse("a bridge train makes no Extended March".to_owned(), "¶257");
    }
    let (have, cost) = (v.own.army.ap, if extended { 2 } else { 1 });
    if have < cost {
        let who = match v.board.army(&v.own.side, v.own.army.name.as_ref()) {
            Some(army) => format!("the {} has", army.name),
            None => "you have".to_owned(),
        };
        return refuse(format!("it costs {cost} AP, and {who} {have}"), "¶171, 185");
    }
    if have - cost < v.phase.floor {
        return refuse(format!("it would leave {} AP, below your floor of {}", have - cost, v.phase.floor), "¶171");
    }
    if !v.situation().hears_the_center(hex) {
        let most = v.board.dispatch_mp(&v.own);
        return refuse(format!("{name} is not within {most} MP of your center by any open way"), "¶86, 172");
    }
    Ok(())
}

/// A force order as a line, for copying; branches and works left out.
pub fn line(v: &View, order: &ForceOrder) -> String {
    let mut way: Vec<Hex> = v.own.hex(&order.leader).into_iter().collect();
    way.extend(&order.path);
    let how = how_words(order.how);
    let name = words::order_name(v, &order.leader);
    let mut line = format!("FORCE {name} {how}");
    if way.len() > 1 {
        line.push_str(&format!(" MARCH {}", hexes(&way)));
    }
    for part in &order.with {
        let way: Vec<Hex> = v.own.hex(&part.leader).into_iter().chain(part.path.iter().copied()).collect();
        line.push_str(&format!(" WITH {} MARCH {}", words::order_name(v, &part.leader), hexes(&way)));
    }
    for step in &order.trains {
        line.push_str(&format!(" {}", step.words()));
    }
    for work in &order.works {
        line.push_str(&format!(" {}", work.words()));
    }
    line
}

/// ¶40, 149, 230 Whether counters that need no activation may move now: in the own Movement Phase and on sheet R.
fn free_move(v: &View) -> Allowed {
    let side = v.side_id();
    match &v.at {
        At::Own(phasing) if *phasing == side => Ok(()),
        At::Reaction(phasing) if *phasing != side => Ok(()),
        _ => Err(Fault::refused("it moves on sheet A or on sheet R", "¶149")),
    }
}

/// ¶230 Whether a vedette may march.
///
/// # Errors
/// Refused, with the paragraph.
pub fn vedette(v: &View, n: u32, path: &[Hex]) -> Allowed {
    free_move(v)?;
    if v.phase.vedettes.contains(&n) {
        return Err(Fault::refused(format!("v{n} has moved in this phase"), "¶149, 230"));
    }
    let Some(hex) = v.own.piece_hex(&Piece::Vedette(n)) else {
        return Err(Fault::refused(format!("v{n} is not on the map"), "¶135"));
    };
    zones(&v.situation(), hex, path)?;
    siege(v, hex, path)
}

/// ¶40-41 Whether an unemployed leader may march.
///
/// # Errors
/// Refused, with the paragraph.
pub fn leader(v: &View, leader: &LeaderId, path: &[Hex]) -> Allowed {
    free_move(v)?;
    let name = words::name(v, leader);
    if !v.own.unemployed(leader) {
        return Err(Fault::refused(format!("{name} has troops; move him by FORCE"), "¶40"));
    }
    if v.phase.acted.contains(leader) {
        return Err(Fault::refused(format!("{name} has moved in this phase"), "¶40"));
    }
    if path.last().is_some_and(|end| v.situation().enemy.contains_key(end)) {
        return Err(Fault::refused("he cannot stop in a hex with an enemy counter", "¶223"));
    }
    Ok(())
}

/// ¶178 What each step of a way costs a rider.
pub fn steps(sit: &Situation<'_>, way: &[Hex]) -> Vec<Halves> {
    way.windows(2).filter_map(|w| Some(sit.step(*w.first()?, *w.last()?, true)?.horse)).collect()
}
