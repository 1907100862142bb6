//! Lines that want what happens in any case: a corps or a chit that stays, a fight that goes on. They are answered, and hold
//! no END.

use super::Thing;
use super::said::{Act, Said};
use crate::orders::fold;
use crate::orders::mend::lexicon::Sense;
use crate::rules::austerlitz1805::board::Arm;
use crate::rules::austerlitz1805::state::At;

/// What is said of such a line; none where it wants something.
pub fn told(said: &Said<'_>) -> Option<Vec<String>> {
    fights(said).or_else(|| corps(said)).or_else(|| chit(said)).or_else(|| unit(said)).map(|told| vec![told])
}

/// 13.6 An attack on whom the unit fights already.
fn fights(said: &Said<'_>) -> Option<String> {
    if !matches!(said.act(), Some(Act::Attack | Act::Charge | Act::Support)) {
        return None;
    }
    let (who, foes, t) = (said.who(), said.foes(), &said.v.table);
    let ([foe], false) = (foes.as_slice(), who.is_empty()) else { return None };
    let engaged =
        |id| t.combat_of(id).is_some_and(|fight| fight.on == *foe || fight.lead == *foe || fight.support.contains(foe));
    who.iter().all(engaged).then(|| {
        let who: Vec<&str> = who.iter().map(|id| id.0.as_str()).collect();
        let fights = if who.len() == 1 { "fights" } else { "fight" };
        format!("{} {fights} {foe} in any case, without an order [13.6].", crate::text::and_list(&who))
    })
}

/// 16.4.1 A corps that stays in its area.
fn corps(said: &Said<'_>) -> Option<String> {
    if said.head() != Some("STRAT") || said.v.at != At::Fog {
        return None;
    }
    let word = said.words.get(1)?.fold.clone();
    let (corps, area) = said.v.own.corps.iter().find(|(corps, _)| fold(corps) == word)?;
    let rest: Vec<&str> = said.words.iter().skip(2).map(|word| word.fold.as_str()).collect();
    let here = fold(area);
    let stays = said.act() == Some(Act::Hold) || rest.last() == Some(&here.as_str());
    stays.then(|| format!("{corps} stays in {area} without an order."))
}

/// 16.4.2.6 A chit that stays where it lies.
fn chit(said: &Said<'_>) -> Option<String> {
    let number = super::fog::printed(&said.words.get(1)?.text)?;
    let stays = said.head() == Some("MARCH") && said.words.len() == 3 && said.means(Sense::Stay);
    (stays && said.v.own.boxes.contains_key(&number)).then(|| format!("chit {number} stays without an order."))
}

/// A unit that stays; a battery may hold its fire, and that is an order.
fn unit(said: &Said<'_>) -> Option<String> {
    let who = said.who();
    let stays = said.act() == Some(Act::Hold) && !said.means(Sense::Not);
    let guns = who.iter().any(|id| said.v.table.arm(id) == Arm::Artillery);
    let off = said.tokens.iter().flat_map(|t| &t.things).find_map(|thing| match thing {
        Thing::Off(id) => Some(id),
        _ => None,
    });
    if let Some(id) = off.filter(|_| stays && who.is_empty() && said.v.at == At::Fog) {
        return Some(format!("{id} stays on the strategic map, with its corps, without an order."));
    }
    let [id] = who.as_slice() else { return None };
    (stays && !guns && said.foes().is_empty()).then(|| format!("{id} stays without an order."))
}
