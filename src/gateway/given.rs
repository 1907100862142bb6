//! What restores gave out, written beside the database: the one in which it stands may be lost, too, and the same copy be put
//! in place again. Then no number comes twice, and answers to letters of that time are known.

use super::error::{OfficeError, Trouble};
use super::files::{io, sync_folder, write_synced};
use super::post::Desk;
use crate::store;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The file: one restore of a game a line.
const GIVEN: &str = "estafette.restores";
/// So many numbers a seat may have been given after a restore of which no database is left.
const GIVEN_MAX: u32 = 500;

/// What a restore gave out.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Given {
    /// The game.
    pub(super) game: String,
    /// Its epoch from then on.
    pub(super) epoch: String,
    /// The last number that each seat gave up then: its mails have those behind it.
    pub(super) last: BTreeMap<String, u32>,
}

/// What earlier restores gave out; a line that cannot be read says nothing.
pub(super) fn given_before(dir: &Path) -> Vec<Given> {
    let text = fs::read_to_string(dir.join(GIVEN)).unwrap_or_default();
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// Writes down what a restore gives out, before anything of it is mailed.
pub(super) fn note_given(dir: &Path, new: &[Given]) -> Result<(), OfficeError> {
    let all = given_before(dir).into_iter().chain(new.iter().cloned());
    let lines: String = all.filter_map(|given| serde_json::to_string(&given).ok()).map(|line| line + "\n").collect();
    let (path, half) = (dir.join(GIVEN), dir.join(format!("{GIVEN}.new")));
    write_synced(&half, lines.as_bytes())?;
    fs::rename(&half, &path).map_err(|source| io(&path, source))?;
    sync_folder(dir)
}

impl Desk<'_> {
    /// Knows the tags of letters that went out after an earlier restore of which the copy knows nothing.
    pub(super) fn know_given(&self, given: &[Given], seats: &BTreeMap<String, u32>) -> Result<(), Trouble> {
        let id = &self.row.id;
        let mut known: String = self.row.epoch.clone();
        for kind in ["post.restored", "post.epoch"] {
            self.act.log_of_kind(id, kind, 1)?.iter().for_each(|entry| known.push_str(&entry.body));
        }
        for given in given.iter().filter(|given| given.game == *id && !known.contains(&given.epoch)) {
            let then = store::Game { epoch: given.epoch.clone(), ..self.row.clone() };
            let desk = Desk { row: &then, ..*self };
            for (seat, last) in given.last.iter().filter(|(seat, _)| seats.contains_key(*seat)) {
                for number in last.saturating_add(1)..=last.saturating_add(GIVEN_MAX) {
                    if let Some(tag) = desk.tags(seat, number, None)?.first()
                        && self.act.tag_holder(&tag.secret)?.is_none()
                    {
                        self.act.put_tag(id, seat, number, &tag.secret)?;
                    }
                }
            }
        }
        Ok(())
    }
}
