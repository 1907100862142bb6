//! Dispatches between seats of one side: each sets out at the next rest point, so that nothing of an open leg changes.

use super::hosted::Hosted;
use super::paper::Paper;
use super::{Batch, Broken};
use crate::fog::SeatId;
use crate::rules::staff::Dispatch;

impl<R: Paper> Hosted<R> {
    /// Why a seat cannot send a courier to another now, if it cannot.
    pub(super) fn may_ride(&self, from: &SeatId, to: &SeatId) -> Result<(), String> {
        if !self.core.begun || self.over() {
            return Err("couriers ride while the game is played.".to_owned());
        }
        let dispatch = self.core.desk.staff.dispatch(from, to, Vec::new())?;
        let Some(post) = self.post_of(from).and_then(|at| self.core.posts.get(at)) else { return Ok(()) };
        R::dispatch(&self.core.base.state, &post.side, &dispatch).map(|_| ()).map_err(|fault| fault.to_string())
    }

    /// A dispatch waits for the next rest point; where play stands at one, it sets out now.
    pub(super) fn dispatch(&mut self, seat: &SeatId, to: &SeatId, lines: Vec<String>) {
        if let Ok(dispatch) = self.core.desk.staff.dispatch(seat, to, lines) {
            self.core.riders.push(dispatch);
        }
    }

    /// Where play stands at a rest point, what waits sets out, and play rests there again.
    pub(super) fn depart_now(&mut self, out: &mut Batch) -> Result<(), Broken> {
        let rests = self.core.begun && !self.over() && self.core.known.is_empty();
        if rests && self.depart(out) {
            self.close_leg(out);
            self.run(out)?;
        }
        Ok(())
    }

    /// All dispatches that wait set out; whether there were any.
    pub(super) fn depart(&mut self, out: &mut Batch) -> bool {
        let waiting: Vec<Dispatch> = std::mem::take(&mut self.core.riders);
        let mut any = false;
        for dispatch in &waiting {
            let Some(post) = self.post_of(&dispatch.from).and_then(|at| self.core.posts.get(at)) else { continue };
            // Who has nobody on the map any more sends nobody; its reply said so, or the map says it now.
            let Ok(events) = R::dispatch(&self.core.base.state, &post.side, dispatch) else { continue };
            let mut base = self.core.base.clone();
            let records = Self::happen(&mut base, &events);
            self.core.now = base;
            self.absorb(&records, out);
            self.core.base = self.core.now.clone();
            any = true;
        }
        any
    }
}
