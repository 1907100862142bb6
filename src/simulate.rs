//! Whole games between the program's own players, without mail: outcomes and rates.
//!
//! The players read their own views and write orders in the same language as people do.

pub mod page;

use crate::dice;
use crate::fog::SeatId;
use crate::games;
use crate::host::{Game, Input, Occasion, Tempo};
use crate::rules::Tally;
use crate::rules::kept::LineKept;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

/// More mails than this in one game are a runaway.
const MAILS_MAX: u32 = 5_000;

/// What came of one game.
#[derive(Clone, Debug, Serialize, PartialEq, Eq)]
pub struct Played {
    /// Number of the game in its run, which is also its noise and part of its seed.
    pub number: u64,
    /// How it ended, as the last line of the last letter says it.
    pub ending: String,
    /// Mails written by the players.
    pub mails: u32,
    /// Entries of the chain.
    pub entries: u64,
    /// Lines by outcome.
    pub lines: BTreeMap<String, u32>,
    /// Who has won, and numbers of the game that its ruleset counts.
    pub tally: Tally,
}

/// A game that could not be played to its end.
#[derive(Clone, Debug, Serialize, PartialEq, Eq)]
pub struct Stuck {
    /// Number of the game.
    pub number: u64,
    /// Why.
    pub why: String,
}

/// The chain of a game under way: slot, kind, body.
pub type Chain = Vec<(u32, String, String)>;

/// Opens one game for simulation.
///
/// # Errors
/// The scenario's flaws.
pub fn open(entry: &games::Entry, files: &[(String, String)], number: u64) -> Result<Box<dyn Game>, Vec<String>> {
    let mut master = [0u8; 32];
    for (byte, value) in master.iter_mut().zip(number.to_be_bytes()) {
        *byte = value;
    }
    (entry.open)(games::Stored {
        game: format!("sim-{number}"),
        files: files.to_vec(),
        secrets: dice::Secrets::One { master, salt: dice::salt(&[]) },
        tempo: Tempo::Live,
        kept: None,
    })
}

/// Plays one game to its end; `watch` sees the game after every input.
///
/// # Errors
/// A game that stops, runs away, or breaks.
pub fn play(
    game: &mut dyn Game,
    number: u64,
    mut watch: impl FnMut(&dyn Game, &Chain) -> Result<(), String>,
) -> Result<(Played, Chain), Stuck> {
    let stuck = |why: String| Stuck { number, why };
    let mut chain = Chain::new();
    let mut played =
        Played { number, ending: String::new(), mails: 0, entries: 0, lines: BTreeMap::new(), tally: Tally::default() };
    let mut input = Input::Begin;
    loop {
        let batch = game.take(input).map_err(|b| stuck(b.why))?;
        chain.extend(batch.entries.iter().map(|e| (e.slot, e.kind.to_owned(), e.body.clone())));
        for letter in &batch.letters {
            if letter.occasion == Occasion::GameOver {
                played.ending = letter.sections.body().story.last().cloned().unwrap_or_default();
            }
        }
        watch(game, &chain).map_err(stuck)?;
        let Some(seat) = batch.dues.first().map(|due| due.seat.clone()).filter(|_| !batch.over) else { break };
        played.mails += 1;
        if played.mails > MAILS_MAX {
            return Err(stuck(format!("more than {MAILS_MAX} mails")));
        }
        input = mail_of(game, &seat, number, played.mails);
    }
    played.entries = chain.len() as u64;
    played.tally = game.tally();
    for (_, _, body) in chain.iter().filter(|(_, kind, _)| kind == "line") {
        let line: LineKept = serde_json::from_str(body).map_err(|why| stuck(format!("a line in the chain: {why}")))?;
        *played.lines.entry(line.outcome.word().to_owned()).or_default() += 1;
    }
    Ok((played, chain))
}

/// Plays every input of a game's chain again: what comes out otherwise counts as stuck.
pub fn again(game: &dyn Game, number: u64) -> impl FnOnce((Played, Chain)) -> Result<Played, Stuck> + '_ {
    move |(played, chain)| match game.replay(&chain) {
        Ok(_) => Ok(played),
        Err(broken) => Err(Stuck { number, why: format!("replayed from the record it differs: {}", broken.why) }),
    }
}

/// Plays one game of a scenario to its end, walks through its states, and plays its chain again.
///
/// # Errors
/// The scenario's flaws.
pub fn one(
    entry: &games::Entry,
    files: &[(String, String)],
    number: u64,
) -> Result<Result<Played, Stuck>, Vec<String>> {
    let mut game = open(entry, files, number)?;
    game.unread();
    Ok(play(game.as_mut(), number, |_, _| Ok(()))
        .and_then(|found| game.walk().map(|_| found).map_err(|flaw| Stuck { number, why: flaw.why }))
        .and_then(again(game.as_ref(), number)))
}

/// Plays `games` games of a scenario from number `first` on every core, and gives them in order.
///
/// # Errors
/// The scenario's flaws.
pub fn run(
    entry: &games::Entry,
    files: &[(String, String)],
    first: u64,
    games: u32,
) -> Result<(Vec<Played>, Vec<Stuck>), Vec<String>> {
    run_watched(entry, files, (first, games), &|| {})
}

/// The same, from a number on so many; `ended` hears of each game that has come to its end.
///
/// # Errors
/// The scenario's flaws.
pub fn run_watched(
    entry: &games::Entry,
    files: &[(String, String)],
    (first, games): (u64, u32),
    ended: &(dyn Fn() + Sync),
) -> Result<(Vec<Played>, Vec<Stuck>), Vec<String>> {
    let behind = first.saturating_add(u64::from(games));
    let next = AtomicU64::new(first);
    let work = || {
        let mut found = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= behind {
                return Ok(found);
            }
            found.push((number, one(entry, files, number)?));
            ended();
        }
    };
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let parts: Vec<Result<Vec<_>, Vec<String>>> = thread::scope(|scope| {
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        let broke = || Err(vec!["a worker of the simulation has died".to_owned()]);
        workers.into_iter().map(|worker| worker.join().unwrap_or_else(|_| broke())).collect()
    });
    let mut found = Vec::new();
    for part in parts {
        found.extend(part?);
    }
    found.sort_by_key(|(number, _)| *number);
    let (mut all, mut stuck) = (Vec::new(), Vec::new());
    for (_, game) in found {
        match game {
            Ok(played) => all.push(played),
            Err(why) => stuck.push(why),
        }
    }
    Ok((all, stuck))
}

/// The next mail of a seat's computer player.
pub fn mail_of(game: &dyn Game, seat: &SeatId, number: u64, mail: u32) -> Input {
    let noise = number.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(u64::from(mail));
    let (_, written) = game.bot(seat, noise).into_parts();
    let end = written.iter().any(|line| line == "END");
    let lines = (1u32..).zip(written.into_iter().filter(|line| line != "END")).collect();
    Input::Orders { seat: seat.clone(), lines, end, mail: format!("<{number}.{mail}@simulation>") }
}

/// Outcomes and rates of a run.
#[derive(Clone, Debug, Default, Serialize, PartialEq, Eq)]
pub struct Summary {
    /// The scenario's title.
    pub title: String,
    /// Games that came to an end, and those that did not.
    pub ended: usize,
    /// Games that could not be played on.
    pub stuck: usize,
    /// Games by their ending.
    pub endings: BTreeMap<String, u32>,
    /// Mails of both sides in all games.
    pub mails: u32,
    /// Order lines by outcome in all games.
    pub lines: BTreeMap<String, u32>,
    /// Games won, by the name of the side.
    pub wins: BTreeMap<String, u32>,
    /// Sums over all games of what the ruleset counts, in its order.
    pub counts: Vec<(String, u32)>,
    /// Sums over all games of numbers to be divided by others.
    pub ratios: Vec<(String, u32, u32)>,
}

/// Adds the games of a run up.
pub fn summary(title: &str, all: &[Played], stuck: &[Stuck]) -> Summary {
    let mut sum = Summary { title: title.to_owned(), ended: all.len(), stuck: stuck.len(), ..Summary::default() };
    for game in all {
        *sum.endings.entry(game.ending.clone()).or_default() += 1;
        sum.mails += game.mails;
        for (word, count) in &game.lines {
            *sum.lines.entry(word.clone()).or_default() += count;
        }
        if let Some(winner) = &game.tally.winner {
            *sum.wins.entry(winner.clone()).or_default() += 1;
        }
        for (name, count) in &game.tally.counts {
            match sum.counts.iter_mut().find(|(known, _)| known == name) {
                Some((_, total)) => *total += count,
                None => sum.counts.push((name.clone(), *count)),
            }
        }
    }
    for (name, part, whole) in all.iter().flat_map(|game| &game.tally.ratios) {
        match sum.ratios.iter_mut().find(|(known, _, _)| known == name) {
            Some((_, parts, wholes)) => (*parts, *wholes) = (*parts + part, *wholes + whole),
            None => sum.ratios.push((name.clone(), *part, *whole)),
        }
    }
    sum
}

/// Two numbers of a quotient, with two digits behind the point.
fn quotient(part: u32, whole: u32) -> String {
    let hundredths = u64::from(part) * 100 / u64::from(whole.max(1));
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

/// A summary as lines for a person.
pub fn lines(sum: &Summary) -> Vec<String> {
    let mut lines = vec![
        sum.title.clone(),
        format!("  {} games ended, {} stuck; {} mails in all", sum.ended, sum.stuck, sum.mails),
    ];
    lines.extend(sum.endings.iter().map(|(ending, count)| format!("  {count:>4}  {ending}")));
    let games = u32::try_from(sum.ended).unwrap_or(u32::MAX).max(1);
    for (side, wins) in &sum.wins {
        let tenths = wins * 1000 / games;
        lines.push(format!("  {side} won {wins} of {}: {}.{} %", sum.ended, tenths / 10, tenths % 10));
    }
    for (name, count) in &sum.counts {
        lines.push(format!("  {name}: {} on average", quotient(*count, games)));
    }
    lines.extend(sum.ratios.iter().map(|(name, part, whole)| format!("  {name}: {}", quotient(*part, *whole))));
    let total: u32 = sum.lines.values().sum();
    for (word, count) in &sum.lines {
        let tenths = count * 1000 / total.max(1);
        lines.push(format!("  {:<12} {count:>6} lines  {}.{} %", word.to_lowercase(), tenths / 10, tenths % 10));
    }
    lines
}
