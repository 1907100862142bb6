//! Tests of a battle plan's conditions, evaluated on the owner's view (order language, tests of battle).

use super::battle::{BattleView, Marker};
use crate::orders::{Args, Fault};
use crate::rules::campaigns::board::LeaderId;
use crate::rules::campaigns::intel::Ident;
use crate::rules::campaigns::tables::Weather;
use crate::rules::campaigns::view::View;

/// How a number is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cmp {
    /// At least.
    AtLeast,
    /// At most.
    AtMost,
    /// More.
    More,
    /// Less.
    Less,
    /// Equal.
    Equal,
}

/// A test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Test {
    /// The enemy's strength as stated.
    Approx(Cmp, i32),
    /// Own SP in the battle, all arms.
    Own(Cmp, i32),
    /// An enemy leader stands face up in the battle.
    Leader(LeaderId),
    /// The exact odds of this half round, in tenths of the attacker's to one.
    Odds(Cmp, i32),
    /// The own number of the last result.
    Result(Cmp, i32),
    /// Won the last half round.
    WonLast,
    /// Lost the last half round.
    LostLast,
    /// Own SP lost in the battle.
    Lost(Cmp, i32),
    /// The enemy's SP lost in the battle.
    EnemyLost(Cmp, i32),
    /// The round.
    Round(Cmp, i32),
    /// The enemy has shown a marker this round.
    Shown(Marker),
    /// Twice the cavalry of the enemy, as step 4 has shown it.
    CavalryAdvantage,
    /// The own path of retreat was blocked.
    PathBlocked,
    /// The length of pursuit rolled.
    Pursuit(Cmp, i32),
    /// The weather.
    Weather(Weather),
    /// The turn.
    Turn(Cmp, i32),
}

const WORDS: [&str; 16] = [
    "APPROX",
    "OWN",
    "LEADER",
    "ODDS",
    "RESULT",
    "WON",
    "LOST",
    "ENEMYLOST",
    "ROUND",
    "SHOWN",
    "CAVALRY",
    "PATH",
    "PURSUIT",
    "WEATHER",
    "TURN",
    "ENEMY",
];

/// Reads a test.
///
/// # Errors
/// Its fault.
pub fn read(v: &View, args: &mut Args<'_>) -> Result<Test, Fault> {
    match args.one_of("a test of a battle", &WORDS)? {
        "APPROX" => number(args, Test::Approx),
        "OWN" => number(args, Test::Own),
        "LEADER" => {
            let names: Vec<(String, LeaderId)> = v
                .board
                .leaders
                .values()
                .filter(|l| Some(&l.side) != v.side.as_ref())
                .map(|l| (l.name.clone(), l.id.clone()))
                .collect();
            Ok(Test::Leader(args.name("an enemy leader", &names)?))
        }
        "ODDS" => {
            let cmp = cmp(args);
            Ok(Test::Odds(cmp, tenths(args)?))
        }
        "RESULT" => number(args, Test::Result),
        "WON" => {
            args.key("LAST");
            Ok(Test::WonLast)
        }
        "LOST" if args.key("LAST") => Ok(Test::LostLast),
        "LOST" => number(args, Test::Lost),
        "ENEMYLOST" => number(args, Test::EnemyLost),
        "ENEMY" => {
            args.key("LOST");
            number(args, Test::EnemyLost)
        }
        "ROUND" => number(args, Test::Round),
        "SHOWN" => {
            let word = args.one_of("a battle type", &Marker::ALL.map(Marker::word))?;
            Ok(Test::Shown(Marker::of(word).unwrap_or(Marker::Pursuit)))
        }
        "CAVALRY" => {
            args.key("ADVANTAGE");
            Ok(Test::CavalryAdvantage)
        }
        "PATH" => {
            args.key("BLOCKED");
            Ok(Test::PathBlocked)
        }
        "PURSUIT" => number(args, Test::Pursuit),
        "WEATHER" => {
            let names: Vec<(String, Weather)> = Weather::ALL.iter().map(|w| (w.name().to_owned(), *w)).collect();
            Ok(Test::Weather(args.name("a state of the weather", &names)?))
        }
        _ => number(args, Test::Turn),
    }
}

fn cmp(args: &mut Args<'_>) -> Cmp {
    let found = match args.peek().map(|w| w.text.as_str()) {
        Some(">=") => Cmp::AtLeast,
        Some("<=") => Cmp::AtMost,
        Some(">") => Cmp::More,
        Some("<") => Cmp::Less,
        Some("=" | "==") => Cmp::Equal,
        // `ROUND 2` is round two itself.
        _ => return Cmp::Equal,
    };
    args.next_word();
    found
}

fn number(args: &mut Args<'_>, make: fn(Cmp, i32) -> Test) -> Result<Test, Fault> {
    let cmp = cmp(args);
    Ok(make(cmp, args.number("a number")?))
}

/// A ratio such as `2`, `1.5` or `1-2`, in tenths.
fn tenths(args: &mut Args<'_>) -> Result<i32, Fault> {
    let Some(word) = args.peek() else { return Err(args.fault("odds such as 2 or 1.5", [])) };
    let parsed = match word.text.split_once('-') {
        Some((a, b)) => match (a.parse::<i32>(), b.parse::<i32>()) {
            (Ok(a), Ok(b)) if b > 0 => Some(a * 10 / b),
            _ => None,
        },
        None => crate::yaml::Decimal::parse(&word.text).map(|d| d.tenths),
    };
    match parsed {
        Some(n) => {
            args.next_word();
            Ok(n)
        }
        None => Err(args.fault("odds such as 2 or 1.5", [])),
    }
}

/// What a test is, as far as the view tells.
pub fn holds(v: &View, battle: &BattleView, test: &Test) -> Option<bool> {
    let compare = |cmp: &Cmp, n: i32, with: i32| match cmp {
        Cmp::AtLeast => n >= with,
        Cmp::AtMost => n <= with,
        Cmp::More => n > with,
        Cmp::Less => n < with,
        Cmp::Equal => n == with,
    };
    match test {
        Test::Approx(cmp, n) => battle.stated.map(|s| compare(cmp, s, *n)),
        Test::Own(cmp, n) => Some(compare(cmp, battle.own.sp(&v.own, battle.ground(), !battle.attacking), *n)),
        Test::Leader(id) => {
            let shown = |t: &u32| {
                v.enemy.get(t).is_some_and(|c| {
                    c.face_up && c.tie.as_ref().is_some_and(|tie| tie.ident == Ident::Leader(id.clone()))
                })
            };
            Some(battle.against().iter().flat_map(|h| v.tags_at(*h)).any(|t| shown(&t)))
        }
        Test::Odds(cmp, tenths) => {
            let (attacker, defender) = (battle.half.attacker?, battle.half.defender?);
            Some(compare(cmp, attacker.0 * 10, tenths * defender.0))
        }
        Test::Result(cmp, n) => battle.own.number.map(|own| compare(cmp, own, *n)),
        Test::WonLast => battle.half.loser.as_ref().map(|l| Some(l) != v.side.as_ref()),
        Test::LostLast => battle.half.loser.as_ref().map(|l| Some(l) == v.side.as_ref()),
        Test::Lost(cmp, n) => Some(compare(cmp, battle.own.lost, *n)),
        Test::EnemyLost(cmp, n) => Some(compare(cmp, battle.enemy_lost, *n)),
        Test::Round(cmp, n) => Some(compare(cmp, i32::try_from(battle.round).unwrap_or(0), *n)),
        Test::Shown(marker) => Some(battle.shown == Some(*marker)),
        Test::CavalryAdvantage => Some(battle.edge.is_some() && battle.edge == v.side),
        Test::PathBlocked => Some(battle.own.blocked),
        Test::Pursuit(cmp, n) => battle.half.pursuit.map(|p| compare(cmp, p, *n)),
        Test::Weather(state) => Some(v.weather.has(*state)),
        Test::Turn(cmp, n) => Some(compare(cmp, i32::try_from(v.turn).unwrap_or(0), *n)),
    }
}
