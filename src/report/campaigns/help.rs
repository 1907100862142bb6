//! What HELP explains of `campaigns`.

use crate::host::paper::Topic;

/// The topics, in the order in which a new player meets them.
pub const TOPICS: &[Topic] = &[
    Topic {
        word: "MARCH",
        verbs: &["FORCE", "VEDETTE"],
        text: "\
FORCE name INITIATIVE MARCH ROAD TO place: the leader tries it on his own, by road. A die that is above his initiative: no march; equal: one MP. [¶192]
FORCE name COMMAND MARCH ROAD TO place: certain, and costs Administrative Points. [¶166]
FORCE name INITIATIVE MARCH 2347 2346: hex by hex, as you name them.
FORCE name HOLD: he stays.
IF CONTACT REPULSE ELSE STOP, behind a march, says what he does when he meets an enemy. [¶241]
An enemy ZOC stops a force. [¶236]
A hex with two leaders needs one who may command the other; else one of them is displaced. [¶138]
VEDETTE n MARCH ROAD TO place: scouts; an enemy counter that it meets is revealed.
CENTER MARCH ROAD TO place: moves your center of operations.",
    },
    Topic {
        word: "BATTLE",
        verbs: &["ATTACK", "BATTLE"],
        text: "\
Battles are sheet B, after both sides have moved. A force in an enemy ZOC must attack one of the enemies next to it. [¶233]
ATTACK 2345 WITH name: which hex, and who attacks it.
BATTLE 2345 TYPE PITCHED, or DEFEND 2345 TYPE PURSUIT: how you fight, chosen in secret. PURSUIT is always allowed; PITCHED not over the bridge of a primary river. [¶300, 329]
BATTLE 2345 RESERVE NONE or MIN: who stays out of line; HELP RESERVE.
IF APPROX >= 30 TYPE PURSUIT ELSE TYPE PITCHED: by the strength that they state.
Each side states its strength to the nearest ten. A lone vedette may then still leave. [¶300, 314]
Guns fire first, then one die on the odds; each result stands as losses for the attacker and the defender. [¶300]
CHECK above an ATTACK or BATTLE line fights it out, for each strength that they may have.
DOCTRINE TYPE PURSUIT answers the question for all battles to come.",
    },
    Topic {
        word: "RESERVE",
        verbs: &["BATTLE"],
        text: "\
BATTLE 2345 RESERVE NONE: all stand in line. RESERVE ALL, or RESERVE name, name: these stay out of it. [¶315]
RESERVE MIN: as many as open PITCHED, a quarter of the force or 8 SP. [¶327]
Where you say nothing, troops are held back only where PITCHED is wanted.
Over 20 SP a hexside, or 9 at a bridge of a primary river or in mountains, the rest stands in reserve in any case. [¶317, 325]
COMMIT name ROUND 2: they come out. [¶322]
CHECK above the line says who is held back.",
    },
];
