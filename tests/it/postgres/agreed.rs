//! What the machines of one database go by: the server's clock, and the settings of the one that leads now.

use super::workers::{playing, until};
use super::{Path, Rows, TOYS, ask};
use crate::gateway::bench::written;
use crate::gateway::doors::say;
use estafette::clock::Clock;
use estafette::gateway::{self, Office};
use estafette::store::Store;
use std::io::BufReader;
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tempfile::TempDir;

#[test]
fn a_mail_that_is_delivered_comes_in_by_the_clock_of_the_server() {
    let rows = Rows::get();
    let address = rows.fresh();
    let (dir, subjects) = playing(&address);
    // To this machine the server's clock is two hours ahead.
    let odd = "CREATE SCHEMA odd; CREATE FUNCTION odd.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS \
               'SELECT pg_catalog.clock_timestamp() + interval ''2 hours'''";
    ask(&address, odd);
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let config = dir.path().join("config.toml");
    let said = std::fs::read_to_string(&config).unwrap();
    let ahead = said.replace(&address, &format!("{address}?options=-c%20search_path%3Dodd%2Cpg_catalog%2Cpublic"));
    assert_ne!(said, ahead);
    std::fs::write(&config, format!("{ahead}[lmtp]\nlisten = \"127.0.0.1:{port}\"\n")).unwrap();
    let began = jiff::Timestamp::now();
    let mail = |at: usize, n: u32| {
        let (seat, subject) = &subjects[at];
        written(&format!("{seat}@example.org"), &format!("Re: {subject}"), "MAP", n)
    };
    gateway::deliver(dir.path(), None, &mut mail(0, 30_000).as_bytes()).unwrap();
    let office = Office::with_clock(dir.path(), TOYS, true, Clock::system()).unwrap();
    office.open_doors(&Arc::new(AtomicBool::new(false))).unwrap();
    let mut line = BufReader::new(TcpStream::connect(("127.0.0.1", port)).unwrap());
    let asked = ["", "LHLO x", "MAIL FROM:<french@example.org>", "RCPT TO:<post@example.org>", "DATA"];
    for (asked, code) in asked.into_iter().zip(["220", "250", "250", "250", "354"]) {
        assert!(say(&mut line, asked).starts_with(code), "{asked}");
    }
    assert!(say(&mut line, &format!("{}\r\n.", mail(1, 30_001))).starts_with("250"));
    let came = Store::on_server(&address, false).unwrap().new_mails(9).unwrap();
    assert_eq!(came.len(), 2);
    for mail in came {
        let received: jiff::Timestamp = mail.received.parse().unwrap();
        let minutes = received.duration_since(began).as_mins();
        assert!((119..=130).contains(&minutes), "{minutes}");
    }
}

/// A directory with the settings of another one, and more.
fn beside(dir: &Path, more: &str) -> TempDir {
    let other = TempDir::new().unwrap();
    let config = std::fs::read_to_string(dir.join("config.toml")).unwrap();
    std::fs::write(other.path().join("config.toml"), format!("{more}{config}")).unwrap();
    other
}

#[test]
fn a_worker_compares_its_settings_with_nobody_who_leads_no_more() {
    let rows = Rows::get();
    let address = rows.fresh();
    let (dir, _) = playing(&address);
    let open = |dir: &Path| Office::with_clock(dir, TOYS, true, Clock::fixed(jiff::Timestamp::now())).unwrap();
    let mut gone = open(dir.path());
    gone.pass().unwrap();
    assert_eq!(gone.store.holder("lead").unwrap(), gone.store.session().unwrap());
    drop(gone);
    // Another one leads, and has not said yet by which settings.
    let next = Store::on_server(&address, false).unwrap();
    until("the lead is free", Duration::from_secs(20), || next.hold("lead", false).unwrap());
    assert_eq!(next.holder("lead").unwrap(), next.session().unwrap());
    let elsewhere = beside(dir.path(), "absent_days = 5\n");
    let mut other = open(elsewhere.path());
    assert_eq!((other.pass().unwrap().read, other.ailing()), (0, Vec::new()));
    next.let_go("lead");
    assert_eq!(next.holder("lead").unwrap(), None);
    // Once it leads, it is what others are compared with.
    other.pass().unwrap();
    assert_eq!((other.ailing(), other.store.holder("lead").unwrap()), (Vec::new(), other.store.session().unwrap()));
    let mut same = open(dir.path());
    same.pass().unwrap();
    let said: Vec<String> = same.ailing().iter().map(|ailing| ailing.why.clone()).collect();
    assert!(said.len() == 1 && said[0].contains("does nothing: absent_days."), "{said:?}");
}
