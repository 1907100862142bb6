//! An event by who is told of it. A chapter declares each kind once, in the list that says who may know it:
//!
//! | list | who is told | declared in |
//! |---|---|---|
//! | `Open` | both sides, as it is | `told.rs`: paper may name it |
//! | `Own` | its side alone, as it is but for the side | `told.rs` |
//! | `Partly` | each side otherwise, as `seen_by` says: a `Glimpse` | `event.rs`, the glimpse in `told.rs` |
//! | `Quiet` | nobody | `event.rs` |
//!
//! Written down, an event is one flat object, `kind` first; of one's own `side` comes next. The lists leave no trace in a
//! chain. Where every kind of a chapter has a side, it may be taken out of `Partly` and `Quiet` too, by [`Of`].

use crate::fog::SideId;
use serde::de::{DeserializeOwned, Error as _};
use serde::ser::{Error as _, SerializeMap};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};
use std::fmt;
use strum::VariantNames;

/// An event of a chapter.
#[derive(Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Event<Open, Own, Partly, Quiet> {
    /// It lies open.
    Open(Open),
    /// One side's own affair.
    Own(Of<Own>),
    /// Each side sees it otherwise.
    Partly(Partly),
    /// Nobody is told.
    Quiet(Quiet),
}

/// What a side is told of a chapter.
#[derive(Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Sighting<Open, Own, Glimpse> {
    /// It lies open.
    Open(Open),
    /// The reader's own affair.
    Own(Own),
    /// As the reader may see it.
    Partly(Glimpse),
}

/// A kind, and whose it is.
#[derive(Clone, PartialEq, Eq)]
pub struct Of<T> {
    /// Whose.
    pub side: SideId,
    /// What.
    pub what: T,
}

/// A list of a chapter that has no kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, VariantNames)]
#[serde(tag = "kind")]
pub enum Never {}

impl<Open: Clone, Own: Clone, Partly, Quiet> Event<Open, Own, Partly, Quiet> {
    /// What a side is told; `glimpse` says it of what each side sees otherwise.
    pub fn told_to<Glimpse>(
        &self,
        to: &SideId,
        glimpse: impl FnOnce(&Partly) -> Option<Glimpse>,
    ) -> Option<Sighting<Open, Own, Glimpse>> {
        match self {
            Event::Open(what) => Some(Sighting::Open(what.clone())),
            Event::Own(of) => (of.side == *to).then(|| Sighting::Own(of.what.clone())),
            Event::Partly(what) => glimpse(what).map(Sighting::Partly),
            Event::Quiet(_) => None,
        }
    }
}

// As a kind alone is shown: which list it is in says its name.
impl<Open: fmt::Debug, Own: fmt::Debug, Partly: fmt::Debug, Quiet: fmt::Debug> fmt::Debug
    for Event<Open, Own, Partly, Quiet>
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::Open(what) => what.fmt(f),
            Event::Own(of) => of.fmt(f),
            Event::Partly(what) => what.fmt(f),
            Event::Quiet(what) => what.fmt(f),
        }
    }
}

impl<T: fmt::Debug> fmt::Debug for Of<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} of {}", self.what, self.side)
    }
}

impl<Open: fmt::Debug, Own: fmt::Debug, Glimpse: fmt::Debug> fmt::Debug for Sighting<Open, Own, Glimpse> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sighting::Open(what) => what.fmt(f),
            Sighting::Own(what) => what.fmt(f),
            Sighting::Partly(what) => what.fmt(f),
        }
    }
}

impl<T: Serialize> Serialize for Of<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let body = serde_json::to_value(&self.what).map_err(S::Error::custom)?;
        let fields = body.as_object().ok_or_else(|| S::Error::custom("an event is an object"))?;
        let mut map = to.serialize_map(Some(fields.len() + 1))?;
        for (n, (name, value)) in fields.iter().enumerate() {
            map.serialize_entry(name, value)?;
            if n == 0 {
                map.serialize_entry("side", &self.side)?;
            }
        }
        map.end()
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Of<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let mut fields = Map::deserialize(from)?;
        let side = fields.remove("side").ok_or_else(|| D::Error::missing_field("side"))?;
        let side = serde_json::from_value(side).map_err(D::Error::custom)?;
        what(fields).map(|what| Of { side, what })
    }
}

impl<T: VariantNames> VariantNames for Of<T> {
    const VARIANTS: &'static [&'static str] = T::VARIANTS;
}

/// The `kind` that an object names.
fn kind<E: serde::de::Error>(fields: &Map<String, Value>) -> Result<&str, E> {
    fields.get("kind").and_then(Value::as_str).ok_or_else(|| E::missing_field("kind"))
}

/// Reads one kind of a list.
fn what<T: DeserializeOwned, E: serde::de::Error>(fields: Map<String, Value>) -> Result<T, E> {
    serde_json::from_value(Value::Object(fields)).map_err(E::custom)
}

// By the kind that stands there, and not by what happens to fit: so an error names the field that is wrong.
impl<'de, Open, Own, Partly, Quiet> Deserialize<'de> for Event<Open, Own, Partly, Quiet>
where
    Open: DeserializeOwned + VariantNames,
    Own: DeserializeOwned + VariantNames,
    Partly: DeserializeOwned + VariantNames,
    Quiet: DeserializeOwned + VariantNames,
{
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let fields = Map::deserialize(from)?;
        let named = kind::<D::Error>(&fields)?;
        if Open::VARIANTS.contains(&named) {
            return what(fields).map(Event::Open);
        }
        if Own::VARIANTS.contains(&named) {
            return what(fields).map(Event::Own);
        }
        if Partly::VARIANTS.contains(&named) {
            return what(fields).map(Event::Partly);
        }
        what(fields).map(Event::Quiet)
    }
}

impl<'de, Open, Own, Glimpse> Deserialize<'de> for Sighting<Open, Own, Glimpse>
where
    Open: DeserializeOwned + VariantNames,
    Own: DeserializeOwned + VariantNames,
    Glimpse: DeserializeOwned,
{
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let fields = Map::deserialize(from)?;
        let named = kind::<D::Error>(&fields)?;
        if Open::VARIANTS.contains(&named) {
            return what(fields).map(Sighting::Open);
        }
        if Own::VARIANTS.contains(&named) {
            return what(fields).map(Sighting::Own);
        }
        what(fields).map(Sighting::Partly)
    }
}
