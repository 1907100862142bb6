//! The lines of a sheet.

use super::board::Arm;
use super::examples;
use super::pose::{Form, Hour};
use super::state::{Mode, State};
use super::view::{View, codes};
use super::{charge, command, compel, dummy, fire, form, march, pool, reinforce, shock, victory};
use crate::hex::Hex;
use crate::orders::{Args, Fault, Verb};
use crate::rules::tactical::words::{Names, behind, by_names, hex, hex_behind, hexes, names, several};

/// 5.1, 6.1, 6.3 One thing that a unit does as it moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// It goes to a hex.
    To(Hex),
    /// It goes so many hours from where it faces.
    Toward(i32),
    /// It turns to the right, or to the left.
    Turn(bool),
    /// It turns about.
    About,
}

/// H.3 What makes units stop that move: an enemy of an arm, or of any, who comes in sight so near to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alert {
    /// The arm.
    pub arm: Option<Arm>,
    /// In hexes; none for wherever he is seen.
    pub within: Option<u32>,
}

/// One line, read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // The fields are what their names say; each kind has its line.
pub enum Order {
    /// What the side wants when its time comes.
    Wish(Wish),
    /// 4.5 A division tries.
    Activate { division: String, how: Mode },
    /// 5.1, H.3 Units move, and stop where they are alerted.
    Move { units: Vec<String>, paces: Vec<Pace>, stop: Option<Alert> },
    /// 6.3 A change of formation.
    Form { units: Vec<String>, form: Form, hour: Option<Hour> },
    /// 6.3.3 Skirmishers spread over a second hex, or draw in.
    Spread { unit: String, to: Option<Hex> },
    /// 7.2 The order of a stack.
    Top { units: Vec<String> },
    /// 5.4 A leader rides.
    Lead { leader: String, to: Hex },
    /// 8.1 A unit fires.
    Fire { unit: String, at: Option<Hex> },
    /// 8.2, 8.3 A stack attacks with the bayonet, or assaults.
    Attack { unit: String, at: Hex, support: Option<Vec<String>>, assault: bool },
    /// 8.4 A stack charges.
    Charge { unit: String, at: Hex, via: Vec<Hex> },
    /// 6.4.2 A unit routs of its own will.
    Rout { unit: String },
    /// A unit leaves the map by its edge, where the scenario has points for it.
    Exit { unit: String },
    /// 14.1 A stack comes on.
    Enter { units: Vec<String>, form: Form, hour: Option<Hour>, at: Option<Hex> },
    /// 5.2 The Strategic Movement marker comes off.
    Drop,
    /// 4.5.2 A division of a corps fights now.
    Combat { division: String },
    /// 3.0 The Non-LIM Phase: a division, or a unit.
    Pick { who: String },
}

/// What a side wants when its time comes, and is not carried out at once.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // The fields are what their names say.
pub enum Wish {
    /// 4.2 A Command Change.
    Change { by: Option<String>, add: Vec<String> },
    /// 4.2.3, 14.2 Whether reinforcements come.
    Reinforce { comes: bool },
    /// 4.4 The LIMs with which the side would begin.
    Opening { lims: Vec<String> },
    /// 3.0 LIMs that the side takes back; none takes back none.
    Remove { lims: Vec<String> },
    /// 12.0 Units that do not rally; none lets all rally.
    Keep { units: Vec<String> },
}

/// The map prints a unit in so many characters at most.
const CODE: usize = 3;
const UNIT: &str = "a unit of yours";
const LEADER: &str = "a leader of yours";
const DIVISION: &str = "a division of yours";
const LIM: &str = "a division or a corps of yours";

/// Such units of the seat's side by their names, and where a line may have one, by what the map prints of those that stand on it.
fn units(v: &View, args: &Args<'_>, such: &dyn Fn(&str) -> bool) -> Names {
    let s = &v.state;
    let gone = |id: &String| match s.units.get(id) {
        Some(u) => u.gone || u.left,
        // H.12 One that is not on the map comes no more.
        None => s.is_dummy(id),
    };
    let mut found = names(s.board.kinds.keys().filter(|id| such(id) && s.is_of(id, &v.side) && !gone(id)));
    let known = |word: &str| s.board.kinds.contains_key(word);
    let short = |word: &str| {
        let has = |is: fn(&char) -> bool| word.chars().any(|c| is(&c));
        let code = has(char::is_ascii_digit) && has(char::is_ascii_alphabetic);
        word.len() <= CODE + 1 && (code || unsigned(word).is_some_and(|code| known(&code.to_uppercase())))
    };
    let printed = args.source().split_whitespace().any(|word| short(word) && !known(word));
    if printed {
        let codes = codes(v);
        for (id, code) in codes.iter().filter(|(id, _)| s.is_of(id, &v.side) && s.pose(id).is_some()) {
            let signed = SIGNS.chars().map(|sign| (format!("{code}{sign}"), id.clone()));
            // As it is written, so that it is no name to be guessed at.
            let written = |name: &str| args.source().split_whitespace().any(|word| word.eq_ignore_ascii_case(name));
            found.extend(signed.filter(|(name, _)| written(name) && !known(&name.to_uppercase())));
            if !known(code) {
                found.push((code.clone(), id.clone()));
            }
        }
    }
    found
}

/// What stands behind a unit on the map: how it stands, or that it runs.
pub(super) const SIGNS: &str = "clkqdbur";

/// A name as the map prints it, without the sign of its formation; none where it has none.
fn unsigned(word: &str) -> Option<&str> {
    word.strip_suffix(|last: char| SIGNS.contains(last.to_ascii_lowercase()))
}

fn leaders(v: &View) -> Names {
    let own = |id: &&String| v.state.chief(id).is_some_and(|chief| chief.side == v.side);
    names(v.state.leaders.keys().filter(own))
}

fn divisions(v: &View) -> Names {
    let board = &v.state.board;
    names(board.divisions.keys().filter(|id| board.side_of(id) == Some(&v.side)))
}

fn lims(v: &View) -> Names {
    let corps = v.state.board.corps.iter().filter(|(_, corps)| corps.side == v.side);
    divisions(v).into_iter().chain(names(corps.map(|(id, _)| id))).collect()
}

/// 4.4, R-01 With what the initiative may begin: commands, and the Reinforcement LIM.
fn firsts(v: &View) -> Names {
    let coming = super::state::REINFORCEMENTS.to_owned();
    lims(v).into_iter().chain([(coming.clone(), coming)]).collect()
}

fn some(v: &View, args: &mut Args<'_>) -> Result<Vec<String>, Fault> {
    let line = args.clone();
    by_names(args, |such| units(v, &line, such), |args, known| several(args, UNIT, known))
}

fn one(v: &View, args: &mut Args<'_>) -> Result<String, Fault> {
    let line = args.clone();
    by_names(args, |such| units(v, &line, such), |args, known| args.name(UNIT, known))
}

/// 6.1 An hour of the clock; a direction is read too.
fn hour(args: &mut Args<'_>) -> Result<Hour, Fault> {
    if let Some(number) = args.peek().and_then(|word| word.text.parse::<u8>().ok()).filter(|n| (1..=12).contains(n)) {
        args.next_word();
        return Ok(Hour::from(number));
    }
    crate::rules::tactical::words::dir(args).map(Hour::of)
}

/// The words of a move, and the hours from where the unit faces; F, FL, FR, SL, SR, B, BL and BR are read with what the
/// formation makes of them.
const WORDS: [(&str, Pace); 11] = [
    ("F", Pace::Toward(0)),
    ("FL", Pace::Toward(-1)),
    ("FR", Pace::Toward(1)),
    ("SL", Pace::Toward(-3)),
    ("SR", Pace::Toward(3)),
    ("B", Pace::Toward(6)),
    ("BL", Pace::Toward(-5)),
    ("BR", Pace::Toward(5)),
    ("L", Pace::Turn(false)),
    ("R", Pace::Turn(true)),
    ("AF", Pace::About),
];

/// A march, as its line has it and as an order.
pub(super) fn march(units: &[String], paces: Vec<Pace>, stop: Option<Alert>) -> (String, Order) {
    let words: Vec<String> = paces.iter().map(pace).collect();
    let stops = stop.map_or_else(String::new, |stop| {
        let whom = match stop.arm {
            Some(Arm::Inf) => "FOOT",
            Some(Arm::Cav) => "HORSE",
            Some(Arm::Art) => "GUNS",
            None => "ENEMY",
        };
        let within = stop.within.map_or_else(String::new, |far| format!(" WITHIN {far}"));
        format!(" STOP IF SEEN {whom}{within}")
    });
    let text = format!("MOVE {} {}{stops}", units.join(" "), words.join(" "));
    (text, Order::Move { units: units.to_vec(), paces, stop })
}

/// A step or a turn as it is written.
fn pace(pace: &Pace) -> String {
    match pace {
        Pace::To(hex) => hex.to_string(),
        other => WORDS.iter().find(|(_, pace)| pace == other).map_or("", |(word, _)| word).to_owned(),
    }
}

fn paces(args: &mut Args<'_>) -> Result<Vec<Pace>, Fault> {
    let mut found = Vec::new();
    while let Some(word) = args.peek() {
        if Hex::parse(&word.text).is_some() {
            found.push(Pace::To(hex(args)?));
            continue;
        }
        let Some((_, pace)) = WORDS.iter().find(|(name, _)| word.text.eq_ignore_ascii_case(name)) else { break };
        args.next_word();
        let turns = matches!(pace, Pace::Turn(_));
        let times = args
            .peek()
            .filter(|_| turns)
            .and_then(|word| word.text.parse::<usize>().ok())
            .filter(|n| (1..=5).contains(n));
        if times.is_some() {
            args.next_word();
        }
        found.extend(std::iter::repeat_n(*pace, times.unwrap_or(1)));
    }
    if found.is_empty() { Err(args.fault("a hex, or F, FL, FR, L, R, AF, SL, SR, B, BL or BR", [])) } else { Ok(found) }
}

/// H.3 The clause of a move: STOP IF SEEN whom [WITHIN so many hexes].
pub(super) fn alert(args: &mut Args<'_>) -> Result<Option<Alert>, Fault> {
    if !args.key("STOP") {
        return Ok(None);
    }
    args.one_of("IF", &["IF"])?;
    args.one_of("SEEN", &["SEEN"])?;
    let arm = match args.one_of("FOOT, HORSE, GUNS or ENEMY", &["FOOT", "HORSE", "GUNS", "ENEMY"])? {
        "FOOT" => Some(Arm::Inf),
        "HORSE" => Some(Arm::Cav),
        "GUNS" => Some(Arm::Art),
        _ => None,
    };
    let within = behind(args, "WITHIN", |args| args.number("a number of hexes").map(Some))?;
    Ok(Some(Alert { arm, within: within.and_then(|n| u32::try_from(n).ok()) }))
}

const FORMS: [(&str, Form); 9] = [
    ("LINE", Form::Line),
    ("COLUMN", Form::Column),
    ("SKIRMISH", Form::Skirmish),
    ("SQUARE", Form::Square),
    ("DISORDER", Form::Disorder),
    ("LIMBER", Form::Limbered),
    ("LIMBERED", Form::Limbered),
    ("UNLIMBER", Form::Unlimbered),
    ("UNLIMBERED", Form::Unlimbered),
];

pub(super) fn formation(args: &mut Args<'_>) -> Result<Form, Fault> {
    let words = FORMS.map(|(word, _)| word);
    let word = args.one_of("LINE, COLUMN, SKIRMISH, SQUARE, DISORDER, LIMBER or UNLIMBER", &words)?;
    Ok(FORMS.iter().find(|(known, _)| *known == word).map_or(Form::Column, |(_, form)| *form))
}

pub(super) fn face(args: &mut Args<'_>, key: &str) -> Result<Option<Hour>, Fault> {
    behind(args, key, |args| hour(args).map(Some))
}

fn change(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    if args.key("NONE") {
        return Ok(Order::Wish(Wish::Change { by: None, add: Vec::new() }));
    }
    args.one_of("NONE or BY", &["BY"])?;
    let by = args.name(LEADER, &leaders(v))?;
    args.one_of("ADD", &["ADD"])?;
    Ok(Order::Wish(Wish::Change { by: Some(by), add: several(args, LIM, &lims(v))? }))
}

fn activate(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    let division = args.name(DIVISION, &divisions(v))?;
    let how = match args.maybe(&["FULL", "LIMITED", "STRATEGIC"]) {
        Some("LIMITED") => Mode::Limited,
        Some("STRATEGIC") => Mode::Strategic,
        _ => Mode::Full,
    };
    Ok(Order::Activate { division, how })
}

fn support(v: &View, args: &mut Args<'_>) -> Result<Option<Vec<String>>, Fault> {
    if !args.key("SUPPORT") {
        return Ok(None);
    }
    if args.key("NONE") { Ok(Some(Vec::new())) } else { some(v, args).map(Some) }
}

/// 8.2, 8.3 An attack of foot.
fn attack(v: &View, args: &mut Args<'_>, assault: bool) -> Result<Order, Fault> {
    Ok(Order::Attack { unit: one(v, args)?, at: hex_behind(args, "AT")?, support: support(v, args)?, assault })
}

fn ride(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    let unit = one(v, args)?;
    let at = hex_behind(args, "AT")?;
    Ok(Order::Charge { unit, at, via: behind(args, "VIA", hexes)? })
}

fn enter(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    let units = some(v, args)?;
    let form = if args.key("FORM") { formation(args)? } else { Form::Column };
    let hour = face(args, "FACE")?;
    Ok(Order::Enter { units, form, hour, at: behind(args, "AT", |args| hex(args).map(Some))? })
}

/// What an order could not be by what lies open.
///
/// # Errors
/// Why not.
pub fn may(s: &State, order: &Order) -> Result<(), Fault> {
    dummy::may(s, order, units_of(order))?;
    match order {
        Order::Wish(Wish::Change { by, add }) => pool::may_change(s, by.as_deref(), add),
        Order::Wish(_) => Ok(()),
        Order::Activate { division, how } => {
            command::may_activate(s, division, *how)?;
            reinforce::late_call(s, division, *how).map(|_| ())
        }
        Order::Move { units, .. } => march::may_move(s, units),
        Order::Form { units, form, hour } => {
            form::may_form(s, units, *form, *hour)?;
            compel::may_form(s, units, *form)
        }
        Order::Spread { unit, to } => form::may_spread(s, unit, *to),
        Order::Top { units } => form::may_top(s, units),
        Order::Lead { leader, to } => command::may_ride(s, leader, *to),
        Order::Fire { unit, at } => fire::may(s, unit, *at).map(|_| ()),
        Order::Attack { unit, at, assault, .. } => shock::may(s, unit, *at, *assault),
        Order::Charge { unit, at, via } => charge::may(s, unit, *at, via).map(|_| ()),
        Order::Rout { unit } => form::may_rout(s, unit),
        Order::Enter { units, form, hour, at } => reinforce::may(s, units, (*form, *hour), *at).map(|_| ()),
        Order::Exit { unit } => victory::may_exit(s, unit),
        Order::Drop => command::may_drop(s),
        Order::Combat { division } => command::may_fight(s, division),
        Order::Pick { who } => pool::may_pick(s, who).map(|_| ()),
    }
}

/// The units that an order names.
pub(super) fn units_of(order: &Order) -> &[String] {
    match order {
        Order::Move { units, .. } | Order::Form { units, .. } | Order::Top { units } | Order::Enter { units, .. } => {
            units
        }
        Order::Spread { unit, .. }
        | Order::Fire { unit, .. }
        | Order::Attack { unit, .. }
        | Order::Charge { unit, .. }
        | Order::Rout { unit }
        | Order::Exit { unit } => std::slice::from_ref(unit),
        _ => &[],
    }
}

/// The verbs.
pub fn verbs() -> Vec<Verb<View, Order>> {
    let mut verbs = vec![
        Verb {
            word: "CHANGE",
            usage: "NONE, or BY leader ADD commands",
            rule: "4.2",
            examples: examples::changes,
            read: change,
        },
        Verb {
            word: "INITIATIVE",
            usage: "commands, the best first",
            rule: "4.4",
            examples: examples::openings,
            read: |v, args| Ok(Order::Wish(Wish::Opening { lims: several(args, LIM, &firsts(v))? })),
        },
        Verb {
            word: "REINFORCE",
            usage: "YES or NO",
            rule: "14.2",
            examples: examples::reinforcements,
            read: |_, args| {
                Ok(Order::Wish(Wish::Reinforce { comes: args.one_of("YES or NO", &["YES", "NO"])? == "YES" }))
            },
        },
        Verb {
            word: "ACTIVATE",
            usage: "division [FULL, LIMITED or STRATEGIC]",
            rule: "4.5",
            examples: examples::calls,
            read: activate,
        },
        Verb {
            word: "MOVE",
            usage: "units, then hexes or F FL FR, L R [n], AF, SL SR, B BL BR [STOP IF SEEN whom WITHIN n]",
            rule: "5.1",
            examples: examples::moves,
            read: |v, args| Ok(Order::Move { units: some(v, args)?, paces: paces(args)?, stop: alert(args)? }),
        },
        Verb {
            word: "FORM",
            usage: "units formation [AT hour]",
            rule: "6.3",
            examples: examples::forms,
            read: |v, args| Ok(Order::Form { units: some(v, args)?, form: formation(args)?, hour: face(args, "AT")? }),
        },
    ];
    verbs.extend(verbs_of_stacks());
    verbs.extend(verbs_of_combat());
    verbs.extend(verbs_of_command());
    verbs
}

/// 5.4, 6.3.3, 7.2 The verbs of skirmishers, stacks and leaders.
fn verbs_of_stacks() -> Vec<Verb<View, Order>> {
    vec![
        Verb {
            word: "SPREAD",
            usage: "unit hex, or unit IN",
            rule: "6.3.3",
            examples: examples::spreads,
            read: |v, args| {
                let unit = one(v, args)?;
                let to = if args.key("IN") { None } else { Some(hex(args)?) };
                Ok(Order::Spread { unit, to })
            },
        },
        Verb {
            word: "TOP",
            usage: "units of a stack, the top one first",
            rule: "7.2",
            examples: examples::tops,
            read: |v, args| Ok(Order::Top { units: some(v, args)? }),
        },
        Verb {
            word: "LEADER",
            usage: "leader TO hex",
            rule: "5.4",
            examples: examples::leads,
            read: |v, args| Ok(Order::Lead { leader: args.name(LEADER, &leaders(v))?, to: hex_behind(args, "TO")? }),
        },
    ]
}

/// 8 The verbs of combat.
fn verbs_of_combat() -> Vec<Verb<View, Order>> {
    vec![
        Verb {
            word: "FIRE",
            usage: "unit [AT hex]",
            rule: "8.1",
            examples: examples::fires,
            read: |v, args| {
                let unit = one(v, args)?;
                Ok(Order::Fire { unit, at: behind(args, "AT", |args| hex(args).map(Some))? })
            },
        },
        Verb {
            word: "BAYONET",
            usage: "unit AT hex [SUPPORT units or NONE]",
            rule: "8.2",
            examples: examples::bayonets,
            read: |v, args| attack(v, args, false),
        },
        Verb {
            word: "ASSAULT",
            usage: "unit AT hex [SUPPORT units or NONE]",
            rule: "8.3",
            examples: examples::assaults,
            read: |v, args| attack(v, args, true),
        },
        Verb { word: "CHARGE", usage: "unit AT hex [VIA hexes]", rule: "8.4", examples: examples::charges, read: ride },
        Verb {
            word: "ROUT",
            usage: "unit",
            rule: "6.4.2",
            examples: examples::none,
            read: |v, args| Ok(Order::Rout { unit: one(v, args)? }),
        },
    ]
}

/// 3.0, 4.5, 5.2, 12.0, 14.1 The verbs of commands.
fn verbs_of_command() -> Vec<Verb<View, Order>> {
    vec![
        Verb {
            word: "COMBAT",
            usage: "division",
            rule: "4.5.2.2",
            examples: examples::none,
            read: |v, args| Ok(Order::Combat { division: args.name(DIVISION, &divisions(v))? }),
        },
        Verb {
            word: "ENTER",
            usage: "units [FORM formation] [FACE hour] [AT hex]",
            rule: "14.1",
            examples: examples::entries,
            read: enter,
        },
        Verb {
            word: "EXIT",
            usage: "unit",
            rule: "11.3",
            examples: examples::none,
            read: |v, args| Ok(Order::Exit { unit: one(v, args)? }),
        },
        Verb { word: "DROP", usage: "", rule: "5.2", examples: examples::none, read: |_, _| Ok(Order::Drop) },
        Verb {
            word: "PICK",
            usage: "division or unit",
            rule: "3.0",
            examples: examples::picks,
            read: |v, args| {
                let who: Names = divisions(v).into_iter().chain(units(v, args, &|_| true)).collect();
                Ok(Order::Pick { who: args.name("a division or a unit of yours", &who)? })
            },
        },
        Verb {
            word: "REMOVE",
            usage: "commands whose LIMs you take back, or NONE",
            rule: "3.0",
            examples: examples::none,
            read: |v, args| {
                let lims = if args.key("NONE") { Vec::new() } else { several(args, LIM, &lims(v))? };
                Ok(Order::Wish(Wish::Remove { lims }))
            },
        },
        Verb {
            word: "KEEP",
            usage: "units that do not try to rally, or NONE",
            rule: "12.0",
            examples: examples::none,
            read: |v, args| {
                let units = if args.key("NONE") { Vec::new() } else { some(v, args)? };
                Ok(Order::Wish(Wish::Keep { units }))
            },
        },
    ]
}
