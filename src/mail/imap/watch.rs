//! A second line to the mailbox, which only waits for the server to tell of new mail (IDLE, RFC 2177).
//!
//! It rings a bell and nothing else: what it hears is never believed, so that a fault of it costs speed alone.

use super::session::Session;
use crate::mail::server::Server;
use imap::extensions::idle::{WaitOutcome, stop_on_any};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// How long one IDLE lasts before it is said anew; servers drop a silent line after half an hour, routers sooner.
pub const IDLE_WAIT: Duration = Duration::from_secs(4 * 60);
/// Between two looks whether to stop, while waiting to connect again.
const STEP: Duration = Duration::from_millis(100);
/// Steps before the first new attempt to connect, and at most.
const RETRY_STEPS_MIN: u32 = 20;
const RETRY_STEPS_MAX: u32 = 3000;

/// Tells the daemon that there is something to do.
#[derive(Default)]
pub struct Bell {
    rung: Mutex<bool>,
    heard: Condvar,
    mail: AtomicBool,
}

impl Bell {
    /// Something came, by whatever way.
    pub fn ring(&self) {
        *self.rung.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.heard.notify_all();
    }

    /// The mailbox changed.
    pub fn ring_mail(&self) {
        self.mail.store(true, Ordering::SeqCst);
        self.ring();
    }

    /// Whether the mailbox changed since this was last asked.
    pub fn take_mail(&self) -> bool {
        self.mail.swap(false, Ordering::SeqCst)
    }

    /// Waits until it rings, at most this long; true where it rang.
    pub fn wait(&self, most: Duration) -> bool {
        let rung = self.rung.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.heard.wait_timeout_while(rung, most, |rung| !*rung);
        let (mut rung, _) = waited.unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *rung)
    }
}

/// Watches a folder until told to stop, each IDLE so long at most; ends at once where the server cannot IDLE, and polling
/// has to do.
pub fn watch(server: &Server, folder: &str, bell: &Bell, stop: &AtomicBool, idle: Duration) {
    let mut steps = RETRY_STEPS_MIN;
    while !stop.load(Ordering::Relaxed) {
        match Session::open(server, folder) {
            Ok(session) if !session.can_idle => {
                tracing::info!(server = server.name(), "it does not tell of new mail; it is asked now and then");
                return;
            }
            Ok(session) => {
                steps = RETRY_STEPS_MIN;
                // What came while nobody watched.
                bell.ring_mail();
                listen(session, server, bell, stop, idle);
            }
            Err(error) => tracing::info!(%error, "the mailbox is not watched for now"),
        }
        for _ in 0..steps {
            if stop.load(Ordering::Relaxed) {
                return;
            }
            std::thread::sleep(STEP);
        }
        steps = steps.saturating_mul(2).min(RETRY_STEPS_MAX);
    }
}

/// One IDLE after the other, until the line breaks.
fn listen(mut session: Session, server: &Server, bell: &Bell, stop: &AtomicBool, wait: Duration) {
    while !stop.load(Ordering::Relaxed) {
        let heard = session.say(server, |talk| {
            let mut idle = talk.idle();
            idle.timeout(wait).keepalive(false).wait_while(stop_on_any)
        });
        match heard {
            // News that come between two IDLEs are read over by the library, so each end of one counts as news.
            Ok(WaitOutcome::MailboxChanged | WaitOutcome::TimedOut) => bell.ring_mail(),
            Err(error) => {
                tracing::info!(%error, "the watch on the mailbox broke off");
                return;
            }
        }
    }
}
