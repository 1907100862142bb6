//! What HELP explains of `great_battles`.

use crate::host::paper::Topic;

/// The topics, in the order in which a new player meets them.
pub const TOPICS: &[Topic] = &[
    Topic {
        word: "TURN",
        verbs: &["CHANGE", "INITIATIVE", "REINFORCE", "PICK", "REMOVE", "KEEP"],
        text: "\
A turn is 20 minutes. Both write in secret what they want. [3.0]
CHANGE BY leader ADD commands: markers (LIMs) for the pool, as many as
the die grants, the first of the list before the others. [4.2]
INITIATIVE commands: with whom you begin if you win the roll; who has no
LIM in the pool then is passed over. [4.4]
REINFORCE NO lets those wait a turn who are due; else they come. [14.2]
Then LIMs are drawn, one by one; whose is drawn, acts with it. [4.4.1]
When the cup is empty, the sides PICK by turns who has no LIM: a
division, or a unit Out of Command; it has half, or a third, of its MP.
[4.6.2]
REMOVE commands takes LIMs back; KEEP units: they do not rally. [12.0]
Several lines of REMOVE or KEEP add up; NONE takes them all back. [3.0]",
    },
    Topic {
        word: "WORDS",
        verbs: &[],
        text: "\
LIM: the marker that lets a command act when it is drawn. [4.4.1]
AVG, C1, IV and the like are corps; UNITS names each division's. [4.5.2]
MP: points of movement; MA: how many a unit has in an activation. [5.1]
SP: strength points; who has none left is gone. [8.5.1]
Fire: what a unit adds to the value of a fire. [8.1.8]
Morale: a check is passed by a die as low as this, or lower. [9.1]
Range: within so many hexes of its leader a unit acts. [4.3.3]
MAP KEY says what short names and signs stand for.",
    },
    Topic {
        word: "ACTIVATE",
        verbs: &["ACTIVATE", "COMBAT", "DROP", "ENTER"],
        text: "\
ACTIVATE division FULL: a die of its commander's rating or less. [4.5.1]
Who fails rolls on the breakdown: it stops, acts half, or worse. [4.7]
LIMITED needs no die: half of the MP, next to no enemy. [4.6.2]
STRATEGIC: twice the MP, no enemy within three hexes, no fire. [5.2]
Who marches STRATEGIC goes as far as he can: who could go on at END, or
is not activated when his LIM comes, loses the marker and his LIM. [5.2.1]
On a corps LIM each division tries, moves, and then all fight. [4.5.2]
Units out of the commander's range do not act with him. [4.3.3]
ENTER units FORM LIMBER: a stack of reinforcements comes on; its MOVE
stands below it, and LEADER below those, so that he rides along. [14.1]
DROP takes the marker of strategic movement off. [5.2]
COMBAT division: of a corps, who fights now. [4.5.2.2]
Lines go in this order: ACTIVATE, moves, FIRE, melee, END; written
otherwise they are carried out so. You may send ACTIVATE alone, read, and
send the rest; or all at once.",
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
A plain hex behind a unit is a step back, for more MP. [6.3.1, 6.3.2]
SPREAD unit hex: skirmishers of six SP or more stand in two hexes; SPREAD
unit IN draws them in. [6.3.3]
TOP units: who lies on top of a stack; he fires and checks for it. [7.2]
LEADER leader TO hex: he rides when his command acts, once. [5.4]
EXIT unit: it leaves the map by its edge, where that scores. [11.3]
Who enters an enemy's front stops; who is in his zone may be fired at or
charged as he goes. DOCTRINE says how yours answer. [5.1.3, 6.2]
CHECK above a line says where it ends and what it costs.",
    },
    Topic {
        word: "BATTLE",
        verbs: &["FIRE", "BAYONET", "ASSAULT", "CHARGE", "ROUT"],
        text: "\
FIRE unit AT hex: foot beside it, guns far; the target fires back. [8.1]
BAYONET unit AT hex: both check; who fails goes back. [8.2]
ASSAULT unit AT hex: into villages and behind walls, with a melee. [8.3]
Guns alone are lost without a check, if the attack goes in. [8.2.1]
CHARGE unit AT hex: horse, with half of its MP or more left; somebody has
to see the enemy when it rides. [8.4]
ROUT unit: it runs of its own will. [6.4.2]
Foot that is charged may form square: DOCTRINE SQUARE. [8.4.2]
Fire comes before melee; who fires at one hex attacks no other. [8.0]
A check is a die of 0 to 9: the morale rating or less is good. [9.1]
Levels: Good, Shaken, Unsteady, Routed. CHECK says the odds.",
    },
    Topic {
        word: "REACTION",
        verbs: &[],
        text: "\
Who stands in another's zone, and what he does there, may be answered.
Foot fires at who turns or goes before it, and not at who comes. [6.2.1]
Skirmishers fire at who comes, or step back. [6.2.2]
Horse steps back before foot and guns, or charges them; it may meet a
charge that enters its zone, whomever that is for. [6.2.3]
Guns fire at one unit of a division, two hexes far. [6.2.4]
Nobody is asked: your DOCTRINE decides: REACT-FIRE, SKIRMISH, VS-FOOT,
HORSE-GUNS, COUNTER, THIRD, SQUARE, RETURN-FIRE.",
    },
    Topic {
        word: "RALLY",
        verbs: &["KEEP"],
        text: "\
When a turn ends, each unit below Good tries, next to no enemy. [12.0]
A check that is passed makes it better by one level; of a stack that does
not run the top unit rolls for all. [12.1]
Who has Routed becomes Shaken at best, and rallies in Disorder. [12.2]
Who still runs loses an SP and goes back a hex. [12.4]
KEEP units: these do not try, for example to run on.",
    },
    Topic {
        word: "FATIGUE",
        verbs: &[],
        text: "\
A division's fatigue goes from 0 to 9; your forces show it. [13.0]
It rises by 1 in a turn in which its LIM was drawn, but for strategic
movement alone, or in which it fought; guns far off do not count. [13.1]
It falls by 1 where neither was so, its LIM was not in the pool, and no
enemy is within two hexes. [13.2]
From 4 on it tells on checks, moves, and on who is Shaken. [13.3]",
    },
    Topic {
        word: "BREAKPOINT",
        verbs: &[],
        text: "\
A unit that has lost more than half of its SP is at Breakpoint: it is
Shaken at best, checks worse, and begins no melee. [11.1]
A division is, when enough of its units are, or are lost; your forces show
how many: it acts LIMITED alone then, and not by its corps. [11.2]
The enemy scores for it: VICTORY says how much. [11.3]",
    },
    Topic {
        word: "MASKED",
        verbs: &[],
        text: "\
In masked play an enemy counter far off shows its arm, and of a stack
only the top one. How it stands you see from four hexes on, in mist from
half of the sight; units tell it, leaders do not. A shot shows one too.
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
seen, or somebody shoots at it or goes for it: that is spent then.
CHECK says where your dummy would be gone. Use it to look strong, or to
draw shots, and keep it far off; sent close, it finds out one enemy.",
    },
];
