//! Other ways by which mail comes in: a mail server's LMTP line, and standard input.
//!
//! Each commits to the inbox by a connection of its own, and then rings; acting on what came is the daemon's work alone.

use super::error::OfficeError;
use super::files::store_of;
use super::intake::Intake;
use super::office::Office;
use super::pulse::arrival;
use super::{carriers, when};
use crate::clock::Clock;
use crate::config::{Config, Keep};
use crate::mail::imap::watch::{self, Bell};
use crate::mail::lmtp::{self, Service};
use crate::mail::maildir;
use crate::mail::read::Limits;
use crate::store::Store;
use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Most LMTP lines at once.
const LINES_MAX: usize = 16;
/// How long a line may be silent.
const SILENCE: Duration = Duration::from_secs(60);

/// What one of them needs to take a mail in.
#[derive(Clone)]
struct Door {
    dir: PathBuf,
    limits: Limits,
    keep: Keep,
    /// The folders in which a copy of each mail stays, where the settings want one.
    copies: Option<PathBuf>,
    /// Held while a mail is read: of all that come at once, one at a time is in memory more than as it came.
    reading: Arc<Mutex<()>>,
    address: String,
    clock: Clock,
    bell: Arc<Bell>,
}

impl Door {
    fn take(&self, store: &Store, raw: Vec<u8>, size: u64) -> Result<(), OfficeError> {
        let received = when::kept(arrival(store, &self.clock)?);
        let _reading = self.reading.lock().unwrap_or_else(PoisonError::into_inner);
        let copy = self.copies.as_ref().map(|root| (root, raw.clone()));
        Intake::new(store, &self.limits, &self.keep, &received).take(raw, size)?;
        // Who is not told that it was taken sends it again, and then it is kept.
        copy.map_or(Ok(()), |(root, raw)| maildir::keep(root, &raw)).map_err(OfficeError::Mail)
    }

    fn serve(&self, stream: impl Read + Write) -> io::Result<()> {
        let mut open: Option<Store> = None;
        let mut take = |raw: Vec<u8>, size: u64| {
            let store = match open.take() {
                Some(store) => store,
                None => store_of(&self.dir).map_err(|error| error.to_string())?,
            };
            let done = self.take(&store, raw, size).map_err(|error| error.to_string());
            open = Some(store);
            self.bell.ring();
            done
        };
        let mail_bytes_max = self.limits.mail_bytes_max;
        lmtp::serve(stream, &mut Service { address: &self.address, mail_bytes_max, take: &mut take })
    }
}

impl Office {
    /// Opens those that the settings ask for, and watches the mailbox, until told to stop. Each runs on a thread of
    /// its own, which ends with the process.
    ///
    /// # Errors
    /// One that cannot be opened.
    pub fn open_doors(&self, stop: &Arc<AtomicBool>) -> Result<(), OfficeError> {
        if let Some(account) = self.config.imap.as_ref().filter(|account| account.idle) {
            let (server, folder) = (carriers::imap_server(account, &self.dir), account.folder.clone());
            let (bell, stop) = (Arc::clone(&self.bell), Arc::clone(stop));
            std::thread::spawn(move || watch::watch(&server, &folder, &bell, &stop, watch::IDLE_WAIT));
        }
        let Some(listener) = &self.config.lmtp else { return Ok(()) };
        let door = Door {
            dir: self.dir.clone(),
            limits: self.limits(),
            keep: self.config.keep.clone(),
            copies: listener.keep.then(|| self.dir.join("mail")),
            reading: Arc::default(),
            address: self.config.address.to_string(),
            clock: self.clock,
            bell: Arc::clone(&self.bell),
        };
        match listener.listen.strip_prefix("unix:") {
            Some(path) => listen_at_path(door, Path::new(path)),
            None => listen_at_port(door, &listener.listen),
        }
    }
}

fn listen_at_port(door: Door, at: &str) -> Result<(), OfficeError> {
    let io = |source| OfficeError::Io { path: PathBuf::from(at), source };
    let listener = TcpListener::bind(at).map_err(io)?;
    let lines = Arc::new(AtomicUsize::new(0));
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let ready = |stream: &TcpStream| {
                stream.set_read_timeout(Some(SILENCE)).and_then(|()| stream.set_write_timeout(Some(SILENCE)))
            };
            if ready(&stream).is_ok() {
                serve_apart(&door, &lines, stream);
            }
        }
    });
    Ok(())
}

#[cfg(unix)]
fn listen_at_path(door: Door, path: &Path) -> Result<(), OfficeError> {
    use std::os::unix::fs::{FileTypeExt, PermissionsExt};
    use std::os::unix::net::UnixListener;
    let io = |source| OfficeError::Io { path: path.to_owned(), source };
    // A socket left by a daemon that was killed; the post office's lock is ours.
    if std::fs::symlink_metadata(path).is_ok_and(|meta| meta.file_type().is_socket()) {
        std::fs::remove_file(path).map_err(io)?;
    }
    let listener = UnixListener::bind(path).map_err(io)?;
    // The mail server is another user; the folder of the socket says who may reach it.
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o666)).map_err(io)?;
    let lines = Arc::new(AtomicUsize::new(0));
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let set = stream.set_read_timeout(Some(SILENCE)).and_then(|()| stream.set_write_timeout(Some(SILENCE)));
            if set.is_ok() {
                serve_apart(&door, &lines, stream);
            }
        }
    });
    Ok(())
}

#[cfg(not(unix))]
fn listen_at_path(_door: Door, path: &Path) -> Result<(), OfficeError> {
    Err(OfficeError::Refused(format!("{}: this system has no Unix sockets.", path.display())))
}

/// Serves a line on a thread of its own; one too many is told to come again.
fn serve_apart(door: &Door, lines: &Arc<AtomicUsize>, mut stream: impl Read + Write + Send + 'static) {
    if lines.fetch_add(1, Ordering::SeqCst) >= LINES_MAX {
        lines.fetch_sub(1, Ordering::SeqCst);
        // Who does not wait for the answer comes again too.
        let _ = stream.write_all(b"421 4.3.2 too many lines; try again\r\n");
        return;
    }
    let (door, lines) = (door.clone(), Arc::clone(lines));
    std::thread::spawn(move || {
        let served = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| door.serve(stream)));
        match served {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::info!(%error, "an LMTP line broke off"),
            Err(_) => tracing::error!("an LMTP line ended in the middle of its work"),
        }
        lines.fetch_sub(1, Ordering::SeqCst);
    });
}

/// Takes one mail from a reader, such as standard input: committed when this returns.
///
/// # Errors
/// Settings, database or reader; the mail is then not taken.
pub fn deliver(dir: &Path, sender: Option<&str>, mut from: &mut dyn Read) -> Result<(), OfficeError> {
    let config = Config::load(&dir.join("config.toml"))?;
    let clock = Clock::from_env()?;
    let store = super::files::store_by(dir, &config)?;
    let limits = super::inbox::limits_of(&config);
    let io = |source| OfficeError::Io { path: PathBuf::from("standard input"), source };
    let mut raw = Vec::new();
    if let Some(sender) = sender {
        raw.extend_from_slice(
            format!("Return-Path: <{}>\r\n", sender.replace(|c: char| c.is_control() || c == '<' || c == '>', ""))
                .as_bytes(),
        );
    }
    let head = raw.len();
    let most = u64::try_from(limits.mail_bytes_max.saturating_add(1)).unwrap_or(u64::MAX);
    Read::by_ref(&mut from).take(most).read_to_end(&mut raw).map_err(io)?;
    // The rest is read too: a mail server that cannot write on would think the mail refused.
    let beyond = io::copy(&mut from, &mut io::sink()).map_err(io)?;
    // The line that mbox files and pipes put before a mail is none of it.
    let body = raw.get(head..).unwrap_or_default();
    let line = body.split(|byte| *byte == b'\n').next().unwrap_or_default();
    // A header may have blanks before its colon; the line of an mbox has none there.
    let is_header = line.get(5..).is_some_and(|rest| rest.trim_ascii_start().starts_with(b":"));
    if body.starts_with(b"From ") && !is_header {
        let end = body.iter().position(|byte| *byte == b'\n').map_or(body.len(), |at| at + 1);
        raw.drain(head..head + end);
    }
    let size = u64::try_from(raw.len()).unwrap_or(u64::MAX).saturating_add(beyond);
    let received = when::kept(arrival(&store, &clock)?);
    Intake::new(&store, &limits, &config.keep, &received).take(raw, size).map(drop)
}
