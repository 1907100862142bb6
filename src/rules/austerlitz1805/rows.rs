//! What the store needs of the truth: a digest for comparison, rows for the umpire; and a scrambled truth for tests.

use super::board::UnitId;
use super::state::{GunPlan, Hidden, State};
use super::table::Unit;
use crate::fog::SideId;
use crate::rules::kept::{Body, Cell, Row};

/// The truth as text, for comparison only.
pub fn digest(s: &State) -> Body {
    let t = &s.table;
    let open = (t.turn, &t.units, &t.lost, &t.combats, &t.control, t.sight);
    Body::write(&(open, &s.at, s.step, &s.hidden, &s.all_targets, &s.over))
}

fn text(value: impl ToString) -> Cell {
    Cell::Text(value.to_string())
}

/// Pieces, combats, places and plans as rows.
pub fn rows(s: &State) -> Vec<Row> {
    let mut rows: Vec<Row> = s.table.units.iter().map(|(id, u)| unit_row(id, u)).collect();
    let mut board = |side: &SideId, board: &str, name: &str, facts: String| {
        let columns = vec![
            ("side", text(side)),
            ("board", text(board)),
            ("name", text(name)),
            ("hex", Cell::Null),
            ("facts", text(facts)),
        ];
        rows.push(Row { table: "board_rows", columns });
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
        for (unit, on) in &hidden.volleys {
            board(side, "volley", &unit.0, on.0.clone());
        }
    }
    for unit in &s.table.lost {
        board(&s.table.side(unit), "lost", &unit.0, String::new());
    }
    rows
}

fn unit_row(id: &UnitId, u: &Unit) -> Row {
    let mut facts = vec![u.form.word().to_owned(), format!("{:?}", u.mood), format!("{} steps", u.steps)];
    facts.extend(u.marks.iter().map(|m| format!("{m:?}")));
    facts.extend(u.with.iter().map(|w| format!("with {w}")));
    if u.spent > 0 {
        facts.push(format!("{} spent", u.spent));
    }
    let columns = vec![
        ("side", text(&u.side)),
        ("board", text("unit")),
        ("name", text(id)),
        ("hex", text(String::from(u.pose))),
        ("facts", text(facts.join(", "))),
    ];
    Row { table: "board_rows", columns }
}

/// The same state with the other side's plans changed.
pub fn scramble(s: &State, keep: &SideId, noise: u64) -> State {
    let mut out = s.clone();
    for (side, hidden) in out.hidden.iter_mut().filter(|(side, _)| *side != keep) {
        let mut other = Hidden::default();
        let own: Vec<UnitId> = s.table.of_side(side).map(|(id, _)| id.clone()).collect();
        let n = usize::try_from(noise % 7).unwrap_or(0);
        for unit in own.into_iter().skip(n).step_by(2) {
            other.guns.insert(unit, GunPlan::Hold);
        }
        *hidden = other;
    }
    out
}
