//! `estafette where`: which functions obey a rule, and which cases prove it.

use super::{Desk, Done, Failure, usage};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The index, made from doc lines and cases when the program is built (`build/citations.rs`).
const INDEX: &str = include_str!(concat!(env!("OUT_DIR"), "/where.txt"));

/// One line of the index.
#[derive(Clone, Copy)]
struct Entry {
    /// What it tells of.
    kind: Kind,
    ruleset: &'static str,
    /// File and line of an item, the file of a case, the key of a rule.
    place: &'static str,
    /// The item's name, or the case's title.
    name: &'static str,
    /// The rules that it cites.
    keys: &'static str,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Rule,
    Item,
    Case,
}

impl Entry {
    fn cites(&self, key: &str) -> bool {
        self.keys.split(' ').any(|of| of == key)
    }
}

/// Reads the index.
fn entries() -> impl Iterator<Item = Entry> {
    INDEX.lines().filter_map(|line| {
        let mut cells = line.split('\t');
        let kind = match cells.next()? {
            "rule" => Kind::Rule,
            "item" => Kind::Item,
            "case" => Kind::Case,
            _ => return None,
        };
        let mut cell = || cells.next().unwrap_or_default();
        Some(Entry { kind, ruleset: cell(), place: cell(), name: cell(), keys: cell() })
    })
}

impl Desk<'_> {
    /// Prints what obeys a rule and what proves it.
    pub(super) fn find_rule(&mut self, rule: &str, ruleset: Option<&str>) -> Done {
        let key = rule.trim_start_matches(['¶', '§']);
        let known = |e: &Entry| e.kind == Kind::Rule && e.place == key && ruleset.is_none_or(|of| of == e.ruleset);
        let rulesets: Vec<&str> = entries().filter(known).map(|e| e.ruleset).collect();
        if rulesets.is_empty() {
            let all = "estafette where --all lists them";
            return Err(usage(format!("no rule \"{rule}\" is in the index of any ruleset asked for; {all}.")));
        }
        let mut facts = Vec::new();
        for ruleset in rulesets {
            let of = |kind: Kind| entries().filter(move |e| e.kind == kind && e.ruleset == ruleset && e.cites(key));
            if self.json {
                facts.push(json!({
                    "ruleset": ruleset,
                    "rule": key,
                    "functions": of(Kind::Item).map(|e| json!({"place": e.place, "name": e.name})).collect::<Vec<_>>(),
                    "cases": of(Kind::Case).map(|e| json!({"file": e.place, "title": e.name})).collect::<Vec<_>>(),
                }));
                continue;
            }
            self.say(&format!("{ruleset} {key}"))?;
            for (head, kind) in [("obeyed by", Kind::Item), ("proven by", Kind::Case)] {
                self.say(&format!("  {head}"))?;
                let mut lines: Vec<String> = of(kind).map(|e| format!("    {}  {}", e.place, e.name)).collect();
                if lines.is_empty() {
                    lines.push("    nothing that says so".to_owned());
                }
                self.say_all(&lines)?;
            }
        }
        if self.json { self.say_json(&Value::Array(facts)).map(|()| 0) } else { Ok(0) }
    }

    /// Prints every rule with the number of its functions and cases, and sums.
    pub(super) fn all_rules(&mut self, ruleset: Option<&str>) -> Done {
        let mut counts: BTreeMap<(&str, &str), (u32, u32)> = BTreeMap::new();
        for e in entries() {
            for key in e.keys.split(' ') {
                let count = counts.entry((e.ruleset, key)).or_default();
                match e.kind {
                    Kind::Rule => {}
                    Kind::Item => count.0 += 1,
                    Kind::Case => count.1 += 1,
                }
            }
        }
        let rules: Vec<Entry> =
            entries().filter(|e| e.kind == Kind::Rule && ruleset.is_none_or(|of| of == e.ruleset)).collect();
        if rules.is_empty() {
            return Err(usage("no ruleset of that name has an index of rules."));
        }
        let of = |e: &Entry| counts.get(&(e.ruleset, e.place)).copied().unwrap_or_default();
        if self.json {
            let facts = rules.iter().map(|e| {
                let (functions, cases) = of(e);
                json!({"ruleset": e.ruleset, "rule": e.place, "functions": functions, "cases": cases})
            });
            return self.say_json(&Value::Array(facts.collect())).map(|()| 0);
        }
        let mut sums: BTreeMap<&str, (u32, u32, u32)> = BTreeMap::new();
        for e in &rules {
            let (functions, cases) = of(e);
            self.say(&format!("{:<15} {:<12} {functions:>4} {cases:>4}", e.ruleset, e.place))?;
            let sum = sums.entry(e.ruleset).or_default();
            *sum = (sum.0 + 1, sum.1 + u32::from(functions > 0), sum.2 + u32::from(cases > 0));
        }
        self.say("")?;
        for (ruleset, (all, functions, cases)) in sums {
            self.say(&format!("{ruleset}: {functions} of {all} rules are cited, {cases} of {all} have a case."))?;
        }
        Ok(0)
    }

    /// Either of the two.
    pub(super) fn whereabouts(&mut self, rule: Option<&str>, ruleset: Option<&str>) -> Result<u8, Failure> {
        match rule {
            Some(rule) => self.find_rule(rule, ruleset),
            None => self.all_rules(ruleset),
        }
    }
}
