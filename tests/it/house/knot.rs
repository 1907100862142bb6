//! Counts the knot of a ruleset: the most files that reach each other over the names that they take from one another.
//!
//! A path counts for the file that declares what it names: through re-exports, and through a module that was imported to
//! be said before a name. Calls of methods are not counted, nor is a child that its module only declares.

use super::read::{Source, sources};
use std::collections::{BTreeMap, BTreeSet};

const ROOT: &str = "src/rules/campaigns/";
/// Files of the largest knot. It may only shrink.
const KNOT_MOST: usize = 10;

type Module = Vec<String>;

/// What is known of a file.
struct File {
    /// Names that it declares.
    declares: BTreeSet<String>,
    /// What a name that it imports stands for.
    imports: BTreeMap<String, Vec<String>>,
    /// Paths that its code says outside of imports.
    says: Vec<Vec<String>>,
}

fn words(path: &str) -> Vec<String> {
    path.split("::").map(str::trim).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Opens the groups of an import: name and path of each.
fn opened(before: &[String], tree: &str, found: &mut Vec<(String, Vec<String>)>) {
    let tree = tree.trim();
    if let Some((head, group)) = tree.split_once('{') {
        let path = [before, &words(head)].concat();
        let inner = group.trim_end().strip_suffix('}').unwrap_or(group);
        let (mut depth, mut from) = (0, 0);
        for (at, c) in inner.char_indices() {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    opened(&path, &inner[from..at], found);
                    from = at + 1;
                }
                _ => {}
            }
        }
        opened(&path, &inner[from..], found);
    } else if !tree.is_empty() {
        let (path, name) = tree.split_once(" as ").map_or((tree, None), |(path, name)| (path, Some(name.trim())));
        let mut path = [before, &words(path)].concat();
        if path.last().is_some_and(|last| last == "self") {
            path.pop();
        }
        let name = name.map_or_else(|| path.last().cloned().unwrap_or_default(), str::to_owned);
        found.push((name, path));
    }
}

fn shown(line: &str) -> &str {
    let Some(rest) = line.strip_prefix("pub") else { return line };
    let rest = if rest.starts_with('(') { rest.split_once(')').map_or(rest, |(_, rest)| rest) } else { rest };
    rest.trim_start()
}

fn file(source: &Source) -> File {
    let (mut declares, mut imports) = (BTreeSet::new(), Vec::new());
    let mut code = String::new();
    let mut lines = source.code.lines();
    while let Some(line) = lines.next() {
        if let Some(tree) = shown(line.trim_start()).strip_prefix("use ") {
            let mut tree = tree.to_owned();
            while !tree.contains(';') {
                tree.push_str(lines.next().unwrap_or(";").trim());
            }
            opened(&[], tree.split(';').next().unwrap_or_default(), &mut imports);
            continue;
        }
        let mut said = shown(line).split(|c: char| !c.is_alphanumeric() && c != '_').filter(|w| *w != "mut");
        let kinds = ["struct", "enum", "fn", "const", "static", "type", "trait"];
        if let Some(mut name) = said.next().filter(|kind| kinds.contains(kind)).and(said.next()) {
            if name == "fn" {
                name = said.next().unwrap_or(name);
            }
            declares.insert(name.to_owned());
        }
        code.push_str(&line.replace("pub(in crate::rules::campaigns)", "pub"));
        code.push('\n');
    }
    let says = code.split(|c: char| !c.is_alphanumeric() && c != '_' && c != ':');
    let says = says.filter(|said| said.contains("::") && !said.starts_with(':')).map(words);
    File { declares, imports: imports.into_iter().collect(), says: says.collect() }
}

/// The file that declares what a path names, seen from another.
fn declaring(files: &BTreeMap<Module, File>, at: &Module, path: &[String], depth: u32) -> Option<Module> {
    let first = path.first().filter(|_| depth < 9)?;
    let (mut module, mut rest) = match first.as_str() {
        "crate" if path.get(1)? == "rules" && path.get(2)? == "campaigns" => (Vec::new(), &path[3..]),
        "crate" => return None,
        "super" | "self" => {
            let ups = path.iter().take_while(|word| *word == "super" || *word == "self").count();
            let supers = path[..ups].iter().filter(|word| *word == "super").count();
            (at[..at.len().checked_sub(supers)?].to_vec(), &path[ups..])
        }
        // A module of the file itself is meant, even where a function of its name is imported too.
        _ if path.len() > 1 && files.contains_key(&[at.as_slice(), &path[..1]].concat()) => (at.clone(), path),
        name => {
            let import = files[at].imports.get(name).filter(|import| import.as_slice() != path)?;
            return declaring(files, at, &[import, &path[1..]].concat(), depth + 1);
        }
    };
    while let Some(name) = rest.first() {
        let below = [module.as_slice(), std::slice::from_ref(name)].concat();
        if files.contains_key(&below) {
            (module, rest) = (below, &rest[1..]);
        } else if let Some(import) =
            files[&module].imports.get(name).filter(|_| !files[&module].declares.contains(name))
        {
            return declaring(files, &module, &[import, &rest[1..]].concat(), depth + 1);
        } else {
            return Some(module);
        }
    }
    None
}

/// Whom each file reaches over one name or more.
fn reached<'a>(arrows: &'a BTreeMap<&Module, BTreeSet<Module>>, from: &'a Module) -> BTreeSet<&'a Module> {
    let (mut found, mut open) = (BTreeSet::new(), vec![from]);
    while let Some(at) = open.pop() {
        open.extend(arrows[at].iter().filter(|next| found.insert(*next)));
    }
    found
}

#[test]
fn the_knot_only_shrinks() {
    let sources = sources(ROOT);
    let module = |source: &Source| {
        let path = source.path.trim_start_matches(ROOT).trim_end_matches(".rs");
        let parts = path.split('/').filter(|part| *part != "mod");
        parts.map(str::to_owned).collect::<Module>()
    };
    let files: BTreeMap<Module, File> = sources.iter().map(|source| (module(source), file(source))).collect();
    let arrows: BTreeMap<&Module, BTreeSet<Module>> = files
        .iter()
        .map(|(at, file)| {
            let paths = file.imports.values().chain(&file.says);
            let named = paths.filter_map(|path| declaring(&files, at, path, 0)).filter(|to| to != at);
            (at, named.collect())
        })
        .collect();
    let reach: BTreeMap<&Module, BTreeSet<&Module>> = files.keys().map(|at| (at, reached(&arrows, at))).collect();
    let knots = files.keys().map(|at| reach[at].iter().filter(|to| reach[**to].contains(at)).copied().collect());
    let knot: BTreeSet<&Module> = knots.max_by_key(BTreeSet::len).unwrap();
    let names: Vec<String> = knot.iter().map(|module| module.join("/")).collect();
    assert!(arrows.values().map(BTreeSet::len).sum::<usize>() > 900, "the reader of paths is blind");
    assert!(names.len() <= KNOT_MOST, "{} of {} files are one knot: {names:?}", names.len(), files.len());
    assert_eq!(names.len(), KNOT_MOST, "the knot has shrunk: write down its number");
}
