//! Answers that are kept for as long as the same is asked again.
//!
//! For questions whose answer follows from their words alone: asked once or a hundred times, the answer is the same, and
//! only the time that it takes can tell. So a memo belongs to no state, is equal to every other, and is born empty.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What is kept apart from all that it is kept with: a copy of it is empty, and it is equal to every other.
pub struct Kept<T, const MOST: usize>(Mutex<T>);

/// The last answers to one kind of question, `MOST` of them.
pub type Memo<Q, A, const MOST: usize> = Kept<VecDeque<(Q, Arc<A>)>, MOST>;

/// Answers to one kind of question, found by the question itself: all of them, until they are `MOST`; then it begins anew.
pub type Known<Q, A, const MOST: usize> = Kept<BTreeMap<Q, A>, MOST>;

impl<T, const MOST: usize> Kept<T, MOST> {
    fn open(&self) -> MutexGuard<'_, T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<Q, A, const MOST: usize> Memo<Q, A, MOST> {
    /// The answer to the question that is `same`, or else the one that is made now.
    pub fn answer(&self, same: impl Fn(&Q) -> bool, make: impl FnOnce() -> (Q, A)) -> Arc<A> {
        if let Some(kept) = self.kept(same) {
            return kept;
        }
        // Nobody waits while it is made; made twice, it is the same.
        let (question, answer) = make();
        let answer = Arc::new(answer);
        let mut kept = self.open();
        kept.push_front((question, Arc::clone(&answer)));
        kept.truncate(MOST);
        answer
    }

    fn kept(&self, same: impl Fn(&Q) -> bool) -> Option<Arc<A>> {
        let mut kept = self.open();
        let at = kept.iter().position(|(question, _)| same(question))?;
        let found = kept.remove(at)?;
        let answer = Arc::clone(&found.1);
        kept.push_front(found);
        Some(answer)
    }
}

impl<Q: Ord + Copy, A, const MOST: usize> Known<Q, A, MOST> {
    /// What is read out of the answer to a question, that is made where there is none yet.
    pub fn look<T>(&self, question: Q, make: impl FnOnce() -> A, read: impl FnOnce(&A) -> T) -> T {
        if let Some(kept) = self.open().get(&question) {
            return read(kept);
        }
        let answer = make();
        let found = read(&answer);
        let mut kept = self.open();
        if kept.len() >= MOST {
            kept.clear();
        }
        kept.insert(question, answer);
        found
    }
}

impl<T: Default, const MOST: usize> Default for Kept<T, MOST> {
    fn default() -> Self {
        Kept(Mutex::default())
    }
}

impl<T: Default, const MOST: usize> Clone for Kept<T, MOST> {
    fn clone(&self) -> Self {
        Kept::default()
    }
}

impl<T, const MOST: usize> PartialEq for Kept<T, MOST> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<T, const MOST: usize> Eq for Kept<T, MOST> {}

impl<T, const MOST: usize> fmt::Debug for Kept<T, MOST> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Kept")
    }
}
