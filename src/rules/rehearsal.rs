//! What a plan comes to as far as its seat can know: each order tried on the view that the orders above it leave.

/// What one order of a plan comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rehearsed<V> {
    /// Where it ends, what it costs, by what chance; short sentences, each a line.
    pub said: Vec<String>,
    /// What its writer should know before it is sent.
    pub warnings: Vec<Warning>,
    /// The view that it most likely leaves: own pieces moved, enemy counters where they stand, nothing learnt.
    pub after: V,
}

/// One warning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// Which of them.
    pub kind: Caution,
    /// A sentence.
    pub text: String,
    /// The paragraph, such as `¶371`; empty where it rests on none.
    pub rule: String,
}

/// The warnings that there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Caution {
    /// W1: the line ends where an attack is demanded.
    MustAttack,
    /// W2: a force or unit that could act has no orders.
    NoOrders,
    /// W3: a place ends above its limit, or without a leader who may command all in it.
    Stack,
    /// W4: far round, or past an enemy.
    Detour,
    /// W5: beyond reach.
    Reach,
    /// W6: out of command, or more commands than points.
    Command,
    /// W7: the center moves or may have to flee.
    Center,
    /// W8: the line of communications runs where known enemies may cut it.
    Communications,
    /// W9: a mean loss of more than one point.
    Attrition,
    /// W10: the last force leaves a place that scores.
    Objective,
    /// W11: it changes nothing.
    NoEffect,
    /// W12: an enemy stands there.
    Enemy,
    /// W13: out of arc, sight, range or ammunition, or a charge that comes short.
    Short,
}
