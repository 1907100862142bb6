//! What a seat sees, as data for its order sheet and for clients.

use super::deadlines::terms_of;
use super::due;
use crate::dice::{Master, hex};
use crate::fog::SeatId;
use crate::host::Game;
use crate::letter::Context;
use crate::letter::sheet::{SCHEMA, SeatView, Sheet};
use crate::store::{self, Store, StoreError};
use jiff::Timestamp;

/// The sheet of a seat: its view with the words of its report, and the drawing of its ground; none where its ruleset gives
/// none.
pub fn seat_view(row: &store::Game, hosted: &dyn Game, seat: &SeatId, context: &Context) -> Option<Sheet> {
    let data = hosted.seat_data(seat).body().clone()?;
    let view = SeatView {
        schema: SCHEMA.to_owned(),
        game: row.id.clone(),
        origin: origin(row),
        seat: seat.0.clone(),
        ruleset: row.ruleset.clone(),
        turn: hosted.turn(),
        when: context.head.clone(),
        stage: context.now.clone(),
        due: context.due.clone(),
        if_not: context.if_not.clone(),
        mail: None,
        offers: context.offers.clone(),
        lodged: context.lodged.clone(),
        questions: context.questions.clone(),
        told: context.story.clone(),
        board: data.board,
    };
    Some(Sheet { view, map: data.svg, script: data.script })
}

/// What tells a game from one of the same name. Nobody can tell from it which files it was made from: they may hold what one
/// side must not know.
fn origin(row: &store::Game) -> String {
    let made = format!("{}\0{}\0{}", row.created, row.scenario_digest, row.epoch);
    let secret = Master::from_bytes(row.master).secret(&row.id, "origin", &made);
    hex(&secret).chars().take(16).collect()
}

/// What a seat owes and until when, as its letters say it.
///
/// # Errors
/// The database cannot be read.
pub fn due_of(store: &Store, row: &store::Game, seat: &SeatId, now: Timestamp) -> Result<String, StoreError> {
    let zone = terms_of(store, row)?.calendar.tz();
    Ok(due::line(&store.dues(&row.id)?, &seat.0, now, &zone))
}
