//! Dispatches between seats of one side: each sets out at the next rest point, so that nothing of an open leg changes.

use super::barrier::Pending;
use super::hosted::Hosted;
use super::paper::Paper;
use super::{Batch, Broken};
use crate::fog::SeatId;
use crate::orders;
use crate::rules::Outcome;
use crate::rules::journal::{By, Given, Journal};
use crate::rules::staff::{Brought, Dispatch};
use std::collections::BTreeSet;

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

    /// The seat that a line of the commander has to ride to, if it is one that travels.
    pub(super) fn travels(&self, post: usize, text: &str) -> Option<SeatId> {
        let post = self.core.posts.get(post)?;
        let staff = &self.core.desk.staff;
        staff.chair(&post.seat)?;
        let order = orders::read(R::verbs(), &post.view, &orders::line(0, text)).ok()?;
        let with = |line: &[String]| R::beside(&post.view, staff, &post.seat, line);
        staff.rides_to(&post.seat, &R::concern(&post.view, &order), with)
    }

    /// A line that travels goes with the courier of its mail, and is answered at once; nobody knows when he comes in.
    pub(super) fn by_rider(&mut self, post: usize, (no, text): (u32, &str), to: SeatId) {
        let Some(from) = self.core.posts.get(post).map(|post| post.seat.clone()) else { return };
        let made = self.core.desk.staff.dispatch(&from, &to, Vec::new());
        let returns = self.returns(&from);
        let outcome = match self.may_ride(&from, &to).and(made) {
            Err(why) => Outcome::Refused { why, rule: String::new(), copy: None },
            Ok(made) => {
                let riders = &mut self.core.riders;
                match riders.iter_mut().find(|r| r.from == from && r.to == to && !r.orders.is_empty()) {
                    Some(rider) => rider.orders.push(text.to_owned()),
                    None => riders.push(Dispatch { orders: vec![text.to_owned()], returns, ..made }),
                }
                Outcome::Sent { to: to.0 }
            }
        };
        self.settled(post, no, text, outcome);
    }

    /// The leaders of whom a seat's dispatch says how they stand: those who obey it, where seats know only their own.
    fn returns(&self, seat: &SeatId) -> Vec<String> {
        let Some(post) = self.post_of(seat).and_then(|at| self.core.posts.get(at)) else { return Vec::new() };
        if !self.knows_own(seat) {
            return Vec::new();
        }
        let staff = &self.core.desk.staff;
        let obeys = |id: &&String| staff.obeys(&post.side, &R::line(&post.view, id)) == Some(seat);
        staff.leaders().map(|(id, _)| id).filter(obeys).cloned().collect()
    }

    /// Orders that couriers have brought go into the sheets that have opened for them.
    pub(super) fn hand_over(&mut self, open: &BTreeSet<String>) {
        if self.core.brought.is_empty() || !R::carries_out(&self.core.base.state) {
            return;
        }
        let Some(key) = R::stage(&self.core.base.state).map(|stage| stage.key) else { return };
        let on_move = self.stage_now().map(|stage| stage.on_move).unwrap_or_default();
        let (now, later): (Vec<Brought>, Vec<Brought>) = std::mem::take(&mut self.core.brought)
            .into_iter()
            .partition(|b| on_move.contains(&b.to) && open.contains(&Journal::sheet(&b.to, &key)));
        self.core.brought = later;
        for Brought { from, to, orders } in now {
            let sheet = Journal::sheet(&to, &key);
            let Some(post) = self.post_of(&to) else { continue };
            for text in orders {
                let by = By::Order(from.clone());
                let given = Given::new(text.clone(), 0, by);
                self.core.journal.drafts.entry(sheet.clone()).or_default().push(given);
                let by = Some(from.clone());
                self.pend(post, Pending { by, ..Pending::waiting(0, &text, &sheet, None) });
            }
        }
    }

    /// A dispatch waits for the next rest point; where play stands at one, it sets out now.
    pub(super) fn dispatch(&mut self, seat: &SeatId, to: &SeatId, lines: Vec<String>) {
        if let Ok(dispatch) = self.core.desk.staff.dispatch(seat, to, lines) {
            let returns = self.returns(seat);
            self.core.riders.push(Dispatch { returns, ..dispatch });
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
