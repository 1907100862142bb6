//! Conditions of orders: tests joined by AND and OR, evaluated against the owner's view and nothing else.
//!
//! What is not known is false, and its negation is false too, so that a condition can never be used to learn anything.

use super::{Args, Fault};

/// A condition over a ruleset's tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cond<T> {
    /// Alternatives; each holds if all its tests hold.
    pub any: Vec<Vec<Test<T>>>,
}

/// One test, perhaps negated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test<T> {
    /// Whether NOT stands before it.
    pub negated: bool,
    /// The test.
    pub test: T,
}

/// Reads `test {AND test} {OR test {AND test}}`; AND binds tighter than OR.
///
/// # Errors
/// The fault of the first test that cannot be read.
pub fn read<T>(args: &mut Args<'_>, test: impl Fn(&mut Args<'_>) -> Result<T, Fault>) -> Result<Cond<T>, Fault> {
    let mut any = vec![Vec::new()];
    loop {
        let negated = args.key("NOT");
        let read = Test { negated, test: test(args)? };
        if let Some(all) = any.last_mut() {
            all.push(read);
        }
        if args.key("AND") {
            continue;
        }
        if !args.key("OR") {
            return Ok(Cond { any });
        }
        any.push(Vec::new());
    }
}

impl<T> Cond<T> {
    /// Whether the condition holds, given what each test is: true, false, or not known.
    pub fn holds(&self, truth: impl Fn(&T) -> Option<bool>) -> bool {
        self.any.iter().any(|all| all.iter().all(|t| truth(&t.test).is_some_and(|known| known != t.negated)))
    }
}
