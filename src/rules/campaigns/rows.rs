//! What the store needs of the truth: a digest for comparison, and rows that an umpire reads with any SQLite tool.

use super::board::{Arm, LeaderId};
use super::intel::{Ident, Intel};
use super::pieces::{Army, Piece, Pieces, Track, Vedette};
use super::state::State;
use crate::fog::SideId;
use crate::rules::kept::{Body, Cell, Row};

/// The truth as text, for comparison only.
pub fn digest(s: &State) -> Body {
    let sides: Vec<String> = s.sides.values().map(|p| format!("{p:?}")).collect();
    let bridging = format!("{:?} {:?} {:?}", s.pontoons, s.trestles, s.trains);
    Body::write(&(s.turn, &s.at, sides, (s.morale, &s.tracks, &s.credited), &s.damaged, bridging))
}

/// Hidden pieces as rows.
pub fn rows(s: &State, minds: &[(SideId, Intel)]) -> Vec<Row> {
    let mut rows = Vec::new();
    for pieces in s.sides.values() {
        display_rows(s, pieces, &mut rows);
        vedette_rows(s, pieces, &mut rows);
        army_rows(pieces, &mut rows);
        redoubt_rows(pieces, &mut rows);
    }
    bridging_rows(s, &mut rows);
    courier_rows(s, &mut rows);
    for (side, mind) in minds {
        intel_rows(side, mind, &mut rows);
    }
    rows
}

/// ¶257-260 Pontoons and trains that lie on the map.
fn bridging_rows(s: &State, rows: &mut Vec<Row>) {
    let mut row = |side: &SideId, name: &str, hex: Option<crate::hex::Hex>, facts: String| {
        rows.push(Row::board(side, "bridging", name, hex.map(|hex| hex.to_string()), facts));
    };
    for (edge, side) in &s.pontoons {
        let (a, b) = edge.hexes();
        row(side, "pontoon", None, format!("{a}/{b}"));
    }
    for (hex, (side, n)) in &s.trains {
        row(side, "train", Some(*hex), n.to_string());
    }
}

/// ¶295 Redoubts, begun or finished.
fn redoubt_rows(pieces: &Pieces, rows: &mut Vec<Row>) {
    for (hex, redoubt) in pieces.redoubts.iter() {
        let front: Vec<String> = redoubt.front(*hex).iter().map(ToString::to_string).collect();
        let name = if redoubt.finished() { "finished".to_owned() } else { format!("{} to dig", redoubt.left) };
        rows.push(Row::board(&pieces.side, "redoubt", name, Some(hex.to_string()), front.join(" ")));
    }
}

/// Couriers that have not come in.
fn courier_rows(s: &State, rows: &mut Vec<Row>) {
    for ((side, n), courier) in &s.couriers {
        let facts = match courier.at {
            Some(_) => format!("{} to {}, sent on turn {}", courier.from, courier.to, courier.sent),
            None => format!("{} to {}, sent on turn {}, lost or taken", courier.from, courier.to, courier.sent),
        };
        rows.push(Row::board(side, "courier", n, courier.at.map(|hex| hex.to_string()), facts));
    }
}

fn text(value: impl ToString) -> Cell {
    Cell::Text(value.to_string())
}

fn display_rows(s: &State, pieces: &Pieces, rows: &mut Vec<Row>) {
    for (id, unit) in &pieces.units {
        let (leader, hex) = match &unit.track {
            Track::Of(leader) => (Some(leader), pieces.hex(leader)),
            Track::Garrison(hex) => (None, Some(*hex)),
            Track::Waiting => (None, None),
        };
        let under: Option<LeaderId> = leader.and_then(|l| pieces.leaders.get(l)).and_then(|l| l.under.clone());
        let forage = leader.and_then(|l| pieces.leaders.get(l)).is_some_and(|l| l.forage);
        let arm = s.board.units.get(id).map_or("", |u| match u.arm {
            Arm::Infantry => "infantry",
            Arm::Cavalry => "cavalry",
            Arm::Artillery => "artillery",
        });
        rows.push(Row {
            table: "organization_display",
            columns: vec![
                ("side", text(&pieces.side)),
                ("leader", leader.map_or(Cell::Null, text)),
                ("under", under.map_or(Cell::Null, text)),
                ("hex", hex.map_or(Cell::Null, text)),
                ("unit", text(id)),
                ("arm", text(arm)),
                ("sp", Cell::Int(unit.sp.into())),
                ("mode", text(if forage { "forage" } else { "concentrated" })),
            ],
        });
    }
}

fn vedette_rows(s: &State, pieces: &Pieces, rows: &mut Vec<Row>) {
    for (n, vedette) in &pieces.vedettes {
        let hex = match vedette {
            Vedette::At(hex) => text(hex),
            Vedette::Pool | Vedette::Portrait(_) => Cell::Null,
        };
        let up = s.face_up.contains(&(pieces.side.clone(), Piece::Vedette(*n)));
        rows.push(Row {
            table: "vedettes",
            columns: vec![
                ("side", text(&pieces.side)),
                ("vedette", text(n)),
                ("hex", hex),
                ("face", text(if up { "up" } else { "down" })),
            ],
        });
    }
}

fn intel_rows(side: &SideId, mind: &Intel, rows: &mut Vec<Row>) {
    for (n, tag) in &mind.tags {
        let tie = tag.tie.as_ref();
        let what = tie.map_or(Cell::Null, |t| match &t.ident {
            Ident::Leader(id) => text(id),
            Ident::Vedette => text("vedette"),
            Ident::Garrison => text("garrison"),
        });
        let sp = tie.and_then(|t| t.sp).map_or(Cell::Null, |(sp, _)| Cell::Int(sp.into()));
        rows.push(Row {
            table: "intel",
            columns: vec![
                ("side", text(side)),
                ("tag", text(format!("E{n}"))),
                ("hex", text(tag.hex)),
                ("what", what),
                ("sp", sp),
                ("learnt_turn", tie.map_or(Cell::Null, |t| Cell::Int(t.turn.into()))),
                (
                    "confidence",
                    tie.map_or(text("none"), |t| if t.of == 1 { text("sure") } else { text(format!("1 of {}", t.of)) }),
                ),
            ],
        });
    }
}

/// The side's administration: points, source, center, line and pool, one row each; of several armies one after the other.
fn army_rows(pieces: &Pieces, rows: &mut Vec<Row>) {
    let mut armies: Vec<&Army> = pieces.armies().collect();
    armies.sort_by_key(|army| army.name.clone());
    for (n, army) in armies.into_iter().enumerate() {
        // What belongs to the side as a whole is written once.
        administration(&pieces.side, army, (n == 0).then_some(&*pieces.army), rows);
    }
}

fn administration(side: &SideId, army: &Army, whole: Option<&Army>, rows: &mut Vec<Row>) {
    let board = army.name.as_ref().map_or_else(|| "army".to_owned(), |name| format!("army {name}"));
    let mut row = |name: &str, hex: Option<crate::hex::Hex>, facts: String| {
        let board =
            if matches!(name, "administrative march" | "pool" | "pool delay") { "army" } else { board.as_str() };
        rows.push(Row::board(side, board, name, hex.map(|hex| hex.to_string()), facts));
    };
    row("ap", None, army.ap.to_string());
    let moving = army.source_moving.map_or_else(String::new, |to| format!(", changing to {to}"));
    row("source", army.source, format!("garrison {} SP{moving}", army.source_garrison));
    let returns = army.center_returns.as_ref().map_or_else(String::new, |(turn, _)| format!("returns on turn {turn}"));
    row("center", army.center, army.idle().map_or(returns, |idle| idle.words().0.to_owned()));
    for plotted in whole.iter().flat_map(|whole| whole.admin_marches.values()) {
        let to = plotted.rest.last().copied();
        row("administrative march", to, format!("{}, since turn {}", plotted.leader, plotted.turn));
    }
    let line = army.loc.as_ref().map_or_else(
        || "none".to_owned(),
        |l| format!("effective length {}, hexes {}, depots {}", l.effective, l.path.len().saturating_sub(1), l.depots),
    );
    row("loc", army.loc.as_ref().and_then(|l| l.path.first().copied()), line);
    for army in whole.iter().filter(|army| army.pool_delay > 0) {
        let facts =
            format!("points come {} turns late, none is used before turn {}", army.pool_delay, army.pool_closed_until);
        row("pool delay", None, facts);
    }
    for ((nationality, arm), n) in whole.iter().flat_map(|whole| &whole.pool) {
        row("pool", None, format!("{nationality} {arm:?} {n}"));
    }
}
