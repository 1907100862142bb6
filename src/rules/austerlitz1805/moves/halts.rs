//! What stops a unit, in words.

use super::Halt;
use crate::rules::austerlitz1805::table::um;

/// 4.6 What stops a unit, as a report says it.
pub fn halt_words(halt: &Halt) -> (String, &'static str) {
    match halt {
        Halt::Unit(unit) => (format!("{unit} is in the way"), "6.9"),
        Halt::Enemy(unit) => (format!("only an ATTACK brings it up to {unit}"), "13.1"),
        Halt::Stream(name) => (format!("it stops at the {name} and fords it in a later movement"), "EX.1"),
        Halt::Ground(name) => (format!("it can't go into {name}"), "15.1"),
        Halt::Broken(name) => (format!("a square does not go into {name}"), "5.2"),
        Halt::Chit(chit, range) => {
            (format!("it is within {} UM of {chit}, which must be uncovered", um(*range)), "16.4.2.7")
        }
        Halt::Closed => ("the striped zone is closed to you until the assault has begun".to_owned(), "16.4.1.6"),
        Halt::Edge => ("the map ends there".to_owned(), "3.1"),
        Halt::Allowance => ("woods cost it double".to_owned(), "6.10.1"),
        Halt::NoTurn(unit) => (format!("{unit} leaves it no room to turn"), "6.9"),
    }
}
