//! What HELP explains of `great_battles`.

use crate::host::paper::Topic;

/// The topics, in the order in which a new player meets them.
pub const TOPICS: &[Topic] = &[
    Topic {
        word: "TURN",
        verbs: &["CHANGE", "INITIATIVE", "REINFORCE", "PICK", "REMOVE", "KEEP"],
        text: "\
A turn is 20 minutes. Both write in secret what they want. [3.0]
CHANGE BY leader ADD commands: markers (LIMs) for the pool. [4.2]
INITIATIVE commands: with whom you begin if you win the roll. [4.4]
Then LIMs are drawn, one by one; whose is drawn, acts with it. [4.4.1]
When the cup is empty, the sides PICK by turns who has no LIM: a
division, or a unit Out of Command; it has half, or a third, of its MP.
[4.6.2]
REMOVE commands takes LIMs back; KEEP units: they do not rally. [12.0]",
    },
    Topic {
        word: "ACTIVATE",
        verbs: &["ACTIVATE", "COMBAT", "DROP", "ENTER"],
        text: "\
ACTIVATE division FULL: a die of its commander's rating or less. [4.5.1]
Who fails rolls on the breakdown: it stops, acts half, or worse. [4.7]
LIMITED needs no die: half of the MP, next to no enemy. [4.6.2]
STRATEGIC: twice the MP, no enemy within three hexes, no fire. [5.2]
On a corps LIM each division tries, moves, and then all fight. [4.5.2]
Units out of the commander's range do not act with him. [4.3.3]
Lines go in this order: ACTIVATE, moves, FIRE, melee, END.
You may send ACTIVATE alone, read, and send the rest; or all at once.",
    },
    Topic {
        word: "MARCH",
        verbs: &["MOVE", "FORM", "SPREAD", "TOP", "LEADER", "EXIT"],
        text: "\
MOVE units hexes: each in front of the last; or F ahead, FL FR in line,
L R turns one hexside, AF turns about, B back, SL SR aside. [5.1, 6.1]
A facing is an hour: 12 N, 2 NE, 4 SE, 6 S, 8 SW, 10 NW; odd hours are
corners, which lines and unlimbered guns face. [6.1]
FORM units LINE AT 3: LINE, COLUMN, SKIRMISH, SQUARE, LIMBER, UNLIMBER.
Who enters an enemy's front stops; who is in his zone may be fired at or
charged as he goes. DOCTRINE says how yours answer. [5.1.3, 6.2]
CHECK above a line says where it ends and what it costs.",
    },
    Topic {
        word: "MASKED",
        verbs: &[],
        text: "\
In masked play an enemy counter far off shows its arm, and of a stack
only the top one. How it stands you see from four hexes on, in mist from
half of the sight; units tell it, leaders do not. Fire shows a face too.
Who has shown his face keeps it while you see him. [H.12]
A counter without a face may be a dummy: HELP DUMMY.",
    },
    Topic {
        word: "DUMMY",
        verbs: &[],
        text: "\
In masked play a division of four counters or more has a dummy. [H.12]
That of a division that comes later comes on with it: ENTER DUMMY-X, alone
and first, or in one line with the first unit.
It looks like foot from afar, marches with its division in column, and
may lie on top of a stack: TOP DUMMY-X unit. It does nothing else.
It is gone as soon as an enemy counter is so near that its face would be
seen, or somebody fires at it or attacks it: his shot or charge is spent.
CHECK says where your dummy would be gone. Use it to look strong, or to
draw fire, and keep it far off; sent close, it finds out one enemy.",
    },
    Topic {
        word: "BATTLE",
        verbs: &["FIRE", "BAYONET", "ASSAULT", "CHARGE", "ROUT"],
        text: "\
FIRE unit AT hex: foot beside it, guns far; the target fires back. [8.1]
BAYONET unit AT hex: both check; who fails goes back. [8.2]
ASSAULT unit AT hex: into villages and behind walls, with a melee. [8.3]
CHARGE unit AT hex: horse, with half of its MP or more left. [8.4]
Foot that is charged may form square: DOCTRINE SQUARE. [8.4.2]
Fire comes before melee; who fires at one hex attacks no other. [8.0]
A check is a die of 0 to 9: the morale rating or less is good. [9.1]
WHY and DICE show a 0 as 10.
Levels: Good, Shaken, Unsteady, Routed. CHECK says the odds.",
    },
];
