//! Orders of this chapter. III.b Combat (¶298-410): attacks named, plans laid, optional combat declined.
//!
//! A plan is kept by hex as the words of its clauses. BATTLE speaks of an enemy hex that is attacked, DEFEND of an own
//! one; both hold for whoever fights there.

use super::battle::BattleView;
use super::clause::{Clause, Pick};
use super::designate::Field;
use super::later::Again;
use super::{clause, designate, later, reserve, types};
use crate::hex::Hex;
use crate::orders::{Args, Fault, Verb};
use crate::rules::campaigns::board::LeaderId;
use crate::rules::campaigns::combat::plans::Order;
use crate::rules::campaigns::view::View;
use crate::rules::campaigns::words;

/// Verbs of this chapter.
pub fn verbs() -> Vec<Verb<View, super::super::Order>> {
    type Read = fn(&View, &mut Args<'_>) -> Result<super::super::Order, Fault>;
    let verb = |word, usage, rule, examples, read: Read| Verb { word, usage, rule, examples, read };
    vec![
        verb(
            "ATTACK",
            "hex {hex} [WITH leaders] [LEAD leader] [ROUND n] {clause}",
            "¶301-313",
            attack_examples,
            |v, a| attack(v, a).map(super::super::Order::Combat),
        ),
        verb(
            "BATTLE",
            "hex [TYPE type [ROUNDS n]] [RESERVE MIN | NONE | ALL | units] {clause} | ORDER hex {hex}",
            "¶298-410",
            battle_examples,
            |v, a| battle(v, a).map(super::super::Order::Combat),
        ),
        verb("DEFEND", "hex {clause}", "¶298-410", defend_examples, |v, a| {
            defend(v, a).map(super::super::Order::Combat)
        }),
        verb("DECLINE", "hex {hex}", "¶235, 304", decline_examples, |v, a| {
            decline(v, a).map(super::super::Order::Combat)
        }),
        verb(
            "SIEGE",
            "hex TAKE | FIGHT | ENTER | STAY",
            "¶307, 414",
            |_| Vec::new(),
            |v, a| siege(v, a).map(super::super::Order::Combat),
        ),
        verb("GUNS", "leader TO hex", "¶337-339", |_| Vec::new(), |v, a| guns(v, a).map(super::super::Order::Combat)),
        verb(
            "COUNTER",
            "hex STRONGEST | ALL | NONE | hexes",
            "¶300, 401",
            |_| Vec::new(),
            |v, a| counter(v, a).map(super::super::Order::Combat),
        ),
        verb("FOG", "REPORT leader n", "¶300", |_| Vec::new(), |v, a| fog(v, a).map(super::super::Order::Combat)),
    ]
}

fn attack_examples(v: &View) -> Vec<String> {
    let field = Field::of(v);
    let line = |hex: &Hex| {
        let with = field.forces().into_keys().find(|l| field.can(l, *hex))?;
        Some(format!("ATTACK {hex} WITH {}", words::order_name(v, &with)))
    };
    field.chances().iter().filter_map(line).take(2).collect()
}

fn battle_examples(v: &View) -> Vec<String> {
    let field = Field::of(v);
    field.chances().iter().take(1).map(|h| battle_line(v, *h)).collect()
}

/// ¶317, 327, 329 A battle plan that is open: Pitched with the reserve that it needs, else Pursuit with all in line.
pub fn battle_line(v: &View, hex: Hex) -> String {
    let open = |battle: &BattleView| {
        let held = reserve::complete(v, battle, &Pick::Least);
        types::barred(v, battle).is_none() && reserve::opens(v, battle, &held)
    };
    let pitched = designate::expected(v, hex).is_none_or(|battle| open(&battle));
    if pitched {
        format!("BATTLE {hex} TYPE PITCHED ROUNDS 2 THEN PURSUIT RESERVE MIN")
    } else {
        pursuit_line("BATTLE", hex)
    }
}

/// A battle plan that is always open, by BATTLE or DEFEND.
pub fn pursuit_line(verb: &str, hex: Hex) -> String {
    format!("{verb} {hex} TYPE PURSUIT RESERVE NONE")
}

fn defend_examples(v: &View) -> Vec<String> {
    v.own.on_map().take(1).map(|(_, h)| format!("DEFEND {h} IF APPROX >= 30 TYPE PURSUIT ELSE TYPE PITCHED")).collect()
}

fn decline_examples(v: &View) -> Vec<String> {
    let field = Field::of(v);
    let duties = field.duties();
    field.chances().iter().filter(|h| !duties.contains(h)).take(1).map(|h| format!("DECLINE {h}")).collect()
}

fn texts(clauses: Vec<(String, Clause)>) -> Vec<String> {
    clauses.into_iter().map(|(text, _)| text).collect()
}

/// `ATTACK 2124 2225 WITH Murat, Soult LEAD Soult`.
fn attack(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    let mut hexes = vec![words::hex(v, args)?];
    while words::at_hex(args) {
        hexes.push(words::hex(v, args)?);
    }
    let clauses = clause::read_all(v, args)?;
    if let Some((_, Clause::Again(order))) = clauses.iter().find(|(_, c)| matches!(c, Clause::Again(_))) {
        return again(v, hexes, order, &clauses);
    }
    if let Some((_, Clause::Attack(_) | Clause::Order(_))) =
        clauses.iter().find(|(_, c)| matches!(c, Clause::Attack(_) | Clause::Order(_)))
    {
        return Err(Fault::refused("one ATTACK a line", "¶302"));
    }
    may_attack(v, &hexes, &clauses)?;
    let first = hexes.first().copied().unwrap_or(Hex::new(1, 1));
    let list = hexes.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    let mut plan = vec![format!("ATTACK {list}")];
    plan.extend(texts(clauses));
    Ok(Order { plans: vec![(first, plan)] })
}

/// ¶301, D-113 `ATTACK 2124 WITH Murat ROUND 2`: who is to attack from a later round on.
fn again(v: &View, hexes: Vec<Hex>, order: &Again, clauses: &[(String, Clause)]) -> Result<Order, Fault> {
    let field = Field::of(v);
    let mut order = Again { hexes, ..order.clone() };
    for (_, clause) in clauses {
        match clause {
            Clause::With(leaders) => order.with.extend(leaders.iter().cloned()),
            Clause::Lead(lead) => order.lead = Some(lead.clone()),
            Clause::Again(_) => {}
            _ => return Err(Fault::refused("an attack for a later round names hexes, WITH and LEAD alone", "¶301")),
        }
    }
    let group = counters(v, &order.with);
    if group.is_empty() {
        return Err(Fault::refused("an attack for a later round says WITH whom", "¶301"));
    }
    if let Some(hex) = order.hexes.iter().find(|h| !field.foe(**h)) {
        return Err(Fault::refused(format!("no enemy counter stands in {hex}"), "¶304"));
    }
    if designate::leader_of(&field, &group).is_none() {
        return Err(Fault::refused("none of them can command all of them", "¶143-144"));
    }
    let first = order.hexes.first().copied().unwrap_or(Hex::new(1, 1));
    Ok(Order { plans: vec![(first, vec![later::text(v, &order)])] })
}

/// ¶143-144, 302, 304-306, 308: what the view forbids.
fn may_attack(v: &View, hexes: &[Hex], clauses: &[(String, Clause)]) -> Result<(), Fault> {
    let field = Field::of(v);
    let attacks = standing(v);
    let with: Vec<LeaderId> = clauses
        .iter()
        .flat_map(|(_, c)| match c {
            Clause::With(l) => l.clone(),
            _ => Vec::new(),
        })
        .collect();
    let lead = clauses.iter().find_map(|(_, c)| if let Clause::Lead(l) = c { Some(l) } else { None });
    // ¶63: in a Combat Phase of its own an army attacks alone.
    if let Some(army) = v.board.army(&v.own.side, v.phase.army.as_ref())
        && let Some(other) = with.iter().chain(lead).find(|l| !v.own.of_phase(&v.board, Some(&army.id), l))
    {
        let why = format!("{} is not of the {}, whose Combat Phase it is", words::name(v, other), army.name);
        return Err(Fault::refused(why, "¶63"));
    }
    for hex in hexes {
        if !field.foe(*hex) {
            return Err(Fault::refused(format!("no enemy counter stands in {hex}"), "¶304"));
        }
        if field.besieged(*hex) {
            return Err(Fault::refused(format!("the citadel in {hex} is besieged and may not be attacked"), "¶308"));
        }
        if attacks.iter().any(|(_, taken, _)| taken.contains(hex)) {
            return Err(Fault::refused(format!("one of your forces attacks {hex} already"), "¶306"));
        }
        if !field.chances().contains(hex) {
            return Err(Fault::refused(format!("none of your forces can attack {hex}"), "¶304, 356"));
        }
    }
    let counters = counters(v, &with);
    for counter in &counters {
        let name = words::name(v, counter);
        if attacks.iter().any(|(_, _, taken)| taken.contains(counter)) {
            return Err(Fault::refused(format!("{name} is in another attack already"), "¶302"));
        }
        if hexes.iter().all(|h| field.unhorsed(counter, *h)) {
            let why = format!("{name} has no infantry, and no cavalry attacks into mountains or out of them");
            return Err(Fault::refused(why, "¶356"));
        }
        let near = hexes.iter().any(|h| field.can(counter, *h));
        // ¶318: a force next to the leader who commands it may be there as a reserve.
        if !near && lead != Some(counter) && !v.board.policies.reserves {
            return Err(Fault::refused(format!("{name} is not next to any of the hexes attacked"), "¶305"));
        }
    }
    for hex in hexes.iter().filter(|_| !counters.is_empty()) {
        if !counters.iter().any(|c| field.can(c, *hex)) {
            return Err(Fault::refused(format!("the force is not adjacent to {hex}"), "¶305"));
        }
    }
    if counters.is_empty() {
        return Ok(());
    }
    match lead {
        Some(lead) if !field.commands(lead, &counters) => {
            let copy = designate::leader_of(&field, &counters).map(|l| line_with(v, hexes, &counters, &l));
            let name = words::name(v, lead);
            let why = format!("{name} cannot command all of them, or not from his hex");
            Err(Fault::Refused { why, rule: "¶143-144".to_owned(), copy })
        }
        None if designate::leader_of(&field, &counters).is_none() => {
            Err(Fault::refused("none of them can command all of them", "¶143-144"))
        }
        _ => Ok(()),
    }
}

fn line_with(v: &View, hexes: &[Hex], counters: &[LeaderId], lead: &LeaderId) -> String {
    let list = hexes.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    let with = counters.iter().map(|l| words::order_name(v, l)).collect::<Vec<_>>().join(", ");
    format!("ATTACK {list} WITH {with} LEAD {}", words::order_name(v, lead))
}

/// The counters on the map under which some leaders stand.
fn counters(v: &View, with: &[LeaderId]) -> Vec<LeaderId> {
    let mut found: Vec<LeaderId> =
        with.iter().map(|l| v.own.leaders.get(l).and_then(|l| l.under.clone()).unwrap_or_else(|| l.clone())).collect();
    found.sort();
    found.dedup();
    found
}

/// Attacks that plans name already: the plan's hex, the hexes attacked, the counters named.
fn standing(v: &View) -> Vec<(Hex, Vec<Hex>, Vec<LeaderId>)> {
    let mut found = Vec::new();
    for hex in v.own.plans.keys() {
        let (mut hexes, mut with) = (Vec::new(), Vec::new());
        for clause in clause::plan(v, *hex) {
            match clause {
                Clause::Attack(h) => hexes = h,
                Clause::With(l) => with = counters(v, &l),
                _ => {}
            }
        }
        if !hexes.is_empty() {
            found.push((*hex, hexes, with));
        }
    }
    found
}

/// `BATTLE 2124 TYPE PITCHED ...` or `BATTLE ORDER 2124 2225`.
fn battle(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    if args.key("ORDER") {
        let mut plans = Vec::new();
        let mut n = 0;
        while !args.done() {
            n += 1;
            plans.push((words::hex(v, args)?, vec![format!("ORDER {n}")]));
        }
        if plans.is_empty() {
            return Err(args.fault("the hexes in the order in which they are fought", []));
        }
        return Ok(Order { plans });
    }
    let hex = words::hex(v, args)?;
    let clauses = clause::read_all(v, args)?;
    if clauses.is_empty() {
        return Err(args.fault("a clause, such as TYPE PITCHED", []));
    }
    if clauses.iter().any(|(_, c)| matches!(c, Clause::Attack(_) | Clause::With(_) | Clause::Lead(_))) {
        return Err(Fault::Refused {
            why: "who attacks is said with ATTACK".to_owned(),
            rule: "¶302".to_owned(),
            copy: attack_examples(v).into_iter().next(),
        });
    }
    Ok(Order { plans: vec![(hex, texts(clauses))] })
}

/// `DEFEND 2124 ...`: an own hex.
fn defend(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    let at = args.peek().map(|w| w.text.clone()).unwrap_or_default();
    let order = battle(v, args)?;
    let attacks = |text: &String| {
        let word = text.split_whitespace().next().unwrap_or_default();
        ["ROUND", "JOIN"].iter().any(|w| w.eq_ignore_ascii_case(word))
    };
    if order.plans.iter().any(|(_, texts)| texts.iter().any(attacks)) {
        return Err(Fault::refused("only the side on move forms attacks anew and joins a second battle", "¶301-302"));
    }
    let own = |hex: &Hex| !v.own.counters_at(*hex).is_empty() || v.own.source_at(*hex).is_some();
    match order.plans.iter().find(|(hex, _)| !own(hex)) {
        Some(_) => Err(Fault::refused(format!("you have nothing in {at} to defend it with"), "¶313")),
        None => Ok(order),
    }
}

/// `DECLINE 1931`: optional combat is not fought (D-91).
fn decline(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    let field = Field::of(v);
    let mut plans = Vec::new();
    while !args.done() {
        let hex = words::hex(v, args)?;
        if field.duties().contains(&hex) {
            return Err(Fault::refused(
                format!("{hex} must be attacked: a force of yours is in its zone"),
                "¶299, 304",
            ));
        }
        plans.push((hex, vec![DECLINE.to_owned()]));
    }
    if plans.is_empty() {
        return Err(args.fault("a hex", []));
    }
    Ok(Order { plans })
}

fn siege(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    let hex = words::hex(v, args)?;
    let word = args.one_of("TAKE, FIGHT, ENTER or STAY", &["TAKE", "FIGHT", "ENTER", "STAY"])?;
    if !v.situation().citadel(hex) {
        return Err(Fault::refused(format!("{hex} is no citadel"), "¶307"));
    }
    Ok(Order { plans: vec![(hex, vec![format!("SIEGE {word}")])] })
}

fn guns(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    let leader = words::force(v, args)?;
    args.key("TO");
    let hex = words::hex(v, args)?;
    if !v.board.policies.sound_of_guns {
        return Err(Fault::refused("the sound of the guns is not in play in this game", "¶338"));
    }
    if v.phasing() {
        return Err(Fault::refused("only the side whose turn it is not marches to the guns", "¶338"));
    }
    Ok(Order { plans: vec![(hex, vec![format!("GUNS {}", words::order_name(v, &leader))])] })
}

fn counter(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    let hex = words::hex(v, args)?;
    let from = args.peek().map_or(0, |w| w.span.0);
    let text: String = args.source().chars().skip(from).collect();
    let line = crate::orders::line(0, &format!("COUNTER {text}"));
    let mut inner = Args::new(&line, 0);
    clause::read(v, &mut inner)?;
    while args.next_word().is_some() {}
    Ok(Order { plans: vec![(hex, vec![line.source])] })
}

/// `FOG REPORT Murat 50`: kept for the hex where he stands.
fn fog(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    args.key("REPORT");
    let leader = words::force(v, args)?;
    let n = args.number("a strength from 10 to 50")?;
    let hex = v.own.hex(&leader).unwrap_or(Hex::new(1, 1));
    let line = crate::orders::line(0, &format!("FOG REPORT {n}"));
    clause::read(v, &mut Args::new(&line, 0))?;
    Ok(Order { plans: vec![(hex, vec![line.source])] })
}

/// ¶235, 302: whether an order takes back what another has said of a hex: an attack and its refusal exclude each other.
pub fn replaces(later: &Order, earlier: &Order) -> bool {
    match (later.speech(), earlier.speech()) {
        (Speech::Decline, Speech::Attack) | (Speech::Attack, Speech::Decline) => {
            earlier.plans.iter().all(|(hex, _)| later.plans.iter().any(|(other, _)| other == hex))
        }
        _ => false,
    }
}

/// What an order says of the attack on its hexes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Speech {
    Attack,
    Decline,
    Neither,
}

impl Order {
    fn speech(&self) -> Speech {
        // The words are this chapter's own: `attack` and `decline` write them so.
        let first = self.plans.iter().filter_map(|(_, texts)| texts.first()).map(String::as_str);
        let all = |is: fn(&str) -> bool| self.plans.len() == first.clone().filter(|text| is(text)).count();
        match () {
            () if self.plans.is_empty() => Speech::Neither,
            () if all(|text| text == DECLINE) => Speech::Decline,
            () if all(|text| text.starts_with("ATTACK ")) => Speech::Attack,
            () => Speech::Neither,
        }
    }
}

/// The clause of a refused attack.
const DECLINE: &str = "DECLINE";

/// ¶235, 302 The plans that stand once an order has been taken: of an attack and its refusal the later one holds.
pub fn taken(v: &View, order: &Order) -> Vec<(Hex, Vec<String>)> {
    let mut plans = v.own.plans.clone();
    let mut changed: Vec<Hex> = Vec::new();
    for (hex, texts) in &order.plans {
        match order.speech() {
            Speech::Decline => {
                for key in v.own.plans.keys() {
                    let Some(kept) = without(v, *key, *hex) else { continue };
                    plans.insert(*key, kept);
                    changed.push(*key);
                }
            }
            Speech::Attack => {
                if let Some(texts) = plans.get_mut(hex) {
                    texts.retain(|text| text != DECLINE);
                }
            }
            Speech::Neither => {}
        }
        plans.entry(*hex).or_default().extend(texts.iter().cloned());
        changed.push(*hex);
    }
    changed.sort_unstable();
    changed.dedup();
    changed.into_iter().filter_map(|hex| plans.get(&hex).map(|texts| (hex, texts.clone()))).collect()
}

/// The words of a plan without the attack on a hex; `None` where it names no such attack.
fn without(v: &View, key: Hex, gone: Hex) -> Option<Vec<String>> {
    let texts = v.own.plans.get(&key)?;
    let read = |text: &String| {
        let line = crate::orders::line(0, text);
        clause::read(v, &mut Args::new(&line, 0)).ok()
    };
    let attacks = |text: &String| matches!(read(text), Some(Clause::Attack(hexes)) if hexes.contains(&gone));
    texts.iter().any(attacks).then_some(())?;
    let left = |text: &String| match read(text) {
        Some(Clause::Attack(hexes)) => {
            let rest: Vec<String> = hexes.iter().filter(|h| **h != gone).map(ToString::to_string).collect();
            (!rest.is_empty()).then(|| format!("ATTACK {}", rest.join(" ")))
        }
        _ => Some(text.clone()),
    };
    let kept: Vec<String> = texts.iter().filter_map(left).collect();
    let still = kept.iter().any(|text| matches!(read(text), Some(Clause::Attack(_))));
    let who = |text: &String| matches!(read(text), Some(Clause::With(_) | Clause::Lead(_)));
    Some(kept.into_iter().filter(|text| still || !who(text)).collect())
}

/// What CHECK says of an order.
pub fn check(order: &Order) -> Vec<String> {
    let mut said = Vec::new();
    for (hex, clauses) in &order.plans {
        said.push(format!("{hex}: {}", clauses.join(" · ")));
    }
    said
}
