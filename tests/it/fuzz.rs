//! The fuzzer's targets and corpus in a short run: every seed, and some mutations of each.
//!
//! The long run is `RUSTC_BOOTSTRAP=1 cargo fuzz run --fuzz-dir tests/fuzz --sanitizer none mail` (or `orders`), with
//! `-- -dict=tests/fuzz/mail.dict` behind it; FUZZ=2000 makes so many mutations of each seed here.

#[path = "../fuzz/targets.rs"]
mod targets;

use crate::toys::Whim;
use std::path::Path;

fn seeds(folder: &str, kind: Option<&str>) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| kind.is_none_or(|kind| path.extension().is_some_and(|ext| ext == kind)));
    paths.sort();
    paths.into_iter().map(|path| std::fs::read(path).unwrap()).collect()
}

fn words(dict: &str) -> Vec<Vec<u8>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz").join(dict);
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| line.trim_matches('"').replace("\\x0d\\x0a", "\r\n").into_bytes()).collect()
}

/// Bytes changed, words of the format put in, pieces doubled or cut out, another seed's end put on.
fn mutated(whim: &mut Whim, seeds: &[Vec<u8>], words: &[Vec<u8>], seed: &[u8]) -> Vec<u8> {
    let mut raw = seed.to_vec();
    for _ in 0..=whim.below(6) {
        let at = whim.below(raw.len() + 1);
        let to = at + whim.below((raw.len() - at).min(60) + 1);
        match whim.below(5) {
            0 => raw[at..to].iter_mut().for_each(|byte| *byte = u8::try_from(whim.below(256)).unwrap()),
            1 => drop(raw.splice(at..at, words[whim.below(words.len())].iter().copied())),
            2 => drop(raw.drain(at..to)),
            3 => {
                let piece = raw[at..to].to_vec();
                raw.splice(at..at, piece);
            }
            _ => {
                let other = &seeds[whim.below(seeds.len())];
                raw.truncate(at);
                raw.extend_from_slice(&other[whim.below(other.len() + 1)..]);
            }
        }
    }
    raw
}

fn run(target: impl Fn(&[u8]), seeds: &[Vec<u8>], dict: &str, usual: usize) {
    let each: usize = std::env::var("FUZZ").map_or(usual, |n| n.parse().unwrap());
    let words = words(dict);
    assert!(seeds.len() > 20 && words.len() > 20);
    let mut whim = Whim(11);
    for seed in seeds {
        target(seed);
        for _ in 0..each {
            target(&mutated(&mut whim, seeds, &words, seed));
        }
    }
}

#[test]
fn the_mail_reader_bears_the_corpus_and_its_mutations() {
    let mut all = seeds("tests/mail", Some("eml"));
    all.extend(seeds("tests/fuzz/corpus/mail", None));
    run(targets::mail, &all, "mail.dict", 20);
}

#[test]
fn the_order_reader_bears_the_corpus_and_its_mutations() {
    run(targets::orders, &seeds("tests/fuzz/corpus/orders", None), "orders.dict", 8);
}

#[test]
fn whatever_orders_say_the_game_bears_to_carry_them_out() {
    run(targets::carried_out, &seeds("tests/fuzz/corpus/orders", None), "orders.dict", 1);
}
