//! The games of a post office at a glance: those that need somebody first, a line each; the others by name.

use crate::gateway::when;
use serde_json::Value;

/// Columns of a line.
const WIDTH: usize = 78;

/// From so many games on they are shown at a glance.
pub(super) const MANY: usize = 12;

/// Lines of games that need somebody; more do not fit on a screen.
const TROUBLES_MAX: usize = 30;

/// One screen for any number of games.
pub(super) fn glance(facts: &[Value]) -> Vec<String> {
    let count = |test: &dyn Fn(&Value) -> bool| facts.iter().filter(|fact| test(fact)).count();
    let is = |state: &'static str| move |fact: &Value| text(fact, "state") == state;
    let head = format!(
        "{} games: {} forming, {} playing, {} over, {} set aside, {} held, {} late, {} with mail that came back",
        facts.len(),
        count(&is("forming")),
        count(&is("playing")),
        count(&is("over")),
        count(&is("corrupt")),
        count(&held),
        count(&|fact| !late(fact).is_empty()),
        count(&|fact| bounced(fact) > 0),
    );
    let mut lines = crate::text::wrap(&head, WIDTH, "", 2);
    let troubles: Vec<String> = facts.iter().filter_map(trouble).collect();
    lines.extend(troubles.iter().take(TROUBLES_MAX).cloned());
    if troubles.len() > TROUBLES_MAX {
        let more = troubles.len() - TROUBLES_MAX;
        lines.push(format!("  and {more} more; `estafette status --json` has them all"));
    }
    let quiet: Vec<String> =
        facts.iter().filter(|fact| trouble(fact).is_none()).map(|fact| text(fact, "game")).collect();
    if !quiet.is_empty() {
        lines.push("nothing to do:".to_owned());
        lines.extend(crate::text::wrap(&quiet.join(" "), WIDTH, "  ", 2));
    }
    lines
}

/// What is wrong with a game, in one line; nothing where all is well.
fn trouble(fact: &Value) -> Option<String> {
    let mut said = Vec::new();
    if text(fact, "state") == "corrupt" {
        said.push("SET ASIDE".to_owned());
    }
    if held(fact) {
        said.push("HELD".to_owned());
    }
    let late = late(fact);
    if !late.is_empty() {
        said.push(format!("LATE {}", late.join(", ")));
    }
    if bounced(fact) > 0 {
        said.push(format!("MAIL {} came back or given up", bounced(fact)));
    }
    if said.is_empty() {
        return None;
    }
    let line = format!("  {:<16} {}", text(fact, "game"), said.join("   "));
    Some(crate::text::cut(&line, WIDTH))
}

fn text(fact: &Value, key: &str) -> String {
    fact.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn held(fact: &Value) -> bool {
    fact.get("held").and_then(Value::as_bool).unwrap_or(false)
}

/// Who is late, and since when.
fn late(fact: &Value) -> Vec<String> {
    let list = fact.get("late").and_then(Value::as_array).cloned().unwrap_or_default();
    list.iter().map(|late| format!("{} since {}", text(late, "seat"), when::said_of(&text(late, "by")))).collect()
}

fn bounced(fact: &Value) -> u64 {
    fact.get("bounced").and_then(Value::as_u64).unwrap_or(0)
}
