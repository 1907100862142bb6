//! The nine lessons: what stands in each, which lines answer it, and the Coalition's script.
//!
//! Every outcome that is told here was played: the dice of the tutorial are always the same.

/// Where the game stands when a lesson is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// Before the game begins.
    Forming,
    /// When this of the learner's sheets is open.
    Sheet(&'static str),
    /// As soon as the lesson before is over.
    Next,
}

/// How a mail of the learner answers a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// With these lines alone.
    These,
    /// With any mail whose first word is the first of these lines; these are sent for it.
    FirstWord,
    /// With questions of any kind.
    Questions,
}

/// One mail that the learner writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// What is said above the lines.
    pub says: &'static str,
    /// The lines.
    pub lines: &'static [&'static str],
    /// What else is taken for them.
    pub takes: Takes,
}

/// One lesson.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lesson {
    /// Its title.
    pub title: &'static str,
    /// When it is given.
    pub at: At,
    /// What the learner writes, mail by mail.
    pub steps: &'static [Step],
}

/// The secret of the tutorial's dice.
pub const MASTER: [u8; 32] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30,
    31,
];

/// What the Coalition signs on with; the dice come of it too.
pub const COALITION_SIGNS: &str = "SIGNON\nNONCE the script of the lessons 4";

/// What the Coalition does, sheet by sheet; on every other it says END.
pub const COALITION: [(&str, &str); 2] = [
    ("sheet/0/setup/coalition", "VEDETTE PLACE WITH Bagration 1\nVEDETTE PLACE WITH MC1 1\nEND"),
    ("sheet/1/coalition/A/coalition", "FORCE MC1 COMMAND MARCH 0805 0705\nVEDETTE 2 MARCH 0805 0806\nEND"),
];

const fn these(says: &'static str, lines: &'static [&'static str]) -> Step {
    Step { says, lines, takes: Takes::These }
}

/// The lessons, in order.
pub const LESSONS: [Lesson; 9] = [
    Lesson {
        title: "Your first answer",
        at: At::Forming,
        steps: &[Step {
            says: "\
You command the French.  Lannes is at Rosenau, Gazan at Waldeck, cavalry
between them.  They must take Steinbrück, across the river, in three turns;
Coalition counters, face down, stand beyond it.  Steinbrück is worth 2
points to you, Waldeck 2 to them; who has more at the end wins.
You play by answering mail, one order a line, above the quoted text.
Answer now with:",
            lines: &["SIGNON", "NONCE any words of your own"],
            takes: Takes::FirstWord,
        }],
    },
    Lesson {
        title: "Vedettes and END",
        at: At::Sheet("sheet/0/setup/french"),
        steps: &[these(
            "\
Why NONCE?  The dice are committed before you write; your words are
mixed in, so nobody chose them.  (Here the words are always the same, so
that your dice are those of the lessons.)
A vedette is a cavalry patrol: it sees, screens, and looks like any counter
to the enemy.  Put one with Gazan and one with the cavalry.  MC1 is short
for Major General Cavalry 1.  END says that you are done; until it comes,
you may add lines.",
            &["VEDETTE PLACE WITH Gazan 1", "VEDETTE PLACE WITH MC1 1", "END"],
        )],
    },
    Lesson {
        title: "CHECK, then march",
        at: At::Sheet("sheet/1/french/A/french"),
        steps: &[
            these(
                "\
Six enemy counters; E1 is the garrison of Steinbrück.  Administrative Points
(AP) pay for commands: a COMMAND costs one and always works, INITIATIVE is
free and may fail.  Try your march without doing it:",
                &["CHECK", "FORCE Lannes COMMAND MARCH ROAD TO 0605"],
            ),
            these(
                "\
You read the way, its cost (2 of 5 movement points), the contact with E1 at
0605, and the price, 1 AP.  Now send it without CHECK, and more:",
                &[
                    "FORCE Lannes COMMAND MARCH ROAD TO 0605",
                    "FORCE MC1 COMMAND MARCH ROAD TO Auhof",
                    "VEDETTE 1 MARCH ROAD TO Furth",
                    "END",
                ],
            ),
        ],
    },
    Lesson {
        title: "A line that is wrong",
        at: At::Sheet("sheet/1/french/B/french"),
        steps: &[
            these(
                "\
All three marched.  Lannes is beside Steinbrück, and this sheet is for
battles.  Now make a mistake on purpose; send exactly this:",
                &["ATACK Steinbruck", "END"],
            ),
            these(
                "\
Your END was not counted: it waits for you whenever a line above it is not
taken, so that no slip costs you a turn.  1A is the line put right: take it,
and say again that you are done:",
                &["YES 1", "END"],
            ),
        ],
    },
    Lesson {
        title: "A battle",
        at: At::Next,
        steps: &[Step {
            says: "\
Steinbrück's garrison is gone: your guns threw a 1 and hit, and you lost
nothing.  Read a report from the top: what is now, what is due, what
happened.  WHY 3 shows the dice and paragraphs of line 3, RULES 347 what
¶347 says, in our words.  Asking is no order; ask as often as you like:",
            lines: &["WHY 3", "RULES 347"],
            takes: Takes::Questions,
        }],
    },
    Lesson {
        title: "The other side moves",
        at: At::Sheet("sheet/1/coalition/R/french"),
        steps: &[these(
            "\
E2 marched from 0805 to 0705: Steinbrück is held again; you do not know by
whom, or by how many.  Lannes, at 0605, may be attacked.  On sheet R you say
how he would fight.  Conditions save mails; this one reads: from thirty
strength points on give way, else stand:",
            &["DEFEND 0605 IF APPROX >= 30 TYPE PURSUIT ELSE TYPE PITCHED", "END"],
        )],
    },
    Lesson {
        title: "Scouting with a condition",
        at: At::Sheet("sheet/2/french/A/french"),
        steps: &[these(
            "\
They did not attack.  Turn 2, frost.  DOCTRINE, at any time, lists your
standing answers for everything that you leave unsaid.  Bring the cavalry
up, and let v1 look, with an answer for what it may meet:",
            &[
                "FORCE MC1 COMMAND MARCH 0505 0605",
                "VEDETTE 1 MARCH 0709 0708 0707 IF CONTACT REPULSE ELSE STOP",
                "END",
            ],
        )],
    },
    Lesson {
        title: "Attack and pursuit",
        at: At::Sheet("sheet/2/french/B/french"),
        steps: &[these(
            "\
E3, at 0806, proved to be a vedette.  The repulse failed, so v1 must attack
it or leave. [¶241-243]  CHECK above an ATTACK gives odds for what might
stand there.  The marker Pursuit follows an enemy who is beaten:",
            &["ATTACK 0705 WITH Lannes", "BATTLE 0705 TYPE PURSUIT", "END"],
        )],
    },
    Lesson {
        title: "Winning, and checking the dice",
        at: At::Sheet("sheet/3/french/A/french"),
        steps: &[
            these(
                "\
The guns hit, and nine to one did the rest: E2, Major General Cavalry 1, is
eliminated, its leader captured.  Lannes pursued, and Steinbrück is EMPTY:
it counts for you only when a force of yours ends a turn there.  Oudinot
stayed at 0605 with the guns.  One march, free:",
                &["FORCE Oudinot INITIATIVE MARCH 0605 0705", "END"],
            ),
            Step {
                says: "\
Nobody contested it: French victory, 2 points to 0.  The last mail holds
every seed.  AUDIT sends the file with which anybody can make all dice
again:",
                lines: &["AUDIT"],
                takes: Takes::Questions,
            },
        ],
    },
];

/// What is said after the last.
pub const FAREWELL: &str = "\
That was all nine.  HELP and ORDERS, in any game, say what a mail can say;
`estafette handbook player` has it in print.";

/// First words of lines that ask for something and change nothing.
pub const QUESTIONS: [&str; 21] = [
    "WHY", "RULES", "MAP", "HELP", "REPORT", "ORDERS", "HISTORY", "DEADLINE", "KEY", "UNITS", "ENEMY", "FULL",
    "VICTORY", "DICE", "AUDIT", "DOCTRINE", "STATUS", "SCORE", "RESEND", "CHECK", "ODDS",
];
