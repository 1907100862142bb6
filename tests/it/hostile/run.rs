//! The run: hostile mails one by one, and after each of them what must not have happened.

use super::bombs::BOMBS;
use super::pool::{self, once_in};
use super::raw::{self, Head};
use super::strict::Letter;
use super::words;
use super::world::{OPERATOR, Passed, World};
use crate::toys::Whim;
use estafette::orders::fold;
use estafette::store::{GameState, Seat};
use std::collections::BTreeMap;

/// Letters that one mail may cause, to all seats and to all who look on.
const LETTERS_MAX: usize = 100;
/// Bytes of all letters that one mail causes.
const BYTES_MAX: usize = 2 << 20;
/// Processor time of the pass that takes one mail, in milliseconds.
const MILLIS_MAX: u128 = 2_000;
/// Letters to people who neither wrote nor play: those who are asked whether they will.
const ASKED_MAX: usize = 3;

/// Who writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Who {
    /// Nobody whom the office knows.
    Stranger,
    /// A seat in hostile hands, with its tag and from its own address.
    Seat,
    /// With the tag of an honest seat, and that seat's own address in From: as who has read one of its mails can write.
    Captured,
    /// With a good tag, and a From that only looks like the seat's address.
    Forged,
    /// Somebody who looks on.
    Observer,
    /// A hostile umpire, who is no master of what all may do.
    Umpire,
    /// A program.
    Machine,
}

/// One mail, and what is known of it.
pub struct Case {
    pub who: Who,
    pub at: usize,
    /// The seat whose tag it carries.
    pub seat: Option<String>,
    /// What is odd about it as a whole: the bomb it is, the lie of its sender, the sign of its program.
    pub odd: String,
    pub head: Head,
    /// Its lines, before they were encoded.
    pub lines: String,
    pub raw: Vec<u8>,
}

/// The mail of a number in the run of a seed, given where the games stand.
pub fn case(world: &World, seed: u64, n: usize, bomb_in: usize) -> Case {
    let mut whim = Whim((seed << 32) ^ u64::try_from(n).unwrap().wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let whim = &mut whim;
    whim.below(2);
    let at = whim.below(world.boards.len());
    let board = &world.boards[at];
    let who = match whim.below(20) {
        0..=6 if !board.hostile.is_empty() => Who::Seat,
        7..=9 => Who::Captured,
        10..=11 => Who::Forged,
        12 => Who::Observer,
        13..=14 if board.umpire == Some(true) => Who::Umpire,
        15..=16 => Who::Machine,
        _ => Who::Stranger,
    };
    let one_of = |whim: &mut Whim, seats: &[&'static str]| seats[whim.below(seats.len())].to_owned();
    let all: Vec<&str> = board.seats().collect();
    let (mut game, mut odd) = (board.id.clone(), String::new());
    let (mut seat, mut from) = match who {
        Who::Stranger => (None, pool::from(whim)),
        Who::Seat => {
            let seat = one_of(whim, board.hostile);
            (Some(seat.clone()), board.address(&seat))
        }
        Who::Captured => {
            let seat = one_of(whim, board.honest);
            (Some(seat.clone()), board.address(&seat))
        }
        Who::Forged => {
            let seat = one_of(whim, &all);
            odd = pool::forged(&mut Whim(whim.0), "seat@its.example");
            let from = pool::forged(whim, &board.address(&seat));
            (Some(seat), from)
        }
        Who::Observer => {
            game = world.boards[[1, 4][whim.below(2)]].id.clone();
            (Some("observer-1".to_owned()), super::world::WATCHER.to_owned())
        }
        Who::Umpire => (Some("umpire".to_owned()), board.address("umpire")),
        Who::Machine if whim.below(2) == 0 => {
            let seat = one_of(whim, &all);
            (Some(seat.clone()), board.address(&seat))
        }
        Who::Machine => (None, format!("eve{}@evil.example", whim.below(1000))),
    };
    let id = if once_in(whim, 3) && !mild() { pool::id(whim) } else { format!("<s{seed}n{n}@evil.example>") };
    let subject = match &seat {
        Some(seat) => world.subject(&game, seat),
        None => pool::subject(whim),
    };
    let mut head =
        Head { from: String::new(), subject, id, more: if mild() { Vec::new() } else { raw::odd_headers(whim) } };
    if who == Who::Machine {
        odd = machine(whim, &mut head, &mut from, &mut seat);
    }
    head.from = from;
    if once_in(whim, bomb_in) && who != Who::Machine && who != Who::Forged {
        let (name, write) = BOMBS[whim.below(BOMBS.len())];
        let raw = write(&head);
        return Case { who, at, seat, odd: name.to_owned(), head, lines: String::new(), raw };
    }
    let lines = match who {
        Who::Umpire => (0..1 + whim.below(5)).map(|_| words::umpires(whim, &board.known)).collect(),
        Who::Observer => {
            // RESIGN ends his looking on by right.
            let lines = words::script(whim, board.ruleset, &board.known);
            lines.into_iter().filter(|line| !fold(line).starts_with("resign")).collect()
        }
        _ => words::script(whim, board.ruleset, &board.known),
    };
    let raw = raw::mail(whim, &head, &lines, matches!(who, Who::Machine | Who::Forged));
    Case { who, at, seat, odd, head, lines: lines.join("\n"), raw }
}

/// Whether the head of each mail but its sender is kept well-formed, so that what else harms is seen.
fn mild() -> bool {
    std::env::var("HOSTILE_MILD").is_ok()
}

/// Makes a mail that of a program: by a header, by its sender, or by its subject.
fn machine(whim: &mut Whim, head: &mut Head, from: &mut String, seat: &mut Option<String>) -> String {
    // A header of ours is the first of its name.
    head.more.clear();
    match whim.below(4) {
        0 => {
            *seat = None;
            *from = pool::pick(whim, pool::MACHINE_SENDERS).to_owned();
            head.subject = "about your mail".to_owned();
            from.clone()
        }
        1 => {
            let sign = pool::pick(whim, pool::MACHINE_SUBJECTS);
            head.subject = sign.replace("{}", head.subject.trim_start_matches("Re: "));
            sign.to_owned()
        }
        _ => {
            let sign = pool::pick(whim, pool::MACHINES).to_owned();
            head.more.push(sign.clone());
            sign
        }
    }
}

/// Processor time of this thread, in milliseconds; none where the system does not tell.
fn processor() -> u128 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    told.split(' ').next().and_then(|nanos| nanos.parse::<u128>().ok()).unwrap_or(0) / 1_000_000
}

/// What was found, by its kind: how often, and the first of each with all that repeats it.
#[derive(Default)]
pub struct Findings(BTreeMap<String, (usize, String)>);

impl Findings {
    fn add(&mut self, seed: u64, n: usize, case: &Case, what: &str) {
        let kind: String = what.split(':').next().unwrap_or_default().chars().take(100).collect();
        let kind = if case.odd.is_empty() { kind } else { format!("{kind} [{}]", case.odd) };
        let (count, first) = self.0.entry(kind).or_default();
        *count += 1;
        if first.is_empty() {
            let raw: String = String::from_utf8_lossy(&case.raw).chars().take(1500).collect();
            *first = format!(
                "seed {seed}, mail {n}, {:?} {:?}: {what}\n--- lines\n{}\n--- mail\n{raw}\n---",
                case.who,
                case.seat,
                case.lines.chars().take(600).collect::<String>()
            );
        }
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn said(&self) -> String {
        let heads: Vec<String> = self.0.iter().map(|(kind, (count, _))| format!("{count:>5} {kind}")).collect();
        let firsts: Vec<&str> = self.0.values().map(|(_, first)| first.as_str()).collect();
        format!("{} kinds of harm\n{}\n\n{}", self.0.len(), heads.join("\n"), firsts.join("\n\n"))
    }
}

/// How a run goes.
#[derive(Clone, Copy)]
pub struct Plan {
    pub seed: u64,
    pub mails: usize,
    /// One mail in so many is a bomb.
    pub bomb_in: usize,
    /// The honest seats write after so many.
    pub round: usize,
    /// The office is opened again after so many; never, where it is 0.
    pub reopen: usize,
}

/// What a run came to.
pub struct Ran {
    pub world: World,
    pub findings: Findings,
    pub by_who: BTreeMap<Who, usize>,
    /// The mails of each kind of writer that were answered.
    pub answered: BTreeMap<Who, usize>,
    /// Recipient and subject of each letter.
    pub letters: Vec<(String, String)>,
    pub slowest: (u128, usize),
}

pub fn run(plan: Plan) -> Ran {
    let world = World::furnished();
    let (by_who, answered) = (BTreeMap::new(), BTreeMap::new());
    let mut ran = Ran { world, findings: Findings::default(), by_who, answered, letters: Vec::new(), slowest: (0, 0) };
    for n in 0..plan.mails {
        let case = case(&ran.world, plan.seed, n, plan.bomb_in);
        one(&mut ran, plan, n, &case);
        if plan.reopen > 0 && n % plan.reopen == plan.reopen - 1 {
            ran.world.reopen();
        }
        if n % plan.round == plan.round - 1 {
            ran.world.advance(1);
            honest_round(&mut ran, plan, n, &case);
        }
    }
    ran
}

/// One hostile mail, and a look at everything that it may not do.
fn one(ran: &mut Ran, plan: Plan, n: usize, case: &Case) {
    let world = &mut ran.world;
    let (seed, game) = (plan.seed, world.boards[case.at].id.clone());
    let before = world.store().seats(&game).unwrap();
    let head = world.store().log_head(&game).unwrap().seq;
    world.deliver(&case.raw);
    let began = processor();
    let mut found = Vec::new();
    let mut done = world.pass();
    let spent = processor() - began;
    for _ in 0..3 {
        // A pass that fails must not stop those behind it.
        let Err(why) = &done else { break };
        found.push(why.clone());
        done = world.pass();
    }
    let passed = done.unwrap_or_default();
    if std::env::var("HOSTILE_TELL").is_ok() {
        eprintln!("{n} {:?} {:?} {spent} ms, {} letters", case.who, case.odd, passed.letters.len());
    }
    *ran.by_who.entry(case.who).or_default() += 1;
    *ran.answered.entry(case.who).or_default() += usize::from(!passed.letters.is_empty());
    ran.slowest = ran.slowest.max((spent, n));
    if spent > MILLIS_MAX {
        found.push(format!("it costs more than 2 s: {spent} ms"));
    }
    found.extend(amounts(&passed));
    found.extend(passed.faults.iter().map(|fault| format!("a letter that is not well-formed, {fault}")));
    let log = world.store().log(&game, head + 1).unwrap();
    let moved = log.iter().any(|entry| entry.kind == "input" || entry.body.contains("\"direction\":\"in\""));
    let after = world.store().seats(&game).unwrap();
    if matches!(case.who, Who::Forged | Who::Machine) && (moved || !same(&before, &after)) {
        found.push(format!("it is taken, {:?}: {}", case.who, said(&case.head)));
    }
    if case.who == Who::Machine && passed.letters.iter().any(|letter| letter.to != OPERATOR) {
        found.push(format!("a machine is answered: {}", said(&case.head)));
    }
    for letter in &passed.letters {
        found.extend(recipient(world, case, &before, letter));
    }
    let strange = |letter: &&Letter| is_asked(world, case, letter);
    if passed.letters.iter().filter(strange).count() > ASKED_MAX {
        found.push("it makes us write to many who never wrote".to_owned());
    }
    found.extend(harm(world, case));
    ran.letters.extend(passed.letters.into_iter().map(|letter| (letter.to, letter.subject)));
    for what in found {
        ran.findings.add(seed, n, case, &what);
    }
    mended(&mut ran.world);
}

fn said(head: &Head) -> String {
    format!("From: {} / {} / {}", head.from, head.more.join(" / "), head.subject)
}

fn same(before: &[Seat], after: &[Seat]) -> bool {
    before.iter().zip(after).all(|(a, b)| (&a.format, &a.addresses) == (&b.format, &b.addresses))
}

fn amounts(passed: &Passed) -> Vec<String> {
    let mut found = Vec::new();
    let bytes: usize = passed.letters.iter().map(|letter| letter.raw.len()).sum();
    if passed.letters.len() > LETTERS_MAX {
        found.push(format!("it causes too many letters: {}", passed.letters.len()));
    }
    if bytes > BYTES_MAX {
        found.push(format!("it causes more than 2 MB of letters: {bytes} bytes"));
    }
    found
}

/// Words that stand in no letter to somebody without a seat, unless he wrote them himself.
const HIDDEN: &[&str] = &[
    "Lannes",
    "Bagration",
    "Kutuzov",
    "Oudinot",
    "Gazan",
    "Soult",
    "Vandamme",
    "Suchet",
    "YOUR FORCES",
    "WHERE YOU STAND",
    "strem-1",
    "staff-1",
    "fog-1",
    "@honest.example",
    "@hostile.example",
    "0705",
];

/// What is wrong with whom a letter goes to, or with what it tells him.
fn recipient(world: &World, case: &Case, before: &[Seat], letter: &Letter) -> Vec<String> {
    let mut found = Vec::new();
    if letter.to == OPERATOR {
        return found;
    }
    let Some((game, seat)) = letter.whose(world.store()) else {
        let raw = String::from_utf8_lossy(&case.raw);
        let wrote = |word: &str| fold(&case.lines).contains(&fold(word)) || fold(&raw).contains(&fold(word));
        if let Some(word) = HIDDEN.iter().find(|word| contains(&letter.text, word) && !wrote(word)) {
            found.push(format!("a letter without a tag tells of a game: {word} to {}", letter.to));
        }
        return found;
    };
    let addresses = world.store().seat(&game, &seat).unwrap().map(|row| row.addresses).unwrap_or_default();
    let had = before.iter().any(|row| row.seat == seat && row.addresses.contains(&letter.to));
    if !addresses.contains(&letter.to) && !had {
        found.push(format!("a letter to an address that the seat does not have: {seat}, {}", letter.to));
    }
    if let Some(board) = world.boards.iter().find(|board| board.id == game)
        && board.honest.contains(&seat.as_str())
        && letter.to != board.address(&seat)
    {
        found.push(format!("the mail of an honest seat goes to another: {seat}, {}", letter.to));
    }
    found
}

/// A letter to one who neither wrote this mail nor has a seat.
fn is_asked(world: &World, case: &Case, letter: &Letter) -> bool {
    let writer = contains(&case.head.from, &letter.to);
    let plays = || !world.store().seats_of_address(&letter.to).unwrap().is_empty();
    letter.to != OPERATOR && !writer && !plays()
}

fn contains(text: &str, word: &str) -> bool {
    text.to_lowercase().contains(&word.to_lowercase())
}

/// Games set aside, and honest seats that are no longer their players'.
fn harm(world: &World, case: &Case) -> Vec<String> {
    let mut found = Vec::new();
    for (at, board) in world.boards.iter().enumerate() {
        if world.state(at) == GameState::Corrupt {
            let log = world.store().log(&board.id, 1).unwrap();
            let why = log
                .iter()
                .rfind(|entry| entry.kind.ends_with("corrupt"))
                .map(|entry| entry.body.clone())
                .unwrap_or_default();
            let why: String = why.chars().take(400).collect();
            // The value stands between quotation marks; what is wrong with it, behind them.
            let root: String = why.rsplit("\\\"").next().unwrap_or_default().chars().take(60).collect();
            found.push(format!("a game is set aside, {}: {} {why}", root.replace(':', ""), board.id));
        }
        for seat in board.honest {
            let row = world.store().seat(&board.id, seat).unwrap().unwrap();
            if row.addresses != [board.address(seat)] {
                found.push(format!(
                    "an honest seat has other addresses, by {:?}: {} {seat} {:?}",
                    case.who, board.id, row.addresses
                ));
            }
        }
    }
    found
}

/// New games in the place of those that are over or harmed, so that the run goes on.
fn mended(world: &mut World) {
    for at in 0..world.boards.len() {
        let board = &world.boards[at];
        let lost =
            |seat: &&str| world.store().seat(&board.id, seat).unwrap().unwrap().addresses != [board.address(seat)];
        // A stranger who takes the free seat of an open game plays by right; the game that forms is wanted again.
        let began = board.hostile.is_empty() && world.state(at) == GameState::Playing;
        if matches!(world.state(at), GameState::Corrupt | GameState::Over) || began || board.honest.iter().any(lost) {
            world.renew(at);
        }
    }
}

/// Every honest seat writes, one game is played on by a step, and each is answered.
fn honest_round(ran: &mut Ran, plan: Plan, n: usize, case: &Case) {
    let world = &mut ran.world;
    let played = (n / plan.round) % world.boards.len();
    let step = world.learn(played);
    let mut wanted = Vec::new();
    for at in 0..world.boards.len() {
        let board = world.boards[at].id.clone();
        for seat in world.boards[at].seats().collect::<Vec<_>>() {
            let plays =
                step.as_ref().filter(|(mover, _)| at == played && mover == seat).map(|(_, lines)| lines.as_str());
            let honest = world.boards[at].honest.contains(&seat);
            if !honest && plays.is_none() {
                continue;
            }
            let body = format!("DEADLINE\n{}\n", plays.unwrap_or("FORCE nobody MARCH 9999"));
            let address = world.boards[at].address(seat);
            let id = world.mail_of(at, seat, &body);
            if honest {
                wanted.push((board.clone(), seat, address, id));
            }
        }
    }
    let passed = match world.pass() {
        Ok(passed) => passed,
        Err(why) => {
            ran.findings.add(plan.seed, n, case, &format!("honest mails, {why}"));
            Passed::default()
        }
    };
    let mut found: Vec<String> =
        passed.faults.iter().map(|fault| format!("a letter that is not well-formed, {fault}")).collect();
    for (game, seat, address, id) in wanted {
        let answers =
            passed.letters.iter().filter(|letter| letter.to == address && letter.in_reply_to.as_ref() == Some(&id));
        let answers: Vec<&Letter> = answers.collect();
        if !answers.iter().any(|letter| letter.text.contains("DEADLINE")) {
            let got: Vec<&str> =
                passed.letters.iter().filter(|letter| letter.to == address).map(|l| l.subject.as_str()).collect();
            found.push(format!("an honest seat is not answered: {game} {seat}, it got {got:?}"));
        }
    }
    found.extend(harm(world, case));
    ran.letters.extend(passed.letters.into_iter().map(|letter| (letter.to, letter.subject)));
    for what in found {
        ran.findings.add(plan.seed, n, case, &what);
    }
    mended(&mut ran.world);
}
