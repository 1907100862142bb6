//! A game to look at again: one page of HTML with a slider over its stages, what each side knew, what was so, losses, luck.
//!
//! It reaches no network and runs no script but its own. All that players wrote stands in it as text or as data.

use super::inert::{WINDOW, fill, inert, policy};
use crate::host::film::{Film, Frame, Look, Mark, Scene, Shape};
use minijinja::context;
use minijinja::value::{Serde, Value};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

const PAGE: &str = include_str!("../../templates/replay/page.html");
const STYLE: &str = include_str!("../../templates/replay/page.css");
const SCRIPT: &str = include_str!("../../templates/replay/page.js");
/// The side that is blue in every game; its enemy is red.
const BLUE: &str = "french";
/// What the data of the page is called, and its version.
pub const SCHEMA: &str = "estafette/replay/1";

/// A table beside the map.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Panel {
    /// What it lists.
    pub title: String,
    /// Whether it stands open at first.
    pub open: bool,
    /// Heads of the columns; none where the rows say what they are.
    pub head: Vec<String>,
    /// Its rows.
    pub rows: Vec<Row>,
    /// What is said where there are none.
    pub none: String,
}

/// A row of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Row {
    /// Its cells.
    pub cells: Vec<String>,
    /// A command to copy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// The same as a line of a mail.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mail: Option<String>,
}

/// What the page is made of.
#[derive(Clone, Copy, Debug)]
pub struct Replay<'a> {
    /// The game's id, and what the page is.
    pub title: &'a str,
    /// The game.
    pub film: &'a Film,
    /// The side whose knowledge is shown first; none shows what was so.
    pub first: Option<&'a str>,
    /// Whether it opens where play stands, and not at the beginning.
    pub last: bool,
    /// Tables beside it.
    pub panels: &'a [Panel],
}

/// The film with every mark and every word once, and of each frame what is otherwise than in the one before.
#[derive(Serialize)]
struct Data {
    schema: &'static str,
    watchers: Vec<String>,
    /// The colour of each of them: 0 is blue, 1 is red.
    hues: Vec<usize>,
    counter: i32,
    /// The place of the side that is shown first; -1 for what was so.
    first: i64,
    last: bool,
    lost_in: &'static str,
    words: Vec<String>,
    marks: Vec<Packed>,
    frames: Vec<Change>,
}

/// Key, shape, look, right, down, label, second line, what is said; corners and front where it has them. Words by place.
type Packed = (usize, Shape, Look, i32, i32, usize, usize, usize, Points, Points);
type Points = Option<Vec<(i32, i32)>>;

#[derive(Serialize)]
struct Change {
    said: String,
    lost: Vec<i32>,
    luck: BTreeMap<String, i64>,
    scenes: Vec<Moved>,
}

#[derive(Serialize)]
struct Moved {
    out: Vec<usize>,
    #[serde(rename = "in")]
    come: Vec<usize>,
    told: Vec<String>,
}

/// Things that stand once, by the place at which they first came.
struct Shelf<T>(BTreeMap<T, usize>, Vec<T>);

impl<T: Ord + Clone> Shelf<T> {
    fn new() -> Shelf<T> {
        Shelf(BTreeMap::new(), Vec::new())
    }

    fn place(&mut self, thing: &T) -> usize {
        if let Some(place) = self.0.get(thing) {
            return *place;
        }
        let place = self.1.len();
        self.0.insert(thing.clone(), place);
        self.1.push(thing.clone());
        place
    }
}

/// The page.
///
/// # Errors
/// Never but by a fault of the package's own page, which a test would find.
pub fn page(replay: &Replay<'_>) -> Result<String, String> {
    let data = serde_json::to_string(&data(replay)).map_err(|error| error.to_string())?;
    let script = format!("{WINDOW}{SCRIPT}");
    let policy = policy(STYLE, &script);
    let (title, map) = (replay.title, &replay.film.ground.svg);
    let panels = Value::from(Serde(replay.panels));
    let film = inert(&data);
    fill(PAGE, context! { policy, title, style => STYLE, map, panels, film, script })
}

fn data(replay: &Replay<'_>) -> Data {
    let film = replay.film;
    let (mut words, mut marks) = (Shelf::<String>::new(), Shelf::<Mark>::new());
    let mut before: Vec<BTreeSet<usize>> = film.watchers.iter().map(|_| BTreeSet::new()).collect();
    let frames = film.frames.iter().map(|frame| change(frame, &mut marks, &mut before)).collect();
    let outline = |points: &[(i32, i32)]| (!points.is_empty()).then(|| points.to_vec());
    let mut pack = |mark: &Mark| {
        let said = [&mark.key, &mark.label, &mark.below, &mark.said].map(|word| words.place(word));
        let [key, label, below, said] = said;
        let (x, y) = mark.at;
        (key, mark.shape, mark.look, x, y, label, below, said, outline(&mark.outline), outline(&mark.front))
    };
    let marks = marks.1.iter().map(&mut pack).collect();
    let watchers: Vec<String> = film.watchers.iter().map(|side| side.0.clone()).collect();
    let first = replay.first.and_then(|side| watchers.iter().position(|watcher| watcher == side));
    let first = first.and_then(|place| i64::try_from(place).ok()).unwrap_or(-1);
    let (counter, last, hues) = (film.ground.counter, replay.last, hues(&watchers));
    Data { schema: SCHEMA, watchers, hues, counter, first, last, lost_in: film.lost_in, words: words.1, marks, frames }
}

/// The colours of sides: one of two names is blue, or else the first; who looks alone is blue to himself, as on his plates.
fn hues(watchers: &[String]) -> Vec<usize> {
    let blue = watchers.iter().position(|side| side == BLUE).filter(|_| watchers.len() > 1).unwrap_or(0);
    (0..watchers.len()).map(|side| usize::from(side != blue)).collect()
}

fn change(frame: &Frame, marks: &mut Shelf<Mark>, before: &mut [BTreeSet<usize>]) -> Change {
    let moved = |(scene, before): (&Scene, &mut BTreeSet<usize>)| {
        let now: BTreeSet<usize> = scene.marks.iter().map(|mark| marks.place(mark)).collect();
        let (out, come) = (before.difference(&now).copied().collect(), now.difference(before).copied().collect());
        *before = now;
        Moved { out, come, told: scene.told.clone() }
    };
    let scenes = frame.scenes.iter().zip(before).map(moved).collect();
    Change { said: frame.said.clone(), lost: frame.lost.clone(), luck: frame.luck.clone(), scenes }
}
