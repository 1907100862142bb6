//! Answers that are kept for as long as the same is asked again.
//!
//! For questions whose answer follows from their words alone: asked once or a hundred times, the answer is the same, and
//! only the time that it takes can tell. So a memo belongs to no state, is equal to every other, and is born empty.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// The last answers to one kind of question, `MOST` of them.
pub struct Memo<Q, A, const MOST: usize>(Mutex<VecDeque<(Q, Arc<A>)>>);

impl<Q, A, const MOST: usize> Memo<Q, A, MOST> {
    /// The answer to the question that is `same`, or else the one that is made now.
    pub fn answer(&self, same: impl Fn(&Q) -> bool, make: impl FnOnce() -> (Q, A)) -> Arc<A> {
        if let Some(kept) = self.kept(same) {
            return kept;
        }
        // Nobody waits while it is made; made twice, it is the same.
        let (question, answer) = make();
        let answer = Arc::new(answer);
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push_front((question, Arc::clone(&answer)));
        kept.truncate(MOST);
        answer
    }

    fn kept(&self, same: impl Fn(&Q) -> bool) -> Option<Arc<A>> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = kept.iter().position(|(question, _)| same(question))?;
        let found = kept.remove(at)?;
        let answer = Arc::clone(&found.1);
        kept.push_front(found);
        Some(answer)
    }
}

impl<Q, A, const MOST: usize> Default for Memo<Q, A, MOST> {
    fn default() -> Self {
        Memo(Mutex::new(VecDeque::new()))
    }
}

impl<Q, A, const MOST: usize> Clone for Memo<Q, A, MOST> {
    fn clone(&self) -> Self {
        Memo::default()
    }
}

impl<Q, A, const MOST: usize> PartialEq for Memo<Q, A, MOST> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<Q, A, const MOST: usize> Eq for Memo<Q, A, MOST> {}

impl<Q, A, const MOST: usize> fmt::Debug for Memo<Q, A, MOST> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Memo")
    }
}
