//! What a seat sees, as data for its order sheet and for clients.

use super::page;
use crate::fog::SeatId;
use crate::host::Game;
use crate::letter::sheet::{SCHEMA, SeatView};

/// The view of a seat, and the drawing of its ground; none where its ruleset gives none.
pub fn seat_view(game: &str, ruleset: &str, hosted: &dyn Game, seat: &SeatId) -> Option<(SeatView, String)> {
    let data = hosted.seat_data(seat).body().clone()?;
    let context = page::context(hosted.report(seat, None).body());
    let view = SeatView {
        schema: SCHEMA.to_owned(),
        game: game.to_owned(),
        seat: seat.0.clone(),
        ruleset: ruleset.to_owned(),
        turn: hosted.slot(),
        when: context.head,
        stage: context.now,
        due: context.due,
        if_not: context.if_not,
        mail: None,
        offers: context.offers,
        questions: context.questions,
        told: context.story,
        board: data.board,
    };
    Some((view, data.svg))
}
