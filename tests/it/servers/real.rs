//! A real SMTP server and Dovecot on this machine, started when a test first wants them and gone after the last.

use estafette::mail::server::{Line, Server};
use estafette::mail::smtp::Smtp;
use estafette::mail::{Outbound, Parcel};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

pub struct Servers {
    dir: PathBuf,
    base: u16,
}

static STARTED: AtomicUsize = AtomicUsize::new(0);
static RUNNING: Mutex<Weak<Servers>> = Mutex::new(Weak::new());

fn script(args: &[&str], dir: &Path, base: u16) -> std::process::Output {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/servers/mailservers.sh");
    let mut command = Command::new("bash");
    command.arg(script).args(args).env("EST_PORT_BASE", base.to_string()).env("EST_MAIL_DIR", dir);
    command.stdin(Stdio::null()).output().unwrap()
}

impl Servers {
    pub fn get() -> Arc<Servers> {
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(servers) = running.upgrade() {
            return servers;
        }
        let ports = [25, 143, 465, 587, 993];
        let free = |base: u16| ports.iter().all(|port| TcpListener::bind(("127.0.0.1", base + port)).is_ok());
        let first = 20_000 + u16::try_from(std::process::id() % 20).unwrap() * 1000;
        let base = (0..20).map(|n| 20_000 + (first - 20_000 + n * 1000) % 20_000).find(|base| free(*base)).unwrap();
        // Short: the paths of sockets are limited.
        // A new place each time: those before may be going down still.
        let dir =
            PathBuf::from(format!("/tmp/est-it-{}-{}", std::process::id(), STARTED.fetch_add(1, Ordering::SeqCst)));
        let out = script(&["start", &dir.to_string_lossy()], &dir, base);
        assert!(out.status.success(), "the mail servers do not start: {}", String::from_utf8_lossy(&out.stderr));
        let servers = Arc::new(Servers { dir, base });
        *running = Arc::downgrade(&servers);
        servers
    }

    pub fn port(&self, usual: u16) -> u16 {
        self.base + usual
    }

    pub fn ca(&self) -> PathBuf {
        self.dir.join("tls/ca.pem")
    }

    /// The command that prints a token for a user.
    pub fn token_command(&self, user: &str) -> String {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/servers/mailservers.sh");
        format!("EST_MAIL_DIR={} bash {} token {user}", self.dir.display(), script.display())
    }

    fn maildir(&self, user: &str) -> PathBuf {
        self.dir.join("mail").join(user)
    }

    /// All mails in a user's mailbox, raw.
    pub fn mails(&self, user: &str) -> Vec<Vec<u8>> {
        let mut found = Vec::new();
        for folder in ["new", "cur"] {
            let Ok(entries) = std::fs::read_dir(self.maildir(user).join(folder)) else { continue };
            for entry in entries.flatten() {
                // Dovecot may move a mail between the two looks.
                found.extend(std::fs::read(entry.path()));
            }
        }
        found
    }

    /// Makes a user's mailbox forget its UIDs, as a rebuilt one does. A server that still holds the old ones from a line
    /// that has just closed may write them down again.
    pub fn forget_uids(&self, user: &str) {
        let kept = || {
            let entries = std::fs::read_dir(self.maildir(user)).unwrap().flatten();
            entries.filter(|entry| entry.file_name().to_string_lossy().starts_with("dovecot")).collect::<Vec<_>>()
        };
        while !kept().is_empty() {
            for entry in kept() {
                let _ = std::fs::remove_file(entry.path());
            }
            std::thread::sleep(std::time::Duration::from_millis(500));
        }
    }

    /// Empties a user's mailbox.
    pub fn empty(&self, user: &str) {
        let _ = std::fs::remove_dir_all(self.maildir(user));
    }

    /// Fills a user's mailbox with old mails that were read long ago.
    pub fn fill(&self, user: &str, count: u32) {
        self.empty(user);
        for folder in ["new", "cur", "tmp"] {
            std::fs::create_dir_all(self.maildir(user).join(folder)).unwrap();
        }
        for n in 0..count {
            let raw = format!("From: a@b.example\nTo: {user}@estafette.test\nMessage-ID: <old-{n}@b.example>\n\nold\n");
            std::fs::write(self.maildir(user).join(format!("cur/{}.M{n}P1.old:2,S", 1_600_000_000 + n)), raw).unwrap();
        }
        let (parent, folder) = (self.dir.join("mail"), self.maildir(user));
        let owner = format!("--reference={}", parent.display());
        assert!(Command::new("chown").args(["-R", &owner]).arg(folder).status().unwrap().success());
    }

    /// Sends a mail as a user's mail program would.
    pub fn send(&self, from: &str, to: &str, raw: &[u8]) {
        let parcel = Parcel { number: 0, again: 0, message_id: "", to, raw };
        smtp(self.port(25), from).send(&parcel).unwrap();
    }

    /// How many mails lie in a user's mailbox.
    pub fn count(&self, user: &str) -> usize {
        let mails = |folder: &str| std::fs::read_dir(self.maildir(user).join(folder)).map_or(0, Iterator::count);
        mails("new") + mails("cur")
    }
}

/// A line on which somebody sends mail.
pub fn smtp(port: u16, from: &str) -> Smtp {
    let server =
        Server { host: "127.0.0.1".to_owned(), port, line: Line::Plain, user: None, ca: None, dir: PathBuf::from(".") };
    Smtp::new(server, from, "players.example").unwrap()
}

impl Drop for Servers {
    fn drop(&mut self) {
        script(&["wipe", &self.dir.to_string_lossy()], &self.dir, self.base);
    }
}
