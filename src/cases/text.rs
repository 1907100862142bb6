//! Events, sightings and rows as lines that a person can check against the rulebook.

use serde_json::Value;

/// A body as one line: chapter and kind first, then each field.
pub fn flat(body: &str) -> String {
    let Ok(value) = serde_json::from_str::<Value>(body) else { return body.to_owned() };
    let mut words = Vec::new();
    top(&value, &mut words);
    words.join(" ")
}

fn top(value: &Value, words: &mut Vec<String>) {
    let Value::Object(fields) = value else {
        words.push(short(value));
        return;
    };
    for (key, inner) in fields {
        match (key.as_str(), inner) {
            ("chapter" | "kind", Value::String(name)) => words.push(name.clone()),
            ("event" | "told", Value::Object(_)) => top(inner, words),
            (_, Value::Null) => {}
            _ => words.push(format!("{key}={}", short(inner))),
        }
    }
}

fn short(value: &Value) -> String {
    match value {
        Value::Null => "-".to_owned(),
        Value::Bool(b) => b.to_string(),
        Value::Number(n) => n.to_string(),
        Value::String(s) => s.clone(),
        Value::Array(items) => format!("[{}]", items.iter().map(short).collect::<Vec<_>>().join(" ")),
        Value::Object(fields) => {
            let inner: Vec<String> = fields
                .iter()
                .filter(|(_, v)| !v.is_null())
                .map(|(k, v)| if k == "kind" { short(v) } else { format!("{k}:{}", short(v)) })
                .collect();
            if inner.len() == 1 { inner.concat() } else { format!("{{{}}}", inner.join(" ")) }
        }
    }
}

/// A readable difference of two blocks, or `None` if they agree.
pub fn difference(expected: &str, found: &str) -> Option<String> {
    let lines = |text: &str| -> Vec<String> {
        text.lines().map(|l| l.trim_end().to_owned()).filter(|l| !l.trim().is_empty()).collect()
    };
    let (expected, found) = (lines(expected), lines(found));
    if expected == found {
        return None;
    }
    if expected.is_empty() {
        return Some(format!("  the case expects nothing yet; found:\n{}", indent(&found, "  ")));
    }
    let same = expected.iter().zip(&found).take_while(|(a, b)| a == b).count();
    let mut out = Vec::new();
    if same > 0 {
        out.push(format!("  {same} lines agree, then:"));
    }
    let part = |lines: &[String], sign: &str| -> Vec<String> {
        lines.iter().skip(same).take(12).map(|l| format!("  {sign} {l}")).collect()
    };
    out.extend(part(&expected, "expected"));
    out.extend(part(&found, "found   "));
    Some(out.join("\n"))
}

fn indent(lines: &[String], by: &str) -> String {
    lines.iter().map(|l| format!("{by}{l}")).collect::<Vec<_>>().join("\n")
}
