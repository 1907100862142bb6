//! The paper of `campaigns`: head, story, Organization Display, forecast, enemy table, maps.

mod enemy;
mod forces;
mod forecast;
mod head;
mod help;
mod maps;
mod offers;
mod pen;
mod roads;
mod roster;
mod rules;
mod story;
mod umpire;

use crate::host::paper::{Format, Page, Paper, Sections, Topic};
use crate::orders::Fault;
use crate::rules::Ask;
use crate::rules::campaigns::view::View;
use crate::rules::campaigns::{Campaigns, Sighting};
use pen::Pen;

impl Paper for Campaigns {
    fn sections(page: &Page<'_, Campaigns>) -> Sections {
        let pen = Pen::new(page.view, page.format);
        let (now, next, if_not) = head::stage(&pen);
        let told = story::write(&pen, page.told);
        let mut sections = Sections { head: head::head(&pen), now, next, if_not, ..Sections::default() };
        if page.view.truth.is_some() {
            sections.forces = umpire::pieces(&pen, page.sees);
            sections.maps = vec![maps::umpires(&pen)];
            sections.enemy = umpire::stocks(&pen, page.sees);
        } else {
            sections.forces = forces::lines(&pen);
            let acts = page.whole || offers::acts(&pen);
            sections.forecast = if acts { forecast::lines(&pen) } else { offers::no_forecast(&pen) };
            sections.enemy = enemy::lines(&pen, &told.shown);
            sections.maps = maps::drawings(&pen, acts);
        }
        sections.story = told.paragraphs;
        sections.battles = told.battles;
        sections.told_in = told.told_in;
        sections
    }

    fn map(view: &View, area: Option<&str>, format: Format) -> Result<Vec<String>, Fault> {
        maps::map(&Pen::new(view, format), area)
    }

    fn bot(view: &View, asks: &[Ask], noise: u64) -> Vec<String> {
        crate::bot::campaigns::orders(view, asks, noise)
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
