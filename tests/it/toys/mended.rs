//! The smallest ruleset, in several engines: as it was, mended in three ways, and broken in several.

use super::kit::{Mind, Told, kept};
use estafette::dice::Label;
use estafette::fog::{Fogged, Pass, SeatId, SideId, Viewer};
use estafette::host::paper::{Format, Page, Paper, Sections};
use estafette::orders::{Fault, Line, Verb};
use estafette::rules::cx::Cx;
use estafette::rules::journal::Book;
use estafette::rules::kept::{Body, Cell, Corrupt, Row, Truth};
use estafette::rules::{Ask, Files, Key, Play, Ruleset, Stage};

/// As the game began.
pub const AS_WAS: u8 = 0;
/// A march is two shorter, from the first record on.
pub const MENDED: u8 = 1;
/// A march is two shorter, from the first record that is not yet fact.
pub const MENDED_SINCE: u8 = 2;
/// A stop is swallowed.
pub const SWALLOWS: u8 = 3;
/// A leg does not end.
pub const RUNS_AWAY: u8 = 4;
/// Legs follow each other without an end.
pub const NEVER_STOPS: u8 = 5;
/// The default of its question cannot be read.
pub const DEAF: u8 = 6;
/// A question too many is asked.
pub const CURIOUS: u8 = 7;

/// One man who marches until asked to stop.
pub struct Mended<const HOW: u8>;

#[derive(Clone, serde::Serialize, serde::Deserialize)]
pub struct State {
    at: u32,
    over: bool,
}

#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum Event {
    Marched(u32),
    Halted {},
}

impl<const HOW: u8> Fogged for Mended<HOW> {
    type State = State;
    type Intel = Mind;
    type View = u32;
    fn project(s: &State, _: &Mind, _: &Viewer, _: Pass) -> u32 {
        s.at
    }
}

impl<const HOW: u8> Ruleset for Mended<HOW> {
    const NAME: &'static str = "toy-mended";
    const VERSION: u32 = 1;
    type Event = Event;
    type Sighting = Told;
    type Prompt = ();
    type Order = ();
    type Answer = bool;

    fn open(files: &Files) -> Result<(State, Vec<Event>), Vec<String>> {
        if files.is_empty() {
            return Err(vec!["toy.txt:1: there is no scenario; write one.".to_owned()]);
        }
        Ok((State { at: 0, over: false }, Vec::new()))
    }
    fn seats(_: &State) -> Vec<(SeatId, SideId)> {
        vec![("a".into(), "a".into())]
    }
    fn slot(_: &State) -> u32 {
        1
    }
    fn last_slot(_: &State) -> u32 {
        1
    }
    fn stage(s: &State) -> Option<Stage> {
        let (key, title) = ("1/a".to_owned(), "march".to_owned());
        (!s.over).then(|| Stage { key, title, on_move: vec!["a".into()], secret: false })
    }

    fn play(cx: &mut Cx<'_, Self>) -> Play<()> {
        let seat = SeatId::from("a");
        let length = |cx: &mut Cx<'_, Self>| match HOW {
            MENDED => 3,
            MENDED_SINCE if cx.since("R-17") => 3,
            _ => 5,
        };
        match HOW {
            RUNS_AWAY => (0..20_000).for_each(|_| cx.emit(Event::Marched(1))),
            NEVER_STOPS => cx.emit(Event::Marched(1)),
            SWALLOWS => {
                let on = cx.ask(&seat, ()).unwrap_or(true);
                cx.emit(if on { Event::Marched(5) } else { Event::Halted {} });
            }
            _ => {
                let _die = cx.d6(&Label::public("march"));
                let far = length(cx);
                cx.emit(Event::Marched(far));
                if HOW == CURIOUS {
                    cx.ask(&seat, ())?;
                }
                let on = cx.ask(&seat, ())?;
                let far = length(cx);
                cx.emit(if on { Event::Marched(far) } else { Event::Halted {} });
            }
        }
        Ok(())
    }

    fn apply(s: &mut State, e: &Event) {
        match e {
            Event::Marched(n) => s.at += n,
            Event::Halted {} => s.over = true,
        }
    }
    fn sight(_: &State, e: &Event, _: &State, _: &Mind, _: &SideId) -> Option<Told> {
        Some(Told { turn: 1, said: format!("{e:?}"), spots: Vec::new() })
    }
    fn verbs() -> &'static [Verb<u32, ()>] {
        &[]
    }
    fn doctrines() -> &'static [Key] {
        &[]
    }
    fn address((): &()) -> String {
        "on".to_owned()
    }
    fn ask(_: &u32, (): &()) -> Ask {
        let answers = vec!["ON".to_owned(), "HALT".to_owned()];
        let default = if HOW == DEAF { "EH" } else { "HALT" }.to_owned();
        Ask { question: "on?".to_owned(), rule: "1".to_owned(), answers, default }
    }
    fn read(_: &u32, (): &(), l: &Line) -> Result<bool, Fault> {
        match l.source.as_str() {
            "ON" => Ok(true),
            "HALT" => Ok(false),
            said => Err(Fault::unclear(said, "ON or HALT", ["ON", "HALT"], None)),
        }
    }
    fn doctrine_answer(_: &u32, (): &(), _: &Book) -> Option<String> {
        None
    }
    fn check(_: &u32, (): &()) -> Result<Vec<String>, Fault> {
        Ok(Vec::new())
    }
    fn scramble(s: &State, _: &[(SideId, Mind)], _: &SideId, _: u64) -> State {
        s.clone()
    }
    kept!();
}

impl<const HOW: u8> Paper for Mended<HOW> {
    fn sections(page: &Page<'_, Self>) -> Sections {
        Sections { story: page.told.iter().map(|t| t.said.clone()).collect(), ..Sections::default() }
    }
    fn map(view: &u32, _: Option<&str>, _: Format) -> Result<Vec<String>, Fault> {
        Ok(vec![view.to_string()])
    }
    fn history(_: &u32, turn: u32, told: &[Told]) -> Vec<String> {
        told.iter().map(|told| format!("{turn:>2}  {}", told.said)).collect()
    }
}
