//! What the files of a scenario come to, read once for all games that are played on it.

use super::paper::Paper;
use crate::rules::lift::lift;
use crate::rules::staff::{self, Staff};
use sha2::{Digest, Sha256};
use std::any::{Any, TypeId};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;

/// So many scenarios a thread keeps.
const MOST: usize = 8;

/// A scenario as it is laid out before anything has happened.
pub(super) struct Laid<R: Paper> {
    /// Where all stands before the set-up.
    pub state: R::State,
    /// The set-up.
    pub setup: Vec<R::Event>,
    /// Who commands whom.
    pub staff: Staff,
}

/// The ruleset and the digest of the files.
type Key = (TypeId, [u8; 32]);

thread_local! {
    static KEPT: RefCell<VecDeque<(Key, Rc<dyn Any>)>> = const { RefCell::new(VecDeque::new()) };
}

/// What a scenario's files come to: read, or as it was read before. Files say all that it follows from, and what is read is
/// never written to.
///
/// # Errors
/// The flaws of the files.
pub(super) fn laid<R: Paper>(files: &[(String, String)]) -> Result<Arc<Laid<R>>, Vec<String>> {
    let key = (TypeId::of::<R>(), digest(files));
    let kept = KEPT.with_borrow_mut(|kept| {
        let at = kept.iter().position(|(found, _)| *found == key)?;
        let found = kept.remove(at)?;
        kept.push_front(found.clone());
        found.1.downcast_ref::<Arc<Laid<R>>>().cloned()
    });
    if let Some(kept) = kept {
        return Ok(kept);
    }
    let read = Arc::new(read::<R>(files)?);
    KEPT.with_borrow_mut(|kept| {
        kept.push_front((key, Rc::new(Arc::clone(&read))));
        kept.truncate(MOST);
    });
    Ok(read)
}

fn read<R: Paper>(files: &[(String, String)]) -> Result<Laid<R>, Vec<String>> {
    // What is kept, digested and sealed is the text as it was; only play reads it lifted.
    let files = lift(R::LIFTS, files)?;
    let (own, staff) = staff::apart(&files);
    let (state, setup) = R::open(&own)?;
    let staff =
        staff::seated::<R>(staff, &state).map_err(|flaws| flaws.iter().map(ToString::to_string).collect::<Vec<_>>())?;
    Ok(Laid { state, setup, staff })
}

fn digest(files: &[(String, String)]) -> [u8; 32] {
    let mut digest = Sha256::new();
    for part in files.iter().flat_map(|(path, text)| [path, text]) {
        digest.update(part.len().to_be_bytes());
        digest.update(part);
    }
    digest.finalize().into()
}
