//! A mail server: where it is, how the line to it is kept secret, and how we show who we are.

use super::MailError;
use std::fmt;
use std::io::Read;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// How long a connection may take to come about.
pub const CONNECT_WAIT: Duration = Duration::from_secs(10);
/// How long a server may be silent in the middle of a talk.
pub const SILENCE: Duration = Duration::from_secs(20);
/// Longest secret that a command may print, in bytes; access tokens are long.
const SECRET_BYTES_MAX: u64 = 16 << 10;
/// Between two looks at a command that runs, and how many looks it gets: 30 seconds in all.
const COMMAND_STEP: Duration = Duration::from_millis(50);
const COMMAND_STEPS: u32 = 600;
/// Largest file of certificates, in bytes.
const CA_BYTES_MAX: u64 = 1 << 20;

/// How the line is kept secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// TLS from the first byte.
    Tls,
    /// TLS asked for on a plain line.
    StartTls,
    /// In the open, to this machine only.
    Plain,
}

/// Where the secret of a login comes from.
#[derive(Clone, PartialEq, Eq)]
pub enum Secret {
    /// It is known.
    Password(String),
    /// A command prints it.
    PasswordCommand(String),
    /// A command prints an OAuth 2 access token.
    TokenCommand(String),
}

/// A login, ready to be given.
pub enum Login {
    /// A password.
    Password(String),
    /// An OAuth 2 access token.
    Token(String),
}

/// A mail server and our account there.
#[derive(Clone, Debug)]
pub struct Server {
    /// Its name, which its certificate must bear.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// How the line is kept secret.
    pub line: Line,
    /// The user and where his secret comes from; none where the server wants no login.
    pub user: Option<(String, Secret)>,
    /// A certificate authority of the operator's own, in a PEM file.
    pub ca: Option<PathBuf>,
    /// Where commands are run.
    pub dir: PathBuf,
}

/// A secret is never shown, not even by a debug print.
impl fmt::Debug for Secret {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Secret::Password(_) => "Password(hidden)",
            Secret::PasswordCommand(_) => "PasswordCommand(hidden)",
            Secret::TokenCommand(_) => "TokenCommand(hidden)",
        })
    }
}

impl Server {
    /// Name and port, as errors say it.
    pub fn name(&self) -> String {
        format!("{}:{}", self.host, self.port)
    }

    /// The server cannot be used now.
    pub fn away(&self, why: impl fmt::Display) -> MailError {
        MailError::Away { server: self.name(), why: why.to_string() }
    }

    /// The user's name and his secret, asked of its command each time: tokens run out.
    pub fn login(&self) -> Result<Option<(String, Login)>, MailError> {
        let Some((user, secret)) = &self.user else { return Ok(None) };
        let login = match secret {
            Secret::Password(word) => Login::Password(word.clone()),
            Secret::PasswordCommand(command) => Login::Password(self.printed(command, "password_command")?),
            Secret::TokenCommand(command) => Login::Token(self.printed(command, "token_command")?),
        };
        Ok(Some((user.clone(), login)))
    }

    /// The certificates of the operator's own authority.
    pub fn own_ca(&self) -> Result<Option<Vec<u8>>, MailError> {
        let Some(path) = &self.ca else { return Ok(None) };
        let mut pem = Vec::new();
        let read = std::fs::File::open(path).and_then(|file| file.take(CA_BYTES_MAX).read_to_end(&mut pem));
        read.map_err(|why| self.away(format!("{}: {why}", path.display())))?;
        Ok(Some(pem))
    }

    /// The first line that a command prints. Neither it nor the command's complaints are ever logged.
    fn printed(&self, command: &str, key: &str) -> Result<String, MailError> {
        let away = |why: String| self.away(format!("{key}: {why}"));
        let mut shell = Command::new("/bin/sh");
        shell.arg("-c").arg(command).current_dir(&self.dir);
        let mut child = shell
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|why| away(format!("it cannot be run: {why}")))?;
        let out = child.stdout.take();
        let reader = std::thread::spawn(move || {
            let mut text = String::new();
            let read = out.map(|out| out.take(SECRET_BYTES_MAX).read_to_string(&mut text));
            read.and_then(Result::ok).map(|_| text)
        });
        let code = ended(&mut child).ok_or_else(|| away("it does not come to an end".to_owned()))?;
        if code != Some(0) {
            return Err(away("it fails".to_owned()));
        }
        let text = reader.join().ok().flatten().unwrap_or_default();
        match text.lines().next().map(str::trim).filter(|line| !line.is_empty()) {
            Some(line) => Ok(line.to_owned()),
            None => Err(away("it prints nothing".to_owned())),
        }
    }
}

/// Waits for a command, and ends one that will not end; gives its exit code.
fn ended(child: &mut Child) -> Option<Option<i32>> {
    for _ in 0..COMMAND_STEPS {
        if let Ok(Some(status)) = child.try_wait() {
            return Some(status.code());
        }
        std::thread::sleep(COMMAND_STEP);
    }
    // One that is gone already needs no end.
    let _ = child.kill();
    let _ = child.wait();
    None
}
