//! What a newcomer's line was meant to be: the forty-one lines of the study with the answer to each, a corpus of lines as
//! people write them, salads of words, and names of the enemy that must not tell where he is.

mod newcomer;
mod played;

use estafette::fog::{Fogged, SideId, Viewer, see};
use estafette::orders::mend::{Meaning, Topic, lexicon};
use estafette::orders::{self, Fault};
use estafette::rules::Ruleset;
use estafette::rules::austerlitz1805::Austerlitz;
use estafette::rules::campaigns::Campaigns;
use estafette::rules::cx::Base;
use estafette::scenario;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::LazyLock;

type ViewOf<R> = <R as Fogged>::View;

static LINES: LazyLock<String> = LazyLock::new(|| list("lines.txt"));
static CAMPAIGNS: LazyLock<String> = LazyLock::new(|| list("campaigns.txt"));
static AUSTERLITZ: LazyLock<String> = LazyLock::new(|| list("austerlitz1805.txt"));

fn list(name: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/mend").join(name)).unwrap()
}

/// Moravia on turn 1 with its vedettes placed; `at` is the sheet, `more` what is otherwise than in the scenario.
fn moravia(at: &str, more: &Value) -> Base<Campaigns> {
    let mut before = json!({
        "turn": 1, "at": at, "segment": "initiative",
        "sides": {
            "french": {"vedettes": {"1": "2347", "2": "2650", "3": "2549", "4": "0950", "5": "3450"}},
            "coalition": {"vedettes": {"1": "1644", "2": "1943", "3": "2243", "4": "2345", "5": "3647"}},
        },
    });
    merge(&mut before, more);
    base::<Campaigns>("campaigns/1805-moravia.yaml", before)
}

fn merge(into: &mut Value, more: &Value) {
    match (into, more) {
        (Value::Object(into), Value::Object(more)) => {
            for (key, value) in more {
                merge(into.entry(key).or_insert(Value::Null), value);
            }
        }
        (into, more) => *into = more.clone(),
    }
}

fn base<R: Ruleset>(file: &str, before: Value) -> Base<R> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios").join(file);
    R::arrange(&scenario::files(&path).unwrap(), before).unwrap()
}

fn view<R: Ruleset>(base: &Base<R>, side: &str) -> ViewOf<R> {
    let side = SideId(side.to_owned());
    let mind = base.minds.iter().find(|(s, _)| *s == side).map(|(_, m)| m).unwrap();
    see::<R>(&base.state, mind, Viewer::Side(side)).into_parts().1
}

/// The French at one of the sheets of the corpus.
fn french(sheet: &str) -> ViewOf<Campaigns> {
    let near = json!({"sides": {"french": {"leaders": {"oudinot": {"hex": "2346"}}}}});
    let base = match sheet {
        "A" => moravia("own french", &json!({})),
        "R" => moravia("reaction coalition", &json!({})),
        "B" => moravia("designate french", &near),
        _ => base::<Campaigns>("campaigns/1805-moravia.yaml", json!({"at": "setup"})),
    };
    view(&base, "french")
}

/// The Allies before the Pratzen, turn 5.
fn allied() -> ViewOf<Austerlitz> {
    view(&base::<Austerlitz>("austerlitz1805/teaching.yaml", json!({"at": "own allied"})), "allied")
}

/// The fault of a line as CHECK finds it; none where it is taken.
fn fault<R: Ruleset>(v: &ViewOf<R>, text: &str) -> Option<Fault> {
    let order = orders::bind(R::verbs(), v, &orders::line(1, text));
    order.and_then(|order| R::rehearse(v, &order)).err()
}

fn meant<R: Ruleset>(v: &ViewOf<R>, text: &str) -> Option<Meaning> {
    fault::<R>(v, text).map(|fault| R::meant(v, &orders::line(1, text), &fault))
}

/// Whether a line can be sent as it stands.
fn legal<R: Ruleset>(v: &ViewOf<R>, text: &str) -> bool {
    text == "END" || fault::<R>(v, text).is_none()
}

/// What a meaning is called in the lists, with its lines.
fn called(meaning: &Option<Meaning>) -> (&'static str, Vec<String>) {
    match meaning {
        None => ("TAKEN", Vec::new()),
        Some(Meaning::Nothing) => ("PASSED OVER", Vec::new()),
        Some(Meaning::Question(_)) => ("ANSWERED", Vec::new()),
        Some(Meaning::Attempt(mended)) if mended.same => ("TAKEN", Vec::new()),
        Some(Meaning::Attempt(mended)) => ("NOT TAKEN", mended.lines.clone()),
    }
}

/// One of the forty-one lines: its number, the word over its answer, the line, the lines that it gets.
fn study() -> Vec<(u32, &'static str, &'static str, Vec<&'static str>)> {
    let mut found: Vec<(u32, &str, &str, Vec<&str>)> = Vec::new();
    for row in LINES.lines().filter(|row| !row.starts_with('#') && !row.is_empty()) {
        if let Some(line) = row.strip_prefix("    ") {
            found.last_mut().unwrap().3.push(line);
            continue;
        }
        let mut parts = row.splitn(3, " | ");
        let (no, word, line) = (parts.next().unwrap(), parts.next().unwrap(), parts.next().unwrap());
        found.push((no.parse().unwrap(), word, line, Vec::new()));
    }
    found
}

/// The answer to a line of the study. What only a rehearsal can refuse (a place out of reach, a detour) is refused here in
/// its name, so that the test holds before and after there is one.
fn study_answer<R: Ruleset>(v: &ViewOf<R>, word: &str, line: &str) -> Option<Meaning> {
    meant::<R>(v, line).or_else(|| {
        let refused = Fault::refused("the place is out of reach this turn", "¶193");
        (word == "NOT TAKEN").then(|| R::meant(v, &orders::line(1, line), &refused))
    })
}

#[test]
fn the_forty_one_lines_are_answered_as_the_study_has_them() {
    let (moravia, pratzen) = (french("A"), allied());
    let all = study();
    assert_eq!(all.len(), 41);
    let mut wrong = Vec::new();
    for (no, word, line, lines) in all {
        let answer = if no <= 28 {
            study_answer::<Campaigns>(&moravia, word, line)
        } else {
            study_answer::<Austerlitz>(&pratzen, word, line)
        };
        let (got, suggested) = called(&answer);
        // ANYWAY is offered as soon as the verb has it.
        let wanted: Vec<&str> =
            lines.into_iter().filter(|l| !l.ends_with("ANYWAY") || legal::<Campaigns>(&moravia, l)).collect();
        if got != word || suggested != wanted {
            wrong.push(format!("{no} {line}\n   wanted {word} {wanted:?}\n   got    {got} {suggested:?}"));
        }
        if let Some(Meaning::Attempt(mended)) = &answer {
            let long = mended.why.chars().count() + mended.rule.chars().count();
            if mended.why.is_empty() || long > 140 {
                wrong.push(format!("{no} {line}\n   why: {:?}", mended.why));
            }
        }
    }
    assert_eq!(wrong.join("\n"), "");
}

#[test]
fn questions_are_answered_by_what_they_ask_for() {
    let v = french("A");
    let topic = |line: &str| match meant::<Campaigns>(&v, line) {
        Some(Meaning::Question(topic)) => topic,
        other => panic!("{line}: {other:?}"),
    };
    assert_eq!(topic("What do I need to win?"), Topic::Win);
    assert_eq!(topic("rule 168"), Topic::Rule("168".to_owned()));
    let Topic::Told(lines) = topic("SUPPLY") else { panic!("supply is told") };
    assert!(lines[0].starts_with("center Wien 3056, active; source Wien; LOC 0 of 40; AP 3; "), "{lines:?}");
    assert_eq!(topic("Where is Lannes?"), Topic::Told(vec!["Lannes: at Stockerau 2650, 9 SP.".to_owned()]));
}

/// A line of a corpus: position, what is meant, the line.
fn corpus(text: &'static str) -> Vec<(&'static str, &'static str, &'static str)> {
    let rows = text.lines().filter(|row| !row.starts_with('#') && !row.is_empty());
    rows.map(|row| {
        let mut parts = row.splitn(3, " | ");
        (parts.next().unwrap(), parts.next().unwrap(), parts.next().unwrap())
    })
    .collect()
}

/// Verb and piece of an order of Moravia.
fn marched(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let verb = ["BRIDGE", "MARCH", "HOLD", "PLACE"].into_iter().find(|verb| words.contains(verb));
    let after = |word: &str| words.iter().position(|w| *w == word).and_then(|at| words.get(at + 1)).copied();
    match words.first().copied() {
        Some("FORCE") => format!("{} {}", verb.unwrap_or("-"), words[1].trim_matches('"')),
        Some("VEDETTE") if verb == Some("PLACE") => {
            format!("PLACE {}", words.iter().skip(2).find(|w| **w != "WITH").unwrap_or(&"-"))
        }
        Some("VEDETTE") => format!("{} v{}", verb.unwrap_or("-"), words[1]),
        Some("CENTER") => format!("{} CENTER", verb.unwrap_or("-")),
        Some("ATTACK") => format!("ATTACK {}", after("WITH").unwrap_or("-")),
        Some("BATTLE") => format!("BATTLE {}", words[1]),
        _ => line.to_owned(),
    }
}

/// Verb and unit of an order before the Pratzen.
fn fought(line: &str) -> String {
    let Some((verb, rest)) = line.split_once(' ') else { return line.to_owned() };
    let units = ["IV Russian/1", "IV Austrian/1", "Repninsky", "Rotermund", "Caramelli", "Uvarov", "Kollowrat"];
    let unit = units.into_iter().find(|unit| rest == *unit || rest.starts_with(&format!("{unit} ")));
    format!("{verb} {}", unit.unwrap_or("-"))
}

#[derive(Default, Debug)]
struct Count {
    orders: u32,
    right: u32,
    other_piece: u32,
    suggested: u32,
    illegal: u32,
    classes: u32,
    misread: u32,
}

/// Reads a corpus; what is wrong is told by line.
fn count<R: Ruleset>(
    rows: &[(&str, &str, &str)],
    at: impl Fn(&str) -> ViewOf<R>,
    read: fn(&str) -> String,
    told: &mut Vec<String>,
) -> Count {
    let mut found = Count::default();
    let mut open: Option<(&str, ViewOf<R>)> = None;
    for (position, wanted, line) in rows {
        if open.as_ref().is_none_or(|(of, _)| of != position) {
            open = Some((*position, at(position)));
        }
        let v = &open.as_ref().unwrap().1;
        let meaning = meant::<R>(v, line);
        let (word, mut lines) = called(&meaning);
        if let Some(class) = [("NOTHING", "PASSED OVER"), ("ASK", "ANSWERED")].iter().find(|c| c.0 == *wanted) {
            found.classes += 1;
            if word != class.1 {
                found.misread += 1;
                told.push(format!("{line}\n   wanted {}, got {word} {lines:?}", class.1));
            }
            continue;
        }
        match &meaning {
            None => lines.push((*line).to_owned()),
            Some(Meaning::Attempt(mended)) if mended.same => lines.clone_from(&mended.lines),
            Some(_) => {}
        }
        found.suggested += u32::try_from(lines.len()).unwrap();
        found.illegal += u32::try_from(lines.iter().filter(|l| !legal::<R>(v, l)).count()).unwrap();
        let piece = |verb_and_piece: &str| verb_and_piece.split_once(' ').map(|(_, piece)| piece.to_owned());
        let (mine, theirs) = (piece(wanted), lines.iter().map(|l| read(l)).collect::<Vec<_>>());
        if let Some(other) = theirs.iter().find(|got| mine.is_some() && piece(got) != mine || *wanted == "-") {
            found.other_piece += 1;
            told.push(format!("{line}\n   wanted {wanted}, names another: {other} {lines:?}"));
        }
        if *wanted == "-" {
            continue;
        }
        found.orders += 1;
        if theirs.first().is_some_and(|got| got == wanted) {
            found.right += 1;
        } else {
            told.push(format!("{line}\n   wanted {wanted}, got {word} {lines:?}"));
        }
    }
    found
}

#[test]
fn nine_of_ten_newcomers_get_their_own_verb_and_piece() {
    let mut told = Vec::new();
    let (campaigns, austerlitz) = (corpus(&CAMPAIGNS), corpus(&AUSTERLITZ));
    let all = [
        count::<Campaigns>(&campaigns, french, marched, &mut told),
        count::<Austerlitz>(&austerlitz, |_| allied(), fought, &mut told),
    ];
    let sum = |of: fn(&Count) -> u32| all.iter().map(of).sum::<u32>();
    let figures = format!("{all:#?}\n{}", told.join("\n"));
    assert!(sum(|c| c.orders) >= 150, "{figures}");
    assert!(sum(|c| c.right) * 10 >= sum(|c| c.orders) * 9, "{figures}");
    assert_eq!(sum(|c| c.other_piece), 0, "{figures}");
    assert_eq!(sum(|c| c.illegal), 0, "{figures}");
    assert_eq!(sum(|c| c.misread), 0, "{figures}");
    println!("{figures}");
}

/// A small generator: what it gives depends on its seed alone.
struct Whim(u64);

impl Whim {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % u64::try_from(n).unwrap()).unwrap()
    }
}

/// Words for a salad: those of the corpora without the pieces, and what no mail should hold.
fn leaves(rows: &[(&str, &str, &str)], pieces: &[&str]) -> Vec<String> {
    let of_piece = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        pieces.iter().any(|p| p.split(' ').any(|part| part.eq_ignore_ascii_case(word)))
    };
    let words: BTreeSet<String> =
        rows.iter().flat_map(|(_, _, line)| line.split_whitespace()).map(str::to_owned).collect();
    let odd =
        ["\"", "\"\"", "0000", "99999999999", "-1", "1/0", "9999/9999", "ß", "e\u{301}", "\u{202e}", "🐎", "IF", ">"];
    words.into_iter().filter(|word| !of_piece(word)).chain(odd.map(str::to_owned)).collect()
}

fn salads<R: Ruleset>(v: &ViewOf<R>, leaves: &[String], pieces: &[&str], read: fn(&str) -> String, seed: u64) {
    let mut whim = Whim(seed);
    let mut mended = 0;
    for _ in 0..500 {
        let mut words: Vec<&str> = (0..whim.below(9)).map(|_| leaves[whim.below(leaves.len())].as_str()).collect();
        let piece = pieces[whim.below(pieces.len())];
        words.insert(whim.below(words.len() + 1), piece);
        let line = words.join(" ");
        let Some(Meaning::Attempt(found)) = meant::<R>(v, &line) else { continue };
        for suggestion in found.lines {
            assert!(legal::<R>(v, &suggestion), "{line}\n{suggestion}");
            let got = read(&suggestion);
            let named = got.split_once(' ').map_or("", |(_, piece)| piece);
            assert!(named.is_empty() || named == piece || named == "ALL", "{line}\n{suggestion}");
            mended += 1;
        }
    }
    assert!(mended >= 50, "only {mended} lines came of it");
}

#[test]
fn no_salad_of_words_moves_another_piece() {
    let pieces = ["Lannes", "Soult", "Davout", "Napoleon", "Mortier", "MC1"];
    // Whoever stands in a line of the corpus would be a piece of the salad as well.
    let all = ["Lannes", "Soult", "Davout", "Napoleon", "Mortier", "MC1", "MC2", "Murat", "Oudinot", "Bernadotte"];
    let spelt: Vec<(&str, &str, &str)> =
        corpus(&CAMPAIGNS).into_iter().filter(|(_, wanted, line)| harmless(wanted, line, &all)).collect();
    salads::<Campaigns>(&french("A"), &leaves(&spelt, &all), &pieces, marched, 7);
    let units = ["Repninsky", "Rotermund", "Caramelli", "Uvarov", "Kollowrat"];
    let spelt: Vec<(&str, &str, &str)> =
        corpus(&AUSTERLITZ).into_iter().filter(|(_, wanted, line)| harmless(wanted, line, &units)).collect();
    salads::<Austerlitz>(&allied(), &leaves(&spelt, &units), &units, fought, 11);
}

/// A line whose words name no own piece but by its right name.
fn harmless(wanted: &str, line: &str, pieces: &[&str]) -> bool {
    let exact = |piece: &&str| line.split_whitespace().any(|word| word == *piece);
    matches!(wanted, "NOTHING" | "ASK") || pieces.iter().any(|p| exact(p) && wanted.ends_with(p))
}

#[test]
fn a_leader_of_the_enemy_is_nobody_wherever_he_is() {
    let hidden = moravia("own french", &json!({}));
    let shown = moravia("own french", &json!({"face_up": ["coalition leader kutuzov"]}));
    let away = json!({"sides": {"coalition": {"leaders": {
        "kutuzov": {"waiting": true}, "dokhturov": {"hex": "1943"},
    }}}});
    let absent = moravia("own french", &away);
    let views = [&hidden, &shown, &absent].map(|base| view(base, "french"));
    assert!(views[1] != views[0], "he is known in the second game");
    let lines = [
        "FORCE Kutuzov INITIATIVE MARCH ROAD TO Znaim",
        "Kutuzov to Znaim",
        "Kutusow nach Wien",
        "FORCE Kutuzov HOLD",
        "Lannes attacks Kutuzov",
        "Lannes marches to Kutuzov",
        "ATTACK Kutuzov WITH Lannes",
        "Where is Kutuzov?",
        "scout Kutuzov with v1",
        "KUT",
    ];
    for line in lines {
        let answers: Vec<String> = views.iter().map(|v| format!("{:?}", meant::<Campaigns>(v, line))).collect();
        assert_eq!(answers[0], answers[2], "{line}");
        // Before he is shown he is a word like any other: nobody learns who takes part in a scenario of one's own.
        let other = |name: &str| line.replace(name, "Wurmberg");
        let nobody = format!("{:?}", meant::<Campaigns>(&views[0], &other("Kutuzov")));
        if line.contains("Kutuzov") {
            assert_eq!(answers[0].replace("Kutuzov", "Wurmberg"), nobody, "{line}");
        }
    }
    // Miloradovich has not come yet; Kutuzov is here. Neither is told.
    let answer = |name: &str| format!("{:?}", meant::<Campaigns>(&views[0], &format!("FORCE {name} HOLD")));
    assert_eq!(answer("Kutuzov"), answer("Miloradovich").replace("Miloradovich", "Kutuzov"));
    let unit = |name: &str| {
        let line = format!("MOVE {name} TOWARD Pratzen 2UM");
        format!("{:?}", meant::<Austerlitz>(&allied(), &line)).replace(name, "X")
    };
    assert_eq!(unit("Vandamme/1"), unit("Legrand/1"), "one stands on the field, the other does not");
}

#[test]
fn what_a_seat_may_not_know_changes_no_answer() {
    let rows = corpus(&CAMPAIGNS);
    let lines: Vec<&str> = rows.iter().filter(|(at, ..)| *at == "A").map(|(_, _, line)| *line).step_by(4).collect();
    let base = moravia("own french", &json!({}));
    let side = SideId("french".to_owned());
    let own = view(&base, "french");
    let answers =
        |v: &ViewOf<Campaigns>| lines.iter().map(|l| format!("{:?}", meant::<Campaigns>(v, l))).collect::<Vec<_>>();
    let first = answers(&own);
    for noise in 0..2 {
        let state = Campaigns::scramble(&base.state, &base.minds, &side, noise);
        let other = view(&Base { state, ..base.clone() }, "french");
        assert_eq!(answers(&other), first, "noise {noise}");
    }
}

#[test]
fn every_line_of_the_word_list_is_read() {
    assert_eq!(lexicon::unread(), Vec::<&str>::new().as_slice());
    assert!(lexicon::senses(&orders::fold("zieht sich zurück")).contains(&lexicon::Sense::Back));
    assert!(lexicon::senses(&orders::fold("Kind regards")).contains(&lexicon::Sense::Close));
}

/// People number their orders, or put dashes before them.
#[test]
fn a_sign_of_a_list_before_a_line_is_no_slip() {
    use estafette::games::{self, GAMES};
    use estafette::host::Input;
    use estafette::host::sheet::Verdict;
    let games = [
        ("campaigns", "1800-marengo"),
        ("austerlitz1805", "teaching"),
        ("brave_fellows", "teaching"),
        ("great_battles", "hill"),
    ];
    for (ruleset, name) in games {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios").join(ruleset).join(format!("{name}.yaml"));
        let entry = games::find(GAMES, ruleset).unwrap();
        let mut game = estafette::simulate::open(entry, &scenario::files(&path).unwrap(), 1).unwrap();
        let batch = game.take(Input::Begin).unwrap();
        let offered = batch.letters.iter().find_map(|letter| {
            let line = letter.sections.body().offers.iter().find(|line| *line != "END")?;
            Some((letter.seat.clone(), line.clone()))
        });
        let (seat, line) = offered.unwrap_or_else(|| panic!("{name} offers nothing"));
        let said = |text: String| {
            let told = game.rehearse(&seat, &[(1, text)], false);
            told.body().answers[0].verdict.clone().unwrap()
        };
        for sign in ["1.", "12)", "3:", "-", "*", "•"] {
            let Verdict::Taken { notes, .. } = said(format!("{sign} {line}")) else { panic!("{sign} {line}") };
            assert_eq!(notes[0], format!("read as {line}."), "{sign}");
        }
        // A bare number may mean another line.
        let Verdict::NotTaken(mended) = said(format!("8 {line}")) else { panic!("8 {line}") };
        assert_eq!((mended.lines, mended.same), (vec![line.clone()], false));
        assert!(mended.why.contains("number and ="), "{}", mended.why);
        let Verdict::NotTaken(_) = said(format!("1. {line} nonsense")) else { panic!("{line} nonsense") };
    }
}
