//! Orders of I.a Administration (¶101-107): SOURCE, and what CENTER means in the command phase.

use crate::hex::Hex;

/// An order of this chapter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// SOURCE.
    Source(Source),
    /// CENTER DISBAND and CENTER RETURN. The verb CENTER is read with the marches.
    Center(Center),
    /// `CENTER FLEE TOWARD hex` (¶182): `None` for the active source, else the nearest.
    Flee(Option<Hex>),
}

/// What becomes of the supply source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// `SOURCE MOVE TO hex`: a change begins (¶101-103).
    Move(Hex),
    /// `SOURCE CONTINUE`: the change under way goes on, as it does of itself.
    Continue,
    /// `SOURCE CANCEL`: the change under way is given up.
    Cancel,
    /// `SOURCE PLACE hex`: a captured marker returns (¶79).
    Place(Hex),
    /// `SOURCE SWITCH TO hex`: to another source on the same line of the table, freely (¶104).
    Switch(Hex),
    /// `SOURCE VIA ALLY`, and `SOURCE VIA OWN` again: by the center of the other army of the side (¶94).
    Via(bool),
}

/// What becomes of the Center of Operations in the command phase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Center {
    /// `CENTER DISBAND` (¶106).
    Disband,
    /// `CENTER RETURN AT hex` (¶106, 184).
    Return(Hex),
}
