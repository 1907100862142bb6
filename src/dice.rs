//! Dice whose seeds were committed beforehand: what both dice protocols share, and version 1; version 2 is [`two`].
//!
//! Every die follows from a seed, a salt, a label and a count, by HMAC-SHA256 and ChaCha20 (RFC 2104, RFC 8439), so that
//! anyone can compute it again from what is published. No roll depends on how many others were made.

pub mod beacon;
pub mod two;

use crate::fog::SideId;
use hmac::{Hmac, KeyInit, Mac};
use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt;

/// 32 secret or published bytes.
pub type Bytes32 = [u8; 32];

/// Spare slots committed after the last turn's, for turns that are played again.
pub const SPARE_SLOTS: u32 = 16;

/// Who may see a roll when it is made.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// All sides.
    Public,
    /// One side, until the game ends.
    Of(SideId),
    /// No side, until the game ends: only dice protocol 2 has it.
    Hidden,
}

/// The name of a roll, built from literals and names and never from positions, ids or counters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Label {
    scope: Scope,
    text: String,
    owner: Option<Owner>,
}

/// Who of a side rolls: by this, and by no word of the label, its seats see the dice where they know only their own.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Owner {
    /// The side as a whole: all of its seats see it.
    Army,
    /// A leader, with those above him, he himself first, by their ids: the seat that they obey sees it.
    Leader(Vec<String>),
    /// Somebody on the road, of whom nobody hears before he comes in: no seat sees it before the game is over.
    Rider,
}

/// A name that every side knows: a place, a purpose, a turn. Pieces have none.
pub trait OpenName {
    /// The name as it stands in a label.
    fn open_name(&self) -> String;
}

/// The name of a piece as its owner says it.
pub trait OwnName {
    /// The name as it stands in a label of its owner's scope.
    fn own_name(&self) -> String;
    /// Whose piece it is.
    fn owner(&self) -> SideId;
    /// Who of its side rolls for it.
    fn roller(&self) -> Owner;
}

/// The receipt of one roll.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Roll {
    /// Who may see it.
    pub scope: Scope,
    /// What it is for.
    pub label: String,
    /// How many rolls with this label and scope went before it in the slot.
    pub n: u32,
    /// Sides of the die.
    pub sides: u32,
    /// The dice in order.
    pub dice: Vec<u32>,
    /// Whether an umpire said what the dice show, so that no seed made them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fiat: bool,
    /// Who of its side rolled; public rolls have none, and those of chains that were begun before it was written down.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<Owner>,
}

impl Roll {
    /// Whether a roll that is recomputed is this one as it was kept; an owner that was not written down is not compared.
    pub fn agrees(&self, again: &Roll) -> bool {
        let owner = self.owner.as_ref().and(again.owner.as_ref()).cloned();
        *self == Roll { owner, ..again.clone() }
    }
}

/// Dice that an umpire has fixed before they are rolled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fiat {
    /// Who may see the roll.
    pub scope: Scope,
    /// What it is for.
    pub label: String,
    /// How many rolls with this label and scope go before it in the slot.
    pub n: u32,
    /// The dice in order.
    pub dice: Vec<u32>,
}

/// A cup in which some rolls lie already.
pub struct Fixed<'a> {
    /// Where all other dice come from.
    pub cup: &'a dyn Cup,
    /// What lies in it.
    pub fiats: &'a [Fiat],
}

/// Where dice come from: committed seeds in a game, a list in a rule case.
pub trait Cup {
    /// Draws `count` dice of `sides` sides; `None` if this cup holds no such roll.
    fn draw(&self, scope: &Scope, label: &str, n: u32, count: u32, sides: u32) -> Option<Vec<u32>>;
    /// What an umpire has fixed for a roll, where it fits the dice that the rules ask for.
    fn fixed(&self, _scope: &Scope, _label: &str, _n: u32, _count: u32, _sides: u32) -> Option<Vec<u32>> {
        None
    }
}

/// The seeds of one slot, with the salt of the game's nonces.
pub struct Seeds {
    by_scope: BTreeMap<Scope, Bytes32>,
    salt: Bytes32,
    roll: RollOf,
}

/// How a dice protocol makes a roll: of seed, salt, label, count of those before it, number of dice, sides.
type RollOf = fn(&Bytes32, &Bytes32, &str, u32, u32, u32) -> Vec<u32>;

/// The secret from which all seeds of a game follow.
pub struct Master(Bytes32);

/// What the seeds of a game's slots follow from.
#[derive(Clone)]
pub enum Secrets {
    /// Dice protocol 1: one master and one salt for all slots.
    One {
        /// The master.
        master: Bytes32,
        /// The digest of the seats' nonces; zeros until all have signed on.
        salt: Bytes32,
    },
    /// Dice protocol 2: each notice has its own slots, master and salt.
    Two(Vec<Noticed>),
}

/// The secrets of the slots that one notice commits, under dice protocol 2.
#[derive(Clone)]
pub struct Noticed {
    /// Its first and last slot.
    pub slots: (u32, u32),
    /// Its master.
    pub master: Bytes32,
    /// Its salt; none while its words or its value are waited for.
    pub salt: Option<Bytes32>,
}

/// Commitments that were published together.
pub struct List {
    /// Its first slot.
    pub first: u32,
    /// The epoch from which its seeds follow; empty before the first restore, and under dice protocol 2.
    pub epoch: String,
    /// Its lines, in the published order.
    pub lines: Vec<Commitment>,
}

impl Noticed {
    /// Whether it commits a slot.
    fn commits(&self, slot: u32) -> bool {
        (self.slots.0..=self.slots.1).contains(&slot)
    }
}

impl Secrets {
    /// The seeds of one slot, ready to roll; `epochs` are those of protocol 1.
    pub fn seeds(&self, epochs: &Epochs, game: &str, slot: u32, sides: &[SideId]) -> Seeds {
        match self {
            Secrets::One { master, salt } => Master(*master).seeds_in(epochs, game, slot, (sides, *salt)),
            Secrets::Two(notices) => match notices.iter().find(|notice| notice.commits(slot)) {
                Some(Noticed { master, salt: Some(salt), .. }) => Seeds::two(master, game, slot, (sides, *salt)),
                _ => Seeds::none(),
            },
        }
    }

    /// One seed; none where no notice commits its slot.
    pub fn seed(&self, epochs: &Epochs, game: &str, slot: u32, scope: &Scope) -> Option<Bytes32> {
        match self {
            Secrets::One { master, .. } => Some(Master(*master).seed_in(epochs, game, slot, scope)),
            Secrets::Two(notices) => {
                let notice = notices.iter().find(|notice| notice.commits(slot))?;
                Some(two::seed(&notice.master, game, slot, scope.text()))
            }
        }
    }

    /// The masters of all seeds: one, or under protocol 2 that of each notice.
    pub fn masters(&self) -> Vec<Bytes32> {
        match self {
            Secrets::One { master, .. } => vec![*master],
            Secrets::Two(notices) => notices.iter().map(|notice| notice.master).collect(),
        }
    }

    /// Every list that was published: before the game, and at each restore; under protocol 2 that of each notice.
    pub fn lists(&self, epochs: &Epochs, game: &str, (last_turn, sides): (u32, &[SideId])) -> Vec<List> {
        match self {
            Secrets::One { master, .. } => {
                let of = |(first, epoch)| {
                    let lines = Master(*master).commitments_from(epochs, first, game, (last_turn, sides));
                    List { first, epoch, lines }
                };
                epochs.all().into_iter().map(of).collect()
            }
            Secrets::Two(notices) => {
                let of = |notice: &Noticed| {
                    let (first, last) = notice.slots;
                    let lines = two::commitments(&notice.master, game, first..=last, sides);
                    List { first, epoch: String::new(), lines }
                };
                notices.iter().map(of).collect()
            }
        }
    }

    /// The root of a list; under protocol 2 it binds the terms, too.
    pub fn root(&self, terms: &str, list: &List) -> Bytes32 {
        match self {
            Secrets::One { .. } => root(&list.lines),
            Secrets::Two(_) => two::root(terms, &two::list(&list.lines)),
        }
    }
}

/// Slots whose seeds were drawn anew when the post office was restored from a backup: nobody has seen them, although
/// somebody may have seen those of the slots before.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Epochs(Vec<Epoch>);

/// From a slot on, seeds follow from the master and this name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Epoch {
    first: u32,
    name: String,
}

impl Epochs {
    /// Begins another one behind the slots of a game that has so many turns; its first slot.
    pub fn begin(&mut self, name: &str, last_turn: u32) -> u32 {
        let first = self.first().saturating_add(last_turn).saturating_add(SPARE_SLOTS).saturating_add(1);
        self.0.push(Epoch { first, name: name.to_owned() });
        first
    }

    /// Those that a bundle names: first slot and name of each, the one before the first restore left out.
    pub fn named(later: impl IntoIterator<Item = (u32, String)>) -> Epochs {
        Epochs(later.into_iter().map(|(first, name)| Epoch { first, name }).collect())
    }

    /// The slot that stands for turn 0 now.
    pub fn first(&self) -> u32 {
        self.0.last().map_or(0, |epoch| epoch.first)
    }

    /// The epochs in order, each with the slot that stands for turn 0 in it; before the first restore there is one, with
    /// no name.
    pub fn all(&self) -> Vec<(u32, String)> {
        let later = self.0.iter().map(|epoch| (epoch.first, epoch.name.clone()));
        std::iter::once((0, String::new())).chain(later).collect()
    }

    /// The epoch of a slot; empty before the first restore.
    pub fn of(&self, slot: u32) -> &str {
        self.0.iter().rev().find(|epoch| epoch.first <= slot).map_or("", |epoch| epoch.name.as_str())
    }
}

impl Scope {
    /// The scope as the protocol writes it: `public` or the side's id.
    pub fn text(&self) -> &str {
        match self {
            Scope::Public => "public",
            Scope::Of(side) => &side.0,
            Scope::Hidden => "hidden",
        }
    }

    /// Reads what [`Scope::text`] writes.
    pub fn parse(text: &str) -> Scope {
        match text {
            "public" => Scope::Public,
            "hidden" => Scope::Hidden,
            side => Scope::Of(SideId(side.to_owned())),
        }
    }

    /// Whether a side may see rolls of this scope while the game is on.
    pub fn open_to(&self, side: &SideId) -> bool {
        match self {
            Scope::Public => true,
            Scope::Of(owner) => owner == side,
            Scope::Hidden => false,
        }
    }
}

impl Label {
    /// A roll that all sides see; its place is added with [`Label::at`].
    pub fn public(purpose: &'static str) -> Label {
        Label { scope: Scope::Public, text: purpose.to_owned(), owner: None }
    }

    /// A roll for a piece that only its owner sees.
    pub fn own(purpose: &'static str, of: &impl OwnName) -> Label {
        let text = format!("{purpose}/{}", of.own_name());
        Label { scope: Scope::Of(of.owner()), text, owner: Some(of.roller()) }
    }

    /// A roll that only one side sees and that no piece makes, such as its administrative points.
    pub fn of_side(purpose: &'static str, side: &SideId) -> Label {
        Label { scope: Scope::Of(side.clone()), text: purpose.to_owned(), owner: Some(Owner::Army) }
    }

    /// A draw that no side may see, such as a chit's.
    pub fn hidden(purpose: &'static str) -> Label {
        Label { scope: Scope::Hidden, text: purpose.to_owned(), owner: None }
    }

    /// Adds a name that every side knows.
    pub fn at(mut self, what: &impl OpenName) -> Label {
        self.text.push('/');
        self.text.push_str(&what.open_name());
        self
    }

    /// Adds a literal step, as in `initiative/soult/move`.
    pub fn step(mut self, step: &'static str) -> Label {
        self.text.push('/');
        self.text.push_str(step);
        self
    }

    /// Who may see the roll.
    pub fn scope(&self) -> &Scope {
        &self.scope
    }

    /// Who of its side rolls.
    pub fn owner(&self) -> Option<&Owner> {
        self.owner.as_ref()
    }

    /// The label as the protocol hashes it.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl OpenName for crate::hex::Hex {
    fn open_name(&self) -> String {
        self.to_string()
    }
}

impl Master {
    /// A master from known bytes, for tests and audits.
    pub fn from_bytes(bytes: Bytes32) -> Master {
        Master(bytes)
    }

    /// A fresh master from the operating system.
    ///
    /// # Errors
    /// When the operating system gives no randomness.
    pub fn fresh() -> Result<Master, String> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(|e| format!("the operating system gave no random bytes: {e}"))?;
        Ok(Master(bytes))
    }

    /// The bytes, to be kept until the game ends and published then.
    pub fn bytes(&self) -> &Bytes32 {
        &self.0
    }

    /// The seed of a slot and scope of a game that was never restored.
    pub fn seed(&self, game: &str, slot: u32, scope: &Scope) -> Bytes32 {
        self.seed_in(&Epochs::default(), game, slot, scope)
    }

    /// The seed of a slot and scope.
    pub fn seed_in(&self, epochs: &Epochs, game: &str, slot: u32, scope: &Scope) -> Bytes32 {
        let (slot_bytes, scope) = (slot.to_be_bytes(), scope.text().as_bytes());
        let slot_of: [&[u8]; 5] = [game.as_bytes(), b"\0", &slot_bytes, b"\0", scope];
        match epochs.of(slot) {
            "" => mac(&self.0, &[&[b"estafette/seed/v1\0".as_slice()], slot_of.as_slice()].concat()),
            epoch => {
                let head: [&[u8]; 3] = [b"estafette/seed/v1/epoch\0", epoch.as_bytes(), b"\0"];
                mac(&self.0, &[head.as_slice(), slot_of.as_slice()].concat())
            }
        }
    }

    /// The seeds of one slot for all scopes, ready to roll.
    pub fn seeds(&self, game: &str, slot: u32, sides: &[SideId], salt: Bytes32) -> Seeds {
        self.seeds_in(&Epochs::default(), game, slot, (sides, salt))
    }

    /// The seeds of one slot for all scopes, of a game that may have been restored.
    pub fn seeds_in(&self, epochs: &Epochs, game: &str, slot: u32, (sides, salt): (&[SideId], Bytes32)) -> Seeds {
        let seed = |scope: Scope| (scope.clone(), self.seed_in(epochs, game, slot, &scope));
        // Nothing is committed in the hidden scope: games by mail that draw in it are of protocol 2, others only simulated.
        Seeds { by_scope: two::scopes_of(sides).into_iter().map(seed).collect(), salt, roll }
    }

    /// Some other secret of the game, such as a reply tag's, from its purpose and number.
    pub fn secret(&self, game: &str, purpose: &str, number: &str) -> Bytes32 {
        mac(&self.0, &[b"estafette/secret/v1\0", game.as_bytes(), b"\0", purpose.as_bytes(), b"\0", number.as_bytes()])
    }

    /// The commitments made before a game, slots 0 to `last_turn` and the spare ones, in the order of the published list.
    pub fn commitments(&self, game: &str, last_turn: u32, sides: &[SideId]) -> Vec<Commitment> {
        self.commitments_from(&Epochs::default(), 0, game, (last_turn, sides))
    }

    /// The commitments made when the epoch began whose first slot is `first`: as many slots as before the game.
    pub fn commitments_from(
        &self,
        epochs: &Epochs,
        first: u32,
        game: &str,
        (last_turn, sides): (u32, &[SideId]),
    ) -> Vec<Commitment> {
        let mut list = Vec::new();
        for slot in first..=first.saturating_add(last_turn).saturating_add(SPARE_SLOTS) {
            for scope in scopes(sides) {
                let commit = commit(game, slot, &scope, &self.seed_in(epochs, game, slot, &scope));
                list.push(Commitment { slot, scope: scope.text().to_owned(), commit });
            }
        }
        list
    }
}

/// One line of the published list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commitment {
    /// The slot: one game turn.
    pub slot: u32,
    /// `public` or a side's id.
    pub scope: String,
    /// The commitment.
    pub commit: Bytes32,
}

impl fmt::Display for Commitment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.slot, self.scope, hex(&self.commit))
    }
}

impl Seeds {
    /// The seeds of one slot under dice protocol 2.
    pub fn two(master: &Bytes32, game: &str, slot: u32, (sides, salt): (&[SideId], Bytes32)) -> Seeds {
        let seed = |scope: Scope| (scope.clone(), two::seed(master, game, slot, scope.text()));
        Seeds { by_scope: two::scopes_of(sides).into_iter().map(seed).collect(), salt, roll: two::roll }
    }

    /// No seeds at all: a slot of which nothing was committed, or whose value is not there yet.
    pub fn none() -> Seeds {
        Seeds { by_scope: BTreeMap::new(), salt: [0; 32], roll }
    }
}

impl Cup for Seeds {
    fn draw(&self, scope: &Scope, label: &str, n: u32, count: u32, sides: u32) -> Option<Vec<u32>> {
        self.by_scope.get(scope).map(|seed| (self.roll)(seed, &self.salt, label, n, count, sides))
    }
}

impl Cup for Fixed<'_> {
    fn draw(&self, scope: &Scope, label: &str, n: u32, count: u32, sides: u32) -> Option<Vec<u32>> {
        self.cup.draw(scope, label, n, count, sides)
    }

    fn fixed(&self, scope: &Scope, label: &str, n: u32, count: u32, sides: u32) -> Option<Vec<u32>> {
        let fits = |fiat: &&Fiat| {
            fiat.scope == *scope
                && fiat.label == label
                && fiat.n == n
                && fiat.dice.len() == count as usize
                && fiat.dice.iter().all(|die| (1..=sides).contains(die))
        };
        self.fiats.iter().find(fits).map(|fiat| fiat.dice.clone())
    }
}

/// The scopes of a slot in the order of the published list: `public`, then the sides in the scenario's order.
pub fn scopes(sides: &[SideId]) -> Vec<Scope> {
    std::iter::once(Scope::Public).chain(sides.iter().cloned().map(Scope::Of)).collect()
}

/// The published commitment to a seed.
pub fn commit(game: &str, slot: u32, scope: &Scope, seed: &Bytes32) -> Bytes32 {
    digest(&[
        b"estafette/commit/v1\0",
        game.as_bytes(),
        b"\0",
        &slot.to_be_bytes(),
        b"\0",
        scope.text().as_bytes(),
        b"\0",
        seed,
    ])
}

/// The root over all commitment lines.
pub fn root(commitments: &[Commitment]) -> Bytes32 {
    let mut hasher = Sha256::new();
    for line in commitments {
        hasher.update(format!("{line}\n").as_bytes());
    }
    hasher.finalize().into()
}

/// The salt from the seats' nonces, in the scenario's order.
pub fn salt(nonces: &[(String, String)]) -> Bytes32 {
    let mut hasher = Sha256::new();
    hasher.update(b"estafette/salt/v1\0");
    for (seat, nonce) in nonces {
        hasher.update(seat.as_bytes());
        hasher.update(b"\0");
        hasher.update(Sha256::digest(nonce.as_bytes()));
    }
    hasher.finalize().into()
}

/// The dice of one roll; a die of no sides gives nothing.
pub fn roll(seed: &Bytes32, salt: &Bytes32, label: &str, n: u32, count: u32, sides: u32) -> Vec<u32> {
    thrown(mac(seed, &[b"estafette/roll/v1\0", salt, label.as_bytes(), b"\0", &n.to_be_bytes()]), count, sides)
}

/// The dice that a key throws.
fn thrown(key: Bytes32, count: u32, sides: u32) -> Vec<u32> {
    if sides == 0 {
        return Vec::new();
    }
    let mut stream = ChaCha20Rng::from_seed(key);
    // Words at or above the greatest multiple of `sides` would favour low faces.
    let limit = (1u64 << 32) / u64::from(sides) * u64::from(sides);
    let mut dice = Vec::new();
    while dice.len() < count as usize {
        let word = stream.next_u32();
        if u64::from(word) < limit {
            dice.push(word % sides + 1);
        }
    }
    dice
}

/// Lower-case hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    data_encoding::HEXLOWER.encode(bytes)
}

fn digest(parts: &[&[u8]]) -> Bytes32 {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update(part);
    }
    hasher.finalize().into()
}

fn mac(key: &Bytes32, parts: &[&[u8]]) -> Bytes32 {
    // HMAC takes a key of any length, so this cannot fail; the fallback keeps the function total.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key) else { return [0; 32] };
    for part in parts {
        mac.update(part);
    }
    mac.finalize().into_bytes().into()
}
