//! The daemon: a pass, a wait, a pass, until it is told to stop.

use super::doctor::STOPPED;
use super::{Desk, Done, Failure, IO};
use crate::games::Entry;
use crate::gateway::{self, Office, OfficeError, Pass};
use crate::store::StoreError;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

/// Between two looks at folders, deadlines and what other processes wrote.
const WAIT: Duration = Duration::from_secs(2);
/// The same where others may have taken mail in.
const SHARED: Duration = Duration::from_millis(200);
/// Between two looks for the signal to stop.
const STEP: Duration = Duration::from_millis(100);
/// The longest wait after passes that failed.
const WAIT_MAX: Duration = Duration::from_secs(60);

impl Desk<'_> {
    pub(super) fn serve(&mut self, dir: &Path, once: bool, workers: u16) -> Done {
        let stop = Arc::new(AtomicBool::new(false));
        for signal in [SIGTERM, SIGINT] {
            flag::register(signal, Arc::clone(&stop)).map_err(Failure::from)?;
        }
        let Some(mut office) = opened(dir, self.entries, !once, &stop)? else { return Ok(0) };
        if workers > 1 && !office.store.is_shared() {
            let why = "--workers: a file is served by one worker; set store = \"postgres://…\" in config.toml, and move the \
                       post office there: estafette move.";
            return Err(super::usage(why));
        }
        if once {
            let pass = office.pass()?;
            self.tell(&pass)?;
            let ailing = office.ailing();
            let failing = ailing.iter().map(|a| format!("{}: {}", a.place, a.why));
            let stopped = gateway::stopped(&office.store)?.map(|why| format!("{STOPPED}: {why}"));
            let failing: Vec<String> = stopped.into_iter().chain(failing).collect();
            return if failing.is_empty() { Ok(0) } else { Err(Failure::Said(IO, failing.join("\n"))) };
        }
        office.open_doors(&stop)?;
        let others = self.others(dir, workers, &stop);
        notify("READY=1");
        let mut wait = WAIT;
        while !stop.load(Ordering::Relaxed) {
            match office.pass() {
                Ok(pass) => {
                    wait = look(&office);
                    if !pass.quiet() {
                        self.tell(&pass)?;
                    }
                }
                Err(error @ (OfficeError::Store(_) | OfficeError::Mail(_) | OfficeError::Io { .. })) => {
                    // A full disk or a locked file passes; nothing is lost meanwhile.
                    tracing::error!(%error, "the pass broke off and is tried again");
                    wait = (wait * 2).min(WAIT_MAX);
                }
                Err(error) => return Err(error.into()),
            }
            let mut waited = Duration::ZERO;
            while waited < wait && !stop.load(Ordering::Relaxed) && !office.wait(STEP) {
                waited += STEP;
            }
        }
        notify("STOPPING=1");
        for other in others {
            if other.join().is_err() {
                tracing::error!("a worker broke off");
            }
        }
        Ok(0)
    }

    /// Starts the workers beside the first, each with a line of its own to the database.
    fn others(&self, dir: &Path, workers: u16, stop: &Arc<AtomicBool>) -> Vec<JoinHandle<()>> {
        let one = || {
            let (dir, entries, stop) = (dir.to_owned(), self.entries, Arc::clone(stop));
            std::thread::spawn(move || work(&dir, entries, &stop))
        };
        (1..workers).map(|_| one()).collect()
    }

    fn tell(&mut self, pass: &Pass) -> Result<(), Failure> {
        if self.json {
            let text = serde_json::to_string(pass).unwrap_or_default();
            return self.say(&text);
        }
        let Pass { fetched, read, deadlines, sent, unsent, failing } = pass;
        let mut line = format!("{fetched} fetched, {read} read, {deadlines} deadlines, {sent} sent");
        if *unsent > 0 {
            line.push_str(&format!(", {unsent} to be tried again"));
        }
        if *failing > 0 {
            line.push_str(&format!(", {failing} not working"));
        }
        self.say(&line)
    }
}

/// Opens the post office; where its database is on a server that cannot be reached, and somebody waits, as soon as it can
/// be. None, where it was told to stop before that.
fn opened(
    dir: &Path,
    entries: &'static [Entry],
    waits: bool,
    stop: &AtomicBool,
) -> Result<Option<Office>, OfficeError> {
    let mut wait = WAIT;
    loop {
        match Office::open(dir, entries, true) {
            Err(OfficeError::Store(error @ StoreError::Away { .. })) if waits => {
                tracing::error!(%error, "the post office waits for its database");
                rest(wait, stop);
                wait = (wait * 2).min(WAIT_MAX);
            }
            other => return other.map(Some),
        }
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
    }
}

/// Waits, as long as nobody says to stop.
fn rest(wait: Duration, stop: &AtomicBool) {
    let mut waited = Duration::ZERO;
    while waited < wait && !stop.load(Ordering::Relaxed) {
        std::thread::sleep(STEP);
        waited += STEP;
    }
}

/// How long a worker waits between two looks: one of several is told of nothing that others take in.
fn look(office: &Office) -> Duration {
    if office.store.is_shared() { SHARED } else { WAIT }
}

/// What one of several workers does until it is told to stop.
fn work(dir: &Path, entries: &'static [Entry], stop: &AtomicBool) {
    let mut wait = SHARED;
    let mut office = None;
    while !stop.load(Ordering::Relaxed) {
        let passed = match &mut office {
            Some(office) => Office::pass(office).map(drop),
            None => Office::open(dir, entries, true).map(|opened| office = Some(opened)),
        };
        wait = match passed {
            Ok(()) => SHARED,
            Err(error) => {
                tracing::error!(%error, "a worker's pass broke off and is tried again");
                (wait * 2).min(WAIT_MAX)
            }
        };
        rest(wait, stop);
    }
}

/// Tells a service manager how we are (sd_notify), where one asked to be told.
#[cfg(target_os = "linux")]
fn notify(state: &str) {
    use std::os::linux::net::SocketAddrExt;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::net::{SocketAddr, UnixDatagram};
    let Some(path) = std::env::var_os("NOTIFY_SOCKET") else { return };
    let address = match path.as_bytes().strip_prefix(b"@") {
        Some(name) => SocketAddr::from_abstract_name(name),
        None => SocketAddr::from_pathname(&path),
    };
    let send = |address| UnixDatagram::unbound()?.send_to_addr(state.as_bytes(), &address);
    if let Err(error) = address.and_then(send) {
        tracing::warn!(%error, "the service manager could not be told");
    }
}

#[cfg(not(target_os = "linux"))]
fn notify(_state: &str) {}
