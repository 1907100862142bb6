//! A proxy between the daemon and a server that harms what passes, when it is told to.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// What is done to the line after so many more bytes one way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Harm {
    /// The line is cut.
    Cut,
    /// Garbage comes in between.
    Garbage,
    /// The rest is swallowed, and then the line is cut.
    Swallow,
    /// The rest comes late.
    Delay,
}

/// How late it comes.
const LATE: std::time::Duration = std::time::Duration::from_millis(150);

#[derive(Default)]
struct Plan {
    harm: Option<(Harm, bool, usize)>,
    done: usize,
}

pub struct Proxy {
    pub port: u16,
    plan: Arc<Mutex<Plan>>,
}

impl Proxy {
    pub fn to(server: u16) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let plan = Arc::new(Mutex::new(Plan::default()));
        let shared = Arc::clone(&plan);
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let Ok(server) = TcpStream::connect(("127.0.0.1", server)) else { continue };
                for (from, to, down) in [(&server, &client, true), (&client, &server, false)] {
                    let (from, to) = (from.try_clone().unwrap(), to.try_clone().unwrap());
                    let plan = Arc::clone(&shared);
                    std::thread::spawn(move || pass(from, to, down, &plan));
                }
            }
        });
        Proxy { port, plan }
    }

    /// Harms the line once, after so many more bytes towards the client (`down`) or the server.
    pub fn harm(&self, harm: Harm, down: bool, after: usize) {
        self.plan.lock().unwrap().harm = Some((harm, down, after));
    }

    /// Nothing more is harmed; tells how often something was.
    pub fn rest(&self) -> usize {
        let mut plan = self.plan.lock().unwrap();
        plan.harm = None;
        plan.done
    }
}

fn pass(mut from: TcpStream, mut to: TcpStream, down: bool, plan: &Mutex<Plan>) {
    let mut bytes = [0; 4096];
    loop {
        let count = from.read(&mut bytes).unwrap_or(0);
        if count == 0 {
            break;
        }
        let (through, harm) = harmed(plan, down, count);
        if to.write_all(&bytes[..through]).is_err() {
            break;
        }
        match harm {
            None => {}
            Some(Harm::Garbage) => {
                let junk = b"\r\n* \x00\xff({99999}\r\n)))) BAD 220 250-\r\n";
                if to.write_all(junk).is_err() || to.write_all(&bytes[through..count]).is_err() {
                    break;
                }
            }
            Some(Harm::Delay) => {
                std::thread::sleep(LATE);
                if to.write_all(&bytes[through..count]).is_err() {
                    break;
                }
            }
            Some(Harm::Cut | Harm::Swallow) => break,
        }
    }
    let _ = from.shutdown(Shutdown::Both);
    let _ = to.shutdown(Shutdown::Both);
}

/// How many of the bytes go through, and what happens then.
fn harmed(plan: &Mutex<Plan>, down: bool, count: usize) -> (usize, Option<Harm>) {
    let mut plan = plan.lock().unwrap();
    match plan.harm {
        Some((harm, way, after)) if way == down => {
            if after >= count {
                plan.harm = Some((harm, way, after - count));
                return (count, None);
            }
            plan.harm = None;
            plan.done += 1;
            (if harm == Harm::Swallow { 0 } else { after }, Some(harm))
        }
        _ => (count, None),
    }
}
