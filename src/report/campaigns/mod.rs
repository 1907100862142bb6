//! The paper of `campaigns`: head, story, Organization Display, forecast, enemy table, maps.

mod enemy;
mod forces;
mod forecast;
mod head;
mod maps;
mod pen;
mod roads;
mod roster;
mod story;
mod umpire;

use crate::host::paper::{Format, Page, Paper, Sections};
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
            sections.forces = umpire::pieces(&pen);
            sections.enemy = umpire::stocks(&pen);
        } else {
            sections.forces = forces::lines(&pen);
            sections.forecast = forecast::lines(&pen);
            sections.enemy = enemy::lines(&pen, &told.shown);
            sections.maps = maps::drawings(&pen);
        }
        sections.story = told.paragraphs;
        sections
    }

    fn map(view: &View, area: Option<&str>, format: Format) -> Result<Vec<String>, Fault> {
        maps::map(&Pen::new(view, format), area)
    }

    fn bot(view: &View, asks: &[Ask], noise: u64) -> Vec<String> {
        crate::bot::campaigns::orders(view, asks, noise)
    }

    fn history(view: &View, told: &Sighting) -> (u32, String) {
        story::history(&Pen::new(view, Format::default()), told)
    }
}
