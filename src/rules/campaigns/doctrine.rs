//! Keys of the doctrine: standing answers to the questions of this game. `ASK` makes a question stop and be mailed.

use crate::rules::Key;

/// All keys.
pub const KEYS: &[Key] = &[
    Key {
        word: "BLOCK",
        values: &["ALWAYS", "NEVER"],
        default: "ALWAYS",
        about: "whether your forces cut an enemy line of communication that passes their zones",
        rule: "¶85",
        valid: |v| one_of(v, &["ALWAYS", "NEVER"]),
    },
    Key {
        word: "CONTACT",
        values: &["STOP", "REPULSE", "ASK"],
        default: "STOP",
        about: "what a force does on contact where its order says nothing",
        rule: "¶241",
        valid: |v| one_of(v, &["STOP", "REPULSE", "ASK"]),
    },
    Key {
        word: "VEDETTE",
        values: &["LEAVE", "STAY", "ASK"],
        default: "LEAVE",
        about: "whether a vedette next to the enemy leaves before combat",
        rule: "¶314",
        valid: |v| one_of(v, &["LEAVE", "STAY", "ASK"]),
    },
    Key {
        word: "PATROL",
        values: &["YES", "NO"],
        default: "YES",
        about: "whether a cavalry force of 1 SP passes for a vedette when the enemy comes next to it",
        rule: "¶231",
        valid: |v| one_of(v, &["YES", "NO"]),
    },
    Key {
        word: "TYPE",
        values: &["AUTO", "PURSUIT", "PITCHED", "ASK"],
        default: "AUTO",
        about: "the battle type where no plan names one; AUTO is Pitched at even rounded odds or better, if legal",
        rule: "¶327",
        valid: |v| one_of(v, &["AUTO", "PURSUIT", "PITCHED", "ASK"]),
    },
    Key {
        word: "PURSUE",
        values: &["YES", "NO", "ASK"],
        default: "YES",
        about: "whether a winner pursues where no plan says so",
        rule: "¶386",
        valid: |v| one_of(v, &["YES", "NO", "ASK"]),
    },
    Key {
        word: "SIEGE",
        values: &["TAKE", "FIGHT", "ASK"],
        default: "TAKE",
        about: "whether a force in a citadel is besieged rather than fights",
        rule: "¶307",
        valid: |v| one_of(v, &["TAKE", "FIGHT", "ASK"]),
    },
    Key {
        word: "GUNS",
        values: &["MARCH", "HOLD", "ASK"],
        default: "MARCH",
        about: "whether a force near a battle marches to the sound of the guns",
        rule: "¶337",
        valid: |v| one_of(v, &["MARCH", "HOLD", "ASK"]),
    },
    Key {
        word: "NAPOLEON",
        values: &["END", "SHIFT"],
        default: "END",
        about: "what the capture of Napoleon brings the Coalition",
        rule: "¶396",
        valid: |v| one_of(v, &["END", "SHIFT"]),
    },
    Key {
        word: "MORALE",
        values: &["ENEMY", "OWN", "ASK"],
        default: "ENEMY",
        about: "whose marker moves when morale favours you, where each side has a track: theirs down, or yours up",
        rule: "¶5",
        valid: |v| one_of(v, &["ENEMY", "OWN", "ASK"]),
    },
];

fn one_of(value: &str, words: &[&str]) -> bool {
    words.iter().any(|w| w.eq_ignore_ascii_case(value.trim()))
}
