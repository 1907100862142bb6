//! Values that are not kept with what stands on them, and are lent to whoever reads that back.
//!
//! What is printed is the same for all positions of a game, and is read from the game's files. A position that is kept leaves
//! it out, and gets it again from a position that is there.

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::Serializer;
use std::any::Any;
use std::cell::RefCell;
use std::sync::Arc;

thread_local! {
    /// What is lent in this thread, while something is read.
    static LENT: RefCell<Option<Arc<dyn Any + Send + Sync>>> = const { RefCell::new(None) };
}

/// Reads something while a value is lent to it.
pub fn lending<O>(value: Arc<dyn Any + Send + Sync>, read: impl FnOnce() -> O) -> O {
    let _back = Back(LENT.replace(Some(value)));
    read()
}

/// What was lent before, to be lent again, also where the reader breaks off.
struct Back(Option<Arc<dyn Any + Send + Sync>>);

impl Drop for Back {
    fn drop(&mut self) {
        LENT.set(self.0.take());
    }
}

/// Keeps nothing of a value.
///
/// # Errors
/// Those of who writes.
pub fn nothing<T, S: Serializer>(_value: &Arc<T>, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_unit()
}

/// The value that is lent.
///
/// # Errors
/// Nothing is lent, or something of another type.
pub fn read<'de, T: Any + Send + Sync, D: Deserializer<'de>>(from: D) -> Result<Arc<T>, D::Error> {
    <()>::deserialize(from)?;
    let lent = LENT.with_borrow(Clone::clone);
    lent.and_then(|lent| lent.downcast().ok())
        .ok_or_else(|| D::Error::custom("nothing is lent on which it could stand"))
}
