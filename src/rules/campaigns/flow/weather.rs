//! ¶51, 70-71 A. Weather Determination Phase.

use super::told::Open;
use crate::dice::Label;
use crate::rules::campaigns::Campaigns;
use crate::rules::campaigns::tables::{Conditions, Weather};
use crate::rules::cx::Cx;

/// ¶70: the First Player's die on the Weather Table; rain after mud leaves both; or historical weather, where agreed.
pub fn determine(cx: &mut Cx<'_, Campaigns>) {
    let turn = cx.state().turn;
    let historical = cx.state().board.historical_weather.get(&turn).and_then(|text| Conditions::parse(text));
    let die = if historical.is_some() { None } else { Some(cx.d6(&Label::public("weather"))) };
    let (last, board) = (&cx.state().weather, &cx.state().board);
    let date = board.calendar.get(&turn).map_or("", String::as_str);
    let rolled = die.map(|die| carry_over(last, board.tables.weather.roll(date, last, die)));
    if let Some(weather) = historical.or(rolled) {
        cx.emit(Open::Weather { die, weather }.into());
    }
}

/// ¶432: the weather of the march before the first turn is Fair; when it is over, that of the turn before is in force
/// again.
pub fn pre_game(cx: &mut Cx<'_, Campaigns>, begins: bool) {
    let fair = Conditions::of(&[Weather::Fair]);
    let weather = if begins { fair } else { cx.state().last_weather.clone() };
    if weather != cx.state().weather {
        cx.emit(Open::Weather { die: None, weather }.into());
    }
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
