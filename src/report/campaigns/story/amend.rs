//! Sentences of an umpire's amendments.

use super::Tale;
use crate::rules::campaigns::intel::Ident;
use crate::rules::campaigns::umpire::Sighting;

/// Tells an amendment.
pub fn tell(tale: &mut Tale<'_, '_>, told: &Sighting) {
    let pen = tale.pen;
    let said = match told {
        Sighting::Strength { unit, sp } => format!("the umpire set {} to {sp} SP", pen.unit(unit, None)),
        Sighting::Points { ap } => format!("the umpire set your points to {ap} AP"),
        Sighting::Mode { leader, forage } => {
            let mode = if *forage { "Forage Mode" } else { "Concentrated Mode" };
            format!("the umpire put {} into {mode}", pen.leader(leader))
        }
        Sighting::Morale { morale } => format!("the umpire set morale to {morale}"),
        Sighting::Track { side, morale } => {
            let name = pen.v.board.tables.morale.named(side).unwrap_or("morale");
            format!("the umpire set {} to {morale}", pen.plain(name))
        }
        Sighting::Learnt { tag, ident: Some(ident) } => {
            let what = match ident {
                Ident::Leader(id) => pen.leader(id),
                Ident::Vedette => "a vedette".to_owned(),
                Ident::Garrison => "a garrison".to_owned(),
            };
            format!("the umpire tells you that E{tag} is {what}")
        }
        Sighting::Learnt { tag, ident: None } => format!("the umpire takes back what you knew of E{tag}"),
    };
    tale.whole(said, &[]);
}
