//! The words of the project: phrases that have given way to plainer ones stand nowhere any more, sentences are short, and
//! what the README and the player's chapter show of an answer is what the program says.

use crate::gateway::bench::{Bench, teaching, to};
use estafette::gateway::commands::WORDS;
use estafette::handbook::CHAPTERS;
use std::path::{Path, PathBuf};

/// Words of a sentence; a colon or semicolon ends one.
const SENTENCE_WORDS_MAX: usize = 25;

/// A phrase of old, and what is said instead. `}` is the end of a name that is filled in.
const BANNED: &[(&str, &str)] = &[
    ("made room", "displaced"),
    ("It fell on", "X loses"),
    ("lost none by attrition", "Attrition: none"),
    ("of this minute;", "positions are current"),
    ("is of this minute", "positions are current"),
    ("for the hex was left", "the hex was vacated"),
    ("left before combat", "retreated before combat"),
    ("} showed ", "is revealed"),
    ("was shown at", "was revealed at"),
    (" rode ", "moved"),
    ("driven back", "repulsed"),
    ("odds were too small", "odds too low"),
    ("tried initiative", "initiative 5 v 4"),
    ("got a Movement Command", "Movement Command (1 AP)"),
    ("was too far", "not enough MP"),
    ("enemy zone stopped", "stopped by an enemy ZOC"),
    ("one enemy zone", "EZOC to EZOC"),
    ("was closed to him", "entry prohibited"),
    ("is closed to it", "entry prohibited"),
    ("onto the map came", "placed"),
    ("Off the map went", "removed"),
    ("went off the map", "left the map"),
    ("took a place of his own", "detached"),
    ("} joined {", "consolidated with"),
    ("was turned face down", "left out"),
    ("standing still", "left out"),
    ("left a bridge train", "dropped a bridge train"),
    ("set to work", "begins repairing"),
    ("whole again", "repaired"),
    ("/{b} is down", "is damaged"),
    ("n your hands", "you control"),
    (" Administrative Points came,", "AP +6"),
    ("by a die of", "(die 6)"),
    ("attacked nobody", "No attacks"),
    ("It must attack", "must attack"),
    ("stated attack", "Stated strength"),
    ("Marker yours", "You play"),
    ("twice what", "Cavalry superiority"),
    ("columns to the left", "shifted 2 left"),
    ("for you, {", "result A3/2"),
    ("hexes allowed", "Pursuit: 4 +1 = 5: 2 hexes"),
    ("was destroyed", "was eliminated"),
    ("was staked", "was committed"),
    ("is staked", "is committed"),
    ("heard the guns of", "Sound of the guns"),
    ("foragers concentrated", "Forage Mode ended"),
    ("went over to", "entered"),
    ("} revictualled", "resupplied"),
    ("enemy's stores", "magazine captured"),
    ("announced as a leader without", "Unemployed Leader"),
    ("is there indeed", "confirmed"),
    ("proved to be another", "exchanged with"),
    ("begins. [4.10]", "the heading says it"),
    ("goes at the enemy", "attacks"),
    ("} goes back", "falls back"),
    ("stands off at", "disengages to"),
    ("Nobody fights", "is no longer engaged"),
    ("still fighting", "engaged with"),
    ("checks under fire", "morale (fire)"),
    ("friend who broke", "nearby rout"),
    ("ran into its own", "collision with a friend"),
    ("between two enemies", "surrounded"),
    ("guns are spiked", "guns captured"),
    ("leaves its guns", "abandons guns"),
    ("one sees", "visibility"),
    ("turns its guns", "pivots"),
    ("places that count", "target locations"),
    ("umpire puts", "the umpire corrects"),
    ("you do not march now", "left out"),
    ("Left out, for", "Not shown"),
    ("would be read now,", "Orders that work now"),
    ("you are not on move", "it is not your turn to order"),
    ("waits for the game to begin", "kept until the game begins"),
    ("words of this house", "our summary"),
    ("byte for byte", "an exact copy"),
    ("dice are sealed", "the dice are committed"),
    ("dice were sealed", "the dice were committed"),
    ("playing field", "adjudicates"),
    ("on free ground", "on a map without hexes"),
    ("free ground without", "a map without hexes"),
    ("adjudicated again", "replayed from the record"),
    ("whoever asks", "anyone"),
    ("obody holds two seats", "no player may hold two seats"),
    ("may read that you are", "your absence is visible to all seats"),
    ("hat contradicts itself is refused", "contradictions are errors"),
    ("the very passes", "the same code"),
    ("map of the house", "architecture"),
    ("loors, each", "layers"),
    ("the house's", "the program's, or our own"),
    ("made again", "recomputed"),
    ("whoever it is", "the blocking piece"),
    ("order line is answered", "gets a reply"),
    ("the last version counts", "may be changed"),
];

/// Where a phrase may stand all the same: file, phrase, reason.
const ALLOWED: &[(&str, &str, &str)] = &[
    ("scenarios/austerlitz1805/orders-of-battle/french.yaml", "the house's", DIGEST),
    ("scenarios/austerlitz1805/orders-of-battle/allied.yaml", "the house's", DIGEST),
];
const DIGEST: &str = "a remark of a file whose digest the records of games hold";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}

/// The text files at or below a path, in order, with their text.
fn texts(path: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut open = vec![root().join(path)];
    while let Some(at) = open.pop() {
        if at.is_dir() {
            open.extend(std::fs::read_dir(&at).unwrap().map(|entry| entry.unwrap().path()));
        } else if let Ok(text) = std::fs::read_to_string(&at) {
            found.push((at.strip_prefix(root()).unwrap().display().to_string(), text));
        }
    }
    found.sort();
    found
}

/// A text without its line ends, so that a wrapped phrase is found.
fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The same of code: what goes on in the next line has its comment signs taken away.
fn flat_code(text: &str) -> String {
    let bare = |line: &str| line.trim().trim_start_matches(['/', '!']).to_owned();
    flat(&text.lines().map(bare).collect::<Vec<_>>().join("\n"))
}

#[test]
fn phrases_that_have_a_plain_word_stand_nowhere() {
    let mut found = Vec::new();
    let mut used = vec![false; ALLOWED.len()];
    let mut files = 0;
    for (path, text) in ["src", "templates", "scenarios", "tests/games", "README.md"].iter().flat_map(|p| texts(p)) {
        files += 1;
        // A message of our own ends its line with a stroke.
        let said = format!(" {} ", flat_code(&text.replace("\\\n", "\n")));
        for (phrase, plain) in BANNED.iter().filter(|(phrase, _)| said.contains(phrase)) {
            match ALLOWED.iter().position(|(file, allowed, _)| path == *file && phrase == allowed) {
                Some(at) => used[at] = true,
                None => found.push(format!("{path}: \"{phrase}\": say \"{plain}\"")),
            }
        }
    }
    assert!(files > 400, "only {files} files were read");
    assert_eq!(found, Vec::<String>::new());
    assert!(used.iter().all(|used| *used), "an exception that is not needed: {ALLOWED:?}");
}

#[test]
fn a_phrase_that_goes_over_the_end_of_a_line_is_found() {
    assert!(flat_code("/// it was made\n    /// again here").contains("made again"));
    assert!(flat_code("\"nobody made \\\n     room\"".replace("\\\n", "\n").as_str()).contains("made room"));
}

/// The sentences of a text in Markdown: without headings, tables and what stands indented.
fn sentences(text: &str) -> Vec<String> {
    let mut paragraphs = vec![String::new()];
    for line in text.lines() {
        let prose = !(line.starts_with("    ") || line.starts_with(['|', '#']) || line.trim().is_empty());
        if !prose || line.starts_with("- ") {
            paragraphs.push(String::new());
        }
        if let Some(last) = paragraphs.last_mut().filter(|_| prose) {
            last.push_str(line.trim());
            last.push(' ');
        }
    }
    let mut found = Vec::new();
    for paragraph in paragraphs {
        let mut sentence = Vec::new();
        for word in paragraph.split_whitespace() {
            sentence.push(word);
            if word.ends_with(['.', '?', '!', ':', ';']) {
                found.push(std::mem::take(&mut sentence).join(" "));
            }
        }
        found.push(sentence.join(" "));
    }
    found.retain(|sentence| !sentence.is_empty());
    found
}

/// What is promised of the operator, in the contract's own words: it stays whole.
const PROMISED: &str = "What he can't do, in a game with a beacon, is choose a die, and in no game of protocol 2 can he \
                        change what has happened without your mailbox showing it (`audit --mails`).";

fn long(sentences: impl IntoIterator<Item = String>) -> Vec<String> {
    let long = |sentence: &String| sentence.split_whitespace().count() > SENTENCE_WORDS_MAX && sentence != PROMISED;
    sentences.into_iter().filter(long).collect()
}

#[test]
fn sentences_of_the_handbook_and_the_readme_are_short() {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    for (name, text) in CHAPTERS.iter().map(|c| (c.name, c.text.to_owned())).chain([("README", readme)]) {
        let found = sentences(&text);
        assert!(found.len() > 10, "{name}: {found:?}");
        assert_eq!(long(found), Vec::<String>::new(), "{name}");
    }
    assert_eq!(long(["one ".repeat(26)]).len(), 1);
}

#[test]
fn sentences_of_the_templates_are_short() {
    let mut count = 0;
    for (path, text) in texts("templates") {
        // What stands between double quotes in a template is said; what is filled in ends a piece of it.
        let said: Vec<String> = text.split('"').skip(1).step_by(2).flat_map(sentences).collect();
        count += said.len();
        assert_eq!(long(said), Vec::<String>::new(), "{path}");
    }
    assert!(count > 50, "only {count} sentences were found");
}

#[test]
fn the_list_of_orders_names_every_general_command() {
    let list = std::fs::read_to_string(root().join("templates/orders.txt")).unwrap();
    let words: Vec<&str> = list.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').collect();
    for word in WORDS {
        assert!(words.contains(word), "ORDERS does not name {word}");
    }
    for said in
        ["END ANYWAY", "END IF ALL DONE", "YES 2", "2 = line", "UNDO 2", "UNDO END", "REVISE", "CHECK SHEET", "SEND"]
    {
        assert!(list.contains(&format!("  {said} ")), "ORDERS does not name {said}");
    }
}

#[test]
fn the_player_s_chapter_names_every_word_of_the_sheet() {
    let chapter = flat(CHAPTERS.iter().find(|chapter| chapter.name == "player").unwrap().text);
    for said in [
        "`END`",
        "`END ANYWAY`",
        "`END IF ALL DONE`",
        "`YES 2`",
        "`YES 2B`",
        "`YES ALL`",
        "`2 = line`",
        "`2A line`",
        "`UNDO`",
        "`UNDO 2`",
        "`UNDO END`",
        "`REVISE`",
        "`SEND`",
        "`CHECK`",
        "`CHECK SHEET`",
        "`ANYWAY`",
        "`HELP`",
        "`HELP WIN`",
        "`HELP SEALED`",
        "`VICTORY`",
        "TUTORIAL",
        "label of two characters",
    ] {
        assert!(chapter.contains(said), "the player's chapter does not name {said}");
    }
}

/// The indented blocks of a text, each without its indent.
fn blocks(text: &str) -> Vec<String> {
    let mut found = vec![String::new()];
    for line in text.lines() {
        match line.strip_prefix("    ") {
            Some(code) => found.last_mut().unwrap().push_str(&format!("{code}\n")),
            None => found.push(String::new()),
        }
    }
    found.retain(|block| !block.is_empty());
    found
}

/// A line without the Administrative Points, which are thrown for.
fn undiced(line: &str) -> String {
    let line = line.trim();
    line.split_once(" of ").filter(|_| line.ends_with(" AP.")).map_or(line.to_owned(), |_| {
        line.rsplit_once("Costs").map_or(line.to_owned(), |(before, _)| before.trim().to_owned())
    })
}

#[test]
fn the_answers_that_are_shown_are_what_the_program_says() {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let player = CHAPTERS.iter().find(|chapter| chapter.name == "player").unwrap().text.to_owned();
    for (name, text) in [("README", readme), ("player", player)] {
        let blocks = blocks(&text);
        let at = blocks.iter().position(|block| block.contains("FORCE Gazn") && block.ends_with("END\n")).unwrap();
        let mut bench = Bench::with_campaign(&teaching());
        bench.reply("coalition", "SIGNON\nEND");
        bench.reply("french", "SIGNON\nVEDETTE PLACE WITH MC1 1\nEND");
        let mails = bench.reply("french", &blocks[at]);
        let answer = &to(&mails, "french")[0].text;
        let said: Vec<String> = answer.lines().map(undiced).collect();
        let shown = &blocks[at + 1];
        assert!(shown.contains("NOT TAKEN") && shown.contains("NOT COUNTED"), "{name}: {shown}");
        for line in shown.lines() {
            assert!(said.contains(&undiced(line)), "{name}: {line}\n{answer}");
        }
        let mails = bench.reply("french", "YES 3\nEND");
        let answer = &to(&mails, "french")[0].text;
        assert!(answer.contains("Gazan initiative") && answer.contains("DONE     line 3 is rewritten."), "{answer}");
    }
}
