//! A real PostgreSQL server on this machine, started when a test first wants it and gone with the last.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

pub struct Rows {
    dir: PathBuf,
    port: Option<u16>,
    child: Mutex<(Child, ChildStdin, BufReader<ChildStdout>)>,
}

static STARTED: AtomicUsize = AtomicUsize::new(0);
static MADE: AtomicUsize = AtomicUsize::new(0);
static RUNNING: Mutex<Weak<Rows>> = Mutex::new(Weak::new());

impl Rows {
    /// The server that all tests share.
    pub fn get() -> Arc<Rows> {
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(rows) = running.upgrade() {
            return rows;
        }
        let rows = Arc::new(Rows::start());
        *running = Arc::downgrade(&rows);
        rows
    }

    /// A server of one's own.
    pub fn start() -> Rows {
        Rows::started(None)
    }

    /// A server of one's own that is reached over the network as well, with TLS and a certificate of its own authority's.
    pub fn encrypted() -> Rows {
        let free = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port();
        Rows::started(Some(free))
    }

    fn started(port: Option<u16>) -> Rows {
        // Short: the paths of sockets are limited.
        let dir =
            PathBuf::from(format!("/tmp/est-pg-{}-{}", std::process::id(), STARTED.fetch_add(1, Ordering::SeqCst)));
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/servers/postgres.sh");
        let mut command = Command::new("bash");
        let port_given = port.map(|port| port.to_string());
        command.arg(script).arg("run").arg(&dir).args(port_given).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        let rows = Rows { dir, port, child: Mutex::new((child, input, output)) };
        rows.ready();
        rows
    }

    fn ready(&self) {
        let mut line = String::new();
        self.child.lock().unwrap().2.read_line(&mut line).unwrap();
        assert_eq!(line.trim(), "ready", "PostgreSQL does not start: {}", self.log());
    }

    /// Stops the server at once and starts it again.
    pub fn restart(&self) {
        self.child.lock().unwrap().1.write_all(b"restart\n").unwrap();
        self.ready();
    }

    /// What the server wrote into its log.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.dir.join("log")).unwrap_or_default()
    }

    /// What the server and all its sessions have taken of the processor so far, those that ended too.
    pub fn worked(&self) -> std::time::Duration {
        let main = std::fs::read_to_string(self.dir.join("data/postmaster.pid")).unwrap_or_default();
        let main = main.lines().next().and_then(|pid| pid.trim().parse::<u32>().ok()).unwrap_or_default();
        // Behind the name: the parent is the second field, the times are the 12th to 15th, those of ended children last.
        let times = |pid: u32| -> Option<(u32, [u64; 4])> {
            let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
            let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
            let at = |n: usize| fields.get(n)?.parse().ok();
            Some((fields.get(1)?.parse().ok()?, [at(11)?, at(12)?, at(13)?, at(14)?]))
        };
        let pids = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let pids = pids.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
        let ticks: u64 = pids
            .filter_map(|pid| times(pid).map(|(parent, of)| (pid, parent, of)))
            .map(|(pid, parent, of)| match main {
                _ if pid == main => of.iter().sum(),
                _ if parent == main => of[0] + of[1],
                _ => 0,
            })
            .sum();
        // Linux counts in hundredths for all programs.
        std::time::Duration::from_millis(ticks * 10)
    }

    /// The port at which it is reached over the network.
    pub fn port(&self) -> u16 {
        self.port.unwrap()
    }

    /// The certificate of the authority that vouches for it; `other.pem` beside it is another's.
    pub fn ca(&self) -> PathBuf {
        self.dir.join("ca.pem")
    }

    /// The address of one of its databases.
    pub fn address(&self, database: &str) -> String {
        let port = self.port.map_or_else(String::new, |port| format!(":{port}"));
        format!("postgres://estafette@{}{port}/{database}", self.dir.display().to_string().replace('/', "%2F"))
    }

    /// The address of a new and empty database.
    pub fn fresh(&self) -> String {
        let name = format!("t{}", MADE.fetch_add(1, Ordering::SeqCst));
        self.ask("postgres", &format!("CREATE DATABASE {name}"));
        self.address(&name)
    }

    /// What the server says to statements, row by row; as its own client would ask.
    pub fn ask(&self, database: &str, sql: &str) -> Vec<Vec<String>> {
        ask(&self.address(database), sql)
    }
}

/// What a database says to statements, row by row.
pub fn ask(address: &str, sql: &str) -> Vec<Vec<String>> {
    let mut client = postgres::Client::connect(address, postgres::NoTls).unwrap();
    let said = client.simple_query(sql).unwrap_or_else(|error| panic!("{sql}: {error:?}"));
    let row = |message: postgres::SimpleQueryMessage| match message {
        postgres::SimpleQueryMessage::Row(row) => {
            Some((0..row.len()).map(|at| row.get(at).unwrap_or("NULL").to_owned()).collect())
        }
        _ => None,
    };
    said.into_iter().filter_map(row).collect()
}

impl Drop for Rows {
    fn drop(&mut self) {
        let Ok((child, input, _)) = self.child.get_mut() else { return };
        // When its input ends the script takes the server away.
        let _ = input.flush();
        drop(std::mem::replace(input, nobody()));
        let _ = child.wait();
    }
}

/// The input of a process that wants none.
fn nobody() -> ChildStdin {
    Command::new("true").stdin(Stdio::piped()).spawn().unwrap().stdin.take().unwrap()
}
