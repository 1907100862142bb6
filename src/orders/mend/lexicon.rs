//! General words of English, German and French by what they mean; no word of them knows a game.

use crate::orders::fold;
use std::collections::BTreeMap;
use std::sync::LazyLock;

const WORDS: &str = include_str!("words.tsv");

/// The longest phrase, in words.
pub const PHRASE_MAX: usize = 4;

/// What a word or phrase means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sense {
    /// A greeting at the beginning of a mail.
    Greet,
    /// He who leads the game.
    Umpire,
    /// What stands over a signature.
    Close,
    /// What stands over a mail that is quoted.
    Quote,
    /// Politeness round an order.
    Polite,
    /// The writer, his side or his reader.
    Writer,
    /// A question.
    Ask,
    /// How the game is won.
    Win,
    /// Help.
    Help,
    /// Supply.
    Supply,
    /// A rule.
    Rule,
    /// To go somewhere.
    Go,
    /// To stay.
    Stay,
    /// To go back.
    Back,
    /// To look what is there.
    Look,
    /// To attack.
    Strike,
    /// To charge on horseback.
    Charge,
    /// To fire.
    Shoot,
    /// To repair.
    Repair,
    /// To destroy.
    Wreck,
    /// A bridge.
    Bridge,
    /// To put something on the map.
    Put,
    /// To bring together.
    Join,
    /// To part.
    Part,
    /// To turn.
    Turn,
    /// To turn round.
    About,
    /// To change formation.
    Form,
    /// In line.
    Line,
    /// In column.
    Column,
    /// In square.
    Square,
    /// Guns on the road.
    Limber,
    /// Guns ready to fire.
    Unlimber,
    /// To go behind somebody.
    Follow,
    /// To help somebody who attacks.
    Support,
    /// To leave a fight.
    Leave,
    /// To go sideways.
    Side,
    /// That nothing more comes.
    Done,
    /// All of them.
    All,
    /// By road.
    Road,
    /// Where to.
    To,
    /// Where.
    At,
    /// Where from.
    From,
    /// With whom.
    With,
    /// Behind whom.
    After,
    /// Over which places.
    Via,
    /// By what somebody moves.
    Mode,
    /// That something is left out.
    Except,
    /// That something is not to be.
    Not,
    /// Nothing that matters.
    Fill,
}

impl Sense {
    fn parse(name: &str) -> Option<Sense> {
        use Sense as S;
        Some(match name {
            "greet" => S::Greet,
            "umpire" => S::Umpire,
            "close" => S::Close,
            "quote" => S::Quote,
            "polite" => S::Polite,
            "self" => S::Writer,
            "ask" => S::Ask,
            "win" => S::Win,
            "help" => S::Help,
            "supply" => S::Supply,
            "rule" => S::Rule,
            "go" => S::Go,
            "stay" => S::Stay,
            "back" => S::Back,
            "look" => S::Look,
            "strike" => S::Strike,
            "charge" => S::Charge,
            "shoot" => S::Shoot,
            "repair" => S::Repair,
            "wreck" => S::Wreck,
            "bridge" => S::Bridge,
            "put" => S::Put,
            "join" => S::Join,
            "part" => S::Part,
            "turn" => S::Turn,
            "about" => S::About,
            "form" => S::Form,
            "line" => S::Line,
            "column" => S::Column,
            "square" => S::Square,
            "limber" => S::Limber,
            "unlimber" => S::Unlimber,
            "follow" => S::Follow,
            "support" => S::Support,
            "leave" => S::Leave,
            "side" => S::Side,
            "done" => S::Done,
            "all" => S::All,
            "by" => S::Road,
            "to" => S::To,
            "at" => S::At,
            "from" => S::From,
            "with" => S::With,
            "after" => S::After,
            "via" => S::Via,
            "own" => S::Mode,
            "except" => S::Except,
            "not" => S::Not,
            "fill" => S::Fill,
            _ => return None,
        })
    }

    /// Whether somebody who writes it wants something done.
    pub fn acts(self) -> bool {
        (Sense::Go..=Sense::Done).contains(&self) && self != Sense::Bridge
    }
}

/// What is read from the list: phrases by their folded words, and lines that name no sense.
struct Lexicon {
    phrases: BTreeMap<String, Vec<Sense>>,
    unread: Vec<&'static str>,
}

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| {
    let mut lexicon = Lexicon { phrases: BTreeMap::new(), unread: Vec::new() };
    for line in WORDS.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let Some((sense, phrases)) = line.split_once('\t').and_then(|(n, p)| Some((Sense::parse(n)?, p))) else {
            lexicon.unread.push(line);
            continue;
        };
        for phrase in phrases.split(',').map(str::trim).filter(|p| !p.is_empty()) {
            let senses = lexicon.phrases.entry(fold(phrase)).or_default();
            if !senses.contains(&sense) {
                senses.push(sense);
            }
        }
    }
    lexicon
});

/// What a folded word or phrase may mean, the first sense foremost.
pub fn senses(folded: &str) -> &'static [Sense] {
    LEXICON.phrases.get(folded).map_or(&[], Vec::as_slice)
}

/// All words that mean something to be done, for spelling.
pub fn verbs() -> impl Iterator<Item = (&'static str, &'static [Sense])> {
    let acts = |(_, senses): &(&String, &Vec<Sense>)| senses.first().is_some_and(|s| s.acts());
    LEXICON.phrases.iter().filter(acts).map(|(phrase, senses)| (phrase.as_str(), senses.as_slice()))
}

/// Lines of the list that name no sense; none, unless the list has a slip in it.
pub fn unread() -> &'static [&'static str] {
    &LEXICON.unread
}
