//! Names of places as a crowded map writes them.

/// Beginnings of names and what becomes of them.
const PREFIXES: [(&str, &str); 7] = [
    ("Mährisch-", ""),
    ("Ober-", ""),
    ("Ungarisch-", ""),
    ("Gross-", "G-"),
    ("Groß-", "G-"),
    ("Deutsch-", "D-"),
    ("Sankt ", "St "),
];

/// A name without what a reader of the map does not need: `Ober-Hollabrunn` is `Hollabrunn`.
pub fn short_name(name: &str) -> String {
    let name = name.split('(').next().unwrap_or(name).trim_end();
    let name = name.strip_suffix(" road").unwrap_or(name);
    for (long, short) in PREFIXES {
        if let Some(rest) = name.strip_prefix(long)
            && !rest.is_empty()
        {
            return format!("{short}{rest}");
        }
    }
    name.to_owned()
}
