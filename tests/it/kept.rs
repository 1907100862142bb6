//! Games that are kept: what the program's own players wrote, what CHECK and a slip in each line were answered, and what came
//! of it. A change of a rule, of the players or of an answer shows here, wherever else it may go unnoticed.

use crate::whole::golden;
use data_encoding::HEXLOWER;
use estafette::games::{self, GAMES};
use estafette::host::sheet::Verdict;
use estafette::host::{Answered, Batch, Game, Input, Letter};
use estafette::{scenario, simulate};
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::path::Path;

fn digest(text: &str) -> String {
    HEXLOWER.encode(&Sha256::digest(text)[..4])
}

/// What has happened and was told, in the order of the chain; not who has built the program.
fn happened(batch: &Batch) -> String {
    let kinds = ["event", "sight", "roll", "line"];
    batch.entries.iter().filter(|entry| kinds.contains(&entry.kind)).map(|entry| format!("{}\n", entry.body)).collect()
}

/// What a letter says, without its pictures.
fn words(letter: &Letter) -> String {
    let said = letter.sections.body();
    let parts = [&said.story, &said.offers, &said.forces, &said.enemy, &said.changed, &said.forecast];
    let lines: Vec<&str> = parts.into_iter().flatten().map(String::as_str).collect();
    format!("{} {} {} {}\n{}\n{:?}\n", letter.seat.0, said.head, said.now, said.score, lines.join("\n"), said.asks)
}

/// A line with the slip that comes next: a letter too few, the end cut off, the regiment alone, the wrong row, the words as
/// one would say them, nothing but unit and place.
pub fn slipped(line: &str, nth: usize) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    let row = |word: &str| word.parse::<u32>().is_ok_and(|n| word.len() == 4 && n > 0);
    match nth % 6 {
        0 => {
            let longest =
                words.iter().rev().max_by_key(|w| if w.chars().all(char::is_alphabetic) { w.len() } else { 0 });
            let longest = longest.copied().unwrap_or_default();
            let short: String = longest.chars().enumerate().filter(|(at, _)| *at != 1).map(|(_, c)| c).collect();
            line.replacen(longest, &short, 1)
        }
        1 => words[..words.len() - 1].join(" "),
        2 => words.iter().map(|w| w.split_once('-').map_or(*w, |(unit, _)| unit)).collect::<Vec<_>>().join(" "),
        3 => {
            let down =
                |w: &&str| if row(w) { format!("{:04}", w.parse::<u32>().unwrap() + 1) } else { (*w).to_owned() };
            words.iter().map(down).collect::<Vec<_>>().join(" ")
        }
        4 => format!("please let {} {}", words[1..].join(" "), words[0].to_lowercase()),
        _ => words.into_iter().filter(|w| w.contains('-') || row(w)).collect::<Vec<_>>().join(" "),
    }
}

/// What a line was answered, in a line.
fn said(answer: &Answered) -> String {
    match &answer.verdict {
        Some(Verdict::NotTaken(mended)) if mended.lines.is_empty() => format!("- {}", mended.why),
        Some(Verdict::NotTaken(mended)) => format!("> {}", mended.lines.join(" | ")),
        Some(Verdict::Taken { .. }) => "taken".to_owned(),
        Some(other) => format!("{other:?}"),
        None => "not read".to_owned(),
    }
}

/// How often a line has a slip: where a rehearsal takes long, or a game has many lines.
fn rarely(ruleset: &str) -> usize {
    match ruleset {
        "campaigns" => 4,
        "great_battles" => 3,
        _ => 1,
    }
}

fn rehearsed(game: &dyn Game, input: &Input, (slips, rarely): (&mut usize, usize)) -> String {
    let Input::Orders { seat, lines, .. } = input else { return String::new() };
    let told = game.rehearse(seat, lines, false);
    let mut kept = format!("  check {}\n", digest(&format!("{:?}", told.body())));
    for (_, line) in lines {
        *slips += 1;
        // What was carried out of the others is in the digest of what happened.
        if !slips.is_multiple_of(rarely) {
            continue;
        }
        let slip = slipped(line, *slips / rarely);
        let answers = game.rehearse(seat, &[(1, slip.clone())], false);
        let answers: Vec<String> = answers.body().answers.iter().map(said).collect();
        let _ = writeln!(kept, "  {line}\n    {slip}\n      {}", answers.join(" / "));
    }
    kept
}

fn kept(ruleset: &str, name: &str, number: u64) -> String {
    let entry = games::find(GAMES, ruleset).unwrap();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios").join(ruleset).join(format!("{name}.yaml"));
    let mut game = simulate::open(entry, &scenario::files(&path).unwrap(), number).unwrap();
    let (mut text, mut input, mut slips) = (String::new(), Input::Begin, 0);
    for mail in 1..5_000 {
        text.push_str(&rehearsed(game.as_ref(), &input, (&mut slips, rarely(ruleset))));
        let batch = game.take(input).unwrap_or_else(|broken| panic!("{}", broken.why));
        let letters: String = batch.letters.iter().map(words).collect();
        let stage = game.stage().map(|stage| stage.key).unwrap_or_default();
        let came = (digest(&happened(&batch)), digest(&letters));
        let _ = writeln!(text, "  came {}, letters {}\n{mail} {stage}", came.0, came.1);
        let Some(due) = batch.dues.first().filter(|_| !batch.over) else { return text };
        input = simulate::mail_of(game.as_ref(), &due.seat, number, mail);
    }
    panic!("it does not end");
}

mod brave_fellows {
    use super::{golden, kept};

    #[test]
    fn the_day_of_durenstein_masked_is_played_as_it_was() {
        golden("kept/day-masked.txt", &kept("brave_fellows", "durenstein-day-masked", 1));
    }

    #[test]
    fn the_whole_battle_alone_against_the_house_is_played_as_it_was() {
        golden("kept/as-french.txt", &kept("brave_fellows", "durenstein-as-french", 1));
    }

    #[test]
    fn the_whole_battle_open_is_played_as_it_was() {
        golden("kept/open.txt", &kept("brave_fellows", "durenstein", 2));
    }

    #[test]
    fn the_loibens_in_fog_are_played_as_they_were() {
        golden("kept/loibens-fog.txt", &kept("brave_fellows", "teaching-fog", 3));
    }
}

mod campaigns {
    use super::{golden, kept};

    #[test]
    fn moravia_is_played_as_it_was() {
        golden("kept/moravia.txt", &kept("campaigns", "1805-moravia", 1));
    }

    #[test]
    fn the_eve_of_austerlitz_is_played_as_it_was() {
        golden("kept/nov30.txt", &kept("campaigns", "1805-moravia-nov30", 2));
    }

    #[test]
    fn marengo_is_played_as_it_was() {
        golden("kept/marengo.txt", &kept("campaigns", "1800-marengo", 3));
    }

    #[test]
    fn eggmuehl_is_played_as_it_was() {
        golden("kept/eggmuehl.txt", &kept("campaigns", "1809-eggmuehl", 4));
    }
}

mod austerlitz1805 {
    use super::{golden, kept};

    #[test]
    fn the_pratzen_is_played_as_it_was() {
        golden("kept/pratzen.txt", &kept("austerlitz1805", "teaching", 1));
    }

    #[test]
    fn the_pratzen_in_fog_is_played_as_it_was() {
        golden("kept/pratzen-fog.txt", &kept("austerlitz1805", "fog-teaching", 2));
    }

    #[test]
    fn the_whole_battle_alone_against_the_house_is_played_as_it_was() {
        golden("kept/austerlitz-as-french.txt", &kept("austerlitz1805", "1805-austerlitz-as-french", 3));
    }
}

mod great_battles {
    use super::{golden, kept};

    #[test]
    fn the_hill_is_played_as_it_was() {
        golden("kept/hill.txt", &kept("great_battles", "hill", 1));
    }

    #[test]
    fn the_hill_masked_is_played_as_it_was() {
        golden("kept/hill-masked.txt", &kept("great_battles", "hill-masked", 2));
    }

    #[test]
    fn telnitz_in_fog_is_played_as_it_was() {
        golden("kept/telnitz-fog.txt", &kept("great_battles", "telnitz-fog", 3));
    }
}
