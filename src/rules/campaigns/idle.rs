//! Why a Center of Operations is inactive.

/// Why a Center of Operations is inactive (¶92).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Idle {
    /// It is disbanded, or has fled off the map (¶106, 183).
    OffMap,
    /// It moved in its side's last turn (¶181).
    Moved,
    /// The source marker is turned over (¶103).
    SourceChanging,
    /// The source is captured (¶78).
    NoSource,
    /// There is no line of communication to the active source (¶80).
    NoLine,
    /// An enemy counter stands in the place that is the center (¶92).
    Occupied,
}
