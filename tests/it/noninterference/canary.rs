//! Canaries: every leader and unit gets a name that nothing else has, and no mail may hold it before its reader was shown
//! the piece.

use super::mails::house_player;
use crate::gateway::bench::{Bench, campaign, teaching};
use estafette::gateway::NewGame;
use estafette::store::Tempo;
use mail_parser::{MessageParser, MimeHeaders};
use serde_json::Value;

/// A piece under its new name.
struct Canary {
    side: String,
    id: String,
    words: Vec<String>,
}

/// The teaching scenario with every name and code of its order of battle changed.
fn renamed() -> (Vec<(String, String)>, Vec<Canary>) {
    let mut canaries: Vec<Canary> = Vec::new();
    let mut files = teaching();
    for (path, text) in files.iter_mut().filter(|(path, _)| path.starts_with("orders-of-battle/")) {
        assert!(path.ends_with(".yaml"));
        let lines: Vec<String> = text.lines().map(|line| rename(line, &mut canaries)).collect();
        *text = lines.join("\n") + "\n";
    }
    assert!(canaries.len() > 20, "{}", canaries.len());
    // The briefings name their own pieces, by their new names too.
    let (_, scenario) = files.iter_mut().find(|(path, _)| path == "teaching.yaml").unwrap();
    for canary in &canaries {
        let mut printed = canary.id.clone();
        printed.get_mut(..1).unwrap().make_ascii_uppercase();
        *scenario = scenario.replace(&format!(" {printed} "), &format!(" {} ", canary.words[0]));
    }
    (files, canaries)
}

fn rename(line: &str, canaries: &mut Vec<Canary>) -> String {
    let Some((id, rest)) = line.trim().split_once(": {side: ") else { return line.to_owned() };
    let (side, rest) = rest.split_once(", name: ").unwrap();
    let (_, rest) = rest.split_once(", ").unwrap();
    let letters: String = id.chars().filter(char::is_ascii_alphabetic).collect();
    let name = format!("Xq{letters}");
    let mut words = vec![name.clone()];
    let rest = match rest.strip_prefix("code: ").and_then(|rest| rest.split_once(", ")) {
        None => rest.to_owned(),
        Some((_, rest)) => {
            let code = format!("Q{}", char::from(b'A' + u8::try_from(canaries.len()).unwrap()));
            words.push(format!("{code}X"));
            format!("code: {code}X, {rest}")
        }
    };
    canaries.push(Canary { side: side.to_owned(), id: id.to_owned(), words });
    format!("  {id}: {{side: {side}, name: {name}, {rest}")
}

/// All that a program would show of a mail: subject, bodies, attachments.
fn shown(raw: &[u8]) -> String {
    let mail = MessageParser::new().parse(raw).unwrap();
    let mut text = mail.subject().unwrap_or_default().to_owned();
    for part in mail.text_bodies().chain(mail.html_bodies()).chain(mail.attachments()) {
        text.push_str(part.attachment_name().unwrap_or_default());
        text.push_str(&String::from_utf8_lossy(part.contents()));
    }
    text
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_ascii_alphanumeric()).any(|found| found.eq_ignore_ascii_case(word))
}

#[test]
fn no_mail_names_a_piece_that_its_reader_was_never_shown() {
    let (files, canaries) = renamed();
    let (mut mails, mut named, mut silent) = (0, 0, 0);
    for (tempo, seed) in [(Tempo::Live, 1), (Tempo::Sealed, 3)] {
        let mut bench = Bench::new();
        bench.office.new_game(&NewGame { tempo, master: Some([seed; 32]), ..campaign(&files) }).unwrap();
        let mut new = bench.pass();
        new.extend(bench.reply("french", "SIGNON\nNONCE one"));
        new.extend(bench.reply("coalition", "SIGNON\nNONCE two"));
        let mut shown_to: Vec<(String, String)> = Vec::new();
        let mut seen = 0;
        for mail in 0..400 {
            let log = bench.office.store.log("strem-1", seen + 1).unwrap();
            seen = log.last().map_or(seen, |entry| entry.seq);
            for entry in log.iter().filter(|entry| entry.kind == "sight") {
                let body: Value = serde_json::from_str(&entry.body).unwrap();
                shown_to.push((body["side"].as_str().unwrap().to_owned(), entry.body.clone()));
            }
            for mail in &new {
                let Some(seat) = ["french", "coalition"].into_iter().find(|seat| mail.to.starts_with(seat)) else {
                    continue;
                };
                mails += 1;
                let text = shown(&mail.raw);
                for canary in canaries.iter().filter(|canary| canary.side != seat) {
                    let id = format!("\"{}\"", canary.id);
                    let known = shown_to.iter().any(|(side, body)| side == seat && body.contains(&id));
                    let heard = canary.words.iter().any(|word| has_word(&text, word));
                    assert!(known || !heard, "{seat} reads {:?}, never shown, in {}", canary.words, mail.subject);
                    named += u32::from(heard);
                    silent += u32::from(!heard);
                }
                let own = canaries.iter().filter(|canary| canary.side == seat);
                let own = own.filter(|canary| canary.words.iter().any(|word| has_word(&text, word))).count();
                // A short mail names forces by the codes of their leaders alone, a whole one all pieces.
                let least = if mail.text.contains("key code leader") { 4 } else { 1 };
                assert!(own >= least || !mail.text.contains("YOUR FORCES"), "{}", mail.text);
            }
            let Some((mover, body)) = house_player(&bench, mail) else { break };
            // Refusals and CHECK are heard too; a near miss of a foreign name must not be set right.
            let probe = "CHECK\nFORCE Xqbagratio MARCH 0903\nFORCE Xqlanne MARCH ROAD TO Neudorf\nATTACK 0705\n";
            new = bench.reply(&mover, &format!("MAP\nHISTORY\nORDERS\nAUDIT\n{probe}"));
            new.extend(bench.reply(&mover, &body));
            if bench.office.store.game("strem-1").unwrap().unwrap().state == estafette::store::GameState::Over {
                break;
            }
        }
    }
    assert!(mails > 60 && named > 5 && silent > 500, "{mails} mails, {named} named, {silent} silent");
}
