//! ¶85 Whether lines are cut: the standing choice of the other side.

use crate::fog::SideId;
use crate::rules::Play;
use crate::rules::campaigns::admin::prompt;
use crate::rules::campaigns::{Answer, Campaigns, Prompt};
use crate::rules::cx::Cx;

/// ¶85 Whether the enemy of a side cuts its lines where he can: his standing choice.
pub fn block(cx: &mut Cx<'_, Campaigns>, side: &SideId) -> Play<bool> {
    let seat = cx.seat_of(&cx.state().enemy(side));
    Ok(match cx.ask(&seat, Prompt::Admin(prompt::Prompt::Block))? {
        Answer::Admin(prompt::Answer::Block(block)) => block,
        Answer::March(_) | Answer::Combat(_) => true,
    })
}
