//! TLS to a server of ours: by the machine's certificates, or by an authority of the operator's own.

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

/// Largest file of certificates, in bytes.
const PEM_BYTES_MAX: u64 = 1 << 20;

/// The certificates of the operator's own authority, in a PEM file's bytes.
///
/// # Errors
/// A file that cannot be read, as a sentence without its end.
pub fn pem(path: &Path) -> Result<Vec<u8>, String> {
    let mut pem = Vec::new();
    let read = std::fs::File::open(path).and_then(|file| file.take(PEM_BYTES_MAX).read_to_end(&mut pem));
    read.map_err(|why| format!("{}: {why}", path.display()))?;
    Ok(pem)
}

/// How a line is begun: the operator's own authority and no other, in a PEM file's bytes, or else the machine's.
///
/// # Errors
/// Certificates that cannot be read, as a sentence without its end.
pub fn client(own: Option<&[u8]>) -> Result<ClientConfig, String> {
    let mut roots = RootCertStore::empty();
    match own {
        Some(pem) => {
            for certificate in CertificateDer::pem_slice_iter(pem) {
                let certificate = certificate.map_err(|why| why.to_string())?;
                roots.add(certificate).map_err(|why| why.to_string())?;
            }
            if roots.is_empty() {
                return Err("there is no certificate in it".to_owned());
            }
        }
        // Some of a machine's certificates may be odd; those that are sound count.
        None => drop(roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs)),
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    Ok(config.map_err(|why| why.to_string())?.with_root_certificates(roots).with_no_client_auth())
}
