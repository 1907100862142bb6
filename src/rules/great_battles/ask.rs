//! 6.2, 8.1.2, 8.2-8.4 What the side that is not on move decides, and its standing answers.

use super::board::Arm;
use super::eyes;
use super::hand::Hand;
use super::pool;
use super::state::{Lim, State};
use super::view::View;
use crate::fog::SideId;
use crate::hex::Hex;
use crate::orders::{Args, Fault, Line};
use crate::rules::journal::Book;
use crate::rules::tactical::lodge::{self, Lodge, Sheet, written};
use crate::rules::tactical::table::Table;
use crate::rules::{Ask, Key, Play};

/// What is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)] // The keys of the doctrine by their names.
pub enum What {
    ReactFire,
    ReturnFire,
    Skirmish,
    Evade,
    Flank,
    Counter,
    Third,
    VsFoot,
    HorseGuns,
    Square,
    Rounds,
    Pursue,
    Leaders,
    Lodged,
    Picks,
}

/// An answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // The words of the answers.
pub enum Choice {
    No,
    Yes,
    Fire,
    Step,
    Limber,
    Charge,
}

/// What is answered: a choice, or a sheet that was lodged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// One of the words.
    Plain(Choice),
    /// 4.5 A lodged sheet, if there is one.
    Lodged(Option<Sheet>),
    /// 3.0 Whom a side picks.
    Pick(Pick),
}

/// 3.0 Whom a side picks in the Non-LIM Phase without a mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pick {
    /// It writes itself.
    Write,
    /// Nobody.
    Nobody,
    /// A division, or a unit.
    Whom(String),
}

/// 3.0 The answers about a pick that name nobody.
const WRITE: &str = "WRITE";
const NOBODY: &str = "NONE";

/// Words with which a lodged line may begin.
const LODGE: Lodge = Lodge(&[
    "activate", "move", "form", "spread", "top", "leader", "fire", "bayonet", "assault", "charge", "rout", "enter",
    "exit", "drop", "combat",
]);

/// The value with which a seat wants to be asked.
const ASK: &str = "ASK";

/// Words of answers.
const CHOICES: [(&str, Choice); 6] = [
    ("NO", Choice::No),
    ("YES", Choice::Yes),
    ("FIRE", Choice::Fire),
    ("STEP", Choice::Step),
    ("LIMBER", Choice::Limber),
    ("CHARGE", Choice::Charge),
];

/// Numbers by which a standing answer decides: public ones, and the unit's own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Facts {
    /// 8.1.8 The fire column.
    pub column: usize,
    /// The enemy is next to it.
    pub adjacent: bool,
    /// What it may do.
    pub fire: bool,
    pub step: bool,
    pub limber: bool,
    pub charge: bool,
    /// 6.2.3 Disordered foot in the open, limbered guns, guns alone.
    pub weak: bool,
    /// Steps back so far.
    pub steps: i32,
    /// SP of its own and of the enemy.
    pub own: i32,
    pub enemy: i32,
    /// 8.4.2 Chances in a hundred to form square.
    pub chance: i32,
    /// Fresh horse of the enemy is near.
    pub fresh: bool,
    /// The charge is against its own division.
    pub mates: bool,
    /// 8.2.1 It stands in Defensive Terrain.
    pub defensive: bool,
    /// 8.5.3 Rounds of melee so far.
    pub rounds: i32,
    /// 11.1, D-31 The next SP brings it to Breakpoint.
    pub brink: bool,
}

/// A question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    /// What is decided.
    pub what: What,
    /// The unit that it is about.
    pub unit: String,
    /// The enemy that it is about.
    pub against: String,
    /// The numbers.
    pub facts: Facts,
}

fn counted(value: &str, word: &str, valid: fn(i32) -> bool) -> bool {
    value.strip_prefix(word).and_then(|n| n.trim().parse().ok()).is_some_and(valid)
}

fn ratio(value: &str) -> Option<(i32, i32)> {
    let (own, enemy) = value.strip_prefix("IF ")?.split_once(':')?;
    Some((own.trim().parse().ok()?, enemy.trim().parse().ok()?)).filter(|(own, enemy)| *own > 0 && *enemy > 0)
}

/// Keys of the doctrine.
pub const KEYS: &[Key] = &[
    Key {
        word: "REACT-FIRE",
        values: &["FIRST", "BEST n", "ADJACENT", "NEVER", "ASK"],
        default: "FIRST",
        about: "whether your foot and guns fire at who moves before them: at once, from a fire column on, or next to them alone",
        rule: "6.2.1, 6.2.4",
        valid: |v| counted(v, "BEST ", |n| (1..=12).contains(&n)),
    },
    Key::words(
        "RETURN-FIRE",
        &["FIRST", "NEVER", "ASK"],
        "whether your units fire back at the first that fires at them, or attacks them",
        "8.1.2",
    ),
    Key::words(
        "SKIRMISH",
        &["FIRE-THEN-BACK", "BACK", "FIRE", "STAND", "ASK"],
        "what your skirmishers do when the enemy comes near",
        "6.2.2",
    ),
    Key::words(
        "EVADE",
        &["OPEN", "ALWAYS", "NEVER", "ASK"],
        "whether your skirmishers leave their hex when they are attacked: in open ground, always, never",
        "8.2.1, 8.3.1",
    ),
    Key::words("FLANK", &["TOWARD", "NEVER", "ASK"], "whether your horse turns to who comes at its flank", "6.2.3"),
    Key {
        word: "COUNTER",
        values: &["IF a:b", "ALWAYS", "NEVER", "ASK"],
        default: "IF 1:2",
        about: "whether your horse meets a charge against it: from a ratio of its SP to the enemy's on",
        rule: "8.4.2",
        valid: |v| ratio(v).is_some(),
    },
    Key::words("THIRD", &["NO", "DIVISION", "ANY", "ASK"], "whether your horse meets a charge against others", "6.2.3"),
    Key {
        word: "VS-FOOT",
        values: &["BACK n", "CHARGE-WEAK", "CHARGE", "NONE", "ASK"],
        default: "BACK 2",
        about: "what your horse does when foot or guns come before it: so many steps back, a charge, a charge at the weak, nothing",
        rule: "6.2.3",
        valid: |v| counted(v, "BACK ", |n| (1..=9).contains(&n)),
    },
    Key::words(
        "HORSE-GUNS",
        &["FIRE", "LIMBER", "STAND", "ASK"],
        "what your horse guns do when the enemy comes before them; limbered, they step back but for STAND",
        "6.2.5",
    ),
    Key {
        word: "SQUARE",
        values: &["IF n", "ALWAYS", "NEVER", "ASK"],
        default: "IF 50",
        about: "whether your foot forms square against a charge: from so many chances in a hundred on",
        rule: "8.4.2",
        valid: |v| counted(v, "IF ", |n| (0..=100).contains(&n)),
    },
    Key {
        word: "ROUNDS",
        values: &["AUTO", "1 to 9", "ASK"],
        default: "AUTO",
        about: "how many rounds your units fight on in a melee before they run to end it; by AUTO until the next SP would bring \
                the top unit to Breakpoint, and the enemy has more than twice their SP",
        rule: "8.5.3",
        valid: |v| counted(v, "", |n| (1..=9).contains(&n)),
    },
    Key::words(
        "PURSUE",
        &["UNLESS-FRESH", "YES", "NO", "ASK"],
        "whether your horse pursues who runs from its charge, or unless fresh horse of the enemy is near",
        "8.4.2",
    ),
    Key::words(
        "LEADERS",
        &["AWAY", "STAY", "ASK"],
        "whether a leader alone rides away from an enemy who comes next to him",
        "6.2.7",
    ),
    Key {
        word: lodge::KEY,
        values: &["NONE", "PASS", "[TURN n] lines with THEN between them, FOR a division or a corps"],
        default: "NONE",
        about: "a sheet that is taken without a mail when the LIM of the command behind FOR is drawn, until NONE FOR that command \
                takes it back; without FOR it is for nobody; it is tried when its time comes; PASS lets the command stay",
        rule: "4.5",
        valid: |v| LODGE.is_valid(v),
    },
    Key::words(
        "PICK",
        &["WRITE", "LODGED", "NONE"],
        "whom you pick when all LIMs are drawn: you write it; or, without a mail, those in turn for whom you have lodged \
                lines; or nobody",
        "3.0",
    ),
];

fn key(what: What) -> &'static Key {
    let at = what as usize;
    KEYS.get(at).unwrap_or(&KEYS[0])
}

/// A prompt's place in the journal.
pub fn address(p: &Prompt) -> String {
    format!("{}/{}", key(p.what).word.to_lowercase(), p.unit)
}

/// What may be answered.
fn answers(p: &Prompt) -> Vec<Choice> {
    let able = [(p.facts.fire, Choice::Fire), (p.facts.step, Choice::Step), (p.facts.limber, Choice::Limber)];
    let able = able.into_iter().chain([(p.facts.charge, Choice::Charge)]);
    let mut found: Vec<Choice> = match p.what {
        What::Skirmish | What::VsFoot | What::HorseGuns => {
            able.filter(|(can, _)| *can).map(|(_, choice)| choice).collect()
        }
        _ => vec![Choice::Yes],
    };
    found.push(Choice::No);
    found
}

fn word(choice: Choice) -> String {
    CHOICES.iter().find(|(_, known)| *known == choice).map_or("NO", |(word, _)| *word).to_owned()
}

/// A prompt as its seat reads it.
pub fn ask(_: &View, p: &Prompt) -> Ask {
    let Prompt { what, unit, against, facts, .. } = p;
    let question = match what {
        What::ReactFire => format!("{against} moves before {unit}. Does {unit} fire, on column {}?", facts.column),
        What::ReturnFire => format!("{against} attacks {unit}. Does {unit} fire back?"),
        What::Skirmish => format!("{against} is near {unit}. What do the skirmishers do?"),
        What::Evade => format!("{against} attacks {unit}. Do the skirmishers leave their hex?"),
        What::Flank => format!("{against} comes at the flank of {unit}. Does {unit} turn to it?"),
        What::Counter => format!("{against} charges {unit}. Does {unit} charge to meet it?"),
        What::Third => format!("{against} charges past {unit}. Does {unit} charge into it?"),
        What::VsFoot => format!("{against} comes before {unit}. What does the horse do?"),
        What::HorseGuns => format!("{against} comes before {unit}. What do the guns do?"),
        What::Square => {
            format!("{against} charges {unit}. Does {unit} form square? It has {} chances in 100.", facts.chance)
        }
        What::Rounds => format!("{unit} has fought {} rounds with {against}. Does it fight on?", facts.rounds),
        What::Pursue => format!("{against} runs from {unit}. Does {unit} pursue?"),
        What::Leaders => format!("{against} comes next to {unit}, who is alone. Does he ride away?"),
        What::Lodged => "Which sheet that you have lodged is taken?".to_owned(),
        What::Picks => "Whom do you pick?".to_owned(),
    };
    if matches!(what, What::Lodged | What::Picks) {
        let none = if *what == What::Picks { WRITE } else { "NONE" }.to_owned();
        return Ask { question, rule: key(*what).rule.to_owned(), answers: vec![none.clone()], default: none };
    }
    let default = word(decide(p, key(*what).default));
    Ask { question, rule: key(*what).rule.to_owned(), answers: answers(p).into_iter().map(word).collect(), default }
}

/// Reads an answer.
///
/// # Errors
/// The line is none of those that may be given.
pub fn read(p: &Prompt, l: &Line) -> Result<Answer, Fault> {
    if p.what == What::Lodged {
        return Ok(Answer::Lodged(LODGE.sheet(&l.source)));
    }
    if p.what == What::Picks {
        return Ok(Answer::Pick(match l.source.as_str() {
            WRITE => Pick::Write,
            NOBODY => Pick::Nobody,
            whom => Pick::Whom(whom.to_owned()),
        }));
    }
    let words = CHOICES.map(|(word, _)| word);
    let mut args = Args::new(l, 0);
    let said = args.one_of("an answer", &words)?;
    let choice = CHOICES.iter().find(|(word, _)| *word == said).map(|(_, choice)| *choice);
    choice
        .filter(|choice| answers(p).contains(choice))
        .map(Answer::Plain)
        .ok_or_else(|| Args::new(l, 0).fault("an answer that is offered", []))
}

/// What a standing answer comes to.
fn decide(p: &Prompt, value: &str) -> Choice {
    let f = &p.facts;
    let yes = |is_so: bool| if is_so { Choice::Yes } else { Choice::No };
    let number = |word: &str| value.strip_prefix(word).and_then(|n| n.trim().parse::<i32>().ok());
    let when = |can: bool, choice: Choice| if can { choice } else { Choice::No };
    match p.what {
        What::ReactFire => match number("BEST ") {
            Some(least) => yes(i32::try_from(f.column).unwrap_or_default() >= least),
            None => yes(value == "FIRST" || (value == "ADJACENT" && f.adjacent)),
        },
        What::ReturnFire => yes(value == "FIRST"),
        What::Skirmish => match value {
            "STAND" => Choice::No,
            "FIRE" => when(f.fire, Choice::Fire),
            "BACK" => when(f.step, Choice::Step),
            _ if f.fire => Choice::Fire,
            _ => when(f.step, Choice::Step),
        },
        What::Evade => yes(value == "ALWAYS" || (value == "OPEN" && !f.defensive)),
        What::Flank => yes(value == "TOWARD"),
        What::Counter => match ratio(value) {
            Some((own, enemy)) => yes(f.own * enemy >= f.enemy * own),
            None => yes(value == "ALWAYS"),
        },
        What::Third => yes(value == "ANY" || (value == "DIVISION" && f.mates)),
        What::VsFoot => match (value, number("BACK ")) {
            (_, Some(most)) => when(f.step && f.steps < most, Choice::Step),
            ("CHARGE", _) => when(f.charge, Choice::Charge),
            ("CHARGE-WEAK", _) if f.weak && f.own * 2 >= f.enemy => when(f.charge, Choice::Charge),
            ("CHARGE-WEAK", _) => when(f.step, Choice::Step),
            _ => Choice::No,
        },
        What::HorseGuns => match value {
            "LIMBER" if f.limber => Choice::Limber,
            "STAND" => when(f.fire, Choice::Fire),
            _ if f.fire => Choice::Fire,
            _ => when(f.step, Choice::Step),
        },
        What::Square => match number("IF ") {
            Some(least) => yes(f.chance >= least),
            None => yes(value == "ALWAYS"),
        },
        // D-31 House: it goes on as long as that is not so, for by a number of rounds who is asked first would run first.
        What::Rounds if value == "AUTO" => yes(!f.brink || f.own * 2 >= f.enemy),
        What::Rounds => yes(number("").is_none_or(|most| f.rounds < most)),
        What::Pursue => yes(value == "YES" || (value == "UNLESS-FRESH" && !f.fresh)),
        What::Leaders => yes(value == "AWAY"),
        What::Lodged | What::Picks => Choice::No,
    }
}

/// 3.0 Whom a side picks by its standing answer: the first that may be picked and for whom lines are lodged.
fn picked(v: &View, book: &Book) -> String {
    let own = key(What::Picks);
    let lines = |who: &String| {
        let text = book.get(&Book::key_for(key(What::Lodged).word, who));
        text.and_then(|text| LODGE.lines(text, Some(v.state.turn))).is_some()
    };
    match book.get(own.word).unwrap_or(own.default) {
        "LODGED" => pool::picks(&v.state, &v.side).into_iter().find(lines).unwrap_or_else(|| NOBODY.to_owned()),
        word => word.to_owned(),
    }
}

/// For whom a standing answer about a unit may be: itself, its division, its corps.
pub fn scopes(s: &State, unit: &str) -> Vec<String> {
    let division = match s.chief(unit) {
        Some(chief) => chief.of.clone(),
        None => s.division(unit).to_owned(),
    };
    let corps = s.board.divisions.get(&division).map(|d| d.corps.clone());
    [Some(unit.to_owned()), Some(division), corps].into_iter().flatten().collect()
}

/// The doctrine's answer; none where the seat wants to be asked.
pub fn doctrine(v: &View, p: &Prompt, book: &Book) -> Option<String> {
    let own = key(p.what);
    if p.what == What::Picks {
        return Some(picked(v, book));
    }
    if p.what == What::Lodged {
        let text = book.get(&Book::key_for(own.word, &p.unit));
        let lines = text.and_then(|text| LODGE.lines(text, Some(v.state.turn)));
        let passes = text == Some("PASS");
        let none = || if passes { "PASS".to_owned() } else { "NONE".to_owned() };
        return Some(lines.map_or_else(none, |lines| written(&p.unit, &lines)));
    }
    match book.get_for(own.word, &scopes(&v.state, &p.unit)).unwrap_or(own.default) {
        ASK if eyes::veiled(&v.state) => Some(word(decide(p, own.default))),
        ASK => None,
        value => Some(word(decide(p, value))),
    }
}

/// H.4 In double-blind play nobody is asked: a pause would tell the other side that somebody could have answered.
///
/// 4.5, 6.3.8 A lodged line is carried out as it stands: a tag is no hex in it, and foot guns do not fire when they have been
/// unlimbered just before.
pub fn unset(s: &State, value: &str) -> Option<String> {
    if let Some(why) = LODGE.lines(value, None).and_then(|lines| unfit(s, &lines)) {
        return Some(why);
    }
    let why = "Where the two sides do not see all, nobody is asked: the pause would tell (H.4).  Set one of the other values.";
    (value == ASK && eyes::veiled(s)).then(|| why.to_owned())
}

/// Why lines cannot be lodged, whatever is seen when their time comes: by what stands in them, and the arms of the counters.
fn unfit(s: &State, lines: &[String]) -> Option<String> {
    let mut unlimbered: Vec<String> = Vec::new();
    for line in lines {
        let words: Vec<String> = line.split_whitespace().map(str::to_uppercase).collect();
        let verb = words.first().map(String::as_str);
        let aim = words.iter().position(|word| word == "AT").and_then(|at| words.get(at + 1));
        let fights = matches!(verb, Some("FIRE" | "BAYONET" | "ASSAULT" | "CHARGE"));
        if let Some(aim) = aim.filter(|aim| fights && Hex::parse(aim).is_none()) {
            return Some(format!("\"{line}\": a lodged line names the hex, as AT 2424, for {aim} may be nobody then."));
        }
        let foot = |id: &&String| s.board.kinds.get(*id).is_some_and(|kind| kind.arm == Arm::Art && !kind.horse);
        let guns: Vec<String> = words.iter().filter(foot).cloned().collect();
        if verb == Some("FORM") && words.iter().any(|word| word.starts_with("UNLIMBER")) {
            unlimbered.extend(guns);
        } else if verb == Some("FIRE")
            && let Some(gun) = guns.iter().find(|gun| unlimbered.contains(gun))
        {
            return Some(format!(
                "\"{line}\": {gun} is foot guns, and fires in a later activation than it unlimbers. (6.3.8)"
            ));
        }
    }
    None
}

/// Pieces and commands for which a side may set a standing answer by itself.
pub fn subjects(s: &State, side: &SideId) -> Vec<String> {
    let board = &s.board;
    let own = |(id, kind): &(&String, &super::board::Kind)| board.side_of(&kind.div) == Some(side) && !s.is_dummy(id);
    let units = board.kinds.iter().filter(own).map(|(id, _)| id);
    let divisions = board.divisions.keys().filter(|id| board.side_of(id) == Some(side));
    let corps = board.corps.iter().filter(|(_, corps)| corps.side == *side).map(|(id, _)| id);
    let comes = board.scenario.reinforcements.iter().any(|arrival| arrival.side == *side);
    let lims = [
        comes.then(|| Lim::Reinforcement(side.clone())),
        board.scenario.independent.contains_key(side).then(|| Lim::Independent(side.clone())),
    ];
    let mut found: Vec<String> = units.chain(divisions).chain(corps).cloned().collect();
    found.extend(lims.into_iter().flatten().map(|lim| lim.name().to_owned()));
    found.sort_unstable();
    found.dedup();
    found
}

/// Asks the side of a unit, or of a leader; the program's own player answers as a seat does that has said nothing.
pub(super) fn put(cx: &mut Hand<'_>, what: What, unit: &str, against: &str, facts: Facts) -> Play<Choice> {
    let s = cx.state();
    let side = s.owner(unit).cloned().unwrap_or_default();
    let seat = cx.seat_of(&side);
    // H.2 The enemy is named as his side knows him.
    let against = eyes::name(s, &side, against).unwrap_or_else(|| "an enemy".to_owned());
    let prompt = Prompt { what, unit: unit.to_owned(), against, facts };
    if cx.state().board.scenario.solo.contains(&side) {
        return Ok(decide(&prompt, key(what).default));
    }
    let answer = cx.ask(&seat, prompt)?;
    Ok(if let Answer::Plain(choice) = answer { choice } else { Choice::No })
}

/// 4.5 The sheet that a side has lodged for a command whose LIM is drawn.
pub(super) fn lodged(cx: &mut Hand<'_>, side: &SideId, lim: &str) -> Play<Option<Sheet>> {
    let seat = cx.seat_of(side);
    let (unit, against, facts) = (lim.to_owned(), String::new(), Facts::default());
    let answer = cx.ask(&seat, Prompt { what: What::Lodged, unit, against, facts })?;
    Ok(if let Answer::Lodged(sheet) = answer { sheet } else { None })
}

/// 3.0 Whom a side picks without a mail.
pub(super) fn whom(cx: &mut Hand<'_>, side: &SideId) -> Play<Pick> {
    let seat = cx.seat_of(side);
    let (unit, against, facts) = ("lims".to_owned(), String::new(), Facts::default());
    let answer = cx.ask(&seat, Prompt { what: What::Picks, unit, against, facts })?;
    Ok(if let Answer::Pick(pick) = answer { pick } else { Pick::Write })
}
