//! The files of a post office: written so that they are there when the machine stops, and taken away without a word where
//! they are not.

use super::error::OfficeError;
use crate::config::{Config, Hidden};
use crate::store::Store;
use std::fs;
use std::io::Write;
use std::path::Path;

/// The database of a post office.
pub(super) const DATABASE: &str = "estafette.db";
/// Holds how many mails there ever were.
pub(super) const COUNT: &str = "estafette.count";
/// Is locked by whoever serves.
pub(super) const LOCK: &str = "estafette.lock";

/// The database of a post office, wherever its settings say that it lies. Settings that cannot be read hide no file that
/// lies here.
///
/// # Errors
/// Settings or database.
pub fn store_of(dir: &Path) -> Result<Store, OfficeError> {
    match Config::load(&dir.join("config.toml")) {
        Ok(config) => store_by(dir, &config),
        Err(_) if dir.join(DATABASE).is_file() => Ok(Store::open(&dir.join(DATABASE))?),
        Err(error) => Err(error.into()),
    }
}

/// The address of the server on which a post office lies, where its settings name one.
pub fn server_of(dir: &Path) -> Option<Hidden> {
    Config::load(&dir.join("config.toml")).ok().and_then(|config| config.store)
}

/// The database of a post office by its settings.
pub(super) fn store_by(dir: &Path, config: &Config) -> Result<Store, OfficeError> {
    Ok(match &config.store {
        Some(address) => Store::on_server(&address.0, false)?,
        None => Store::open(&dir.join(DATABASE))?,
    })
}

pub(super) fn io(path: &Path, source: std::io::Error) -> OfficeError {
    OfficeError::Io { path: path.to_owned(), source }
}

/// The folders that stand where the post office needs a file, each in a sentence without its end.
pub fn no_files(dir: &Path) -> Vec<String> {
    let files = [LOCK, COUNT, &format!("{COUNT}.new")].map(|name| dir.join(name));
    let folders = files.iter().filter(|path| path.is_dir());
    folders.map(|path| format!("{}: a folder stands where a file is to be; take it away", path.display())).collect()
}

/// Takes away what is left of a copy that was broken off, and what SQLite laid beside it: it would be taken for a part of
/// the next.
pub(super) fn take_away(half: &Path) -> Result<(), OfficeError> {
    ["", "-wal", "-shm"].into_iter().try_for_each(|end| {
        let mut name = half.as_os_str().to_owned();
        name.push(end);
        remove(Path::new(&name))
    })
}

pub(super) fn remove(path: &Path) -> Result<(), OfficeError> {
    match fs::remove_file(path) {
        Err(source) if source.kind() != std::io::ErrorKind::NotFound => Err(io(path, source)),
        _ => Ok(()),
    }
}

pub(super) fn write_synced(path: &Path, bytes: &[u8]) -> Result<(), OfficeError> {
    let write = || -> std::io::Result<()> {
        let mut file = fs::File::create(path)?;
        file.write_all(bytes)?;
        file.sync_all()
    };
    write().map_err(|source| io(path, source))
}

pub(super) fn sync_folder(dir: &Path) -> Result<(), OfficeError> {
    #[cfg(unix)]
    fs::File::open(dir).and_then(|folder| folder.sync_all()).map_err(|source| io(dir, source))?;
    Ok(())
}
