//! The itinerary: every hex of a march with its running cost, in words that need no fixed font.

use super::{Chart, short_name};
use crate::hex::{Hex, Hexside};
use crate::map::{Ground, Road};
use crate::text;

/// One hex of a strip.
struct Step {
    hex: Hex,
    /// Half MP spent when it is entered.
    sum: u32,
    /// The bridge into it: whole (`false`) or down (`true`).
    bridge: Option<bool>,
    zone: bool,
    enemies: Vec<u32>,
    ground: Option<&'static str>,
    name: Option<String>,
    /// Whether it is the last hex within the allowance.
    last: bool,
}

/// The steps of a march: `path` holds each hex with the running sum in half MP, the first with 0.
fn steps(chart: &Chart, path: &[(Hex, u32)], allowance: u32) -> Vec<Step> {
    let reach = path.iter().rposition(|&(_, sum)| sum <= allowance);
    let mut before: Option<Hex> = None;
    let mut found = Vec::new();
    for (i, &(hex, sum)) in path.iter().enumerate() {
        let side = before.and_then(|b| Hexside::between(b, hex));
        let mut enemies = chart.enemy.get(&hex).cloned().unwrap_or_default();
        enemies.sort_unstable();
        found.push(Step {
            hex,
            sum,
            bridge: side.and_then(|s| bridge(chart, s)),
            zone: chart.zones.contains(&hex),
            enemies,
            ground: if i > 0 && chart.occupied(hex) { ground(chart, hex) } else { None },
            name: chart.map.name(hex).map(short_name),
            last: reach == Some(i),
        });
        before = Some(hex);
    }
    found
}

/// Whether a road bridge leads over a hexside, and whether it is down.
fn bridge(chart: &Chart, side: Hexside) -> Option<bool> {
    let road: Option<&Road> = chart.map.roads.get(&side);
    let known = chart.map.bridges.contains(&side) || chart.damaged.contains(&side);
    (road.is_some() && known).then(|| chart.damaged.contains(&side))
}

/// The terrain of a hex where a token hides it on the close-up.
fn ground(chart: &Chart, hex: Hex) -> Option<&'static str> {
    match chart.map.ground.get(&hex)? {
        Ground::Clear => None,
        Ground::Woods => Some("woods"),
        Ground::Hill => Some("hill"),
        Ground::Mountain => Some("mountain"),
        Ground::Swamp => Some("marsh"),
        Ground::Lake => Some("lake"),
    }
}

/// Writes a march for a wide page: `2244 0.5 bz | 2243 1 E4 E5 Schöngrabern`.
///
/// `path` holds each hex with the running sum in half MP; `allowance` is in half MP. Marks: `b` bridge, `x` bridge
/// down, `z` next to an enemy counter not known to be a vedette, `E5` enemy counters, `<5>` the last hex within the
/// allowance. The ground is named where a piece hides it on the map. Place names keep their accents.
pub fn strip(chart: &Chart, path: &[(Hex, u32)], allowance: u32) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for step in steps(chart, path, allowance) {
        let cell = cell(&step, allowance);
        if line.is_empty() {
            line = format!("  {cell}");
        } else if text::width(&line) + 3 + text::width(&cell) <= text::WIDTH {
            line.push_str(" | ");
            line.push_str(&cell);
        } else {
            lines.push(std::mem::replace(&mut line, format!("  {cell}")));
        }
    }
    lines.push(line);
    lines.retain(|l| !l.is_empty());
    lines
}

/// One hex of a wide strip.
fn cell(step: &Step, allowance: u32) -> String {
    let mut words = vec![step.hex.to_string(), text::halves(step.sum)];
    let mut marks = String::new();
    match step.bridge {
        Some(false) => marks.push('b'),
        Some(true) => marks.push('x'),
        None => {}
    }
    if step.zone {
        marks.push('z');
    }
    words.push(marks);
    words.extend(step.enemies.iter().map(|n| format!("E{n}")));
    words.extend(step.ground.map(str::to_owned));
    if step.last {
        words.push(format!("<{}>", text::halves(allowance)));
    }
    words.extend(step.name.clone());
    words.retain(|w| !w.is_empty());
    words.join(" ")
}

/// Writes a march for a phone, one hex a line: `  2244 0.5 bridge z`; the hex it starts from is left out.
///
/// Takes the same as [`strip`].
pub fn strip_phone(chart: &Chart, path: &[(Hex, u32)], allowance: u32) -> Vec<String> {
    let mut lines = Vec::new();
    for step in steps(chart, path, allowance).into_iter().skip(1) {
        let mut words = Vec::new();
        words.extend(step.bridge.map(|down| if down { "bridge down".to_owned() } else { "bridge".to_owned() }));
        words.extend(step.name);
        words.extend(step.ground.map(str::to_owned));
        words.extend(step.enemies.iter().map(|n| format!("E{n}")));
        words.extend(step.zone.then(|| "z".to_owned()));
        words.extend(step.last.then(|| format!("<- {} MP", text::halves(allowance))));
        let first = format!("  {} {:<3} ", step.hex, text::halves(step.sum));
        lines.extend(text::wrap(&words.join(" "), text::WIDTH_PHONE, &first, text::width(&first)));
    }
    lines
}
