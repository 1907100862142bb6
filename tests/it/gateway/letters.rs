//! Letters are filled from templates and kept in shape.

use super::bench::unsaid;
use estafette::letter::{
    Answer, Choice, Context, Form, LetterError, Map, NAMES, Press, Question, Seed, Templates, shape,
};

const NARROW: Form = Form { width: 40, ascii: false };

fn full() -> Context {
    Context { full: true, ..short() }
}

fn short() -> Context {
    let line = "Lannes tried initiative: 3 against 4, full 5 MP.  He marched 2650 2550 2549 2448 2447. [¶192]";
    Context {
        mark: "=== estafette mail 3 ===".into(),
        end: "=== end of estafette mail ===".into(),
        game: "moravia-7".into(),
        title: "Moravia 1805".into(),
        seat: "french".into(),
        number: 3,
        turn: 1,
        head: "French   turn 1 of 10   15-16 November 1805   Fair".into(),
        now: "Austro-Russian reaction (Forced March), sealed".into(),
        next: "your sheet B, battles, only if pieces are still adjacent".into(),
        due: "Q1, by Sun 23 Nov 20:00 UTC; now Fri 21 Nov 19:12 UTC".into(),
        if_not: "v4 leaves by two hexes toward Wien (your standing default)".into(),
        clock: "Fri 21 Nov 19:12".into(),
        story: vec![line.into(); 11],
        questions: vec![Question {
            key: "Q1".into(),
            question: "v4 is next to Liechtenstein.  It may leave, or stay and fight.".into(),
            rule: "¶248, 314".into(),
            answers: vec!["VEDETTE 4 RETREAT 3550".into(), "VEDETTE 4 STAY".into()],
            default: "VEDETTE 4 RETREAT 3550".into(),
        }],
        forces: vec!["  A   NAP  Napoleon        5** 3056".into()],
        forecast: vec!["  Soult     full 1/2".into()],
        enemy: vec!["  E1  1644  not shown".into()],
        maps: vec![Map { title: "round Lannes".into(), lines: vec!["    1743   |  1943".into()], ..Map::default() }],
        rolls_public: vec!["weather 0  1d6 2".into()],
        seeds: vec![Seed { slot: 0, scope: "public".into(), seed: "bb".repeat(32) }],
        open_slot: 1,
        root: "f9".repeat(32),
        commitments: vec![format!("0 public {}", "7d".repeat(32))],
        commitments_count: 81,
        master: "aa".repeat(32),
        answers: vec![Answer {
            no: 1,
            text: "FORCE Davout COMMAND MARCH 3056 3156 3155 3154 3253 3252".into(),
            word: "REFUSED".into(),
            why: "no French command on the turn of 15-16 November. [¶168]".into(),
            brief: String::new(),
            copy: "FORCE Davout INITIATIVE MARCH 3056 3156 3155 3154 3253 3252".into(),
            notes: Vec::new(),
            choices: vec![Choice { key: "1A".into(), text: "FORCE Davout INITIATIVE MARCH 3056 3156 3155".into() }],
            lines: vec!["  Olmuetz 5309   3   -".into()],
            grouped: false,
            apart: false,
        }],
        press: vec![Press { from: "coalition".into(), written: "Fri 21 Nov".into(), lines: vec!["Hallo".into()] }],
        notes: vec!["Slot 0 is closed.".into()],
        examples: vec!["FORCE Lannes INITIATIVE MARCH 2650 2550 2549 2448 2447 2347 2346 2345 IF CONTACT STOP".into()],
        ..Context::default()
    }
}

#[test]
fn every_letter_is_filled_in_every_form_within_its_width() {
    let templates = Templates::new(&[]).unwrap();
    for (name, _) in NAMES {
        for form in [Form::WIDE, NARROW, Form { width: 76, ascii: true }] {
            for context in [full(), Context::default()] {
                let written = templates.write(name, &context, form).unwrap();
                for line in written.body.lines() {
                    assert!(line.chars().count() <= form.width, "{name} {form:?}: {line}");
                    assert_eq!(line, line.trim_end(), "{name} {form:?}");
                    assert!(!line.starts_with(['>', '|', '.']) && !line.starts_with("From "), "{name}: {line}");
                    assert!(!form.ascii || line.is_ascii(), "{name}: {line}");
                }
                assert!(!written.body.contains("\n\n\n"), "{name} {form:?}\n{}", written.body);
            }
        }
    }
}

#[test]
fn a_report_has_all_its_headings_in_order_even_when_they_are_empty() {
    const HEADINGS: [&str; 9] = [
        "\nWHAT HAPPENED\n",
        "\nQUESTIONS\n",
        "\nYOUR FORCES\n",
        "\nFORECAST\n",
        "\nENEMY\n",
        "\nMAP",
        "\nDICE\n",
        "\nCOMMITMENTS\n",
        "\nHOW TO ORDER\n",
    ];
    let templates = Templates::new(&[]).unwrap();
    for context in [full(), Context { full: true, ..Context::default() }] {
        let body = templates.write("report.txt", &context, Form::WIDE).unwrap().body;
        let places: Vec<usize> =
            HEADINGS.iter().map(|h| body.find(h).unwrap_or_else(|| panic!("{h} in {body}"))).collect();
        assert!(places.is_sorted(), "{places:?}");
    }
}

#[test]
fn a_short_report_begins_with_what_has_changed_and_leaves_out_what_is_empty() {
    const HEADINGS: [&str; 8] = [
        "\n  Score   morale 0 of 4\n",
        "\nCHANGED SINCE YOUR LAST REPORT\n",
        "\nYOUR LINES\n  DONE     2-4, 6\n  1  FORCE Davout",
        "\nQUESTIONS\n",
        "\nYOUR FORCES   10 forces\n",
        "\nENEMY   8 stacks\n",
        "\nMAP   round Lannes\n",
        "\nORDERS THAT WORK NOW\n  FORCE Lannes HOLD\n",
    ];
    let done = |no| Answer {
        no,
        text: "FORCE Soult HOLD".into(),
        word: "DONE".into(),
        brief: "DONE, event 1".into(),
        ..Answer::default()
    };
    let mut context = Context {
        score: "morale 0 of 4".into(),
        forces_title: "10 forces".into(),
        enemy_title: "8 stacks".into(),
        offers: vec!["FORCE Lannes HOLD".into()],
        changed: vec!["  NAP 3056".into()],
        ..short()
    };
    context.answers.extend([2, 3, 4, 6].map(done));
    let templates = Templates::new(&[]).unwrap();
    let body = templates.write("report.txt", &context, Form::WIDE).unwrap().body;
    let places: Vec<usize> = HEADINGS.iter().map(|h| body.find(h).unwrap_or_else(|| panic!("{h} in {body}"))).collect();
    assert!(places.is_sorted(), "{places:?}");
    for gone in ["FORECAST", "COMMITMENTS", "HOW TO ORDER", "\nDICE\n", "CHANGED ON THE MAP"] {
        assert!(!body.contains(gone), "{gone} in {body}");
    }
    // Where the sheet is not open, only what stands otherwise is shown.
    let waits = Context { forces: Vec::new(), enemy: Vec::new(), maps: Vec::new(), offers: Vec::new(), ..context };
    let body = templates.write("report.txt", &waits, Form::WIDE).unwrap().body;
    assert!(body.contains("\nCHANGED ON THE MAP\n  NAP 3056\n"), "{body}");
    for gone in ["YOUR FORCES", "ENEMY", "MAP   ", "ORDERS THAT WORK"] {
        assert!(!body.contains(gone), "{gone} in {body}");
    }
}

#[test]
fn the_opening_says_in_order_what_a_newcomer_needs() {
    const HEADINGS: [&str; 9] = [
        "\nWHAT THIS IS\n",
        "\nTHE SITUATION\n",
        "\nHOW YOU WIN\n",
        "\nWHAT YOU COMMAND   110 SP\n",
        "\nTO BEGIN, answer this mail",
        "\nYOUR FIRST ORDERS",
        "\nBE CAREFUL\n",
        "\n  NEW HERE?",
        "\nYOUR FORCES\n",
    ];
    let words = |said: &str| vec![said.to_owned()];
    let context = Context {
        what: words("You are the French player."),
        situation: words("Kutuzov falls back."),
        victory: words("  At once: never."),
        command: vec!["110 SP".into(), "  NAP Napoleon".into()],
        first: vec![estafette::letter::Example { line: "FORCE Soult HOLD".into(), why: "he stays".into() }],
        cautions: words("No commands."),
        ..short()
    };
    for form in [Form::WIDE, NARROW] {
        let body = Templates::new(&[]).unwrap().write("opening.txt", &context, form).unwrap().body;
        let places: Vec<usize> =
            HEADINGS.iter().map(|h| body.find(h).unwrap_or_else(|| panic!("{h} in {body}"))).collect();
        assert!(places.is_sorted(), "{places:?}");
    }
}

#[test]
fn the_report_reads_as_it_was_drawn() {
    let body = Templates::new(&[]).unwrap().write("report.txt", &full(), Form::WIDE).unwrap().body;
    for wanted in [
        "=== estafette mail 3 ===\nMORAVIA-7   French   turn 1 of 10   15-16 November 1805   Fair   mail 3\n\n",
        "  Due     Q1, by Sun 23 Nov 20:00 UTC; now Fri 21 Nov 19:12 UTC\n",
        "\n  1  Lannes tried initiative: 3 against 4, full 5 MP.  He marched 2650 2550\n     2549 2448 2447. [¶192]\n",
        "\n 11  Lannes",
        "\n  VEDETTE 4 RETREAT 3550\n  VEDETTE 4 STAY\n",
        "\n  public  weather 0  1d6 2\n  own     none\n",
    ] {
        assert!(body.contains(wanted), "{wanted:?} in\n{body}");
    }
    assert!(body.ends_with("=== end of estafette mail ===\n"), "{body}");
}

#[test]
fn a_line_that_needs_no_reason_is_answered_in_one_line() {
    let path = "FORCE MC2 INITIATIVE MARCH 3450 3451 3352 3252 3253 3154 3155 3156 3056 3057 3158 3258 3259 3360";
    let answer =
        |text: &str, brief: &str| Answer { no: 2, text: text.into(), brief: brief.into(), ..Answer::default() };
    let context =
        Context { answers: vec![answer(path, "DONE, events 3-4"), answer("END", "DONE")], ..Context::default() };
    let body = Templates::new(&[]).unwrap().write("answer.txt", &context, Form::WIDE).unwrap().body;
    let wanted = "\n  2  DONE, events 3-4: FORCE MC2 INITIATIVE MARCH 3450 3451 3352 3252 ...\n  2  DONE: END\n";
    assert!(body.contains(wanted), "{body}");
    let phone = Templates::new(&[]).unwrap().write("answer.txt", &context, NARROW).unwrap().body;
    assert!(phone.contains("\n  2 DONE, events 3-4: FORCE MC2 ...\n"), "{phone}");
}

#[test]
fn answers_read_as_they_were_drawn() {
    let body = Templates::new(&[]).unwrap().write("answer.txt", &full(), Form::WIDE).unwrap().body;
    let wanted = "\n  1  FORCE Davout COMMAND MARCH 3056 3156 3155 3154 3253 3252\n     REFUSED  no French command on the turn of 15-16 November. [¶168]\n  FORCE Davout INITIATIVE MARCH 3056 3156 3155 3154 3253 3252\n";
    assert!(body.contains(wanted), "{body}");
}

#[test]
fn a_letter_too_long_loses_its_theatre_first_and_says_so() {
    let mut context = full();
    let sheet =
        |title: &str, theatre, n| Map { title: title.into(), lines: vec!["    =".into(); n], theatre, plated: false };
    context.maps =
        vec![sheet("round Lannes", false, 30), sheet("round Soult", false, 30), sheet("whole theatre", true, 60)];
    let templates = Templates::new(&[]).unwrap();
    let body = templates.write("report.txt", &context, Form::WIDE).unwrap().body;
    assert!(shape::count(&body) <= 150);
    assert!(body.contains("MAP 2   round Soult") && !body.contains("MAP 3"), "{body}");
    assert!(body.contains("Not shown, the mail would be too long: whole theatre."), "{body}");
    context.maps[1].lines = vec!["    =".into(); 90];
    let body = templates.write("report.txt", &context, Form::WIDE).unwrap().body;
    assert!(body.contains("whole theatre, round Soult.") && body.contains("MAP 1   round Lannes"), "{body}");
}

#[test]
fn a_template_of_the_post_office_takes_the_place_of_ours() {
    let ours = [("press.txt".to_owned(), "Subject: News\n{{ mark }}\nHear ye\n{{ end }}\n".to_owned())];
    let written = Templates::new(&ours).unwrap().write("press.txt", &full(), Form::WIDE).unwrap();
    assert_eq!((written.subject.as_str(), written.body.lines().nth(1)), ("News", Some("Hear ye")));
}

#[test]
fn a_template_that_names_what_letters_do_not_have_is_refused_with_its_line() {
    let wrong = |name: &str, text: &str| Templates::new(&[(name.to_owned(), text.to_owned())]).err().unwrap();
    let LetterError::Bad { name, line, why } = wrong("press.txt", "Subject: x\n\n{{ forecats }}\n") else { panic!() };
    assert_eq!((name.as_str(), line), ("press.txt", 3));
    assert!(why.contains("forecats") && why.contains("did you mean forecast?"), "{why}");
    let LetterError::Bad { line, .. } = wrong("press.txt", "Subject: x\n{% if %}\n") else { panic!() };
    assert_eq!(line, 2);
    assert!(matches!(wrong("pres.txt", ""), LetterError::NoSuch { .. }));
}

#[test]
fn foreign_text_cannot_end_our_mail_early() {
    let lines = shape::foreign(&["=== end of estafette mail ===".to_owned()]);
    let body = format!("=== estafette mail 1 ===\n{}\nRESIGN YES\n=== end of estafette mail ===\nMAP\n", lines[0]);
    assert_eq!(estafette::mail::script::order_lines(&body), ["MAP"]);
}

#[test]
fn the_page_of_html_says_every_line_of_the_plain_text_and_fetches_nothing() {
    let templates = Templates::new(&[]).unwrap();
    let odd = Context { notes: vec!["a <b>bold</b> & \"brave\" note".into()], ..short() };
    for context in [full(), short(), odd] {
        for form in [Form::WIDE, NARROW, Form { width: 76, ascii: true }] {
            for name in ["report.txt", "answer.txt", "opening.txt", "over.txt", "notice.txt", "press.txt"] {
                let plain = templates.write(name, &context, form).unwrap().body;
                let (html, _) = templates.page(name, &context, form).unwrap();
                assert_eq!(unsaid(&plain, &html), Vec::<String>::new(), "{name} {form:?}\n{html}");
                for outside in ["http", "src=", "url(", "<script", "<style", "<link", "<img", "<b>bold"] {
                    assert!(!html.contains(outside), "{name}: {outside}\n{html}");
                }
                assert!(html.starts_with("<!doctype html>") && html.contains("<html lang=\"en\">"), "{html}");
                assert!(!form.ascii || html.is_ascii(), "{html}");
            }
        }
    }
    let (html, _) = templates.page("report.txt", &full(), Form::WIDE).unwrap();
    assert!(html.contains("<td") && html.contains("overflow-x:auto"), "tables as tables, maps that scroll: {html}");
    assert!(html.contains("<code>VEDETTE 4 STAY</code>"), "{html}");
}

#[test]
fn words_of_another_seat_cannot_make_a_page_say_what_its_letter_does_not() {
    let templates = Templates::new(&[]).unwrap();
    let forged = "\u{E001}\u{E000}dEND\u{E001}</pre><a href=x>".to_owned();
    let press = vec![Press { from: "blue".into(), written: "today".into(), lines: vec![forged] }];
    let context = Context { press, ..short() };
    let (html, _) = templates.page("report.txt", &context, Form::WIDE).unwrap();
    assert!(!html.contains("<a href") && html.ends_with("</body></html>\n"), "{html}");
    assert_eq!(html.matches("<pre").count(), html.matches("</pre>").count(), "{html}");
}
