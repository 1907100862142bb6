//! A game as a film: at each rest point where all stood as each side knew it, and what each was told on the way there.
//!
//! It is made from views and from what was told, never from truth: what was so is what each side knew of its own.

use super::fold::Fold;
use super::hosted::{Hosted, look};
use super::paper::Paper;
use super::reveal::above_mean;
use crate::fog::{SeatId, Seen, SideId, Viewer};
use crate::rules::cx::Base;
use serde::Serialize;
use std::collections::BTreeMap;

/// What a mark is drawn as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    /// A block of counters.
    Block,
    /// A small counter that scouts.
    Pennon,
    /// A chit of one's own.
    Disc,
    /// A chit of the enemy.
    Diamond,
    /// A leader.
    Flag,
    /// A center of operations.
    Center,
    /// Who holds a place.
    Held,
}

/// How a mark is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Look {
    /// It belongs to who looks, and stands there in truth.
    Own,
    /// The same, and it is nothing: a decoy.
    Hollow,
    /// The enemy's, as he who looks sees it.
    Foe,
    /// The enemy's, as he saw it last.
    Gone,
}

/// One piece in one place, as a side knows it. Units are those of the ground's drawing.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Mark {
    /// What stays the same while it moves.
    pub key: String,
    /// What it is drawn as.
    pub shape: Shape,
    /// How it is known.
    pub look: Look,
    /// Its middle.
    pub at: (i32, i32),
    /// The first line on it.
    pub label: String,
    /// The second line, which may be empty.
    pub below: String,
    /// What it is, in words.
    pub said: String,
    /// Its corners, seen from its middle; none where it is drawn at the usual size.
    pub outline: Vec<(i32, i32)>,
    /// The line of its front, seen from its middle; none where it has none or nobody knows.
    pub front: Vec<(i32, i32)>,
}

impl Mark {
    /// A mark of the usual size without a second line and a front.
    pub fn plain(key: String, shape: Shape, look: Look, at: (i32, i32), label: String, said: String) -> Mark {
        Mark { key, shape, look, at, label, below: String::new(), said, outline: Vec::new(), front: Vec::new() }
    }
}

/// What a film is shown on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ground {
    /// The map without pieces, in SVG.
    pub svg: String,
    /// The width of a counter of the usual size, in units of the drawing.
    pub counter: i32,
}

/// What one watcher knew at a rest point, and what it was told since the frame before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scene {
    /// Where all stand, by key.
    pub marks: Vec<Mark>,
    /// Paragraphs.
    pub told: Vec<String>,
}

/// A rest point.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// Turn and stage, such as `turn 3 · French movement`.
    pub said: String,
    /// One a watcher.
    pub scenes: Vec<Scene>,
    /// What each watcher's side has lost so far.
    pub lost: Vec<i32>,
    /// By how many half pips the dice have shown more than dice show, by who saw them.
    pub luck: BTreeMap<String, i64>,
}

/// A game as a film.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Film {
    /// The map.
    pub ground: Ground,
    /// Who looks: the sides of the game, or one side alone.
    pub watchers: Vec<SideId>,
    /// What losses are counted in, such as `SP`.
    pub lost_in: &'static str,
    /// Rest points at which something is otherwise than at the one before.
    pub frames: Vec<Frame>,
}

/// One who looks: his place among the sides, his post where he is one seat.
struct Watcher {
    side: usize,
    post: Option<usize>,
}

impl<R: Paper> Hosted<R> {
    /// The film of all sides, or what one seat was told so far. None before the game begins, and where nothing is drawn.
    pub(super) fn film_of(&self, seat: Option<&SeatId>) -> Seen<Option<Film>> {
        let post = seat.and_then(|seat| self.post_of(seat));
        let sealed = match (seat, post.and_then(|at| self.core.posts.get(at))) {
            (None, _) => Viewer::Umpire,
            (Some(_), Some(post)) => Viewer::Side(post.side.clone()),
            (Some(seat), None) => return Seen::sealed(Viewer::Side(SideId(seat.0.clone())), None),
        };
        let sides = &self.ground.sides;
        let watchers: Vec<Watcher> = match post.and_then(|at| self.core.posts.get(at)) {
            None => (0..sides.len()).map(|side| Watcher { side, post: None }).collect(),
            Some(own) => {
                let side = sides.iter().position(|side| *side == own.side).unwrap_or(0);
                vec![Watcher { side, post }]
            }
        };
        Seen::sealed(sealed, self.shot(&watchers))
    }

    fn shot(&self, watchers: &[Watcher]) -> Option<Film> {
        let mut fold = Fold::of(self);
        let until = watchers.iter().filter_map(|w| self.core.posts.get(w.post?)).map(|post| post.barrier).min();
        let (mut ground, mut frames, mut heard) = (None, Vec::<Frame>::new(), 0);
        let mut luck = BTreeMap::new();
        for rest in self.past.rests().iter().take_while(|rest| until.is_none_or(|until| rest.at <= until)) {
            // Where play rests now stands already.
            let last = self.past.last_rest().is_some_and(|last| last.at == rest.at);
            let base = if last { &self.core.base } else { fold.to(rest.at) };
            let mut frame = Frame { said: format!("turn {} · {}", rest.turn, rest.stage), ..Frame::default() };
            if rest.stage.is_empty() {
                frame.said = format!("turn {} · the game is over", rest.turn);
            }
            for watcher in watchers {
                let view = self.seen_at(base, rest.kens.as_slice(), watcher)?;
                if ground.is_none() {
                    ground = R::ground(&view);
                }
                let mut marks = R::marks(&view);
                marks.sort_unstable();
                frame.scenes.push(Scene { marks, told: self.told_between(&view, watcher, heard..rest.at, rest.turn) });
                frame.lost.push(self.lost_at(base, &view, watcher));
            }
            self.count_luck(&mut luck, watchers, heard..rest.at);
            frame.luck.clone_from(&luck);
            heard = rest.at;
            let same = |last: &Frame| {
                last.scenes.iter().zip(&frame.scenes).all(|(was, is)| was.marks == is.marks && is.told.is_empty())
            };
            if !frames.last().is_some_and(same) {
                frames.push(frame);
            }
        }
        let watchers = watchers.iter().filter_map(|w| self.ground.sides.get(w.side).cloned()).collect();
        (!frames.is_empty()).then_some(Film { ground: ground?, watchers, lost_in: R::LOST_IN, frames })
    }

    /// What a watcher's side has lost, as far as he knows.
    fn lost_at(&self, base: &Base<R>, view: &R::View, watcher: &Watcher) -> i32 {
        let post = watcher.post.and_then(|at| self.core.posts.get(at));
        match (post.filter(|post| self.knows_own(&post.seat)), self.ground.sides.get(watcher.side)) {
            (Some(_), _) => R::lost_known(view),
            (None, side) => side.map_or(0, |side| R::lost(&base.state, side)),
        }
    }

    /// What a watcher knew at a rest point.
    fn seen_at(&self, base: &Base<R>, kens: &[R::View], watcher: &Watcher) -> Option<R::View> {
        let own = watcher.post.filter(|at| self.core.posts.get(*at).is_some_and(|post| self.knows_own(&post.seat)));
        match own.and_then(|at| kens.get(at)) {
            Some(ken) => Some(ken.clone()),
            None if own.is_some() => None,
            None => Some(look(base, self.ground.sides.get(watcher.side)?)),
        }
    }

    /// What a watcher was told between two places of the chain.
    fn told_between(
        &self,
        view: &R::View,
        watcher: &Watcher,
        entries: std::ops::Range<usize>,
        turn: u32,
    ) -> Vec<String> {
        let told = self.past.told(watcher.side, entries.start).iter().take_while(|told| told.at < entries.end);
        let post = watcher.post.and_then(|at| self.core.posts.get(at));
        let heard: Vec<R::Sighting> = match post {
            None => told.map(|told| told.body.clone()).collect(),
            Some(post) => {
                let heard = told.filter(|told| !told.deaf.contains(&post.seat));
                heard.map(|told| R::for_seat(&told.body, &post.seat)).collect()
            }
        };
        if heard.is_empty() {
            return Vec::new();
        }
        // The first line names the turn.
        R::history(view, turn, &heard).into_iter().skip(1).map(|line| line.trim().to_owned()).collect()
    }

    /// Adds the rolls between two places of the chain that the watchers may see.
    fn count_luck(&self, luck: &mut BTreeMap<String, i64>, watchers: &[Watcher], entries: std::ops::Range<usize>) {
        let post = watchers.iter().find_map(|w| self.core.posts.get(w.post?));
        let visible =
            self.past.rolls(entries.start).iter().filter(|rolled| entries.contains(&rolled.at) && !rolled.roll.fiat);
        for rolled in visible.filter(|rolled| post.is_none_or(|post| self.sees_roll(post, rolled))) {
            *luck.entry(rolled.roll.scope.text().to_owned()).or_default() += above_mean::<R>(&rolled.roll);
        }
    }
}
