//! Keys of the doctrine: standing answers, so that most questions are never asked. `ASK` leaves one open. Each may be set for
//! a unit, a corps or an arm by itself.

use crate::rules::Key;

/// All keys.
pub const KEYS: &[Key] = &[
    Key::words(
        "GUNS",
        &["CANISTER", "ROUND", "HOLD", "ASK"],
        "what your batteries do in the enemy's turn without orders: canister where it reaches and touches no \
                friend, else round shot, at the nearest; only round shot; nothing",
        "4.4",
    ),
    Key::words(
        "MUSKETS",
        &["NEAREST", "HOLD", "ASK"],
        "whom your infantry fires at without orders; against an assault the leader comes first",
        "10.2",
    ),
    Key::words(
        "SQUARE",
        &["YES", "LIKELY", "NO", "ASK"],
        "whether infantry tries to form square when cavalry attacks it; only where 7 or more will do",
        "5.4.5",
    ),
    Key::words(
        "WITHDRAW",
        &["FRONT", "BACK", "NO", "ASK"],
        "whether cavalry withdraws from a frontal attack of infantry, and which way it faces then",
        "13.8",
    ),
    Key::words(
        "CREW",
        &["FIRE", "SHELTER", "ASK"],
        "whether the crew of an attacked battery stays or goes to a square within 2 UM",
        "4.6.1",
    ),
    Key::words(
        "ONSQUARE",
        &["STOP", "ATTACK", "PASS", "ASK"],
        "what a charge does when its target forms square",
        "13.12.2.1",
    ),
    Key::words(
        "NEIGHBOUR",
        &["HOLD", "RETREAT", "ASK"],
        "what a unit does that passes its morale check for a nearby rout",
        "12.7.2.1",
    ),
    Key::words(
        "REFORM",
        &["COLUMN", "LINE", "ASK"],
        "the formation of a unit that rallies from rout, or wins against an attack on its flank or rear; it faces \
                the nearest enemy",
        "12.10.1",
    ),
    Key::words(
        "ADVANCE",
        &["NONE", "PLACES", "FULL", "ASK"],
        "how far a unit advances that wins a close combat: not at all, or as far as it may; only where that takes a \
                place that counts",
        "13.11.4",
    ),
    Key::words(
        "DEPLOY",
        &["NEAR", "LINE", "COLUMN", "ASK"],
        "the formation of infantry and cavalry that come out of a chit, facing the enemy: line where one is within \
                2 1/2 UM, else column; guns ready there, limbered elsewhere and out of a chit that has moved",
        "16.4.2.8",
    ),
    Key::words(
        "SEQUENCE",
        &["FREE", "SHEET"],
        "whether movements of one sheet are carried out so that nobody blocks himself, HQs and front ranks first, or \
                as you write them; attacks and conditions keep their places; FREE \
                also takes a line of an earlier part of the turn first",
        "13.1",
    ),
    Key::words(
        "STEPPED",
        &["WEAKER", "STRONGER", "ASK"],
        "which of two cavalry units in a chit is disorganized when a friendly unit falls back over it",
        "13.11.1.1.3",
    ),
];
