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
The enemy's guns fire before your units move, and your lines meet what that leaves. [4.4]
ATTACK unit AT enemy: it moves into contact and fights. [13.1]
SUPPORT unit AT enemy: a second unit stands by it. [13.13]
CHARGE unit AT enemy: cavalry, before all moves. [13.12.3]
BOMBARD battery AT enemy: guns, if they see it. [9.1]  VOLLEY unit AT enemy: muskets. [10.4]
HOLD battery keeps its fire for the enemy's turn. [4.4]
DISENGAGE unit: out of a fight that goes on. [13.6]
CHECK above a line says whether a charge or an attack comes far enough.",
    },
    Topic {
        word: "GUNS",
        verbs: &["BOMBARD", "HOLD"],
        text: "\
Canister reaches 2 UM and hits whatever stands in its template, your own men too. [9.2, 9.3]
Round shot reaches 6 UM and rolls to hit; its number stands in UNITS. [9.2]
A battery fires unlimbered, turns up to 45 degrees to do so, and must see its target. [9.5]
BOMBARD battery AND battery AT enemy: several add up within 1/2 UM of each other. [9.7]
ROUND or CANISTER behind the target says which; DEF keeps the shot for the enemy's turn. [4.4]
DOCTRINE GUNS says what your batteries do in the enemy's turn without an order.
Who has fired in Preparation does not move in that turn. [4.6]",
    },
    Topic {
        word: "FOG",
        verbs: &["STRAT", "CHIT", "DECOY", "MARCH"],
        text: "\
In fog your army lies on the strategic map by corps, and on the field in chits. [16.4]
The sealed sheet of a turn is carried out line by line, as you write it: CHIT, DECOY, STRAT.
CHIT 3 = unit, unit PLACE Pratzen: its units stand in the area of that place. [16.4.2.4]
DECOY 4 PLACE x,y: an empty chit. It counts among the new chits of the turn too. [16.4.2.2]
A new chit lies 3 UM or more from any enemy unit or chit. [16.4.2.5]
STRAT corps TO area moves what is left of a corps. Write its chits above: it may be gone.
MARCH 3 TOWARD place, in your player-turn, moves a chit; near an enemy it is uncovered.
A chit that stays needs no order. DEPLOY 3 turns one over; HIDE unit IN 3 hides a unit again.",
    },
];
