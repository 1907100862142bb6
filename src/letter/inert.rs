//! What pages with a script of their own share: a policy that lets nothing else in, and data that cannot end its element.

use data_encoding::BASE64;
use minijinja::{AutoEscape, Environment, Value};
use sha2::{Digest as _, Sha256};

/// How a map is moved on these pages.
pub(super) const WINDOW: &str = include_str!("../../templates/window.js");

/// Nothing from anywhere, and no script or style but the page's own.
pub(super) fn policy(style: &str, script: &str) -> String {
    let digest = |text: &str| format!("'sha256-{}'", BASE64.encode(&Sha256::digest(text.as_bytes())));
    let (style, script) = (digest(style), digest(script));
    format!("default-src 'none'; style-src {style}; script-src {script}; base-uri 'none'; form-action 'none'")
}

/// JSON that cannot end the element in which it stands.
pub(super) fn inert(json: &str) -> String {
    json.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

/// A page of the package's own, filled.
///
/// # Errors
/// Never but by a fault of that page, which a test would find.
pub(super) fn fill(page: &str, with: Value) -> Result<String, String> {
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.render_str(page, with).map_err(|error| error.to_string())
}
