//! The study's forgeries of a finished bundle, and more of our own: each is found by whom it says.
//!
//! "Forged" means that hashes, seals and counts were made anew by one who holds the master.

use super::forger::{Exhibit, Forged, Which, body_of, entry_is, kind, refit};
use super::games::{AUSTERLITZ, CAMPAIGN, Setting, play};
use super::two::{WITH_ROUND, Way, one, played};
use crate::gateway::bench::TOYS;
use data_encoding::BASE64;
use estafette::audit::entries::KINDS;
use estafette::audit::mails::witness;
use estafette::audit::verify::{Verdict, verify};
use estafette::audit::{GameLine, Line, write};
use estafette::dice::hex;
use estafette::games::{Entry, GAMES};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use By::{Audit, Mailbox, Nobody, Script};
use Which::{First, Last};

/// Who finds it; whom a line names, those behind it find it, too: the audit what the script finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum By {
    /// `verify.py`, which knows no rules.
    Script,
    /// `estafette audit`.
    Audit,
    /// `estafette audit --mails`, by a player's mailbox; it needs the seals of dice protocol 2.
    Mailbox,
    /// A gap, which is named.
    Nobody,
}

/// A forgery: its number in the study (0 for our own), its name, who finds it, and how it is made.
type Row = (u32, &'static str, By, fn(&Exhibit) -> Forged);

fn game(lines: &mut [Line]) -> &mut GameLine {
    let Line::Game(game) = &mut lines[0] else { panic!("no game") };
    game
}

fn of_game(x: &Exhibit, change: impl FnOnce(&mut GameLine)) -> Forged {
    x.with(|lines| change(game(lines)))
}

/// Another digit in the place of the first.
fn turned(text: &mut String) {
    let other = if text.starts_with('0') { "1" } else { "0" };
    text.replace_range(..1, other);
}

fn notice(x: &Exhibit, change: impl FnOnce(&mut Line)) -> Forged {
    x.line("notice", First, change)
}

/// Rolls of seeds and commitments.
const DICE: &[Row] = &[
    (1, "a die", Script, |x| x.line("roll", First, |l| _ = super::die(l))),
    (2, "a roll's label", Script, |x| {
        x.line("roll", First, |l| {
            if let Line::Roll { label, .. } = l {
                label.push('x')
            }
        })
    }),
    (3, "a roll's number", Script, |x| {
        x.line("roll", First, |l| {
            if let Line::Roll { n, .. } = l {
                *n += 1
            }
        })
    }),
    (4, "a roll's sides", Script, |x| {
        x.line("roll", First, |l| {
            if let Line::Roll { sides, .. } = l {
                *sides += 1
            }
        })
    }),
    (5, "a roll's scope", Script, |x| {
        x.line("roll", First, |l| {
            if let Line::Roll { scope, .. } = l {
                *scope = "hidden".into()
            }
        })
    }),
    (6, "a roll's slot", Script, |x| {
        x.line("roll", First, |l| {
            if let Line::Roll { slot, .. } = l {
                *slot += 1
            }
        })
    }),
    (7, "a roll called a fiat", Script, |x| {
        x.line("roll", First, |l| {
            if let Line::Roll { fiat, .. } = l {
                *fiat = true
            }
        })
    }),
    (8, "a roll left out", Script, |x| x.drop("roll", First)),
    (9, "a roll twice", Script, |x| x.twice("roll", First)),
    (10, "two rolls in another order", Script, |x| x.swap("roll")),
    (11, "all rolls left out", Script, |x| x.drop_all("roll")),
    (12, "a roll's line and entry, forged", Script, |x| {
        let (line, entry) = (x.place(First, |l| kind(l) == "roll")?, x.entries("roll")[0]);
        x.fit(|lines| {
            let Line::Roll { dice, sides, .. } = &mut lines[line] else { return };
            dice[0] = dice[0] % *sides + 1;
            let dice = dice.clone();
            let Line::Event { body, .. } = &mut lines[entry] else { return };
            let mut value: Value = serde_json::from_str(body).unwrap();
            value["dice"] = json!(dice);
            *body = value.to_string();
        })
    }),
    (13, "a seed", Script, |x| {
        x.line("seed", First, |l| {
            if let Line::Seed { seed, .. } = l {
                turned(seed)
            }
        })
    }),
    (14, "two seeds swapped", Script, |x| {
        let at: Vec<usize> = (0..x.lines.len()).filter(|at| kind(&x.lines[*at]) == "seed").collect();
        x.with(|lines| {
            let Line::Seed { seed: one, .. } = lines[at[0]].clone() else { return };
            let Line::Seed { seed, .. } = &mut lines[at[1]] else { return };
            let two = std::mem::replace(seed, one);
            let Line::Seed { seed, .. } = &mut lines[at[0]] else { return };
            *seed = two;
        })
    }),
    (15, "a seed left out", Script, |x| x.drop("seed", First)),
    (16, "all seeds left out", Script, |x| x.drop_all("seed")),
    (17, "a hidden seed left out", Script, |x| {
        let at = x.place(First, |l| matches!(l, Line::Seed { scope, .. } if scope == "hidden"))?;
        x.with(|lines| _ = lines.remove(at))
    }),
    (18, "a seed twice", Script, |x| x.twice("seed", Last)),
    (19, "a commitment", Script, |x| {
        x.line("commit", Last, |l| {
            if let Line::Commit { commit, .. } = l {
                turned(commit)
            }
        })
    }),
    (20, "a commitment left out", Script, |x| x.drop("commit", Last)),
    (21, "commitments in another order", Script, |x| x.swap("commit")),
    (22, "a commitment twice", Script, |x| x.twice("commit", First)),
    (23, "the root", Script, |x| {
        x.line("root", First, |l| {
            if let Line::Root { root, .. } = l {
                turned(root)
            }
        })
    }),
    (24, "the root left out", Script, |x| x.drop("root", First)),
    (0, "the root's slots", Script, |x| {
        x.line("root", First, |l| {
            if let Line::Root { from, .. } = l {
                *from += 1
            }
        })
    }),
    (0, "a roll's owner", Audit, |x| {
        let own = |l: &Line| entry_is(l, "roll") && body_of(l).get("owner").is_some();
        x.body(x.place(First, own)?, |body| body["owner"] = json!({"seat": "nobody"}))
    }),
    (0, "a roll that was thrown again, forged", Script, |x| x.entry_twice("roll", Last)),
];

/// What the seats gave, the notices, the game line and the terms.
const BOUND: &[Row] = &[
    (25, "a nonce", Script, |x| match x.two {
        true => notice(x, |l| {
            if let Line::Notice { words, .. } = l {
                words[0].1.push('!')
            }
        }),
        false => x.line("nonce", First, |l| _ = super::nonce(l)),
    }),
    (26, "two nonces swapped", Script, |x| match x.two {
        true => notice(x, |l| {
            let Line::Notice { words, .. } = l else { return };
            let first = words[0].1.clone();
            words[0].1 = std::mem::replace(&mut words[1].1, first);
        }),
        false => {
            let at: Vec<usize> = (0..x.lines.len()).filter(|at| kind(&x.lines[*at]) == "nonce").collect();
            x.with(|lines| {
                let Line::Nonce { nonce: one, .. } = lines[at[0]].clone() else { return };
                let Line::Nonce { nonce, .. } = &mut lines[at[1]] else { return };
                let two = std::mem::replace(nonce, one);
                let Line::Nonce { nonce, .. } = &mut lines[at[0]] else { return };
                *nonce = two;
            })
        }
    }),
    (27, "a nonce left out", Script, |x| match x.two {
        true => notice(x, |l| {
            if let Line::Notice { words, .. } = l {
                _ = words.remove(0)
            }
        }),
        false => x.drop("nonce", First),
    }),
    (28, "all nonces left out", Script, |x| match x.two {
        true => notice(x, |l| {
            if let Line::Notice { words, .. } = l {
                words.clear()
            }
        }),
        false => x.drop_all("nonce"),
    }),
    (29, "a second nonce before", Script, |x| match x.two {
        true => notice(x, |l| {
            if let Line::Notice { words, .. } = l {
                words.insert(0, (words[0].0.clone(), "x".into()))
            }
        }),
        false => x.twice("nonce", First),
    }),
    (30, "a second nonce behind", Script, |x| match x.two {
        true => notice(x, |l| {
            if let Line::Notice { words, .. } = l {
                words.push((words[0].0.clone(), "x".into()))
            }
        }),
        false => x.twice("nonce", Last),
    }),
    (31, "a notice's text", Script, |x| {
        notice(x, |l| {
            if let Line::Notice { text: Some(text), .. } = l {
                *text = text.replace("at 2", "at 1")
            }
        })
    }),
    (34, "a notice left out", Script, |x| x.drop("notice", First)),
    (35, "a value that nobody waited for", Script, |x| {
        notice(x, |l| {
            if let Line::Notice { value, .. } = l {
                *value = Some("00".repeat(48))
            }
        })
    }),
    (38, "the second notice left out", Script, |x| {
        let at = x.place(Last, |l| matches!(l, Line::Notice { no, .. } if *no > 0))?;
        x.with(|lines| _ = lines.remove(at))
    }),
    (39, "the second notice with the first one's master", Script, |x| {
        let at = x.place(Last, |l| matches!(l, Line::Notice { no, .. } if *no > 0))?;
        let first = estafette::dice::hex(&x.master);
        x.with(|lines| {
            if let Line::Notice { master, .. } = &mut lines[at] {
                *master = Some(first)
            }
        })
    }),
    (40, "the second notice over slots that were played", Script, |x| {
        let at = x.place(Last, |l| matches!(l, Line::Root { from, .. } if *from > 0))?;
        x.with(|lines| {
            if let Line::Root { from, .. } = &mut lines[at] {
                *from -= 1
            }
        })
    }),
    (41, "the terms", Script, |x| {
        x.line("terms", First, |l| {
            if let Line::Terms { text } = l {
                *text = text.replace("rules ", "rules 0")
            }
        })
    }),
    (42, "the terms left out", Script, |x| x.drop("terms", First)),
    (43, "the masters left out", Script, |x| {
        x.with(|lines| {
            game(lines).master = None;
            lines.iter_mut().for_each(|l| {
                if let Line::Notice { master, .. } = l {
                    *master = None
                }
            });
        })
    }),
    (44, "the scenario's seal in the terms", Script, |x| {
        x.line("terms", First, |l| {
            if let Line::Terms { text } = l {
                *text = text.replace("scenario ", "scenario 0")
            }
        })
    }),
    (45, "the files left out", Script, |x| of_game(x, |game| game.files.clear())),
    (46, "the game's end left out", Script, |x| {
        let at = x.entries("post.over")[0];
        x.with(|lines| _ = lines.remove(at))
    }),
    (47, "the protocol left out", Script, |x| of_game(x, |game| game.protocol = if x.two { 1 } else { 2 })),
    (48, "another master", Script, |x| {
        x.with(|lines| {
            let other = "0f".repeat(32);
            if !x.two {
                game(lines).master = Some(other);
                return;
            }
            lines.iter_mut().for_each(|l| {
                if let Line::Notice { master, .. } = l {
                    *master = Some(other.clone())
                }
            });
        })
    }),
    (49, "called running, forged", Script, |x| x.entry_drop("post.over", Last)),
    (50, "called running, masters, files and chain gone", Script, |x| {
        x.with(|lines| {
            lines.retain(|l| kind(l) != "event");
            let game = game(lines);
            (game.master, game.files, game.scenario) = (None, Vec::new(), String::new());
            lines.iter_mut().for_each(|l| {
                if let Line::Notice { master, .. } = l {
                    *master = None
                }
            });
        })
    }),
    (51, "masters left out, and an event changed", Script, |x| {
        let mut lines = x.entry("event", Last, |body| body["chapter"] = "x".into())?;
        game(&mut lines).master = None;
        lines.iter_mut().for_each(|l| {
            if let Line::Notice { master, .. } = l {
                *master = None
            }
        });
        Some(lines)
    }),
    (52, "the game's id", Script, |x| of_game(x, |game| game.id.push('x'))),
    (53, "the ruleset", Script, |x| of_game(x, |game| game.ruleset.push('x'))),
    (54, "the version", Script, |x| of_game(x, |game| game.engine = "99".into())),
    (55, "the tempo", Script, |x| {
        of_game(x, |game| game.tempo = if game.tempo == "live" { "sealed".into() } else { "live".into() })
    }),
    (56, "the scenario's digest", Script, |x| of_game(x, |game| turned(&mut game.scenario))),
    (57, "a protocol that nobody knows", Script, |x| of_game(x, |game| game.protocol = 3)),
    (58, "the seats in another order", Script, |x| of_game(x, |game| game.seats.reverse())),
    (59, "a file", Script, |x| of_game(x, |game| game.files[0].1.push_str("# x\n"))),
    (60, "two games", Script, |x| x.twice("game", First)),
    (61, "the version, and every event", Script, |x| {
        x.fit(|lines| {
            game(lines).engine = "77".into();
            for line in lines {
                if let Line::Event { body, entry, .. } = line
                    && entry == "event"
                {
                    *body = "{}".to_owned();
                }
            }
        })
    }),
    (0, "a side too many", Script, |x| of_game(x, |game| game.sides.push("prussian".into()))),
    (0, "a salt of another notice", Script, |x| match x.two {
        true => notice(x, |l| {
            if let Line::Notice { salt: Some(salt), .. } = l {
                turned(salt)
            }
        }),
        false => of_game(x, |game| game.salt.iter_mut().for_each(turned)),
    }),
    (0, "a notice's number", Script, |x| {
        notice(x, |l| {
            if let Line::Notice { no, .. } = l {
                *no += 1
            }
        })
    }),
];

/// The chain, by who knows no rules.
const CHAIN: &[Row] = &[
    (62, "an event, its hash kept", Script, |x| {
        let at = x.entries("event")[3];
        x.with(|lines| {
            if let Line::Event { body, .. } = &mut lines[at] {
                body.push(' ')
            }
        })
    }),
    (63, "the last twenty entries cut", Script, |x| x.with(|lines| lines.truncate(lines.len() - 20))),
    (64, "the tail cut, the end kept", Script, |x| {
        let over = x.entries("post.over")[0];
        x.fit(|lines| drop(lines.drain(over - 30..over)))
    }),
    (65, "all events left out", Script, |x| x.drop_all("event")),
    (66, "all events, rolls and mails left out", Script, |x| {
        x.with(|lines| lines.retain(|l| !matches!(kind(l), "event" | "roll" | "mail")))
    }),
    (67, "only the head of the bundle", Script, |x| x.with(|lines| lines.truncate(3))),
    (68, "an order's text", Script, |x| {
        x.body(x.order()?.0, |body| body["edits"][0]["text"] = "FORCE Ney COMMAND HOLD".into())
    }),
    (69, "an order's mail", Script, |x| x.body(x.order()?.0, |body| body["mail"] = "another@example.org".into())),
    (70, "an order and its mail, the digest kept", Script, |x| {
        let (at, mail, _) = x.order()?;
        let said = body_of(&x.lines[at])["edits"][0]["text"].as_str()?.to_owned();
        let mut lines = x.body(at, |body| body["edits"][0]["text"] = "HOLD".into())?;
        let Line::Mail { raw: Some(raw), .. } = &mut lines[mail] else { return None };
        let text = String::from_utf8(BASE64.decode(raw.as_bytes()).unwrap()).unwrap().replace(&said, "HOLD");
        *raw = BASE64.encode(text.as_bytes());
        Some(lines)
    }),
    (71, "the entry of an order's mail left out", Script, |x| {
        let at = x.mail_entry(&x.order()?.2)?;
        x.fit(|lines| _ = lines.remove(at))
    }),
    (72, "a mail that came after what it caused", Script, |x| {
        let (input, _, id) = x.order()?;
        let at = x.mail_entry(&id)?;
        x.fit(|lines| {
            let mail = lines.remove(at);
            lines.insert(input, mail);
        })
    }),
    (0, "time that runs backwards", Script, |x| {
        x.entry("post.ledger", Last, |body| body["at"] = "2020-01-01T00:00:00Z".into())
    }),
    (73, "when something was due", Script, |x| {
        let due = |l: &Line| entry_is(l, "post.due") && body_of(l)["was"].is_string();
        match x.place(First, due) {
            Some(at) => x.body(at, |body| body["was"] = "2026-01-09T00:00:00Z".into()),
            None => x.entry("post.due", First, |body| body["address"] = "sheet/9".into()),
        }
    }),
    (74, "a due entry left out", Script, |x| x.entry_drop("post.due", First)),
    (75, "a sign-on left out", Script, |x| x.entry_drop("post.signon", First)),
    (76, "a sign-on's nonce", Script, |x| x.entry("post.signon", First, |body| body["nonce"] = "x".into())),
    (77, "a seed's entry left out", Script, |x| x.entry_drop("post.seed", First)),
    (78, "a seed's entry", Script, |x| x.entry("post.seed", First, |body| body["seed"] = "00".repeat(32).into())),
    (79, "the commitment's entry", Script, |x| x.entry("post.commit", First, |body| body["lines"] = 1.into())),
    (80, "the commitment's entry left out", Script, |x| x.entry_drop("post.commit", First)),
    (81, "a notice's entry", Script, |x| x.entry("post.notice", First, |body| body["text"] = "x".into())),
    (0, "a notice's entry without its number", Script, |x| {
        x.entry("post.notice", First, |body| _ = body.as_object_mut().unwrap().remove("no"))
    }),
    (0, "a sign-on twice", Script, |x| x.entry_twice("post.signon", First)),
    (82, "a notice's entry left out", Script, |x| x.entry_drop("post.notice", First)),
    (85, "the salt's entry", Script, |x| x.entry("post.salt", First, |body| body["salt"] = "00".repeat(32).into())),
    (86, "the salt's entry left out", Script, |x| x.entry_drop("post.salt", First)),
    (87, "the end's masters", Script, |x| {
        x.entry("post.over", First, |body| match x.two {
            true => body["masters"][0] = "00".repeat(32).into(),
            false => body["master"] = "00".repeat(32).into(),
        })
    }),
    (88, "the end's entry twice", Script, |x| x.entry_twice("post.over", First)),
    (89, "the game's entry", Script, |x| x.entry("post.game", First, |body| body["tempo"] = "slow".into())),
    (90, "the game's entry left out", Script, |x| x.entry_drop("post.game", First)),
    (0, "the game's entry twice", Script, |x| x.entry_twice("post.game", First)),
    (0, "a due entry twice", Script, |x| {
        let done = |l: &Line| entry_is(l, "post.due") && body_of(l)["done"] == true;
        let at = x.place(First, done)?;
        x.fit(|lines| lines.insert(at, lines[at].clone()))
    }),
    (0, "what is due at the end", Script, |x| {
        let done = |l: &Line| entry_is(l, "post.due") && body_of(l)["done"] == true;
        let at = x.place(Last, done)?;
        x.fit(|lines| _ = lines.remove(at))
    }),
    (0, "a seed told twice", Script, |x| x.entry_twice("post.seed", Last)),
    (0, "a mail's number", Script, |x| {
        let out = |l: &Line| entry_is(l, "post.mail") && body_of(l)["direction"] == "out";
        x.body(x.place(Last, out)?, |body| body["number"] = 999.into())
    }),
    (0, "an umpire's act that no ledger names", Script, |x| {
        let acted = |l: &Line| entry_is(l, "post.ledger") && body_of(l)["input"] == true;
        let at = x.place(First, acted)?;
        x.fit(|lines| _ = lines.remove(at))
    }),
    (0, "a seal", Script, |x| {
        let sealed = |l: &Line| entry_is(l, "post.mail") && body_of(l)["seal"].is_string();
        let at = x.place(Last, sealed)?;
        x.with(|lines| {
            let Line::Event { body, .. } = &mut lines[at] else { return };
            let mut value: Value = serde_json::from_str(body).unwrap();
            value["seal"] = "a".repeat(32).into();
            *body = value.to_string();
            rehash(lines);
        })
    }),
    (0, "a seal left out", Script, |x| {
        let sealed = |l: &Line| entry_is(l, "post.mail") && body_of(l)["seal"].is_string();
        x.body(x.place(Last, sealed)?, |body| {
            body.as_object_mut().unwrap().remove("seal");
        })
    }),
    (0, "a program's own player that nobody called", Script, |x| {
        x.body(x.order()?.0, |body| body["mail"] = "house/3".into())
    }),
    (0, "an order of the other seat", Script, |x| {
        let other = |seat: &str| if seat == "french" { "coalition" } else { "french" }.to_owned();
        x.body(x.order()?.0, |body| body["seat"] = other(body["seat"].as_str().unwrap_or_default()).into())
    }),
    (0, "a sign-on's mail", Script, |x| x.entry("post.signon", First, |body| body["message_id"] = "x@y".into())),
];

/// Makes the hashes of a chain anew, and no seal.
fn rehash(lines: &mut [Line]) {
    let mut before = estafette::store::FIRST_PREV.to_owned();
    for line in lines {
        let Line::Event { prev, hash, slot, entry, body, .. } = line else { continue };
        prev.clone_from(&before);
        *hash = estafette::store::entry_hash(prev, *slot, entry, body);
        before.clone_from(hash);
    }
}

/// The mails.
const MAILS: &[Row] = &[
    (91, "a mail's digest", Script, |x| {
        let at = x.mail(&x.order()?.2)?;
        x.with(|lines| {
            if let Line::Mail { sha256, .. } = &mut lines[at] {
                turned(sha256)
            }
        })
    }),
    (92, "a mail's bytes", Script, |x| {
        let at = x.mail(&x.order()?.2)?;
        x.with(|lines| {
            if let Line::Mail { raw: Some(raw), .. } = &mut lines[at] {
                raw.replace_range(..4, "AAAA")
            }
        })
    }),
    (93, "a mail's bytes and digest", Script, |x| {
        let at = x.mail(&x.order()?.2)?;
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        x.with(|lines| {
            let Line::Mail { raw, sha256, .. } = &mut lines[at] else { return };
            (*raw, *sha256) = (Some(String::new()), empty.to_owned());
        })
    }),
    (94, "a mail left out", Script, |x| {
        let at = x.mail(&x.order()?.2)?;
        x.with(|lines| _ = lines.remove(at))
    }),
    (95, "a mail's bytes left out", Script, |x| {
        let at = x.mail(&x.order()?.2)?;
        x.with(|lines| {
            if let Line::Mail { raw, .. } = &mut lines[at] {
                *raw = None
            }
        })
    }),
    (96, "a letter left out", Script, |x| x.drop("mail", Last)),
    (97, "a letter", Script, |x| {
        x.line("mail", Last, |l| {
            if let Line::Mail { sha256, .. } = l {
                turned(sha256)
            }
        })
    }),
    (98, "a letter twice", Script, |x| x.twice("mail", Last)),
    (99, "a mail that nobody wrote", Script, |x| {
        let at = x.mail(&x.order()?.2)?;
        x.with(|lines| {
            let mut fake = lines[at].clone();
            if let Line::Mail { message_id, .. } = &mut fake {
                message_id.insert(0, 'x');
            }
            lines.insert(at, fake);
        })
    }),
    (100, "all mails left out", Script, |x| x.drop_all("mail")),
    (0, "a mail given to the other seat", Script, |x| {
        let at = x.mail(&x.order()?.2)?;
        x.with(|lines| {
            if let Line::Mail { seat, .. } = &mut lines[at] {
                seat.push('x')
            }
        })
    }),
    (0, "a mail that came told as one that went", Script, |x| {
        let at = x.mail(&x.order()?.2)?;
        x.with(|lines| {
            if let Line::Mail { direction, .. } = &mut lines[at] {
                *direction = "out".into()
            }
        })
    }),
];

/// What only who plays the game again can find.
const RULES: &[Row] = &[
    (102, "an event's body", Audit, |x| x.entry("event", Last, |body| body["chapter"] = "x".into())),
    (103, "an event's value", Audit, |x| {
        let number = |l: &Line| entry_is(l, "event") && number_in(&mut body_of(l));
        x.body(x.place(Last, number)?, |body| _ = number_in(body))
    }),
    (104, "an event left out", Audit, |x| x.entry_drop("event", Last)),
    (105, "an event twice", Audit, |x| x.entry_twice("event", Last)),
    (106, "events in another order", Audit, |x| {
        let events = x.entries("event");
        x.fit(|lines| lines.swap(events[0], events[1]))
    }),
    (107, "a sighting left out", Audit, |x| x.entry_drop("sight", Last)),
    (108, "a sighting", Audit, |x| x.entry("sight", Last, |body| body["body"] = json!({}))),
    (109, "an outcome", Audit, |x| {
        x.entry("line", Last, |body| body["outcome"] = json!({"failed": {"why": "x", "rule": "1"}}))
    }),
    (110, "an order line left out", Audit, |x| {
        x.body(x.order()?.0, |body| _ = body["edits"].as_array_mut().unwrap().remove(0))
    }),
    (111, "END left out", Audit, |x| x.body(x.order()?.0, |body| _ = body["edits"].as_array_mut().unwrap().pop())),
    (112, "an input left out with all that came of it", Audit, |x| {
        // One of which no die fell: the script would miss it.
        let ours = |at: &usize| matches!(&x.lines[*at], Line::Event { entry, .. } if !entry.starts_with("post."));
        let caused = |at: usize| -> Vec<usize> {
            let behind = (at + 1..x.lines.len()).take_while(|at| ours(at) && !entry_is(&x.lines[*at], "input"));
            std::iter::once(at).chain(behind).collect()
        };
        let quiet = |at: &usize| {
            body_of(&x.lines[*at])["kind"] == "sheet" && !caused(*at).iter().any(|at| entry_is(&x.lines[*at], "roll"))
        };
        let at = x.entries("input").into_iter().rfind(quiet)?;
        let gone = caused(at).len();
        x.fit(|lines| drop(lines.drain(at..at + gone)))
    }),
    (113, "a mail's entry with a field too many", Script, |x| x.entry("post.mail", Last, |body| body["x"] = 1.into())),
    (114, "a sign-on with a field too many", Script, |x| x.entry("post.signon", Last, |body| body["x"] = 1.into())),
    (115, "a seed's entry with a field too many", Script, |x| x.entry("post.seed", Last, |body| body["x"] = 1.into())),
    (117, "a mail forged, its orders kept", Script, |x| {
        let (at, _, id) = x.order()?;
        let said = body_of(&x.lines[at])["edits"][0]["text"].as_str()?.to_owned();
        x.reword(&id, |text| text.replace(&said, "STAY WHERE YOU ARE"))
    }),
    (118, "a mail left out of bundle and chain, its orders kept", Script, |x| {
        let (_, mail, id) = x.order()?;
        let entry = x.mail_entry(&id)?;
        x.fit(|lines| {
            lines.remove(entry);
            lines.remove(mail);
        })
    }),
    (0, "an order line more in a mail", Audit, |x| {
        let (at, _, id) = x.order()?;
        let said = body_of(&x.lines[at])["edits"][0]["text"].as_str()?.to_owned();
        x.reword(&id, |text| text.replacen(&said, &format!("{said}\r\n{said}"), 1))
    }),
    (0, "a line's place in its mail", Audit, |x| x.body(x.order()?.0, |body| body["edits"][0]["no"] = 77.into())),
    (0, "what a seat gave to an address", Audit, |x| x.entry("given", Last, |body| body["text"] = "x".into())),
    (0, "a rest point", Audit, |x| x.entry("rest", Last, |body| body["stage"] = "9/x".into())),
    (0, "a rest point left out", Audit, |x| x.entry_drop("rest", First)),
    (0, "where play went back to", Audit, |x| x.entry("rewind", First, |body| body["rest"] = 0.into())),
    (0, "an event said to be another program's", Audit, |x| {
        // Under protocol 2 the terms name the first program, see "the rules of the program".
        if x.two {
            return None;
        }
        let mut lines = x.entry("post.program", First, |body| body["rules"] = "00".repeat(32).into())?;
        let at = lines.iter().rposition(|l| entry_is(l, "event"))?;
        let Line::Event { body, .. } = &mut lines[at] else { return None };
        body.insert_str(1, "\"x\":1,");
        refit(&mut lines, x);
        Some(lines)
    }),
    (0, "the slot of an entry of the post office", Script, |x| {
        // Version 1 plays what is played again in spare slots: there the audit alone can tell, by the row below.
        if !x.two {
            return None;
        }
        let at = *x.entries("post.mail").last()?;
        x.fit(|lines| {
            if let Line::Event { slot, .. } = &mut lines[at] {
                *slot = 0
            }
        })
    }),
    (0, "the slot of an entry, that of the turn behind it", Audit, |x| {
        // The last entry of the post office in a slot, behind which play moves on.
        let slot = |at: usize| if let Some(Line::Event { slot, .. }) = x.lines.get(at) { *slot } else { 0 };
        let at = *x.entries("post.mail").iter().rfind(|at| slot(**at + 1) == slot(**at) + 1)?;
        x.fit(|lines| {
            if let Line::Event { slot, .. } = &mut lines[at] {
                *slot += 1
            }
        })
    }),
    (0, "how many lines a sheet has had", Audit, |x| {
        x.body(x.order()?.0, |body| body["came"]["top"] = (body["came"]["top"].as_u64().unwrap() + 1).into())
    }),
    (0, "which lines were carried out", Audit, |x| {
        x.body(x.order()?.0, |body| body["came"]["held"] = (!body["came"]["held"].as_bool().unwrap_or(false)).into())
    }),
    (0, "an order whose time is said to have come", Script, |x| {
        x.body(x.order()?.0, |body| body["mail"] = "recall/1".into())
    }),
    (0, "the rules of the program", Mailbox, |x| match x.two {
        // The exhibits' secrets are fixed, and their terms name no rules; a game whose terms do is in `two.rs`.
        true => x.entry("post.program", First, |body| body["rules"] = "00".repeat(32).into()),
        false => None,
    }),
    (0, "the ruleset of the program", Script, |x| {
        x.entry("post.program", First, |body| body["ruleset"] = "chess".into())
    }),
    (0, "a program named again", Script, |x| x.entry_twice("post.program", First)),
    (0, "who played, by another version of the database than before", Script, |x| {
        x.entry("post.program", First, |body| _ = body.as_object_mut().unwrap().remove("schema"))
    }),
    (0, "an umpire who is no seat", Script, |x| acted_by(x, "umpire9", "umpire9 (at the console)")),
    (0, "a player who acts as umpire", Script, |x| acted_by(x, "french", "french")),
    (0, "an act of another kind than its line", Audit, |x| {
        x.entry("post.ledger", Last, |body| body["text"] = "REWIND 99".into())
    }),
    (0, "the last letter to each seat left out", Audit, |x| {
        let last = |seat: &str| {
            x.place(Last, |l| {
                entry_is(l, "post.mail") && body_of(l)["direction"] == "out" && body_of(l)["seat"] == seat
            })
        };
        let seats = x.lines.iter().find_map(|l| if let Line::Game(g) = l { Some(g.seats.clone()) } else { None })?;
        unmailed(x, seats.iter().filter_map(|seat| last(seat)).collect())
    }),
    (0, "the last page of the umpire left out", Audit, |x| {
        let page = x.place(Last, |l| entry_is(l, "post.ledger") && body_of(l)["class"] == "page")?;
        let mut lines = unmailed(x, vec![page + 1])?;
        let page = lines.iter().rposition(|l| entry_is(l, "post.ledger") && body_of(l)["class"] == "page")?;
        lines.remove(page);
        refit(&mut lines, x);
        Some(lines)
    }),
    // Without any page nothing in the bundle says that he gets them: his last letter counts them.
    (0, "all pages of the umpire left out of the ledger", Mailbox, |x| {
        x.place(First, |l| entry_is(l, "post.ledger") && body_of(l)["class"] == "page")?;
        x.fit(|lines| lines.retain(|l| !(entry_is(l, "post.ledger") && body_of(l)["class"] == "page")))
    }),
    (0, "a page of the umpire that was never mailed", Script, |x| {
        let page = x.place(Last, |l| entry_is(l, "post.ledger") && body_of(l)["class"] == "page")?;
        unmailed(x, vec![page + 1])
    }),
    (0, "a letter under another number's name", Audit, |x| {
        // Version 1 has no master that the last letters' names could be compared by.
        if !x.two {
            return None;
        }
        let out = |l: &Line| entry_is(l, "post.mail") && body_of(l)["direction"] == "out";
        let at = x.place(Last, out)?;
        let id = body_of(&x.lines[at])["message_id"].as_str()?.to_owned();
        let other = format!("{}{}", "0".repeat(32), id.get(32..)?);
        x.fit(|lines| {
            for line in lines {
                match line {
                    Line::Mail { message_id, .. } if *message_id == id => message_id.clone_from(&other),
                    Line::Event { body, .. } => *body = body.replace(&id, &other),
                    _ => {}
                }
            }
        })
    }),
    (0, "a seed told before its turn has closed", Script, |x| {
        let seed = *x.entries("post.seed").first()?;
        let input = x.entries("input").into_iter().rfind(|at| *at < seed)?;
        x.fit(|lines| {
            let line = lines.remove(seed);
            lines.insert(input, line);
        })
    }),
    (0, "a salt before its notice", Script, |x| {
        let (notice, salt) = (*x.entries("post.notice").last()?, *x.entries("post.salt").last()?);
        x.fit(|lines| {
            let line = lines.remove(salt);
            lines.insert(notice, line);
        })
    }),
    (0, "a plan left out", Script, |x| x.entry_drop("post.plan", First)),
    (0, "the slots of a plan", Script, |x| {
        x.entry("post.plan", First, |body| body["slots"][0] = (body["slots"][0].as_u64().unwrap() + 1).into())
    }),
    (0, "who is asked for a hash", Script, |x| x.entry("post.plan", First, |body| body["asked"] = json!(["french"]))),
    (0, "the reason of a plan", Script, |x| x.entry("post.plan", First, |body| body["why"] = "again".into())),
    (0, "an older program", Script, |x| x.entry("post.program", First, |body| body["version"] = 0.into())),
    (0, "from whom something is due", Script, |x| {
        let due = |l: &Line| entry_is(l, "post.due") && body_of(l)["done"] != true;
        let at = x.place(First, due)?;
        let (seat, address) = (body_of(&x.lines[at])["seat"].clone(), body_of(&x.lines[at])["address"].clone());
        x.fit(|lines| {
            for line in lines {
                let mut value = if entry_is(line, "post.due") { body_of(line) } else { continue };
                if value["seat"] == seat && value["address"] == address {
                    value["seat"] = "prussian".into();
                    let Line::Event { body, .. } = line else { continue };
                    *body = value.to_string();
                }
            }
        })
    }),
    (0, "a deadline that is no time", Script, |x| {
        let last = |l: &Line| entry_is(l, "post.due") && body_of(l)["at"].is_string();
        x.body(x.place(Last, last)?, |body| body["at"] = "soon".into())
    }),
    (0, "no deadline where there is one", Audit, |x| {
        let last = |l: &Line| entry_is(l, "post.due") && body_of(l)["at"].is_string();
        x.body(x.place(Last, last)?, |body| body["at"] = Value::Null)
    }),
    (0, "a standing answer that nobody gave", Script, |x| {
        let at = x.order()?.0;
        x.fit(|lines| {
            let mut line = lines[at].clone();
            let Line::Event { body, .. } = &mut line else { return };
            *body = json!({"kind": "doctrine", "seat": "french", "key": "k", "value": "v", "mail": "x@y"}).to_string();
            lines.insert(at, line);
        })
    }),
];

/// The last act of an umpire said to be another's, in its ledger too.
fn acted_by(x: &Exhibit, seat: &str, by: &str) -> Forged {
    let input = x.place(Last, |l| entry_is(l, "input") && body_of(l)["kind"] == "umpire")?;
    let ledger = x.place(Last, |l| entry_is(l, "post.ledger") && body_of(l)["input"] == true)?;
    x.fit(|lines| {
        for (at, who) in [(input, seat), (ledger, by)] {
            let mut value = body_of(&lines[at]);
            value["by"] = who.into();
            let Line::Event { body, .. } = &mut lines[at] else { return };
            *body = value.to_string();
        }
    })
}

/// Letters gone from bundle and chain.
fn unmailed(x: &Exhibit, mut entries: Vec<usize>) -> Forged {
    entries.sort_unstable();
    let ids: Vec<Value> = entries.iter().map(|at| body_of(&x.lines[*at])["message_id"].clone()).collect();
    x.fit(|lines| {
        for at in entries.into_iter().rev() {
            lines.remove(at);
        }
        lines.retain(|l| !matches!(l, Line::Mail { message_id, .. } if ids.contains(&json!(message_id))));
    })
}

/// Changes the first number in a value.
fn number_in(value: &mut Value) -> bool {
    match value {
        Value::Number(number) => {
            *value = (number.as_i64().unwrap_or(0) + 1).into();
            true
        }
        Value::Array(list) => list.iter_mut().any(number_in),
        Value::Object(map) => map.values_mut().any(number_in),
        _ => false,
    }
}

/// What only a mailbox can show: all else was made to fit.
const WITNESSED: &[Row] = &[
    (116, "when an order was due, forged", Audit, |x| {
        let last = |l: &Line| entry_is(l, "post.due") && body_of(l)["at"].is_string();
        x.body(x.place(Last, last)?, |body| body["at"] = "2027-01-01T00:00:00Z".into())
    }),
    (119, "what a letter said", Mailbox, |x| {
        let out = |l: &Line| entry_is(l, "post.mail") && body_of(l)["paper"].is_string() && body_of(l)["number"] == 3;
        x.body(x.place(First, out)?, |body| body["paper"] = "00".repeat(32).into())
    }),
    (124, "a comment added to a mail of the reader's", Mailbox, |x| {
        x.reword(&comment_in(x, true)?, |text| text + "\r\n# nothing\r\n")
    }),
    (125, "a comment added to a mail of the other side's", Mailbox, |x| {
        x.reword(&comment_in(x, false)?, |text| text + "\r\n# nothing\r\n")
    }),
    (123, "why something was due", Audit, |x| {
        let why = |l: &Line| entry_is(l, "post.due") && body_of(l)["why"].is_string();
        x.body(x.place(First, why)?, |body| body["why"] = "because".into())
    }),
    (0, "what an umpire's reason was", Audit, |x| {
        x.entry("post.ledger", First, |body| body["text"] = "nothing at all".into())
    }),
    (0, "an outage that never was", Script, |x| {
        let at = x.entries("post.signon")[0];
        x.fit(|lines| {
            let mut line = lines[at].clone();
            let Line::Event { entry, body, .. } = &mut line else { return };
            *entry = "post.outage".into();
            *body = json!({"from": "2026-01-01T00:00:00Z", "to": "2026-01-02T00:00:00Z"}).to_string();
            lines.insert(at + 1, line);
        })
    }),
    (0, "the options", Script, |x| x.entry("post.options", First, |body| body["grace"] = 7.into())),
    (0, "the hours of a deadline", Script, |x| {
        x.entry("post.options", First, |body| body["deadline"] = json!({"hours": 47}))
    }),
    (0, "another receipt time", Mailbox, |x| {
        let came = |l: &Line| entry_is(l, "post.mail") && body_of(l)["at"].is_string();
        let at = x.place(First, came)?;
        x.body(at, |body| {
            let said = body["at"].as_str().unwrap().to_owned();
            // A second earlier moves no deadline.
            let earlier = said.parse::<jiff::Timestamp>().unwrap() - jiff::SignedDuration::from_secs(1);
            body["at"] = estafette::gateway::when::kept(earlier).into();
        })
    }),
    (0, "a receipt time of before", Script, |x| {
        let came = |l: &Line| entry_is(l, "post.mail") && body_of(l)["at"].is_string();
        x.body(x.place(Last, came)?, |body| body["at"] = "2020-01-01T00:00:00Z".into())
    }),
];

/// A sign-on mail of the mailbox's owner, or of another seat.
fn comment_in(x: &Exhibit, own: bool) -> Option<String> {
    let owner = &x.lines.iter().find_map(|l| if let Line::Game(g) = l { Some(g.seats.clone()) } else { None })?;
    let first = x.mailbox_seat(owner);
    let at = x.place(First, |l| entry_is(l, "post.signon") && (body_of(l)["seat"] == first.as_str()) == own)?;
    Some(body_of(&x.lines[at])["message_id"].as_str()?.to_owned())
}

impl Exhibit {
    /// Whose mailbox it is: the seat of the first letter.
    fn mailbox_seat(&self, seats: &[String]) -> String {
        let to = crate::gateway::bench::parsed(self.mailbox[0].clone()).to;
        seats.iter().find(|seat| to.starts_with(seat.as_str())).unwrap().clone()
    }
}

fn all() -> impl Iterator<Item = &'static Row> {
    [DICE, BOUND, CHAIN, MAILS, RULES, WITNESSED].into_iter().flatten()
}

/// Forgeries of the study that are made elsewhere, with the reason: they need a round of the beacon, another game, or a line
/// that cannot be read.
const ELSEWHERE: &[(u32, &str)] = &[
    (32, "two.rs: another round"),
    (33, "two.rs: another time"),
    (36, "two.rs: no value"),
    (37, "two.rs: a value more or another"),
    (83, "beacon.rs: a value's entry"),
    (84, "beacon.rs: a value's entry left out"),
    (101, "forged.rs: a line with a field that nobody knows is refused"),
    (120, "beacon.rs: another master with everything made to fit"),
    (121, "beacon.rs: another round"),
    (122, "beacon.rs: a friend's nonce with everything made to fit"),
    (126, "beacon.rs: a mail that only asked vanishes everywhere"),
];

fn exhibit(name: &'static str, setting: &Setting) -> Exhibit {
    let played = play(setting);
    super::alarms::quiet(name, &played);
    Exhibit { name, lines: played.lines, mailbox: played.mailbox, master: played.master, two: setting.two }
}

/// The script's verdicts on many bundles: their exit codes, in one process.
pub fn scripts(bundles: &[Vec<Line>]) -> Vec<i32> {
    let dir = tempfile::tempdir().unwrap();
    for (n, lines) in bundles.iter().enumerate() {
        std::fs::write(dir.path().join(format!("{n}.jsonl")), write(lines)).unwrap();
    }
    let run = "import contextlib, io, sys\nsys.path.insert(0, sys.argv[1])\nimport verify\nfor n in range(int(sys.argv[3])):\n    \
               try:\n        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):\n            \
               code = verify.main(f'{sys.argv[2]}/{n}.jsonl')\n    except Exception:\n        code = 1\n    print(code)\n";
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/audit");
    let mut python = Command::new("python3");
    python.args(["-B", "-c", run]).arg(folder).arg(dir.path()).arg(bundles.len().to_string());
    let done = python.output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).unwrap().lines().map(|code| code.parse().unwrap()).collect()
}

/// What the script finds by the terms or by the slots, which version 1 has not so: there the audit finds it.
const BY_TERMS: [&str; 2] = ["the hours of a deadline", "a seed told before its turn has closed"];

/// Tries the forgeries on a game, or one of so many; those that nobody finds.
fn tried(x: &Exhibit, entries: &'static [Entry], each: usize) -> Vec<&'static str> {
    let some = all().enumerate().filter(|(n, _)| n % each == 0).map(|(_, row)| row);
    let forged: Vec<(&Row, Vec<Line>)> = some.filter_map(|row| Some((row, (row.3)(x)?))).collect();
    let bundles: Vec<Vec<Line>> = forged.iter().map(|(_, lines)| lines.clone()).collect();
    let (mut passed, mut wrong, mut counts) = (Vec::new(), Vec::new(), [0; 4]);
    for ((row, lines), code) in forged.iter().zip(scripts(&bundles)) {
        let (_, what, by, _) = row;
        let by = if !x.two && BY_TERMS.contains(what) { &Audit } else { by };
        let found = verify(lines, entries);
        let first = if code != 0 {
            Script
        } else if found.verdict != Verdict::Agrees {
            Audit
        } else if !witness(lines, &x.mailbox).faults.is_empty() {
            Mailbox
        } else {
            Nobody
        };
        counts[first as usize] += 1;
        if first == Script && found.verdict == Verdict::Agrees {
            wrong.push(format!("{what}: the script finds it, and the audit does not"));
        }
        if first == Nobody && !x.two {
            passed.push(*what);
        } else if first > *by || (first < *by && *by != Mailbox) {
            wrong.push(format!("{what}: found by {first:?}, and should be by {by:?}; {:?}", found.faults));
        }
    }
    println!(
        "{}: {} forgeries, by script {}, audit {}, mailbox {}",
        x.name,
        forged.len(),
        counts[0],
        counts[1],
        counts[2]
    );
    assert_eq!(wrong, Vec::<String>::new(), "{}", x.name);
    let least = if x.two { 125 } else { 105 };
    assert!(forged.len() > least / each, "{}: {} forgeries", x.name, forged.len());
    passed
}

const REWOUND: &[(u32, &str)] = &[(6, "REWIND 2 REASON a wrong road")];

/// Games of the real rulesets cost more: one forgery of so many is tried on them, and with `FORGERIES=1` each.
fn each() -> usize {
    if std::env::var("FORGERIES").is_ok() { 1 } else { 9 }
}

fn toy(two: bool) -> Exhibit {
    let master = [9; 32];
    let (lines, mut mailbox) = match two {
        true => played(&Way { beacon: None, master: Some(master), ..WITH_ROUND }),
        false => one(master),
    };
    mailbox.extend(super::games::sent(&lines, "french"));
    let name = if two { "a toy, protocol 2" } else { "a toy, version 1" };
    Exhibit { name, lines, mailbox, master, two }
}

#[test]
fn each_forgery_is_found_by_whom_it_says_under_protocol_2() {
    assert_eq!(tried(&toy(true), TOYS, 1), Vec::<&str>::new());
    let two = Setting { two: true, acts: REWOUND, ..CAMPAIGN };
    assert_eq!(tried(&exhibit("campaigns, protocol 2", &two), GAMES, each()), Vec::<&str>::new());
    if each() == 1 {
        let two = Setting { two: true, acts: REWOUND, short: true, ..AUSTERLITZ };
        assert_eq!(tried(&exhibit("austerlitz1805, protocol 2", &two), GAMES, 1), Vec::<&str>::new());
    }
}

/// Version 1 has no seals, and nothing else pins what these change.
const PASS_ON_ONE: [&str; 3] = ["a comment added to a mail of the other side's", "another receipt time", "the options"];

#[test]
fn on_a_bundle_of_version_1_three_pass_and_each_is_named() {
    let mut passed = tried(&toy(false), TOYS, 1);
    passed.sort_unstable();
    assert!(passed.iter().all(|what| PASS_ON_ONE.contains(what)), "{passed:?}");
    let real = tried(
        &exhibit("austerlitz1805, version 1", &Setting { acts: REWOUND, short: true, ..AUSTERLITZ }),
        GAMES,
        each(),
    );
    assert!(real.iter().all(|what| PASS_ON_ONE.contains(what)), "{real:?}");
    if each() == 1 {
        let mut more = tried(&exhibit("campaigns, version 1", &Setting { acts: REWOUND, ..CAMPAIGN }), GAMES, 1);
        more.sort_unstable();
        assert_eq!(more, PASS_ON_ONE);
    }
}

#[test]
fn the_table_has_every_forgery_of_the_study_and_two_dozen_more() {
    let numbers: BTreeSet<u32> = all().map(|row| row.0).chain(ELSEWHERE.iter().map(|row| row.0)).collect();
    assert!(numbers.into_iter().eq(0..=126));
    assert!(all().filter(|row| row.0 == 0).count() >= 24, "{}", all().filter(|row| row.0 == 0).count());
    let names: BTreeSet<&str> = all().map(|row| row.1).collect();
    assert_eq!(names.len(), all().count(), "two of one name");
}

/// A kind of entry that the audit does not know is a fault, and so is a field too many in one that it does: for each kind.
#[test]
fn every_kind_of_entry_that_is_written_has_its_forgery() {
    let mut written: BTreeSet<String> = BTreeSet::new();
    for source in crate::house::sources("src").into_iter().map(|source| source.path) {
        let code = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(&source)).unwrap();
        for (at, _) in code.match_indices("enter(") {
            let rest = code[at + 6..].trim_start();
            if let Some(kind) = rest.strip_prefix('"').and_then(|rest| rest.split('"').next())
                && (source.starts_with("src/gateway") && !kind.contains(' '))
            {
                written.insert(format!("post.{kind}"));
            }
        }
        for line in
            code.lines().filter(|line| source.starts_with("src/gateway") && line.starts_with("const KIND: &str"))
        {
            written.insert(format!("post.{}", line.split('"').nth(1).unwrap()));
        }
    }
    assert!(written.len() > 30, "{written:?}");
    let known: BTreeSet<&str> = KINDS.iter().map(|(kind, _)| *kind).collect();
    let unknown: Vec<&String> = written.iter().filter(|kind| !known.contains(kind.as_str())).collect();
    assert_eq!(unknown, Vec::<&String>::new(), "a kind of entry without a forgery of its own");
    let x = super::two::finished(false);
    let at = x.iter().position(|l| entry_is(l, "post.signon")).unwrap();
    let mut bundles = Vec::new();
    for (kind, body) in KINDS.iter().map(|(kind, _)| (*kind, "{\"surprise\":1}")).chain([("post.surprise", "{}")]) {
        let mut lines = x.clone();
        let mut line = lines[at].clone();
        let Line::Event { entry, body: own, .. } = &mut line else { panic!("no entry") };
        (*entry, *own) = (kind.to_owned(), body.to_owned());
        lines.insert(at + 1, line);
        let mut seq = 0;
        lines.iter_mut().for_each(|l| {
            if let Line::Event { seq: own, .. } = l {
                seq += 1;
                *own = seq;
            }
        });
        rehash(&mut lines);
        assert_eq!(verify(&lines, crate::gateway::bench::TOYS).verdict, Verdict::Differs, "{kind}");
        bundles.push(lines);
    }
    // What the script does not know, it cannot miss: the rules say what stands in these.
    let by_rules = ["event", "given", "input", "sight", "post.options"];
    for ((kind, _), code) in KINDS.iter().zip(scripts(&bundles)) {
        assert!(code == 1 || by_rules.contains(kind), "{kind}");
    }
}

/// Version 1 has no seals: a mailbox that can compare nothing proves nothing, and the last letter shows the ledger.
#[test]
fn with_a_mailbox_of_version_1_nothing_agrees_that_was_not_compared() {
    let x = toy(false);
    let judged = |lines: &[Line]| {
        let mut found = verify(lines, TOYS);
        let alone = found.verdict;
        found.heard(&witness(lines, &x.mailbox));
        (alone, found)
    };
    let (alone, found) = judged(&x.lines);
    assert_eq!((alone, found.verdict), (Verdict::Agrees, Verdict::Agrees), "{found:?}");
    let digests = x.fit(|lines| {
        for line in lines {
            let other = |text: &str| hex(&Sha256::digest(text.as_bytes()));
            match line {
                Line::Mail { direction, sha256, .. } if direction == "out" => *sha256 = other(sha256),
                Line::Event { entry, body, .. } if entry == "post.mail" => {
                    let mut value: Value = serde_json::from_str(body).unwrap();
                    if value["direction"] == "out" {
                        value["sha256"] = other(value["sha256"].as_str().unwrap()).into();
                        *body = value.to_string();
                    }
                }
                _ => {}
            }
        }
    });
    let (alone, found) = judged(&digests.unwrap());
    assert_eq!((alone, found.verdict, found.faults.len()), (Verdict::Agrees, Verdict::NotVerified, 0), "{found:?}");
    let looked = |l: &Line| entry_is(l, "post.ledger") && body_of(l)["input"] == false;
    let at = x.place(First, looked).unwrap();
    // A page that is missing among others the audit itself finds, and the last letter too.
    let (alone, found) = judged(&x.fit(|lines| _ = lines.remove(at)).unwrap());
    assert_eq!((alone, found.verdict), (Verdict::Differs, Verdict::Differs), "{found:?}");
    assert!(found.faults.iter().any(|fault| fault.contains("reveal.txt")), "{found:?}");
}
