//! Files in the making: a command that fails leaves nothing behind.
//!
//! What a command makes is made in a folder of its own beside its place, and moved there when it is whole.

use super::{Failure, IO, usage};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// A folder in the making; dropped before it is finished, it is taken away.
pub(super) struct Fresh {
    work: PathBuf,
    place: PathBuf,
}

fn io(path: &Path, error: &std::io::Error) -> Failure {
    Failure::Said(IO, format!("{}: {error}", path.display()))
}

impl Fresh {
    /// For a place that is not there yet, or that is an empty folder.
    pub(super) fn empty(place: &Path) -> Result<Fresh, Failure> {
        match fs::read_dir(place) {
            Ok(mut held) => {
                if held.next().is_some() {
                    let why = format!("{} is not empty; name a new or empty directory.", place.display());
                    return Err(usage(why));
                }
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(io(place, &error)),
        }
        Fresh::beside(place)
    }

    /// For a place that may hold something already, which stays as it is.
    pub(super) fn beside(place: &Path) -> Result<Fresh, Failure> {
        let whole = std::path::absolute(place).map_err(|error| io(place, &error))?;
        // On the disk of the place: what is made there can be moved by name alone.
        let near = whole.ancestors().find(|near| near.exists()).unwrap_or(&whole);
        if !near.is_dir() {
            return Err(Failure::Said(IO, format!("{}: is not a directory", near.display())));
        }
        let work = near.join(format!(".estafette-{}.part", std::process::id()));
        fs::create_dir(&work).map_err(|error| io(&work, &error))?;
        Ok(Fresh { work, place: whole })
    }

    /// Where it is made.
    pub(super) fn path(&self) -> &Path {
        &self.work
    }

    /// Moves what was made to its place, and nothing of it where one thing cannot be moved.
    pub(super) fn finish(self) -> Result<(), Failure> {
        let missing = self.place.ancestors().take_while(|folder| !folder.exists()).last().map(Path::to_owned);
        let mut moved = Vec::new();
        let done = self.move_all(&mut moved);
        if done.is_err() {
            for path in &moved {
                remove(path);
            }
            if let Some(made) = missing {
                remove(&made);
            }
        }
        done
    }

    fn move_all(&self, moved: &mut Vec<PathBuf>) -> Result<(), Failure> {
        fs::create_dir_all(&self.place).map_err(|error| io(&self.place, &error))?;
        for entry in fs::read_dir(&self.work).map_err(|error| io(&self.work, &error))? {
            let entry = entry.map_err(|error| io(&self.work, &error))?;
            let to = self.place.join(entry.file_name());
            fs::rename(entry.path(), &to).map_err(|error| io(&to, &error))?;
            moved.push(to);
        }
        Ok(())
    }
}

impl Drop for Fresh {
    fn drop(&mut self) {
        remove(&self.work);
    }
}

/// Takes away what was made in vain; nothing can be done where even that fails.
fn remove(path: &Path) {
    let _ = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
}

/// How a file is opened to be written that nobody else may read.
pub(super) fn for_owner() -> fs::OpenOptions {
    let mut options = fs::OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Writes a file whole or not at all, for its owner alone: what a game hides may stand in it. One that is there is replaced
/// only by a whole one.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    // What is no file, such as a pipe or a terminal, cannot be replaced.
    if path.exists() && !path.is_file() {
        return fs::write(path, bytes).map_err(|error| io(path, &error));
    }
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let part = path.with_file_name(format!(".{name}.{}.part", std::process::id()));
    let written = for_owner().create(true).truncate(true).open(&part).and_then(|mut file| file.write_all(bytes));
    let done = written.and_then(|()| fs::rename(&part, path));
    done.map_err(|error| {
        remove(&part);
        io(path, &error)
    })
}
