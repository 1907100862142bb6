//! HELP, VICTORY and RULES, for a seat, an umpire and a stranger; and what an umpire reads of what happened.

use super::bench::{Bench, Mail, teaching, to};
use estafette::gateway::commands::{Command, What, split};
use estafette::handbook::CHAPTERS;

fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn strem() -> Bench {
    let mut bench = Bench::with_campaign(&teaching());
    bench.reply("french", "SIGNON\nEND");
    bench.reply("coalition", "SIGNON\nEND");
    bench
}

/// The lines of a block of the answer to a mail of the French.
fn block(bench: &mut Bench, line: &str, title: &str) -> Vec<String> {
    let mails = bench.reply("french", line);
    let text = &to(&mails, "french")[0].text;
    let lines = text.lines().skip_while(|l| *l != title).skip(1);
    let found: Vec<String> = lines.take_while(|l| !l.is_empty()).map(str::to_owned).collect();
    assert!(!found.is_empty(), "no {title} in {text}");
    found
}

#[test]
fn help_says_what_is_open_first_and_every_word_of_it_is_a_command() {
    let mut bench = strem();
    let lines = block(&mut bench, "HELP", "HELP");
    let text = lines.join("\n");
    assert!(lines.len() <= 24, "{}: {text}", lines.len());
    assert!(lines[0].contains("your movement (sheet A)") && lines[1].contains("your orders, by"), "{text}");
    for wanted in ["HELP WIN", "HELP MARCH", "HELP BATTLE", "HELP SEALED", "RULES 79", "VICTORY", "sees none of this"] {
        assert!(flat(&text).contains(wanted), "{wanted}: {text}");
    }
    let own = lines.iter().filter(|line| line.starts_with("  FORCE") || line.starts_with("  VEDETTE")).count();
    assert!((1..=5).contains(&own), "{text}");
    let said = flat(&text);
    for label in ["See", "Learn", "Post"] {
        let of = said.split(&format!(" {label} ")).nth(1).unwrap().split(" Answer ").next().unwrap();
        let of = of.split(" Learn ").next().unwrap().split(" Post ").next().unwrap();
        for line in of.split(", ") {
            let item = split(&[line.replace("seat ...", "french")], &|_| false, false).remove(0);
            assert!(matches!(item.what, What::General(_)), "{line} is no command: {text}");
        }
    }
    // Who is not on move gets no lines of his own to copy; on a phone it fits too.
    bench.reply("coalition", "FORMAT 40");
    let mails = bench.reply("coalition", "HELP");
    let text = &to(&mails, "coalition")[0].text;
    assert!(
        !text.contains("Orders with your own pieces") && text.lines().all(|line| line.chars().count() <= 40),
        "{text}"
    );
}

#[test]
fn help_explains_its_topics_and_chapters_and_lists_them_for_a_word_it_does_not_know() {
    let mut bench = strem();
    for (topic, wanted) in [
        ("MARCH", "on his own, by road"),
        ("battle", "ATTACK 2345 WITH"),
        ("SEALED", "UNDO 2 takes it back"),
        ("check", "SEND, as the answer to a CHECK"),
    ] {
        let text =
            flat(&block(&mut bench, &format!("HELP {topic}"), &format!("HELP {}", topic.to_uppercase())).join("\n"));
        assert!(text.contains(wanted), "{topic}: {text}");
    }
    assert_eq!(block(&mut bench, "HELP WIN", "HELP WIN"), block(&mut bench, "VICTORY", "VICTORY"));
    let force = block(&mut bench, "HELP FORCE", "HELP FORCE").join("\n");
    assert!(force.contains("FORCE") && force.contains("MARCH") && !force.contains("VEDETTE PLACE"), "{force}");
    // A verb is explained too, where a text of the game speaks of it.
    let told = estafette::host::asked::told_of("campaigns", &[], "FORCE");
    assert!(told.first().is_some_and(|said| flat(&force).contains(&flat(said))), "{force}");
    for chapter in CHAPTERS {
        let mails = bench.reply("french", &format!("HELP {}", chapter.name));
        let text = &to(&mails, "french")[0].text;
        assert!(text.contains(&format!("\nHELP {}\n", chapter.name)), "{text}");
        let wide = text.lines().find(|line| line.chars().count() > 76 && line.trim().contains(' '));
        assert_eq!(wide, None, "{}", chapter.name);
        let last = chapter.text.lines().rfind(|line| !line.trim().is_empty()).unwrap();
        assert!(flat(text).contains(&flat(&last.replace('…', "..."))), "{}: {last}", chapter.name);
        bench.office.store.act(|act| act.forget_answers_before("9")).unwrap();
    }
    let mails = bench.reply("french", "HELP trebuchet");
    let text = flat(&to(&mails, "french")[0].text);
    assert!(text.contains("UNCLEAR") && text.contains("WIN, SEALED, CHECK, MARCH, BATTLE, RESERVE, player"), "{text}");
}

#[test]
fn help_explains_doctrine_every_command_and_the_words_of_the_game() {
    let mut bench = strem();
    let doctrine = flat(&block(&mut bench, "HELP DOCTRINE", "HELP DOCTRINE").join("\n"));
    assert!(doctrine.contains("standing answers") && doctrine.contains("CONTACT"), "{doctrine}");
    for word in estafette::gateway::commands::WORDS {
        let mails = bench.reply("french", &format!("HELP {word}"));
        let text = &to(&mails, "french")[0].text;
        assert!(!text.contains("UNCLEAR"), "{word}: {text}");
        bench.office.store.act(|act| act.forget_answers_before("9")).unwrap();
    }
    let words = [
        ("campaigns", "vedettes"),
        ("austerlitz1805", "decoy"),
        ("brave_fellows", "impulse"),
        ("great_battles", "LIM"),
    ];
    for (ruleset, word) in words {
        let topics = estafette::games::GAMES.iter().find(|entry| entry.name == ruleset);
        assert!(topics.is_some());
        let told = estafette::host::asked::told_of(ruleset, &[], word);
        assert!(
            !told.is_empty() && told.iter().all(|line| line.to_lowercase().contains(&word[..3].to_lowercase())),
            "{word}: {told:?}"
        );
    }
    assert!(estafette::host::asked::told_of("campaigns", &[], "trebuchet").is_empty());
}

#[test]
fn victory_says_something_in_every_ruleset_and_at_any_time() {
    for ruleset in ["toy-fellows", "toy-great", "toy-austerlitz"] {
        let mut bench = Bench::with_game("toy-7", ruleset);
        let [first, _] = super::bench::seats(ruleset);
        let mails = bench.reply(first, "VICTORY");
        let text = flat(&to(&mails, first)[0].text);
        assert!(text.contains("VICTORY") && text.contains("its scenario and its rulebook do"), "{text}");
    }
    let mut bench = strem();
    assert!(!block(&mut bench, "VIC", "VICTORY").is_empty());
}

#[test]
fn rules_takes_a_paragraph_however_it_is_written() {
    let read = |text: &str| match split(&[text.to_owned()], &|_| false, false).remove(0).what {
        What::General(Ok(Command::Rules(number))) => number,
        other => panic!("{text}: {other:?}"),
    };
    let forms = [
        ("RULES 242", "242"),
        ("RULES ¶242", "242"),
        ("rules ¶ 242,", "242"),
        ("RULES §16.4", "16.4"),
        ("RULES 13.11.1", "13.11.1"),
        ("RULES rule 300.3a", "300.3a"),
        ("RULES [¶31]", "31"),
        ("RULES 16.4.", "16.4"),
    ];
    for (said, wanted) in forms {
        assert_eq!(read(said), wanted, "{said}");
    }
    let item = split(&["RULES".to_owned()], &|_| false, false).remove(0);
    assert!(matches!(item.what, What::General(Err(_))));
    let mut bench = strem();
    let text = block(&mut bench, "RULES 242", "RULES 242").join("\n");
    assert!(text.contains("the rulebook governs") && text.lines().all(|line| line.chars().count() <= 76), "{text}");
    // What has no words of its own stands under the paragraph above it.
    let step = block(&mut bench, "RULES 300.7", "RULES 300.7");
    let whole = block(&mut bench, "RULES 300", "RULES 300");
    // A step is answered with its own sentences, and not with the whole procedure.
    let (step, whole) = (step.join(" "), whole.join(" "));
    assert!(step.contains("Old Guard") && step.len() < whole.len(), "{step}");
    let mails = bench.reply("french", "RULES 4711");
    assert!(to(&mails, "french")[0].text.contains("nothing under that number"), "{mails:?}");
}

#[test]
fn an_umpires_help_begins_with_the_stage_and_names_every_verb() {
    let mut bench = strem();
    let mails = bench.reply("umpire", "HELP");
    let text = &to(&mails, "umpire")[0].text;
    let said = flat(text);
    assert!(said.contains("Stage French movement (sheet A)") && said.contains("Held nothing"), "{text}");
    for (verb, _) in estafette::gateway::verbs::VERBS {
        assert!(said.contains(verb), "{verb}: {text}");
    }
    for verb in ["HOLD", "RELEASE", "PAUSE", "RESUME", "PROCEED", "EXTEND", "REPLACE", "MESSAGE"] {
        assert!(said.contains(verb), "{verb}: {text}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 76), "{text}");
    assert!(to(&bench.reply("umpire", "HELP umpire"), "umpire")[0].text.contains("HELP umpire"));
    assert!(to(&bench.reply("umpire", "RULES 242"), "umpire")[0].text.contains("RULES 242"));
}

#[test]
fn summary_counts_the_rolls_of_each_turn_by_itself() {
    let mut bench = strem();
    // All that was rolled so far was rolled in the first turn: for the weather, and for points.
    let rolls = block(&mut bench, "DICE", "DICE").iter().filter(|line| line.contains("d6  ")).count();
    assert!(rolls > 1, "{rolls}");
    let told = block(&mut bench, "SUMMARY", "SUMMARY");
    assert_eq!(told.len(), 2, "{told:?}");
    for (line, rolls) in told.iter().zip([0, rolls]) {
        assert!(line.ends_with(&format!("({rolls} rolls)")), "{told:?}");
    }
}

#[test]
fn a_word_of_the_game_is_told_by_the_one_sentence_that_holds_it_with_its_paragraph() {
    let mut bench = strem();
    let told = flat(&block(&mut bench, "HELP REPULSE", "HELP REPULSE").join("\n"));
    let first = "IF CONTACT REPULSE ELSE STOP, behind a march, says what he does when he meets an enemy. [¶241] \
                 Conditions save mails: IF CONTACT";
    assert!(told.starts_with(first), "{told}");
    // A colon ends no sentence.
    let told = estafette::host::asked::told_of("great_battles", &[], "LIMITED");
    assert!(told.iter().any(|line| line.starts_with("LIMITED needs no die: half of the points,")), "{told:?}");
    // Several paragraphs in one bracket stay together, behind their sentence.
    let told = flat(&block(&mut bench, "HELP PURSUIT", "HELP PURSUIT").join("\n"));
    assert!(told.contains("the bridge of a primary river. [¶300, 329]"), "{told}");
}

#[test]
fn a_stranger_reads_what_this_is_and_of_lists_only_where_a_game_is_open() {
    let mut bench = strem();
    bench.post("eve@example.net", "hello", "HELP\n");
    let mails = bench.pass();
    let text = flat(&mails[0].text);
    assert_eq!((mails.len(), mails[0].subject.as_str()), (1, "This address runs wargames by mail"));
    assert!(text.contains("Answer the last mail that you have of your game") && !text.contains("LIST"), "{text}");
    let plain = mails[0].text.clone();
    // Who has a seat gets the same where his mail finds none.
    bench.post("french@example.org", "hello", "HELP\n");
    assert_eq!(bench.pass().iter().map(|mail| &mail.text).collect::<Vec<_>>(), [&plain]);
    bench.office.store.act(|act| act.set_note("strem-1", "open", Some("yes"))).unwrap();
    bench.post("bob@example.net", "hello", "hello\n");
    bench.post("alice@example.net", "hello", "good day\n");
    let mails: Vec<Mail> = bench.pass();
    assert!(mails.len() == 2 && mails[0].text == mails[1].text && mails[0].text.contains("    LIST  "), "{mails:?}");
}

#[test]
fn the_umpire_reads_what_happened_in_the_words_and_numbers_of_the_players() {
    let mut bench = strem();
    bench.reply("french", "FORCE Lannes COMMAND MARCH ROAD TO 0405\nEND");
    let page =
        bench.out().into_iter().rfind(|m| m.to == "umpire@example.org" && m.subject.contains("THE TRUTH")).unwrap();
    let players = bench
        .out()
        .into_iter()
        .rfind(|m| m.to == "french@example.org" && m.text.contains("\nCHANGED SINCE YOUR LAST REPORT\n"));
    let players = flat(&players.unwrap().text);
    let told = page.text.split("\nPIECES\n").next().unwrap();
    let said = flat(told.split("WHAT HAPPENED").nth(1).unwrap());
    assert!(said.contains("To french: ") && said.contains("Lannes"), "{}", page.text);
    let line = said.split("To french: ").find(|part| part.contains("Movement Command")).unwrap();
    let sentence = line.split(". ").find(|part| part.contains("marched")).unwrap();
    assert!(players.contains(sentence), "{sentence} in {players}");
    // The line of communication is the one that each side reads in its own report.
    for seat in ["french", "coalition"] {
        let own = bench.reply(seat, "REPORT");
        let own = flat(&to(&own, seat)[0].text);
        let hexes = own.split(" of 40 hexes").next().unwrap().rsplit(' ').next().unwrap();
        let loc = format!("LOC {hexes} of 40");
        assert!(flat(&page.text).contains(&loc), "{seat}: {loc} in {}", page.text);
    }
    // The next page tells only what is new.
    bench.reply("coalition", "END");
    let next =
        bench.out().into_iter().rfind(|m| m.to == "umpire@example.org" && m.subject.contains("THE TRUTH")).unwrap();
    assert!(next.id != page.id && !flat(&next.text).contains(sentence), "{}", next.text);
}
