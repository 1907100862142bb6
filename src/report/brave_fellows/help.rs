//! What HELP explains of `brave_fellows`.

use crate::host::paper::Topic;

/// The topics, in the order in which a new player meets them.
pub const TOPICS: &[Topic] = &[
    Topic {
        word: "ACTIVATE",
        verbs: &["ACTIVATE"],
        text: "\
ACTIVATE leader: his men within his range act; each once a turn. [6.1]
Range: a brigade's leader 2 hexes, a division's or a column's 4, others 6.
ACTIVATE Gazan WITH Campana: leaders under him in range act with him. [6.1.2]
ACTIVATE Gaindorge EXTRA 100-1: units of others within 4 hexes act too,
no more of them than his CV. [6.1.4]
ACTIVATE Gaindorge TEST 4L-3: his own out of range act if they pass a check;
who is tired and fails runs. [6.1.7]
ACTIVATE leader VIA unit: he is lost, and those in or next to its hex act. [6.1.10]",
    },
    Topic {
        word: "IMPULSE",
        verbs: &["PASS"],
        text: "\
A turn is an hour. The sides act by turns: an impulse is one leader and his men. [3.0]
ACTIVATE leader: all of his men within his range act; each once a turn. [6.1]
HELP ACTIVATE explains WITH, EXTRA, TEST and VIA.
Lines go in this order: ACTIVATE, moves and charges, FIRE, MELEE, END.
Before your FIRE the enemy fires at those who came next to him. [6.3.1]
You may send ACTIVATE alone, read, and send the rest; or all in one mail.
PASS leaves the impulse to the enemy; after two passes the turn ends.",
    },
    Topic {
        word: "MARCH",
        verbs: &["MOVE", "FACE", "LEADER", "ENTER"],
        text: "\
MOVE units hexes FACE dir: hex by hex, each next to the last. [6.2]
A regiment's name, such as 4L, is all of its units.
Nobody leaves the front of an enemy that he has entered: he stops there. [6.2.7]
FACE unit dir turns it: N NE SE S SW NW; turning costs nothing. [4.3.2]
By road a hex costs 1, if no friend is in it. [6.2.9]
LEADER name TO hex: a leader rides by himself. [6.2]
CHECK above a line says where it ends and what it costs.",
    },
    Topic {
        word: "VALUES",
        verbs: &[],
        text: "\
FV, the Fatigue Value: a check is a die of 6; FV or less is good. [2.2, 4.2.2]
FF, the Firepower Factor: what it fires with. [2.2, 6.3.8]
MF, the Melee Factor: what it fights with in a melee. [2.2, 6.4.6]
MA, the Movement Allowance: its MP, Movement Points, an impulse. [2.2, 6.2.2]
CV, the Command Value of a leader: it helps checks, and bounds EXTRA. [4.2.2]
A tired unit shows its back: other FV and MA, half the MF. [4.2.4]",
    },
    Topic {
        word: "BATTLE",
        verbs: &["FIRE", "MELEE", "ADVANCE"],
        text: "\
FIRE units AT hex: the next hex in front; guns up to 4 hexes, if they see it. [6.3]
MELEE units AT hex: each attacker checks first, and who fails stays. [6.4]
CHARGE unit AT hex: fresh horse, three hexes or more straight ahead. [6.2.11]
Below a CHARGE stands MELEE unit AT hex: without it the horse tires for nothing.
ADVANCE units INTO hex: into what was emptied. [6.3.9, 6.4.9]
A check is a die: FV or less is good; a leader in or next to the hex helps. [4.2.2]
Who fails is tired; who fails again runs. [4.2.4, 6.7]
MF is doubled by a check below half of FV, a flank or a charge. [6.4.3, 6.4.4]
A melee is won by a D result, lost by an A; MAP KEY names them. [6.4.7]
CHECK above a line says the odds, and who fires in defence first.",
    },
    Topic {
        word: "CHARGE",
        verbs: &["CHARGE"],
        text: "\
CHARGE unit AT hex: fresh horse, three hexes or more straight ahead. [6.2.11]
It checks first, and then each unit in the target hex. [6.2.11]
Who fails runs. Who stands is fought by MELEE unit AT hex, a line below.
Without that MELEE nobody fights. Who has charged is tired in any case. [6.2.11]
CHARGE DR-2 AT 1617, and MELEE DR-2 AT 1617 below it.
An enemy leader who stands alone is taken by a MOVE into his hex. [6.5.4]",
    },
    Topic {
        word: "EXTRA",
        verbs: &[],
        text: "\
ACTIVATE Gaindorge EXTRA 100-1: a unit of another command acts with him.
It stands within 4 hexes of him. No leader takes more of them than his CV. [6.1.4]",
    },
    Topic {
        word: "TEST",
        verbs: &[],
        text: "\
ACTIVATE Gaindorge TEST 4L-3: a unit of his that is out of his range checks.
Who passes acts. Who fails does not; who is tired and fails runs. [6.1.7]",
    },
    Topic {
        word: "TIRED",
        verbs: &[],
        text: "\
Tired and fatigued are one: a counter on its back. [4.2.4]
Who fails a check is tired; who is tired and fails runs, and obeys nobody. [6.7]
Tired: MF is half, MA and FV are those of the back; it may move and attack.
It fires in defence alone, at any hex next to it. Foot and horse have no front,
and horse does not charge. [4.2.4]
When a turn ends, who passes a check is fresh; who runs and passes is tired. [7.1]",
    },
    Topic {
        word: "STACK",
        verbs: &[],
        text: "\
In a hex may stand one regiment's units of one arm, or two battalions, or one
battalion and one battery; never horse with others. [4.1.1, 4.1.2, 4.1.5]
More are an over-stack: all check when movement ends, and who fails is tired;
later one leaves for the next hex with room. [4.1.7-4.1.10]
By road one unit goes into a hex that is empty. [6.2.9]
CHECK warns of an over-stack, and so does a line that is offered.",
    },
    Topic {
        word: "WITH",
        verbs: &[],
        text: "\
ACTIVATE Gazan WITH Campana: leaders under him act with him, and their men.
Each of them stands within the range of a leader over him. [6.1.2]",
    },
];
