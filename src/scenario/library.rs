//! The scenarios that the program carries, and a post office's own, which win over them file by file.
//!
//! A scenario has a path such as `campaigns/teaching.yaml` and a name, the `id` that stands in it. A file of the post
//! office's folder `scenarios/` under the same path takes the place of the one carried.

use super::{Files, Header, gather, header};
use crate::yaml::Flaw;
use include_dir::{Dir, include_dir};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What the package brings.
static CARRIED: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/scenarios");
/// The folder of a post office that holds its own.
const FOLDER: &str = "scenarios";
/// How a scenario's file ends.
const ENDING: &str = ".yaml";

/// Mails that a seat writes in a whole game, as the program's own players play it.
const MAILS: &[(&str, u32)] = &[
    ("1792-valmy", 30),
    ("1796-castiglione", 22),
    ("1800-marengo", 22),
    ("1807-eylau", 24),
    ("1809-eggmuehl", 22),
    ("1814-champagne", 32),
    ("1815-waterloo", 31),
    ("1805-moravia", 29),
    ("1805-moravia-nov30", 10),
    ("teaching", 10),
    ("1805-fog-teaching", 13),
    ("1805-pratzen-teaching", 6),
];

/// About how many mails a seat writes in a whole game of the scenario of that name; none where nobody counted.
pub fn mails(name: &str) -> Option<u32> {
    MAILS.iter().find(|(known, _)| *known == name).map(|(_, mails)| *mails)
}

/// Where scenarios are looked for.
#[derive(Clone, Debug)]
pub struct Library {
    own: Option<PathBuf>,
}

/// One scenario of a library.
#[derive(Clone, Debug)]
pub struct Listed {
    /// Its path, such as `campaigns/teaching.yaml`.
    pub path: String,
    /// Whether its file is the post office's own.
    pub own: bool,
    /// What its head says; none where the head cannot be read.
    pub head: Option<Header>,
}

impl Listed {
    fn being_built(&self) -> bool {
        self.head.as_ref().is_some_and(|head| head.being_built)
    }
}

impl Library {
    /// Only what the program carries.
    pub fn carried() -> Library {
        Library { own: None }
    }

    /// What the program carries, and what stands in the folder `scenarios` of a directory.
    pub fn of(dir: &Path) -> Library {
        let own = dir.join(FOLDER);
        Library { own: own.is_dir().then_some(own) }
    }

    /// Every scenario that is offered, in order of path.
    pub fn list(&self) -> Vec<Listed> {
        self.every().into_iter().filter(|listed| !listed.being_built()).collect()
    }

    /// Every scenario, those besides whose rules are being built.
    fn every(&self) -> Vec<Listed> {
        let mut paths: BTreeSet<String> = BTreeSet::new();
        for folder in CARRIED.dirs() {
            let names = folder.files().filter_map(|file| file.path().to_str());
            paths.extend(names.filter(|name| name.ends_with(ENDING)).map(str::to_owned));
        }
        let own = self.own.as_deref().map(own_paths).unwrap_or_default();
        paths.extend(own.iter().cloned());
        let listed = |path: String| {
            let head = self.text(&path).ok().and_then(|text| header(&path, &text).ok());
            Listed { own: own.contains(&path), head, path }
        };
        paths.into_iter().map(listed).collect()
    }

    /// The text of a file.
    fn text(&self, path: &str) -> Result<String, String> {
        if let Some(own) = &self.own {
            match std::fs::read_to_string(own.join(path)) {
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                read => return read.map_err(|error| error.to_string()),
            }
        }
        let found = CARRIED.get_file(path).and_then(include_dir::File::contents_utf8);
        found.map(str::to_owned).ok_or_else(|| "there is no such file".to_owned())
    }

    /// Every file, by its path: what is carried, with the post office's own in its place.
    pub fn all(&self) -> Vec<(String, String)> {
        let mut paths: BTreeSet<String> = BTreeSet::new();
        let mut folders: Vec<&Dir<'_>> = vec![&CARRIED];
        while let Some(folder) = folders.pop() {
            paths.extend(folder.files().filter_map(|file| file.path().to_str()).map(str::to_owned));
            folders.extend(folder.dirs());
        }
        paths.extend(self.own.as_deref().map(own_paths).unwrap_or_default());
        paths.into_iter().filter_map(|path| self.text(&path).ok().map(|text| (path, text))).collect()
    }

    /// A scenario and all files it refers to, by its path.
    ///
    /// # Errors
    /// The file that cannot be read.
    pub fn files(&self, path: &str) -> Result<Files, Flaw> {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        gather(name, &|beside| {
            let path = if folder.is_empty() { beside.to_owned() } else { format!("{folder}/{beside}") };
            self.text(&path)
        })
    }

    /// The path of a scenario that is asked for by its name, or by its path with or without the folder's name and the
    /// ending.
    ///
    /// # Errors
    /// A sentence that names the nearest, and where they are listed.
    pub fn find(&self, asked: &str) -> Result<String, String> {
        let list = self.every();
        let named = |listed: &&Listed| listed.head.as_ref().is_some_and(|head| head.id == asked);
        let bare = asked.strip_prefix("scenarios/").unwrap_or(asked);
        let bare = bare.strip_suffix(ENDING).unwrap_or(bare);
        let at = |listed: &&Listed| listed.path.strip_suffix(ENDING) == Some(bare);
        // Of two with one name, the post office's own.
        let found = list.iter().filter(named).max_by_key(|listed| listed.own).or_else(|| list.iter().find(at));
        if let Some(listed) = found.filter(|listed| listed.being_built()) {
            return Err(format!("NOT YET: the rules of \"{}\" are being built, so it cannot be played.", listed.path));
        }
        found.map(|listed| listed.path.clone()).ok_or_else(|| {
            let names = list
                .iter()
                .filter(|listed| !listed.being_built())
                .filter_map(|listed| listed.head.as_ref())
                .map(|head| head.id.as_str());
            let near = crate::text::nearest(asked, names);
            let hint = near.map_or_else(String::new, |near| format!("  Did you mean {near}?"));
            format!("there is no scenario \"{asked}\"; `estafette scenarios` lists them.{hint}")
        })
    }
}

/// The paths of the scenarios in a folder and in the folders directly below it; what cannot be read is not there.
fn own_paths(folder: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (name, path) in entries(folder) {
        if path.is_dir() {
            found.extend(entries(&path).into_iter().filter(is_scenario).map(|(file, _)| format!("{name}/{file}")));
        } else if is_scenario(&(name.clone(), path)) {
            found.insert(name);
        }
    }
    found
}

fn is_scenario((name, path): &(String, PathBuf)) -> bool {
    name.ends_with(ENDING) && !name.starts_with('.') && path.is_file()
}

fn entries(folder: &Path) -> Vec<(String, PathBuf)> {
    let read = std::fs::read_dir(folder).into_iter().flatten().flatten();
    read.map(|entry| (entry.file_name().to_string_lossy().into_owned(), entry.path())).collect()
}
