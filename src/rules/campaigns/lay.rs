//! Lines, dispatches and marches over the map, asked for and found again: what they depend on stands in `lanes`.
//!
//! The map is asked the same things over and over: whom a dispatch reaches, which depots have a line. Between two answers
//! little changes but where one force stands, and of that most depend on nothing.

use super::board::Halves;
use super::lanes::{Ground, Lay, LineLay, Tolls};
use super::pieces::Loc;
use super::situation::Situation;
use super::trace::Ways;
use crate::hex::Hex;
use crate::map::{Field, Reach};
use std::sync::Arc;

impl Ground {
    fn of(sit: &Situation<'_>) -> Ground {
        Ground {
            weather: sit.weather.clone(),
            damaged: sit.damaged.clone(),
            pontoons: sit.pontoons.keys().copied().collect(),
            trestles: sit.trestles.clone(),
        }
    }

    fn fits(&self, sit: &Situation<'_>) -> bool {
        self.weather == *sit.weather
            && self.damaged == *sit.damaged
            && self.trestles == *sit.trestles
            && self.pontoons.iter().eq(sit.pontoons.keys())
    }
}

impl Lay {
    fn of(sit: &Situation<'_>, closed: &[Hex]) -> Lay {
        let (side, army) = (sit.own.side.clone(), sit.own.army.name.clone());
        Lay { ground: Ground::of(sit), side, army, closed: closed.to_vec() }
    }

    fn fits(&self, sit: &Situation<'_>, closed: &[Hex]) -> bool {
        self.side == sit.own.side && self.army == sit.own.army.name && self.closed == closed && self.ground.fits(sit)
    }
}

impl LineLay {
    fn of(sit: &Situation<'_>, source: Hex, closed: &[Hex]) -> LineLay {
        LineLay { source, lay: Lay::of(sit, closed) }
    }

    fn fits(&self, sit: &Situation<'_>, source: Hex, closed: &[Hex]) -> bool {
        self.source == source && self.lay.fits(sit, closed)
    }
}

impl Situation<'_> {
    /// ¶86, 212-214, 253 What every step costs, as the ground lies now.
    pub fn tolls(&self) -> Arc<Tolls> {
        self.board.lanes.tolls.answer(
            |ground| ground.fits(self),
            || (Ground::of(self), Tolls::of(&self.board.map, |hex, dir| self.toll(hex, dir))),
        )
    }

    /// ¶80-82, 89-90 The best line of communication from a source to a hex: along primary roads, shortest in effective
    /// length. `None` if there is none within the title's maximum.
    pub fn loc(&self, source: Hex, to: Hex) -> Option<Loc> {
        self.best_line(&self.ways_from(source), to)
    }

    /// ¶80-82, 89-90 Every way worth keeping that a line from a source may take.
    fn ways_from(&self, source: Hex) -> Arc<Ways> {
        let closed = self.closed();
        self.board.lanes.ways.answer(
            |lay| lay.fits(self, source, closed),
            || (LineLay::of(self, source, closed), self.ways(source, &self.barred(closed))),
        )
    }

    /// ¶80, 90 Every depot that a source reaches along primary roads within the maximum, the source among them.
    pub fn depots_on_line(&self, source: Hex) -> Arc<Vec<Hex>> {
        let closed = self.closed();
        self.board.lanes.depots.answer(
            |lay| lay.fits(self, source, closed),
            || (LineLay::of(self, source, closed), self.depots_from(source, &self.ways_from(source))),
        )
    }

    /// ¶86: hexes within dispatch distance of some hexes, with the halves of an MP used.
    pub fn dispatch(&self, from: &[Hex]) -> Arc<Reach> {
        let closed = self.closed();
        self.board.lanes.rides.answer(
            |(lay, begin)| begin == from && lay.fits(self, closed),
            || ((Lay::of(self, closed), from.to_vec()), self.ride_out(from, &self.barred(closed))),
        )
    }

    /// MP from every hex to one, in halves, by the costs of the ground alone.
    pub fn marches_to(&self, to: Hex, mounted: bool) -> Arc<Reach> {
        self.marches_round(to, mounted, &[])
    }

    /// The same, and not through some hexes.
    pub fn marches_round(&self, to: Hex, mounted: bool, closed: &[Hex]) -> Arc<Reach> {
        self.board.lanes.marches.answer(
            |(ground, hex, horse, shut)| *hex == to && *horse == mounted && shut == closed && ground.fits(self),
            || ((Ground::of(self), to, mounted, closed.to_vec()), self.distances(to, mounted, None, closed)),
        )
    }

    /// Closed hexes as a table of the map.
    fn barred(&self, closed: &[Hex]) -> Field<bool> {
        let mut barred = Field::new(&self.board.map, false);
        closed.iter().for_each(|hex| barred.set(*hex, true));
        barred
    }

    /// ¶86: hexes within dispatch distance by rides that pass no closed hex.
    fn ride_out(&self, from: &[Hex], barred: &Field<bool>) -> Reach {
        let open = |hex: &Hex| barred.get(*hex) == Some(false);
        let limit = Halves::whole(self.board.dispatch_mp(self.own)).0;
        let tolls = self.tolls();
        Reach::of(&self.board.map, from.iter().copied().filter(open), Some(limit), |hex, dir, next| {
            tolls.over(hex, dir).ride.filter(|_| open(&next)).map(|cost| cost.0)
        })
    }
}
