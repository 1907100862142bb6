//! What HELP explains of `austerlitz1805`.

use crate::host::paper::Topic;

/// The topics, in the order in which a new player meets them.
pub const TOPICS: &[Topic] = &[
    Topic {
        word: "MARCH",
        verbs: &["MOVE", "FORM"],
        text: "\
MOVE unit TOWARD place 2UM: the unit goes that far and faces where it goes. [6.4]
MOVE unit BEARING 045 2UM: by degrees; FACE E, behind it, says how it faces at the end.
A place is a name of the map, a unit, or x,y in thousandths of a UM.
BACK unit 1UM, SIDE unit L 1UM, TURN unit NE, ABOUT unit: the small moves. [6.3, 6.5, 6.6]
FORM unit LINE or COLUMN changes its formation. [6.12]
FOLLOW unit AFTER unit: it keeps behind the other. [6.4]
CHECK above a line says where the unit would end and what it would touch.
In fog, MARCH n TOWARD place 2UM moves a chit, whatever it holds.",
    },
    Topic {
        word: "BATTLE",
        verbs: &["ATTACK", "BOMBARD"],
        text: "\
The steps of a turn come in this order: DISENGAGE, BOMBARD, CHARGE, then moves and attacks.
ATTACK unit AT enemy: it moves into contact and fights. [13.1]
SUPPORT unit AT enemy: a second unit stands by it. [13.13]
CHARGE unit AT enemy: cavalry, before all moves. [13.12.3]
BOMBARD battery AT enemy: guns, if they see it. [9.1]  VOLLEY unit AT enemy: muskets. [10.4]
HOLD battery keeps its fire for the enemy's turn. [4.4]
DISENGAGE unit: out of a fight that goes on. [13.6]
CHECK above a line says whether a charge or an attack comes far enough.",
    },
];
