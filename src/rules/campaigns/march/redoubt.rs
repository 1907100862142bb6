//! ¶60, 216, 295 Redoubts are dug: ordered on sheet A, begun and carried on in the Consolidation Segment; and levelled.

use super::order::{Dig, Order};
use super::told::{NoDig, Open, Own};
use super::{stack, train};
use crate::fog::SideId;
use crate::hex::{Hex, Hexside};
use crate::orders::{Args, Fault, Verb};
use crate::rules::campaigns;
use crate::rules::campaigns::board::{Arm, Board, LeaderId};
use crate::rules::campaigns::exceptions::RedoubtRules;
use crate::rules::campaigns::pieces::Pieces;
use crate::rules::campaigns::redoubts::Redoubt;
use crate::rules::campaigns::sequence::{At, PhaseLog};
use crate::rules::campaigns::tables::{Provenance, Weather};
use crate::rules::campaigns::view::View;
use crate::rules::campaigns::{Campaigns, words};
use crate::rules::cx::Cx;
use crate::text::{and_list, plural};
use std::collections::{BTreeMap, BTreeSet};

/// ¶295 Infantry SP that dig.
pub const INFANTRY_SP: i32 = 12;

/// The verb.
pub fn verb() -> Verb<View, campaigns::Order> {
    Verb {
        word: "REDOUBT",
        usage: "BEGIN hex TOWARD hex [hex …] | CONTINUE hex",
        rule: "¶216, 295",
        examples,
        read: |v, args| read(v, args),
    }
}

/// Lines that the seat could send as they stand.
fn examples(v: &View) -> Vec<String> {
    let begun = v.own.redoubts.iter().filter(|(_, redoubt)| !redoubt.finished()).map(|(hex, _)| continues(*hex));
    let mut hexes: Vec<Hex> = v.own.on_map().map(|(_, hex)| hex).collect();
    hexes.sort();
    hexes.dedup();
    let fresh = hexes.into_iter().filter(|hex| !v.own.redoubts.contains_key(hex)).map(|hex| begins(v, hex));
    let sound = |line: &String| {
        let line = crate::orders::line(1, line);
        read(v, &mut Args::new(&line, 1)).is_ok()
    };
    begun.chain(fresh).filter(sound).take(2).collect()
}

fn continues(hex: Hex) -> String {
    format!("REDOUBT CONTINUE {hex}")
}

/// A line that begins a redoubt toward the nearest enemy known, or to the north.
fn begins(v: &View, hex: Hex) -> String {
    let far = |near: &Hex| v.enemy.values().map(|counter| counter.hex.distance(*near)).min();
    let toward = v.board.map.neighbours(hex).into_iter().min_by_key(far).unwrap_or(hex);
    format!("REDOUBT BEGIN {hex} TOWARD {toward}")
}

/// ¶295 Reads what follows `REDOUBT`.
///
/// # Errors
/// The fault of the line.
fn read(v: &View, args: &mut Args<'_>) -> Result<campaigns::Order, Fault> {
    let Some(rules) = &v.board.exceptions.redoubts else {
        while args.next_word().is_some() {}
        return Err(Fault::refused("no redoubts are dug in this game", "¶295"));
    };
    let begin = args.one_of("BEGIN or CONTINUE", &["BEGIN", "CONTINUE"])? == "BEGIN";
    let hex = words::hex(v, args)?;
    let mut front = BTreeSet::new();
    if begin && !args.done() {
        args.one_of("TOWARD", &["TOWARD"])?;
        while !args.done() {
            front.insert(words::hex(v, args)?);
        }
    }
    allowed(v, hex, begin)?;
    let dig = if begin { Dig::Begin(faces(v, rules, hex, &front)?) } else { Dig::Continue };
    Ok(campaigns::Order::March(Order::Redoubt { hex, dig }))
}

/// ¶295 The hexsides of a redoubt that fronts some hexes: one or some beside each other, as many as the title's policy
/// has.
fn faces(v: &View, rules: &RedoubtRules, hex: Hex, front: &BTreeSet<Hex>) -> Result<BTreeSet<Hexside>, Fault> {
    let refused = |why: String| Fault::Refused { why, rule: "¶295".to_owned(), copy: Some(begins(v, hex)) };
    if front.is_empty() {
        return Err(refused(format!("name the hexes beside {hex} that it fronts, after TOWARD")));
    }
    if let Some(far) = front.iter().find(|near| !near.adjacent(hex)) {
        return Err(refused(format!("{far} is not beside {hex}")));
    }
    let most = usize::try_from(rules.hexsides).unwrap_or(usize::MAX);
    if front.len() > most {
        return Err(refused(format!("a redoubt has {most} hexsides at most")));
    }
    // Hexes round one hex that lie beside each other are one run; each run but a ring has one first hex.
    let ring = hex.neighbours();
    let starts = (0..ring.len()).filter(|n| {
        let at = |n: usize| ring.get(n % ring.len()).is_some_and(|near| front.contains(near));
        at(*n) && !at(n + ring.len() - 1)
    });
    if starts.count() > 1 {
        return Err(refused("the hexsides of a redoubt lie one beside the other".to_owned()));
    }
    Ok(front.iter().filter_map(|near| Hexside::between(hex, *near)).collect())
}

/// ¶60, 216, 295 Whether a redoubt may be dug on, by what its seat knows now.
fn allowed(v: &View, hex: Hex, begin: bool) -> Result<(), Fault> {
    let refused = |why: String, rule: &str, copy: Option<String>| {
        let rule = rule.to_owned();
        Err(Fault::Refused { why, rule, copy })
    };
    if !matches!(&v.at, At::Own(phasing) if *phasing == v.side_id()) {
        let why = "redoubts are ordered on sheet A, and dug in one's own Consolidation Segment".to_owned();
        return refused(why, "¶60, 295", None);
    }
    if let Some(bad) = [Weather::Frost, Weather::Snow].into_iter().find(|state| v.weather.has(*state)) {
        return refused(format!("nobody digs on a {} turn", bad.name()), "¶295", None);
    }
    if v.situation().fortification(hex) {
        return refused(format!("{hex} is a fortification already"), "¶216, 295", None);
    }
    let why_not = hindrance(&v.board, &v.own, &v.phase, hex);
    // Only a line that could be sent is offered.
    let offer = |line: String| why_not.is_none().then_some(line);
    match v.own.redoubts.get(&hex) {
        Some(redoubt) if redoubt.finished() => {
            return refused(format!("the redoubt at {hex} is finished"), "¶295", None);
        }
        Some(redoubt) if begin => {
            let turns = plural(redoubt.left, "turn", "turns");
            let why = format!("the redoubt at {hex} is begun and takes {turns} more");
            return refused(why, "¶295", offer(continues(hex)));
        }
        None if !begin => {
            return refused(format!("no redoubt of yours is begun at {hex}"), "¶295", offer(begins(v, hex)));
        }
        Some(_) | None => {}
    }
    match why_not {
        None => Ok(()),
        Some(why) => {
            let (why, rule) = why.words(&v.board, hex);
            refused(why, &format!("¶{rule}"), None)
        }
    }
}

impl NoDig {
    /// ¶216, 295 The reason as a clause, and its paragraph.
    pub fn words(self, board: &Board, hex: Hex) -> (String, &'static str) {
        let most = board.policies.fort_stack_sp;
        match self {
            NoDig::TooFew { sp } => {
                let why =
                    format!("{sp} SP of infantry that have not moved stand in {hex}; {INFANTRY_SP} of one force dig");
                (why, "295")
            }
            NoDig::General => (format!("a Major General commands the force in {hex}"), "295"),
            NoDig::Crowded => (format!("more than {most} SP stand in {hex}, and a redoubt holds no more"), "216"),
            NoDig::Gone => (format!("no redoubt of yours is begun at {hex}"), "295"),
        }
    }
}

/// ¶216, 295 Why no force in a hex can dig; `None` where one can.
fn hindrance(board: &Board, own: &Pieces, phase: &PhaseLog, hex: Hex) -> Option<NoDig> {
    if own.sp_at(hex) > board.policies.fort_stack_sp {
        return Some(NoDig::Crowded);
    }
    let still = |leader: &LeaderId| !phase.marched.contains(leader) && !phase.entered.contains_key(leader);
    let foot = |leaders: &[LeaderId]| -> i32 {
        let members: Vec<LeaderId> = leaders.iter().flat_map(|l| own.force(l)).filter(still).collect();
        own.manifest(board, &members)
            .iter()
            .filter(|(s, _)| s.arm == Arm::Infantry && !s.garrison)
            .map(|(_, u)| u.sp)
            .sum()
    };
    let general = |leader: &LeaderId| board.leaders.get(leader).is_some_and(|s| s.major_general.is_some());
    let leaders: Vec<LeaderId> = own.leaders_at(hex).into_iter().filter(|l| !own.unemployed(l)).cloned().collect();
    // ¶60: who can be consolidated is one force; the segment has begun with that.
    let forces: Vec<(LeaderId, Vec<LeaderId>)> = match stack::chief(board, own, &leaders) {
        Some(chief) => vec![(chief, leaders)],
        None => leaders.into_iter().map(|leader| (leader.clone(), vec![leader])).collect(),
    };
    let strong = |(_, leaders): &&(LeaderId, Vec<LeaderId>)| foot(leaders) >= INFANTRY_SP;
    let mut strong = forces.iter().filter(strong).peekable();
    if strong.peek().is_none() {
        let sp = forces.iter().map(|(_, leaders)| foot(leaders)).max().unwrap_or(0);
        return Some(NoDig::TooFew { sp });
    }
    strong.all(|(chief, _)| general(chief)).then_some(NoDig::General)
}

/// What CHECK says of it.
pub fn check(v: &View, hex: Hex, dig: &Dig) -> Vec<String> {
    let Some(rules) = &v.board.exceptions.redoubts else { return Vec::new() };
    let house = if rules.provenance == Provenance::House { ", house" } else { "" };
    let (front, left) = match dig {
        Dig::Begin(faces) => (Redoubt { faces: faces.clone(), left: rules.turns }.front(hex), rules.turns),
        Dig::Continue => v.own.redoubts.get(&hex).map_or((Vec::new(), 0), |r| (r.front(hex), r.left)),
    };
    let front: Vec<String> = front.iter().map(Hex::to_string).collect();
    let (turn, all) = (rules.turns.saturating_sub(left) + 1, rules.turns);
    let finished = if left <= 1 { "; it is finished then" } else { "" };
    let mut lines = vec![
        format!("redoubt        {hex} toward {}", and_list(&front)),
        format!("dug            in the Consolidation Segment, turn {turn} of {all}{finished} [¶60, 295{house}]"),
        "               if the force does not move; the marker lies in open sight [¶295]".to_owned(),
    ];
    if rules.doubled {
        let most = v.board.policies.fort_double_sp;
        lines.push(format!("defence        {most} SP are doubled against attacks over its hexsides alone [¶216, 360]"));
    }
    lines
}

/// ¶295 Keeps what is to be dug in the Consolidation Segment.
pub fn carry_out(cx: &mut Cx<'_, Campaigns>, side: &SideId, hex: Hex, dig: &Dig) {
    let faces = match dig {
        Dig::Begin(faces) => Some(faces.clone()),
        Dig::Continue => None,
    };
    cx.emit(Own::RedoubtOrdered { hex, faces }.of(side).into());
}

/// ¶60, 295 II.e Consolidation Segment: redoubts are begun, carried on and finished, where the force has not moved.
pub fn dig(cx: &mut Cx<'_, Campaigns>, side: &SideId) {
    let Some(turns) = cx.state().board.exceptions.redoubts.as_ref().map(|rules| rules.turns) else { return };
    let ordered: BTreeMap<Hex, Option<BTreeSet<Hexside>>> = cx.state().phase.digging.clone();
    for (hex, faces) in ordered {
        let s = cx.state();
        let Some(own) = s.pieces(side) else { return };
        let found = match faces {
            Some(faces) => Some(Redoubt { faces, left: turns }),
            None => own.redoubts.get(&hex).cloned(),
        };
        let why = match &found {
            Some(_) => hindrance(&s.board, own, &s.phase, hex),
            None => Some(NoDig::Gone),
        };
        cx.emit(match (why, found) {
            (None, Some(Redoubt { faces, left })) => {
                Open::Redoubt { side: side.clone(), hex, faces, left: left.saturating_sub(1) }.into()
            }
            (Some(why), _) => Own::RedoubtIdle { hex, why }.of(side).into(),
            (None, None) => continue,
        });
    }
}

/// House: the first force of the other side in the hex of a redoubt levels it. Cavalry of one SP does not (¶231).
pub fn level(cx: &mut Cx<'_, Campaigns>, side: &SideId, hex: Hex) {
    let s = cx.state();
    let foe = s.enemy(side);
    let stands = s.pieces(&foe).is_some_and(|theirs| theirs.redoubts.contains_key(&hex));
    if stands && train::takes(s, side, hex) {
        cx.emit(Open::RedoubtLost { side: foe, hex }.into());
    }
}
