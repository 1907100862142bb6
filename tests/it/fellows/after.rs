//! DB.8 After a game in fog each seat asks for its bundle by mail: the full log, with all dice, is in both.

use super::files;
use crate::gateway::bench::written;
use crate::troupe::{self, Told};
use estafette::audit::{Line, read};
use estafette::gateway::game_of;
use estafette::mail::maildir::Maildir;
use estafette::store::{GameState, Tempo};
use mail_parser::{MessageParser, MimeHeaders};
use serde_json::Value;
use std::collections::BTreeSet;

const GAME: &str = "fellows-8";

/// The bundle that a player gets for AUDIT, as it is attached to the answer.
fn audit(told: &mut Told, address: &str, number: u32) -> Vec<Line> {
    let last = told.mails.iter().rfind(|mail| mail.to == address).unwrap();
    let asks = written(address, &format!("Re: {}", last.subject), "AUDIT\n", number);
    let mut maildir = Maildir::open(&told.office.dir().join("mail")).unwrap();
    let before: BTreeSet<Vec<u8>> = maildir.sent().unwrap().into_iter().collect();
    maildir.deliver(asks.as_bytes()).unwrap();
    told.office.pass().unwrap();
    let new: Vec<Vec<u8>> = maildir.sent().unwrap().into_iter().filter(|mail| !before.contains(mail)).collect();
    let attached = new.iter().find_map(|mail| {
        let mail = MessageParser::new().parse(mail).unwrap();
        let text =
            mail.attachments().find(|part| part.attachment_name().is_some_and(|name| name.ends_with(".jsonl")))?;
        Some(String::from_utf8(text.contents().to_vec()).unwrap())
    });
    let texts = || new.iter().map(|mail| String::from_utf8_lossy(mail).into_owned()).collect::<String>();
    read(&attached.unwrap_or_else(|| panic!("{}", texts())).replace("\r\n", "\n")).unwrap()
}

/// The entries of the chain, and the dice, as text.
fn log(lines: &[Line]) -> (Vec<(String, String)>, Vec<String>) {
    let entries = lines.iter().filter_map(|line| match line {
        Line::Event { entry, body, .. } => Some((entry.clone(), body.clone())),
        _ => None,
    });
    let rolls = lines.iter().filter(|line| matches!(line, Line::Roll { .. })).map(|line| format!("{line:?}"));
    (entries.collect(), rolls.collect())
}

#[test]
fn after_the_game_both_are_given_the_whole_log_with_all_dice() {
    let name = "teaching-fog.yaml";
    let mut told = troupe::played(("brave_fellows", name, files(name)), (GAME, Tempo::Live), 2_000, "76");
    assert_eq!(game_of(&told.office.store, GAME).unwrap().state, GameState::Over);
    let kept: Vec<(String, String)> =
        told.office.store.log(GAME, 1).unwrap().into_iter().map(|entry| (entry.kind, entry.body)).collect();
    let last = told.mails.iter().rfind(|mail| mail.text.contains("LOSSES AND LUCK")).map(|mail| mail.text.clone());
    assert!(last.is_some_and(|text| text.contains(" units lost") && !text.contains(" SP lost")));
    let (french, their_dice) = log(&audit(&mut told, "ney@example.org", 5_001));
    let (coalition, our_dice) = log(&audit(&mut told, "weyrother@example.org", 5_002));
    // What is asked for afterwards may be noted behind the game.
    assert!(french.starts_with(&kept) && coalition.starts_with(&french), "{} entries", kept.len());
    assert_eq!(their_dice, our_dice);
    assert_eq!(kept.iter().filter(|(kind, _)| kind == "roll").count(), our_dice.len());
    for side in ["french", "coalition"] {
        let own = |dice: &&String| dice.contains(&format!("scope: \"{side}\""));
        assert!(our_dice.iter().filter(own).count() > 3, "{side}: dice of its own");
        // Events of which the side was told nothing.
        let told = |(_, body): &(String, String)| serde_json::from_str::<Value>(body).unwrap()["side"] == side;
        let hidden = kept.iter().enumerate().filter(|(at, (kind, _))| {
            let mut seen = kept.iter().skip(at + 1).take_while(|(kind, _)| kind == "sight");
            kind == "event" && !seen.any(told)
        });
        assert!(hidden.count() > 3, "{side}: events out of its sight");
    }
}
