//! What the store needs of the truth: a digest for comparison, rows for the umpire; and a scrambled truth for tests.

use super::board::UnitId;
use super::state::{GunPlan, State};
use super::strategic::waiting;
use super::table::Unit;
use crate::fog::SideId;
use crate::rules::kept::{Body, Cell, Row};

/// The truth as text, for comparison only.
pub fn digest(s: &State) -> Body {
    let t = &s.table;
    let open = (t.turn, &t.units, &t.lost, &t.combats, &t.control, t.sight, &t.mist, &t.away);
    Body::write(&(open, &s.at, s.step, &s.hidden, &s.all_targets, &s.over))
}

fn text(value: impl ToString) -> Cell {
    Cell::Text(value.to_string())
}

/// Pieces, combats, places and plans as rows.
pub fn rows(s: &State) -> Vec<Row> {
    let mut rows: Vec<Row> = s.table.units.iter().map(|(id, u)| unit_row(id, u)).collect();
    let mut board = |side: &SideId, board: &str, name: &str, facts: String| {
        rows.push(Row::board(side, board, name, None, facts));
    };
    for combat in &s.table.combats {
        let support: String = combat.support.iter().map(|u| format!(" + {u}")).collect();
        let kind = if combat.charge {
            "charge"
        } else if combat.old {
            "ongoing"
        } else {
            "attack"
        };
        board(&combat.by, kind, &combat.on.0, format!("{}{support} {:?} {}", combat.lead, combat.face, combat.bonus));
    }
    for (place, side) in &s.table.control {
        board(side, "control", place, String::new());
    }
    for (side, hidden) in &s.hidden {
        for (unit, plan) in &hidden.guns {
            let facts = match plan {
                GunPlan::Hold => "hold".to_owned(),
                GunPlan::Fire { at, canister, with: _ } => {
                    format!("{at} {}", if *canister { "canister" } else { "round" })
                }
            };
            board(side, "guns", &unit.0, facts);
        }
        for (unit, plan) in &hidden.returns {
            let form = plan.form.map_or("", super::table::Formation::word);
            board(side, "return", &unit.0, format!("{} {form}", plan.at).trim_end().to_owned());
        }
        for (unit, on) in &hidden.volleys {
            board(side, "volley", &unit.0, on.0.clone());
        }
    }
    solo_rows(s, &mut board);
    for (unit, due) in &s.table.away {
        board(&s.table.side(unit), "away", &unit.0, format!("back on turn {due}"));
    }
    for unit in &s.table.lost {
        board(&s.table.side(unit), "lost", &unit.0, String::new());
    }
    for (side, hidden) in &s.hidden {
        let stands = waiting(&s.table, hidden, side);
        for (corps, area) in &hidden.corps {
            let units: Vec<&str> = stands.iter().filter(|(_, c)| c == corps).map(|(u, _)| u.0.as_str()).collect();
            if !units.is_empty() {
                board(side, "strategic", corps, format!("{area}: {}", units.join(", ")));
            }
        }
        if let Some(quota) = hidden.quota {
            let columns = quota.columns.map_or_else(|| "any".to_owned(), |n| n.to_string());
            board(side, "fog", "new", format!("{} chits, {columns} columns", quota.chits));
        }
        if hidden.decoys_spent > 0 {
            board(side, "fog", "decoys spent", hidden.decoys_spent.to_string());
        }
    }
    chit_rows(s, &mut rows);
    rows
}

/// 22-28 What the solo rules keep of a side that they lead.
fn solo_rows(s: &State, board: &mut impl FnMut(&SideId, &str, &str, String)) {
    for (side, hidden) in &s.hidden {
        for (unit, standing) in &hidden.np.orders {
            let on = standing.on.as_ref().map_or_else(String::new, |on| format!(" {on}"));
            board(side, "order", &unit.0, format!("{}{on}", standing.tactic.word()));
        }
        if !hidden.np.first.is_empty() {
            let units: Vec<&str> = hidden.np.first.iter().map(|u| u.0.as_str()).collect();
            board(side, "fog", "first into chits", units.join(", "));
        }
        for (word, on) in [("Guard", hidden.np.guard), ("attack", hidden.np.signal)] {
            if on {
                board(side, "plan", word, String::new());
            }
        }
    }
}

/// 16.4.2.4 Each box with its chit on the map, and what it holds.
fn chit_rows(s: &State, rows: &mut Vec<Row>) {
    for (side, hidden) in &s.hidden {
        for (number, boxed) in &hidden.boxes {
            let at = s.table.chit(&boxed.chit).map_or(Cell::Null, |c| text(c.at));
            let units: Vec<&str> = boxed.units.iter().map(|u| u.0.as_str()).collect();
            let mut contents = if units.is_empty() { "decoy".to_owned() } else { units.join(", ") };
            for (place, when) in &boxed.passed {
                contents.push_str(&format!("; passed {place} in player-turn {when}"));
            }
            let columns = vec![
                ("side", text(side)),
                ("chit", text(format!("{number} = {}", boxed.chit))),
                ("hex", at),
                ("contents", text(contents)),
            ];
            rows.push(Row { table: "fog_chits", columns });
        }
        for (number, units) in &hidden.hiding {
            let units: Vec<&str> = units.iter().map(|u| u.0.as_str()).collect();
            let columns = vec![
                ("side", text(side)),
                ("chit", text(format!("{number} hiding"))),
                ("hex", Cell::Null),
                ("contents", text(units.join(", "))),
            ];
            rows.push(Row { table: "fog_chits", columns });
        }
    }
}

fn unit_row(id: &UnitId, u: &Unit) -> Row {
    let mut facts = vec![u.form.word().to_owned(), format!("{:?}", u.mood), format!("{} steps", u.steps)];
    facts.extend(u.marks.iter().map(|m| format!("{m:?}")));
    facts.extend(u.with.iter().map(|w| format!("with {w}")));
    if u.spent > 0 {
        facts.push(format!("{} spent", u.spent));
    }
    Row::board(&u.side, "unit", id, Some(String::from(u.pose)), facts.join(", "))
}
