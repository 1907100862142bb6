//! The paper of `campaigns`: head, story, Organization Display, forecast, enemy table, maps.

mod enemy;
mod fights;
mod forces;
mod forecast;
mod head;
mod help;
mod maps;
mod marks;
mod offers;
mod opening;
mod pen;
mod roads;
mod roster;
mod rules;
pub mod seat;
mod short;
mod story;
mod umpire;

use crate::host::film::{Ground, Mark};
use crate::host::paper::{Format, Opening, Page, Paper, SeatData, Sections, Topic};
use crate::orders::Fault;
use crate::rules::Ask;
use crate::rules::campaigns::sequence::At;
use crate::rules::campaigns::view::View;
use crate::rules::campaigns::{Campaigns, Sighting};
use pen::Pen;

/// What a stage mail shows of the map: all in few lines where the reader's sheet is open, and in a first letter; else what
/// has changed.
fn news(pen: &Pen<'_>, before: Option<&Pen<'_>>, all: bool, sections: &mut Sections) {
    if let Some(before) = before {
        sections.changed = short::changed(pen, before);
    }
    if all {
        (sections.forces_title, sections.forces) = short::own(pen, before);
        (sections.enemy_title, sections.enemy) = short::foe(pen);
        sections.maps = maps::close(pen).into_iter().collect();
    }
}

impl Paper for Campaigns {
    fn sections(page: &Page<'_, Campaigns>) -> Sections {
        let pen = Pen::new(page.view, page.format);
        let (now, next, if_not) = head::stage(&pen);
        let told = story::write(&pen, page.told);
        let all = page.whole || page.before.is_none() || offers::open(&pen);
        let mut sections = Sections { head: head::head(&pen), now, next, if_not, ..Sections::default() };
        if page.view.truth.is_some() {
            sections.forces = umpire::pieces(&pen, page.sees);
            sections.maps = vec![maps::umpires(&pen)];
            sections.enemy = umpire::stocks(&pen, page.sees);
        } else if page.whole {
            sections.forces = forces::lines(&pen);
            sections.forecast = forecast::lines(&pen);
            sections.enemy = enemy::lines(&pen, &told.shown);
            sections.maps = maps::drawings(&pen, true);
        } else {
            let before = page.before.map(|view| Pen::new(view, page.format));
            news(&pen, before.as_ref(), all, &mut sections);
        }
        if page.format.plates {
            // The whole theatre once a turn: it changes little within one.
            let turn = page.whole || page.before.is_none_or(|before| before.turn != page.view.turn);
            let news = all || !sections.changed.is_empty();
            sections.plates = maps::plates(&pen, news && page.view.truth.is_none(), turn);
        }
        sections.score = short::score(&pen);
        if page.view.at == At::Over {
            sections.result = Some(head::result(&pen));
            sections.victory = opening::victory(&pen);
        }
        sections.story = told.paragraphs;
        sections.battles = told.battles;
        sections.told_in = told.told_in;
        sections
    }

    fn map(view: &View, area: Option<&str>, format: Format) -> Result<Vec<String>, Fault> {
        maps::map(&Pen::new(view, format), area)
    }

    fn plate(view: &View, area: Option<&str>) -> Option<Result<String, Fault>> {
        Some(maps::plate(&Pen::new(view, Format::default()), area))
    }

    fn seat_data(view: &View) -> Option<SeatData> {
        let (board, svg) = seat::board(&Pen::new(view, Format::default()));
        Some(SeatData { board: serde_json::to_value(board).unwrap_or_default(), svg, script: seat::SCRIPT })
    }

    fn ground(view: &View) -> Option<Ground> {
        Some(marks::ground(&Pen::new(view, Format::default())))
    }

    fn marks(view: &View) -> Vec<Mark> {
        marks::marks(&Pen::new(view, Format::default()))
    }

    fn bot(view: &View, asks: &[Ask], noise: u64) -> Vec<String> {
        crate::bot::campaigns::orders(view, asks, noise)
    }

    fn opening(view: &View, format: Format) -> Opening {
        opening::opening(&Pen::new(view, format))
    }

    fn victory(view: &View) -> Vec<String> {
        opening::victory(&Pen::new(view, Format::default()))
    }

    fn offers(view: &View) -> Vec<String> {
        offers::lines(view)
    }

    fn rule(paragraph: &str) -> Vec<String> {
        rules::lines(paragraph)
    }

    fn topics() -> &'static [Topic] {
        help::TOPICS
    }

    fn summary(view: &View, turn: u32, told: &[Sighting]) -> String {
        story::summary(&Pen::new(view, Format::default()), turn, told)
    }

    fn history(view: &View, turn: u32, told: &[Sighting]) -> Vec<String> {
        story::history(&Pen::new(view, Format::default()), turn, told)
    }
}
