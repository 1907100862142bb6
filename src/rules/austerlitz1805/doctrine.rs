//! Keys of the doctrine: standing answers, so that most questions are never asked. `ASK` leaves one open. Each may be set for
//! a unit, a corps or an arm by itself.

use crate::rules::Key;

fn one_of(value: &str, words: &[&str]) -> bool {
    words.contains(&value)
}

/// All keys.
pub const KEYS: &[Key] = &[
    Key {
        word: "GUNS",
        values: &["CANISTER", "ROUND", "HOLD", "ASK"],
        default: "CANISTER",
        about: "what your batteries do in the enemy's turn without orders: canister where it reaches and touches no \
                friend, else round shot, at the nearest; only round shot; nothing",
        rule: "4.4",
        valid: |v| one_of(v, &["CANISTER", "ROUND", "HOLD", "ASK"]),
    },
    Key {
        word: "MUSKETS",
        values: &["NEAREST", "HOLD", "ASK"],
        default: "NEAREST",
        about: "whom your infantry fires at without orders; against an assault the leader comes first",
        rule: "10.2",
        valid: |v| one_of(v, &["NEAREST", "HOLD", "ASK"]),
    },
    Key {
        word: "SQUARE",
        values: &["YES", "LIKELY", "NO", "ASK"],
        default: "YES",
        about: "whether infantry tries to form square when cavalry attacks it; only where 7 or more will do",
        rule: "5.4.5",
        valid: |v| one_of(v, &["YES", "LIKELY", "NO", "ASK"]),
    },
    Key {
        word: "WITHDRAW",
        values: &["FRONT", "BACK", "NO", "ASK"],
        default: "FRONT",
        about: "whether cavalry withdraws from a frontal attack of infantry, and which way it faces then",
        rule: "13.8",
        valid: |v| one_of(v, &["FRONT", "BACK", "NO", "ASK"]),
    },
    Key {
        word: "CREW",
        values: &["FIRE", "SHELTER", "ASK"],
        default: "FIRE",
        about: "whether the crew of an attacked battery stays or goes to a square within 2 UM",
        rule: "4.6.1",
        valid: |v| one_of(v, &["FIRE", "SHELTER", "ASK"]),
    },
    Key {
        word: "ONSQUARE",
        values: &["STOP", "ATTACK", "PASS", "ASK"],
        default: "STOP",
        about: "what a charge does when its target forms square",
        rule: "13.12.2.1",
        valid: |v| one_of(v, &["STOP", "ATTACK", "PASS", "ASK"]),
    },
    Key {
        word: "NEIGHBOUR",
        values: &["HOLD", "RETREAT", "ASK"],
        default: "HOLD",
        about: "what a unit does that passes its morale check for a nearby rout",
        rule: "12.7.2.1",
        valid: |v| one_of(v, &["HOLD", "RETREAT", "ASK"]),
    },
    Key {
        word: "REFORM",
        values: &["COLUMN", "LINE", "ASK"],
        default: "COLUMN",
        about: "the formation of a unit that rallies from rout, or wins against an attack on its flank or rear; it faces \
                the nearest enemy",
        rule: "12.10.1",
        valid: |v| one_of(v, &["COLUMN", "LINE", "ASK"]),
    },
    Key {
        word: "ADVANCE",
        values: &["NONE", "PLACES", "FULL", "ASK"],
        default: "NONE",
        about: "how far a unit advances that wins a close combat: not at all, or as far as it may; only where that takes a \
                place that counts",
        rule: "13.11.4",
        valid: |v| one_of(v, &["NONE", "PLACES", "FULL", "ASK"]),
    },
    Key {
        word: "DEPLOY",
        values: &["NEAR", "LINE", "COLUMN", "ASK"],
        default: "NEAR",
        about: "the formation of infantry and cavalry that come out of a chit, facing the enemy: line where one is within \
                2 1/2 UM, else column; guns ready there, limbered elsewhere and out of a chit that has moved",
        rule: "16.4.2.8",
        valid: |v| one_of(v, &["NEAR", "LINE", "COLUMN", "ASK"]),
    },
    Key {
        word: "SEQUENCE",
        values: &["FREE", "SHEET"],
        default: "FREE",
        about: "whether movements of one sheet are carried out so that nobody blocks himself, HQs and front ranks first, or \
                as you write them; attacks and conditions keep their places; FREE \
                also takes a line of an earlier part of the turn first",
        rule: "13.1",
        valid: |v| one_of(v, &["FREE", "SHEET"]),
    },
    Key {
        word: "STEPPED",
        values: &["WEAKER", "STRONGER", "ASK"],
        default: "WEAKER",
        about: "which of two cavalry units in a chit is disorganized when a friendly unit falls back over it",
        rule: "13.11.1.1.3",
        valid: |v| one_of(v, &["WEAKER", "STRONGER", "ASK"]),
    },
];
