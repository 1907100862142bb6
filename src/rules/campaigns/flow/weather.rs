//! ¶51, 70-71 A. Weather Determination Phase.

use super::event::Event;
use crate::dice::Label;
use crate::rules::campaigns::Campaigns;
use crate::rules::campaigns::tables::{Conditions, Weather};
use crate::rules::cx::Cx;

/// ¶70: the First Player's die on the Weather Table; rain after mud leaves both; or historical weather, where agreed.
pub fn determine(cx: &mut Cx<'_, Campaigns>) {
    let turn = cx.state().turn;
    let historical = cx.state().board.historical_weather.get(&turn).and_then(|text| Conditions::parse(text));
    if let Some(weather) = historical {
        cx.emit(Event::Weather { die: None, weather }.into());
        return;
    }
    let die = cx.d6(&Label::public("weather"));
    let last = cx.state().weather.clone();
    let weather = carry_over(&last, cx.state().board.tables.weather.roll(&last, die));
    cx.emit(Event::Weather { die: Some(die), weather }.into());
}

/// ¶70: if the turn before was mud and rain follows, the effects of both hold.
fn carry_over(last: &Conditions, now: Conditions) -> Conditions {
    if last.has(Weather::Mud) && now.has(Weather::Rain) && !now.has(Weather::Mud) {
        let mut both: Vec<Weather> = now.states().collect();
        both.push(Weather::Mud);
        return Conditions::of(&both);
    }
    now
}
