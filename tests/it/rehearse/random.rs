//! Random sheets: what CHECK says of each line, and what then becomes of it in play.

use super::driver::{Noise, Table, files, tried};
use estafette::fog::{Fogged, SeatId};
use estafette::hex::Hex;
use estafette::host::paper::Paper;
use estafette::orders;
use estafette::orders::Fault;
use estafette::rules::austerlitz1805::Austerlitz;
use estafette::rules::campaigns::Campaigns;
use estafette::rules::campaigns::pieces::Vedette;
use estafette::rules::campaigns::sequence::At;
use estafette::rules::rehearsal::{Caution, Plan};
use estafette::rules::{Outcome, Ruleset};

type CampaignsView = <Campaigns as Fogged>::View;
type AusterlitzView = <Austerlitz as Fogged>::View;

/// Sheets of each ruleset.
const SHEETS: u32 = 200;
/// Lines of a sheet.
const LINES: usize = 8;

/// What came of the lines.
#[derive(Debug, Default)]
struct Count {
    sheets: u32,
    lines: u32,
    /// Called legal as things stood, and carried out or tried.
    legal: u32,
    /// Called legal as things stood, and refused in play: the view knew better.
    promised: Vec<String>,
    /// Not taken, and refused in play.
    refused: u32,
    /// Not taken, and carried out in play.
    wronged: Vec<String>,
    /// Not taken for want of ANYWAY.
    anyway: u32,
    /// Called legal in its place on the sheet, and refused in play although all above came out as rehearsed.
    sheet_promised: Vec<String>,
    /// Called legal in its place, and refused since a roll or a discovery came otherwise.
    otherwise: u32,
    /// Not taken in its place on the sheet, and carried out in play.
    sheet_wronged: Vec<String>,
    /// Refused on the opening position, legal in its place on the sheet, and not refused in play.
    freed: u32,
}

fn refused(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Refused { .. } | Outcome::Unclear { .. } | Outcome::NotYet { .. })
}

/// Plays games, and in every other sheet writes random lines.
fn play<R: Paper>(
    game: &[(String, String)],
    count: &mut Count,
    seed: u8,
    write: fn(&R::View, &mut Noise) -> Option<String>,
    same: fn(&R::View, &R::View) -> bool,
) {
    let mut table = Table::<R>::open(game, seed);
    let mut noise = Noise(u64::from(seed) * 7919);
    for turn in 0..60u64 {
        table.answer(|ask| ask.default.clone());
        let Some((seat, address)) = table.sheet() else { break };
        if count.sheets >= SHEETS {
            break;
        }
        if turn % 3 == 1 || table.stage().contains("setup") || table.stage().contains("fog") {
            table.by_bot(u64::from(seed) * 100 + turn);
            continue;
        }
        sheet(&mut table, count, &mut noise, (&seat, &address), write, same);
        if table.sheet().is_some_and(|(_, now)| now == address) {
            table.end(&address);
        }
    }
    assert_eq!(table.broken, None);
}

/// One random sheet.
fn sheet<R: Paper>(
    table: &mut Table<R>,
    count: &mut Count,
    noise: &mut Noise,
    (seat, address): (&SeatId, &str),
    write: fn(&R::View, &mut Noise) -> Option<String>,
    same: fn(&R::View, &R::View) -> bool,
) {
    count.sheets += 1;
    let opening = table.view(&seat.0);
    let mut plan = Plan::<R>::new(opening.clone());
    for _ in 0..LINES {
        let actual = table.view(&seat.0);
        let Some(line) = write(plan.now(), noise) else { continue };
        let now = tried::<R>(&actual, &line);
        let first = tried::<R>(&opening, &line);
        let alike = same(plan.now(), &actual);
        let place = plan.line(&orders::line(1, &line));
        let Some(outcome) = table.line(address, &line) else { break };
        count.lines += 1;
        // What fired or fled before the line's turn came is no fault of who promised it.
        let still = same(&actual, &table.view(&seat.0));
        judge(count, &line, (&now.as_ref().map(|_| ()).map_err(Clone::clone), still), &outcome);
        match &place {
            Ok(found) => {
                // Who was warned that it hangs on a roll was promised nothing.
                let warned = found.warnings.iter().any(|warning| warning.kind == Caution::Doubtful);
                if refused(&outcome) && alike && still && !warned {
                    count.sheet_promised.push(format!("{line}: {outcome:?}"));
                } else if refused(&outcome) {
                    count.otherwise += 1;
                } else if first.is_err() {
                    count.freed += 1;
                }
            }
            Err(fault) if !refused(&outcome) && !wants_anyway(fault) => {
                count.sheet_wronged.push(format!("{line}: {fault}, but {outcome:?}"));
            }
            Err(_) => {}
        }
        if table.sheet().is_none_or(|(_, now)| now != address) {
            break;
        }
    }
}

fn wants_anyway(fault: &Fault) -> bool {
    fault.copy().is_some_and(|copy| copy.contains("ANYWAY"))
}

fn judge(count: &mut Count, line: &str, (now, still): (&Result<(), Fault>, bool), outcome: &Outcome) {
    match (now, refused(outcome)) {
        (Ok(()), false) => count.legal += 1,
        (Ok(()), true) if !still => {}
        (Ok(()), true) => count.promised.push(format!("{line}: {outcome:?}")),
        (Err(_), true) => count.refused += 1,
        (Err(fault), false) if wants_anyway(fault) => count.anyway += 1,
        (Err(fault), false) => count.wronged.push(format!("{line}: {fault}, but {outcome:?}")),
    }
}

impl Count {
    fn print(&self, name: &str) {
        println!(
            "{name}: {} sheets, {} lines; as things stood {} legal and carried out, {} refused in both, {} wait for ANYWAY, \
             {} promised too much, {} refused too much; on the sheet {} promised too much, {} came otherwise, {} refused \
             too much, {} freed by lines above",
            self.sheets,
            self.lines,
            self.legal,
            self.refused,
            self.anyway,
            self.promised.len(),
            self.wronged.len(),
            self.sheet_promised.len(),
            self.otherwise,
            self.sheet_wronged.len(),
            self.freed,
        );
        for (what, lines) in [
            ("promised", &self.promised),
            ("wronged", &self.wronged),
            ("sheet promised", &self.sheet_promised),
            ("sheet wronged", &self.sheet_wronged),
        ] {
            for line in lines.iter().take(12) {
                println!("  {what}: {line}");
            }
        }
    }
}

/// A random line of `campaigns`.
fn campaigns_line(v: &CampaignsView, noise: &mut Noise) -> Option<String> {
    let leaders: Vec<_> = v.own.on_map().map(|(l, hex)| (format!("\"{}\"", v.board.leaders[l].name), hex)).collect();
    let enemies: Vec<_> = v.enemy.values().map(|c| c.hex).collect();
    let places: Vec<_> = v.board.map.places.values().map(|p| p.hex).collect();
    let (leader, from) = noise.pick(&leaders)?.clone();
    let hows = match v.at {
        At::Reaction(_) => ["FORCED", "FORCED", "FORCED", "FORCED", "INITIATIVE"],
        _ => ["INITIATIVE", "COMMAND", "INITIATIVE", "FORCED", "COMMAND EXTENDED 2"],
    };
    let how = hows[noise.below(5)];
    let near: Vec<_> = v.board.map.neighbours(from).into_iter().filter(|hex| passable(v, from, *hex)).collect();
    let end = ["", " IF CONTACT REPULSE ELSE STOP", " IF CONTACT STOP", " ANYWAY"][noise.below(4)];
    Some(match noise.below(14) {
        0..=3 => format!("FORCE {leader} {how} MARCH ROAD TO {}{end}", noise.pick(&places)?),
        4 => format!("FORCE {leader} {how} MARCH ROAD TO {}{end}", noise.pick(&enemies)?),
        5 | 6 => {
            let mut way = vec![from, *noise.pick(&near)?];
            for _ in 0..noise.below(3) {
                let here = *way.last()?;
                let open = |hex: &Hex| passable(v, here, *hex);
                let next = v.board.map.neighbours(here).into_iter().filter(open).collect::<Vec<_>>();
                way.push(*noise.pick(&next)?);
            }
            let way: Vec<String> = way.iter().map(ToString::to_string).collect();
            format!("FORCE {leader} {how} MARCH {}", way.join(" "))
        }
        7 | 8 => {
            let out = v.own.vedettes.iter().filter(|(_, at)| matches!(at, Vedette::At(_))).map(|(n, _)| *n);
            let out: Vec<u32> = out.collect();
            let to = if noise.below(3) == 0 { noise.pick(&enemies)? } else { noise.pick(&places)? };
            format!("VEDETTE {} MARCH ROAD TO {to}", noise.pick(&out)?)
        }
        9 => format!("ATTACK {} WITH {leader}", noise.pick(&enemies)?),
        10 => ["FORCE ALL HOLD".to_owned(), format!("FORCE {leader} HOLD"), "FLOOR AP 1".to_owned()][noise.below(3)]
            .clone(),
        _ => {
            let verbs = Campaigns::verbs();
            let all: Vec<String> = verbs.iter().flat_map(|verb| (verb.examples)(v)).collect();
            noise.pick(&all)?.clone()
        }
    })
}

fn passable(v: &CampaignsView, from: Hex, to: Hex) -> bool {
    v.situation().step(from, to, true).is_some()
}

#[test]
fn what_check_calls_legal_is_carried_out_campaigns() {
    let mut count = Count::default();
    let game = files("campaigns", "teaching.yaml");
    for seed in 1..=40 {
        // A line that waits for ANYWAY on the plan is tried on the table: who has tried tells them apart.
        play::<Campaigns>(&game, &mut count, seed, campaigns_line, |a, b| {
            (&a.own, &a.enemy, &a.phase.acted) == (&b.own, &b.enemy, &b.phase.acted)
        });
    }
    count.print("campaigns");
    assert_eq!(count.sheets, SHEETS);
    assert_eq!(count.promised, Vec::<String>::new());
    assert_eq!(count.wronged, Vec::<String>::new());
    assert_eq!(count.sheet_promised, Vec::<String>::new());
    assert!(count.legal > 500 && count.refused > 100 && count.freed > 0, "{count:?}");
}

/// A random line of `austerlitz1805`.
fn austerlitz_line(v: &AusterlitzView, noise: &mut Noise) -> Option<String> {
    let me = v.me();
    let own: Vec<String> = v.table.of_side(&me).map(|(id, _)| id.0.clone()).collect();
    let foes: Vec<String> =
        v.table.standing().map(|(id, _)| id).filter(|id| v.table.side(id) != me).map(|id| id.0.clone()).collect();
    let places: Vec<String> = v.table.board.places.iter().map(|p| p.name.clone()).collect();
    let (unit, other, foe) = (noise.pick(&own)?.clone(), noise.pick(&own)?.clone(), noise.pick(&foes)?.clone());
    let place = noise.pick(&places)?;
    Some(match noise.below(16) {
        0..=3 => format!("MOVE {unit} TOWARD {place}"),
        4 => format!("MOVE {unit} TOWARD {foe} 2UM"),
        5 => format!("MOVE {unit} 1UM"),
        6 => format!("FORM {unit} {}", ["LINE", "COLUMN", "SQUARE", "LIMBER", "UNLIMBER"][noise.below(5)]),
        7 => format!("ATTACK {unit} AT {foe}"),
        8 => format!("CHARGE {unit} AT {foe}"),
        9 => format!("BOMBARD {unit} AT {foe}"),
        10 => format!("ABOUT {unit}"),
        11 => format!("ATTACH {unit} TO {other}"),
        12 => format!("FOLLOW {unit} AFTER {other}"),
        13 => format!("VOLLEY {unit} AT {foe}"),
        14 => format!("DISENGAGE {unit}"),
        _ => {
            let verbs = Austerlitz::verbs();
            let all: Vec<String> = verbs.iter().flat_map(|verb| (verb.examples)(v)).collect();
            noise.pick(&all)?.clone()
        }
    })
}

#[test]
fn what_check_calls_legal_is_carried_out_austerlitz() {
    let mut count = Count::default();
    let game = files("austerlitz1805", "teaching.yaml");
    for seed in 1..=60 {
        play::<Austerlitz>(&game, &mut count, seed, austerlitz_line, |a, b| {
            // A line that is refused in play has ended the steps before its own.
            (&a.table.units, &a.own, &a.table.combats, a.step) == (&b.table.units, &b.own, &b.table.combats, b.step)
        });
    }
    count.print("austerlitz1805");
    assert_eq!(count.sheets, SHEETS);
    assert_eq!(count.promised, Vec::<String>::new());
    assert_eq!(count.wronged, Vec::<String>::new());
    assert_eq!(count.sheet_promised, Vec::<String>::new());
    assert!(count.legal > 300 && count.refused > 100, "{count:?}");
}
