//! A run of games as a page to look at: outcomes, lengths, and what the ruleset counts, each as bars with its numbers beside.
//!
//! One file without scripts that asks for nothing; every bar's number stands in it, so that who sees no picture loses nothing.

use super::{Played, Stuck, Summary};
use crate::ink::{Svg, escaped};
use data_encoding::BASE64;
use sha2::{Digest, Sha256};

/// Bars of one picture that are no names.
const BINS: u32 = 12;
/// Units across a picture.
const ACROSS: i32 = 600;
/// Units from one bar to the next.
const DOWN: i32 = 62;
/// Units of the longest bar; its number stands behind it.
const LONGEST: i32 = 520;
/// Names longer than this are cut on a bar; the title of the picture has them whole.
const NAME: usize = 46;
const INK: &str = "#2b2620";
const BAR: &str = "#1f4480";

const STYLE: &str = "body{background:#f4ecd8;color:#2b2620;font-family:Georgia,serif;margin:1rem auto;max-width:40rem;padding:0 .8rem}\
                     svg{width:100%;height:auto}h1{font-size:1.4rem}h2{font-size:1.1rem;margin-bottom:.2rem}";

/// The page of a run.
pub fn page(sum: &Summary, all: &[Played], stuck: &[Stuck]) -> String {
    let mut body = format!("<h1>{}</h1>\n", escaped(&sum.title));
    body.push_str(&format!("<p>{} games ended, {} stuck; {} mails.</p>\n", sum.ended, sum.stuck, sum.mails));
    let named = |counts: &std::collections::BTreeMap<String, u32>| -> Vec<(String, u32)> {
        counts.iter().map(|(name, count)| (name.clone(), *count)).collect()
    };
    body.push_str(&bars("Games won", &named(&sum.wins)));
    body.push_str(&bars("Endings", &named(&sum.endings)));
    body.push_str(&bars("Mails of a game", &spread(all.iter().map(|game| game.mails))));
    for (name, _) in &sum.counts {
        let counts = all.iter().flat_map(|game| &game.tally.counts).filter(|(counted, _)| counted == name);
        body.push_str(&bars(&format!("{name}, of a game"), &spread(counts.map(|(_, count)| *count))));
    }
    body.push_str(&bars("Order lines by what became of them", &named(&sum.lines)));
    for game in stuck {
        body.push_str(&format!("<p>Game {} is stuck: {}</p>\n", game.number, escaped(&game.why)));
    }
    let digest = BASE64.encode(&Sha256::digest(STYLE));
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" \
         content=\"default-src 'none'; style-src 'sha256-{digest}'\">\n<meta name=\"viewport\" \
         content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n<style>{STYLE}</style></head>\n<body>\n{body}</body></html>\n",
        escaped(&sum.title)
    )
}

/// How often which numbers came, in at most so many steps of one width.
fn spread(numbers: impl Iterator<Item = u32>) -> Vec<(String, u32)> {
    let numbers: Vec<u32> = numbers.collect();
    let (Some(least), Some(most)) = (numbers.iter().min(), numbers.iter().max()) else { return Vec::new() };
    let wide = (most - least + 1).div_ceil(BINS).max(1);
    let steps = (0..BINS).map(|n| least + n * wide).take_while(|from| from <= most);
    let step = |from: u32| {
        let to = from + wide - 1;
        let count = numbers.iter().filter(|number| (from..=to).contains(*number)).count();
        let name = if wide == 1 { from.to_string() } else { format!("{from} to {to}") };
        (name, u32::try_from(count).unwrap_or(u32::MAX))
    };
    steps.map(step).collect()
}

/// A picture of bars, each with its name above and its number behind it; nothing where there is nothing to show.
fn bars(title: &str, rows: &[(String, u32)]) -> String {
    let Some(most) = rows.iter().map(|(_, count)| *count).max() else { return String::new() };
    let high = i32::try_from(rows.len()).unwrap_or(i32::MAX).saturating_mul(DOWN);
    let said: Vec<String> = rows.iter().map(|(name, count)| format!("{name}: {count}")).collect();
    let mut svg = Svg::new((0, 0), (ACROSS, high), ACROSS, &format!("{title}. {}.", said.join("; ")));
    for (n, (name, count)) in (0..).zip(rows) {
        let top = n * DOWN;
        let long = i64::from(*count) * i64::from(LONGEST) / i64::from(most.max(1));
        let long = i32::try_from(long).unwrap_or(LONGEST).max(1);
        svg.words((0, top + 22), &[("fill", INK), ("font-size", "22")], &crate::text::cut(name, NAME));
        svg.rect((0, top + 30), (long, 20), &[("fill", BAR)]);
        svg.words((long + 8, top + 47), &[("fill", INK), ("font-size", "22")], &count.to_string());
    }
    format!("<h2>{}</h2>\n{}", escaped(title), svg.finish())
}
