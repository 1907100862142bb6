//! Forgeries that need a round of the beacon or another game in which everything fits: the audit cannot know of them, and a
//! player's mailbox does.

use super::forger::Exhibit;
use super::forger::Which::First;
use super::two::{WITH_ROUND, Way, played};
use crate::gateway::bench::TOYS;
use estafette::audit::Line;
use estafette::audit::mails::witness;
use estafette::audit::verify::{Verdict, verify};
use estafette::audit::write;

/// The clock, an hour before round 123, and its signature.
const OTHER_ROUND: (&str, u32, &str) = (
    "2023-08-23T14:15:33Z",
    123,
    "b75c69d0b72a5d906e854e808ba7e2accb1542ac355ae486d591aa9d43765482e26cd02df835d3546d23c4b13e0dfc92",
);

/// Both agree on a bundle in which everything fits.
fn fits(lines: &[Line]) {
    assert_eq!(verify(lines, TOYS).verdict, Verdict::Agrees);
    let (code, said) = super::script_of(&write(lines));
    // Without `py_ecc` it checks no signature, and then it must not say that all is well.
    assert_eq!(code, if said.contains("is not checked") { 4 } else { 0 }, "{said}");
    assert!(said.contains(" 0 faults"), "{said}");
}

#[test]
fn a_game_in_which_everything_was_made_to_fit_is_not_the_one_of_the_mailbox() {
    let own = Way { master: Some([5; 32]), ..WITH_ROUND };
    let (lines, mailbox) = played(&own);
    let known = witness(&lines, &mailbox);
    assert_eq!(known.faults, Vec::<String>::new());
    assert!(known.sealed > 5 && known.sealed == known.letters, "{known:?}");
    // His server says nowhere when the notice came: that is no proof, and no verdict that all agrees stands beside it.
    assert!(known.unproved.iter().any(|why| why.contains("when notice 0 came")), "{known:?}");
    let mut judged = verify(&lines, TOYS);
    judged.heard(&known);
    assert_eq!((judged.verdict, judged.faults), (Verdict::NotVerified, Vec::new()));
    let others = [
        ("120: another master", Way { master: Some([6; 32]), ..own }),
        ("121: another round", Way { beacon: Some(OTHER_ROUND), ..own }),
        ("122: a friend's nonce", Way { words: "Gott erhalte Franz!", ..own }),
        ("126: a mail that only asked", Way { asks: true, ..own }),
    ];
    for (what, way) in others {
        let (other, his) = played(&way);
        fits(&other);
        assert_ne!(witness(&other, &mailbox).faults, Vec::<String>::new(), "{what}");
        assert_ne!(witness(&lines, &his).faults, Vec::<String>::new(), "{what}, the other way round");
    }
}

#[test]
fn the_entries_of_a_value_are_fixed() {
    let (lines, mailbox) = played(&Way { master: Some([5; 32]), ..WITH_ROUND });
    let x = Exhibit { name: "beacon", lines, mailbox, master: [5; 32], two: true };
    let forged = [
        ("83", x.entry("post.value", First, |body| body["value"] = "00".repeat(48).into())),
        ("84", x.entry_drop("post.value", First)),
    ];
    for (what, forged) in forged {
        let forged = forged.unwrap();
        assert_eq!(verify(&forged, TOYS).verdict, Verdict::Differs, "{what}");
        assert_eq!(super::script_of(&write(&forged)).0, 1, "{what}");
    }
}

/// A notice binds nobody that came after its round; what the player's own server says counts.
#[test]
fn a_notice_that_came_after_its_round_is_found_by_the_mailbox() {
    let (lines, mailbox) = played(&Way { master: Some([5; 32]), ..WITH_ROUND });
    let stamped = |time: &str| -> Vec<Vec<u8>> {
        let head = format!("Received: from post by home; Wed, 23 Aug 2023 {time} +0000\r\n");
        mailbox.iter().map(|raw| [head.as_bytes(), raw].concat()).collect()
    };
    let early = witness(&lines, &stamped("15:10:00"));
    assert_eq!((early.faults, early.unproved), (Vec::new(), Vec::new()));
    // He has kept none of his own mails, and hears which the bundle has.
    let [own] = early.said.as_slice() else { panic!("{:?}", early.said) };
    assert!(own.contains("mails in this player's name of which the folder has no copy"), "{own}");
    let late = witness(&lines, &stamped("16:10:00"));
    assert!(late.faults.len() == 1 && late.faults[0].contains("after its round 1000"), "{late:?}");
    // A folder that lacks letters shows nothing.
    let part = witness(&lines, &stamped("16:10:00")[3..]);
    assert!(part.faults.is_empty() && part.said.len() == 2 && part.unproved.len() == 1, "{part:?}");
}

/// The folder of a mail program: one mail a file, or many in one, with what servers put above them.
#[test]
fn audit_reads_a_folder_of_mails_and_says_what_it_shows() {
    let (lines, mailbox) = played(&Way { master: Some([5; 32]), ..WITH_ROUND });
    let dir = tempfile::tempdir().unwrap();
    let bundle = dir.path().join("bundle.jsonl");
    let folder = dir.path().join("mails");
    std::fs::create_dir_all(folder.join("cur")).unwrap();
    let (one, many) = mailbox.split_at(4);
    for (n, raw) in one.iter().enumerate() {
        std::fs::write(folder.join("cur").join(format!("{n}.eml")), raw).unwrap();
    }
    let from = |raw: &Vec<u8>| {
        let text = String::from_utf8(raw.clone()).unwrap().replace("\r\n", "\n").replace("\nFrom ", "\n>From ");
        format!("From x Thu Jan  1 00:00:00 2026\nReceived: by y; Wed, 23 Aug 2023 15:10:00 +0000\n{text}\n\n")
    };
    std::fs::write(folder.join("old.mbox"), many.iter().map(from).collect::<String>()).unwrap();
    let run = |lines: &[Line]| {
        std::fs::write(&bundle, write(lines)).unwrap();
        let mut said = Vec::new();
        let paths = [bundle.to_str().unwrap(), "--mails", folder.to_str().unwrap()];
        let args = ["estafette", "audit", "--bundle"].into_iter().chain(paths).map(Into::into);
        let code = estafette::cli::run(args, TOYS, &mut said, &mut std::io::sink());
        (code, String::from_utf8(said).unwrap())
    };
    let (code, said) = run(&lines);
    let count = mailbox.len();
    assert!(code == 0 && said.contains(&format!("mailbox: {count} letters are as the bundle says, {count}")), "{said}");
    let (other, _) = played(&Way { master: Some([5; 32]), words: "other words", ..WITH_ROUND });
    let (code, said) = run(&other);
    assert!(code == 1 && said.contains("DIFFERS"), "{said}");
}
