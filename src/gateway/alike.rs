//! Whether the workers of one database have the same settings: by others the same mail would be answered otherwise, and
//! who answers is chance.

use super::error::OfficeError;
use super::office::{LEAD, Office};
use crate::config::Config;
use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};

/// Under which mark stand the settings of the one that leads.
const SETTINGS: &str = "settings";

/// What may differ from one machine to the next.
const OF_A_MACHINE: [&str; 8] = ["transport", "store", "metrics", "imap", "smtp", "lmtp", "backup", "beacon_command"];

/// Digests of the settings on which letters hang, by their names, and of the templates.
type Settings = BTreeMap<String, String>;

/// What the one that leads writes down.
#[derive(Serialize, Deserialize)]
struct Written {
    /// Its session: what another wrote that led before holds no more.
    by: Option<String>,
    /// Its settings.
    settings: Settings,
}

/// The settings of a worker.
pub(super) struct Alike {
    own: Settings,
    /// Whether this one that leads has written them down.
    pub written: bool,
}

impl Alike {
    /// The settings of a post office's directory, and the templates that lie there.
    pub(super) fn of(config: &Config, templates: &[(String, String)]) -> Alike {
        let Ok(Value::Object(all)) = serde_json::to_value(config) else {
            return Alike { own: Settings::new(), written: false };
        };
        let kept = all.into_iter().filter(|(name, _)| !OF_A_MACHINE.contains(&name.as_str()));
        let mut own: Settings = kept.map(|(name, value)| (name, digest(&value.to_string()))).collect();
        own.extend(templates.iter().map(|(name, text)| (format!("templates/{name}"), digest(text))));
        Alike { own, written: false }
    }
}

fn digest(text: &str) -> String {
    HEXLOWER.encode(&Sha256::digest(text)[..8])
}

impl Office {
    /// The one that leads writes its settings down; another whose settings differ does nothing until they are the same. False
    /// while nobody leads, or who does has not written yet: what one wrote that led before is compared with nothing.
    pub(super) fn is_alike(&mut self) -> Result<bool, OfficeError> {
        if !self.serving || !self.store.is_shared() {
            return Ok(true);
        }
        if self.leads {
            if !self.alike.written {
                let written = Written { by: self.store.session()?, settings: self.alike.own.clone() };
                let text = serde_json::to_string(&written).unwrap_or_default();
                self.store.act(|act| act.set_mark(SETTINGS, &text))?;
                self.alike.written = true;
            }
            return Ok(true);
        }
        let leader = self.store.holder(LEAD)?;
        let Some(kept) = self.store.mark(SETTINGS)?.filter(|_| leader.is_some()) else { return Ok(false) };
        // What another program wrote in another way says nothing of these settings.
        let Ok(written) = serde_json::from_str::<Written>(&kept) else { return Ok(true) };
        if written.by != leader {
            return Ok(false);
        }
        let theirs = written.settings;
        let names: BTreeSet<&String> = self.alike.own.keys().chain(theirs.keys()).collect();
        let differ: Vec<&str> = names
            .into_iter()
            .filter(|name| self.alike.own.get(*name) != theirs.get(*name))
            .map(String::as_str)
            .collect();
        if differ.is_empty() {
            return Ok(true);
        }
        Err(OfficeError::Refused(format!(
            "the settings of this worker are not those of the one that leads, so it does nothing: {}. Make config.toml and \
             templates the same everywhere and start the workers again.",
            differ.join(", ")
        )))
    }
}
