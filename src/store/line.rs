//! An encrypted line to a server, and how far the server went along with it. The client library's error does not say by
//! its type whether a server has no TLS at all; that its answer never led to a handshake does.

use std::error::Error as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use postgres::tls::{MakeTlsConnect, TlsConnect};
use postgres::{Client, Config, Socket};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::postgres::Failure;

/// The server was reached, and is asked whether it has TLS.
const ASKED: u8 = 1;
/// It has.
const BEGAN: u8 = 2;

type Connect = <MakeRustlsConnect as MakeTlsConnect<Socket>>::TlsConnect;

/// Makes lines encrypted, and notes how far that came.
struct Noting {
    rustls: MakeRustlsConnect,
    far: Arc<AtomicU8>,
}

/// One line.
struct NotingOne {
    rustls: Connect,
    far: Arc<AtomicU8>,
}

impl MakeTlsConnect<Socket> for Noting {
    type Stream = <MakeRustlsConnect as MakeTlsConnect<Socket>>::Stream;
    type TlsConnect = NotingOne;
    type Error = <MakeRustlsConnect as MakeTlsConnect<Socket>>::Error;

    fn make_tls_connect(&mut self, domain: &str) -> Result<NotingOne, Self::Error> {
        self.far.store(ASKED, Ordering::SeqCst);
        let rustls = MakeTlsConnect::<Socket>::make_tls_connect(&mut self.rustls, domain)?;
        Ok(NotingOne { rustls, far: Arc::clone(&self.far) })
    }
}

impl TlsConnect<Socket> for NotingOne {
    type Stream = <Connect as TlsConnect<Socket>>::Stream;
    type Error = <Connect as TlsConnect<Socket>>::Error;
    type Future = <Connect as TlsConnect<Socket>>::Future;

    fn connect(self, stream: Socket) -> Self::Future {
        self.far.store(BEGAN, Ordering::SeqCst);
        self.rustls.connect(stream)
    }
}

/// Opens an encrypted line.
///
/// # Errors
/// [`Failure::Bare`] where the server has no TLS; else what was said.
pub(super) fn encrypted(config: &Config, tls: &rustls::ClientConfig) -> Result<Client, Failure> {
    let far = Arc::new(AtomicU8::new(0));
    let rustls = MakeRustlsConnect::new(tls.clone());
    config.connect(Noting { rustls, far: Arc::clone(&far) }).map_err(|error| {
        // A line that broke before the answer came says nothing of it; nor does an address without a name.
        let answered = error.source().is_some_and(|source| !source.is::<std::io::Error>());
        let asked = far.load(Ordering::SeqCst) == ASKED && !config.get_hosts().is_empty();
        if asked && answered { Failure::Bare } else { error.into() }
    })
}
