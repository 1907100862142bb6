//! The mails of a folder as a mail program keeps them: one a file (Maildir, `.eml`), or many in one (mbox).

use std::io;
use std::path::Path;

/// How an mbox begins, and each of its mails.
const FROM: &[u8] = b"From ";
/// Folders within folders that are looked into.
const DEPTH_MAX: u32 = 6;

/// All mails of a folder and of those within it, or of one file, in the order of their names.
///
/// # Errors
/// When a folder or file cannot be read.
pub fn mails_in(path: &Path) -> io::Result<Vec<Vec<u8>>> {
    let mut mails = Vec::new();
    read(path, DEPTH_MAX, &mut mails)?;
    Ok(mails)
}

fn read(path: &Path, depth: u32, mails: &mut Vec<Vec<u8>>) -> io::Result<()> {
    if !path.is_dir() {
        let bytes = std::fs::read(path)?;
        mails.extend(split(&bytes));
        return Ok(());
    }
    let mut entries: Vec<_> = std::fs::read_dir(path)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    // No link is followed: it may lead back.
    for entry in entries.into_iter().filter(|entry| entry.file_type().is_ok_and(|kind| !kind.is_symlink())) {
        if depth > 0 || !entry.path().is_dir() {
            read(&entry.path(), depth.saturating_sub(1), mails)?;
        }
    }
    Ok(())
}

/// The mails of a file: itself, or those of an mbox, whose quoted `From` lines get their words back.
fn split(bytes: &[u8]) -> Vec<Vec<u8>> {
    if !bytes.starts_with(FROM) {
        return vec![bytes.to_vec()];
    }
    let mut mails: Vec<Vec<u8>> = Vec::new();
    let mut blank = true;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        if blank && line.starts_with(FROM) {
            mails.push(Vec::new());
        } else if let Some(mail) = mails.last_mut() {
            let quoted = line.iter().position(|byte| *byte != b'>').filter(|at| *at > 0);
            let own = quoted.and_then(|at| line.get(at..)).is_some_and(|rest| rest.starts_with(FROM));
            mail.extend_from_slice(if own { line.get(1..).unwrap_or_default() } else { line });
        }
        blank = line.trim_ascii().is_empty();
    }
    mails
}
