//! The order sheet of any ruleset for a seat of a game that is played without post, and what every sheet must be.

use super::driven::{Driven, Screen};
use crate::rehearse::driver::Table;
use estafette::host::paper::Paper;
use estafette::letter::sheet::{self, SCHEMA, SeatView, Sheet};
use estafette::orders;
use estafette::rules::Ruleset;
use estafette::rules::rehearsal::Plan;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// Lines that were tried, by their verbs.
#[derive(Debug, Default)]
pub struct Verbs(BTreeMap<String, u32>);

impl Verbs {
    /// Counts a line.
    pub fn count(&mut self, line: &str) {
        *self.0.entry(line.split(' ').next().unwrap().to_owned()).or_default() += 1;
    }

    /// How many lines of a verb there were.
    pub fn of(&self, verb: &str) -> u32 {
        self.0.get(verb).copied().unwrap_or(0)
    }

    /// Each of these verbs was tried.
    pub fn all(&self, verbs: &[&str]) {
        let none: Vec<&&str> = verbs.iter().filter(|verb| self.of(verb) == 0).collect();
        assert!(none.is_empty(), "{none:?}: {self:?}");
    }
}

/// The sheet of a seat.
pub fn laid<R: Paper>(table: &Table<R>, seat: &str) -> Sheet {
    of(R::NAME, R::seat_data(&table.view(seat)).unwrap(), seat)
}

/// The page of a seat.
pub fn page<R: Paper>(table: &Table<R>, seat: &str) -> String {
    let page = sheet::page(&laid(table, seat)).unwrap();
    if let Ok(dir) = std::env::var("PAGES") {
        std::fs::write(Path::new(&dir).join(format!("sheet-{}-{}-{seat}.html", R::NAME, page.len())), &page).unwrap();
    }
    page
}

fn of(ruleset: &str, data: estafette::host::paper::SeatData, seat: &str) -> Sheet {
    let view = SeatView {
        schema: SCHEMA.to_owned(),
        game: "m7".to_owned(),
        seat: seat.to_owned(),
        ruleset: ruleset.to_owned(),
        when: "Side   turn 1 of 10".to_owned(),
        board: data.board,
        ..SeatView::default()
    };
    Sheet { view, map: data.svg, script: data.script }
}

/// What an open page must be on any screen: quiet, alone, no wider than the screen, each control named and large enough, all
/// words legible, and the keys come to its controls in the order in which they stand.
pub fn sound(driven: &Driven, what: &str, screen: Screen) {
    assert_eq!(driven.complaints(), Vec::<String>::new(), "{what} {screen:?}");
    let wide = driven.ask("document.documentElement.scrollWidth <= window.innerWidth");
    assert_eq!(wide, true, "{what} {screen:?} scrolls sideways");
    for (found, why) in
        [(UNNAMED, "has no name"), (SMALL, "is too small"), (DIM, "is hard to read"), (TABBED, "is out of order")]
    {
        assert_eq!(driven.ask(found), json!([]), "{what} {screen:?}: {why}");
    }
    driven.night(true);
    assert_eq!(driven.ask(DIM), json!([]), "{what} {screen:?}: is hard to read by night");
    driven.night(false);
    assert_eq!(driven.ask(TALL), json!([0, []]), "{what} {screen:?}: scrolls, or hides what ends it");
}

/// How much higher than its window a sheet is, and which of the buttons that end it lie outside of that.
const TALL: &str = "[document.getElementById('lines') ? Math.max(0, document.documentElement.scrollHeight - window.innerHeight) : 0, ['copy', 'end', 'undo'].map((id) => document.getElementById(id)).filter((e) => e && (e.getBoundingClientRect().bottom > window.innerHeight || e.getBoundingClientRect().top < 0)).map((e) => e.id)]";

/// Names in the list, buttons of the chosen piece, and what of these lies outside the window though nobody scrolls.
pub fn in_sight(driven: &Driven) -> serde_json::Value {
    driven.ask("[...document.querySelectorAll('#acts button')].slice(0, 6).map((b) => [b.textContent, b.getBoundingClientRect()]).filter(([, r]) => r.bottom > window.innerHeight || r.top < 0).map(([t]) => t)")
}

/// The lines of the box beside which the sheet sets a mark, counted from 1.
pub fn marked(driven: &Driven) -> Vec<u64> {
    let found = driven.ask("[...document.getElementById('marks').children].map((e, n) => e.className === 'odd' ? n + 1 : 0).filter(Boolean)");
    serde_json::from_value(found).unwrap()
}

/// What a sheet says of its last step.
pub fn said(driven: &Driven) -> String {
    driven.ask("document.getElementById('say').textContent").as_str().unwrap().to_owned()
}

/// What was written comes back to the same sheet when it is opened again, and to no other.
pub fn comes_back(driven: &Driven, page: &str, other: &str, line: &str) {
    let lines = [line.to_owned(), "END".to_owned()];
    write(driven, &lines);
    driven.again(page);
    assert_eq!(written(driven), lines);
    driven.again(other);
    assert_eq!(written(driven), Vec::<String>::new(), "the lines of one sheet come back on another");
    driven.again(page);
    assert_eq!(written(driven), lines);
    // A sheet of the same seat from another stage has lines of its own, and leaves these alone.
    let older = page.replacen("\"stage\":\"", "\"stage\":\"before ", 1);
    assert_ne!(older, page);
    driven.again(&older);
    assert_eq!(written(driven), Vec::<String>::new(), "the lines of one stage come back in another");
    driven.again(page);
    assert_eq!(written(driven), lines, "a look at an older sheet took them");
    // So has a game of the same name in another post office.
    let elsewhere = page.replacen("\"origin\":\"", "\"origin\":\"0", 1);
    driven.again(&elsewhere);
    assert_eq!(written(driven), Vec::<String>::new(), "the lines of one post office come back in another");
    driven.again(page);
    // One step back takes back what was typed at a stretch, and no click before it.
    write(driven, &[line.to_owned(), "END".to_owned(), "x".to_owned()]);
    write(driven, &[line.to_owned(), "END".to_owned(), "xy".to_owned()]);
    driven.click("document.getElementById('undo')");
    assert_eq!(written(driven), lines);
    write(driven, &[]);
    driven.again(page);
    assert_eq!(written(driven), Vec::<String>::new(), "lines that were taken out come back");
    // A reader that keeps nothing is no worse than that.
    driven.ask("(Object.defineProperty(window, 'localStorage', { get() { throw new Error('not here'); } }), 1)");
    write(driven, &lines);
    assert_eq!(written(driven), lines);
    assert_eq!(driven.complaints(), Vec::<String>::new());
}

/// Controls and pictures that a screen reader cannot name.
const UNNAMED: &str = "[...document.querySelectorAll('button,a,textarea,[tabindex],svg,[role=group],[role=tabpanel]')].filter((e) => !(e.textContent.trim() || e.getAttribute('aria-label') || e.getAttribute('aria-labelledby') || document.querySelector(`label[for='${e.id}']`))).map((e) => e.outerHTML.slice(0, 200))";

/// Controls that a finger would miss.
const SMALL: &str = "[...document.querySelectorAll('button,a')].filter((e) => e.offsetParent).map((e) => [e.textContent, e.getBoundingClientRect()]).filter(([, r]) => r.width < 36 || r.height < 36).map(([t]) => t)";

/// Words whose contrast with what lies under them is less than 4.5 to 1.
const DIM: &str = r"(() => {
  const parts = (c) => { const n = c.match(/[\d.]+/g).map(Number); return n.length < 4 ? [...n, 1] : n; };
  const lum = (c) => { const [r, g, b] = c.map((n) => { n /= 255; return n <= 0.04045 ? n / 12.92 : ((n + 0.055) / 1.055) ** 2.4; }); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const under = (e) => { for (; e; e = e.parentElement) { const c = parts(getComputedStyle(e).backgroundColor); if (c[3] === 1) return c; } return [255, 255, 255, 1]; };
  const dim = [];
  for (const e of document.querySelectorAll('body *')) {
    if (e.closest('svg,script,noscript') || ![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) || !e.getClientRects().length) continue;
    const [a, b] = [lum(parts(getComputedStyle(e).color).slice(0, 3)), lum(under(e).slice(0, 3))], ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) dim.push([e.textContent.trim().slice(0, 40), ratio]);
  }
  return dim;
})()";

/// Strikes Tab from the top of a page as often as it has controls, and says which came before one that stands above it.
pub fn tabbed(driven: &Driven, most: usize) {
    driven.ask("(window.was = [], document.body.tabIndex = -1, document.body.focus(), 1)");
    for _ in 0..most {
        driven.key("Tab");
        driven.ask("window.was.push(document.activeElement) && 1");
    }
    let wrong = "window.was.map((e, n) => [e, window.was[n + 1]]).filter(([a, b]) => b && b !== document.body && a !== document.body && !(a.compareDocumentPosition(b) & 4)).map(([a, b]) => [a.outerHTML, b.outerHTML])";
    assert_eq!(driven.ask(wrong), json!([]));
    let through = "new Set(window.was.filter((e) => e !== document.body)).size";
    assert!(driven.ask(through).as_u64().unwrap() >= 12, "keys come to few controls");
}

/// Words of a page that do not stand out from what lies under them.
pub fn dim(driven: &Driven) -> serde_json::Value {
    driven.ask(DIM)
}

/// What a writer's hand may leave in the box: no line of it upsets a sheet.
pub fn half_written(driven: &Driven, lines: &[&str]) {
    let lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
    for n in 0..lines.len() {
        write(driven, &lines[..=n]);
        assert_eq!(written(driven).len(), n + 1);
    }
    write(driven, &[]);
    assert_eq!(driven.complaints(), Vec::<String>::new(), "{lines:?}");
}

/// Controls that are asked for in another order than that in which they stand, or that no key comes to.
const TABBED: &str = "[...document.querySelectorAll('button,a,textarea,[tabindex]')].filter((e) => e.tabIndex !== 0).map((e) => e.outerHTML.slice(0, 200))";

/// Writes into the box by hand.
pub fn write(driven: &Driven, lines: &[String]) {
    let text = serde_json::to_string(&lines.join("\n")).unwrap();
    driven.ask(&format!("(() => {{ const b = document.getElementById('lines'); b.value = {text}; b.dispatchEvent(new Event('input')); return 1; }})()"));
}

/// The lines of the box.
pub fn written(driven: &Driven) -> Vec<String> {
    let text = driven.ask("document.getElementById('lines').value");
    text.as_str().unwrap().lines().map(str::to_owned).collect()
}

/// Chooses a piece in the list.
pub fn row(driven: &Driven, id: &str) {
    driven.click(&format!("[...document.querySelectorAll('#own .row')].find((r) => r.dataset.id === {id:?})"));
}

/// Clicks on a button of the chosen piece.
pub fn press(driven: &Driven, words: &str) {
    driven.click(&format!("[...document.querySelectorAll('.acts button')].find((b) => b.textContent === {words:?})"));
}

/// What the page sees.
pub fn board(driven: &Driven) -> Value {
    driven.ask("JSON.parse(document.getElementById('view').textContent).board")
}

/// The names of pieces that act.
pub fn acting(driven: &Driven) -> Vec<String> {
    let found = driven.ask("[...document.querySelectorAll('#own .row')].filter((r) => r.querySelector('.n').textContent === 'acts').map((r) => r.dataset.id)");
    serde_json::from_value(found).unwrap()
}

/// Tries a line that the sheet would write, and counts it by its verb.
pub fn taken<R: Ruleset>(plan: &mut Plan<R>, line: &str, other: &mut Verbs) {
    let tried = plan.aside(&orders::line(1, line));
    assert!(tried.is_ok(), "{line}: {:?}", tried.err());
    other.count(line);
}

/// Hexes that are offered and on which one can click, each with its place in the window: their middles lie a little below
/// their ids.
pub const OFFERED: &str = "[...document.querySelectorAll('#over .id')].map((t) => { const p = new DOMPoint(Number(t.getAttribute('x')), Number(t.getAttribute('y')) + 90).matrixTransform(document.querySelector('#map svg').getScreenCTM()); return [t.textContent, [p.x, p.y]]; }).filter(([, p]) => document.elementFromPoint(...p)?.closest('#map'))";

/// The farthest hex to which a piece can go and on which one can click, with the way there, and where it is in the window.
pub fn far(driven: &Driven, id: &str) -> (Value, (f64, f64)) {
    driven.ask("document.getElementById('mapbox').scrollIntoView({block: 'start'}) ?? 1");
    let found = driven.ask(&format!(
        "(() => {{ const ways = new Map(sheet.reach({id:?}).map((r) => [r[0], r])); return {OFFERED}.map(([hex, p]) => [ways.get(hex), p]).sort((a, b) => b[0][2] - a[0][2])[0]; }})()"
    ));
    (found[0].clone(), (found[1][0].as_f64().unwrap(), found[1][1].as_f64().unwrap()))
}

/// Where a hex that is offered lies in the window, if one can click on it.
pub fn place(driven: &Driven, to: &str) -> Option<(f64, f64)> {
    let found = driven.ask(&format!("{OFFERED}.find(([hex]) => hex === {to:?})?.[1]"));
    serde_json::from_value(found).ok()
}

/// What an expression of the page comes to, as words.
pub fn strings(driven: &Driven, asked: &str) -> Vec<String> {
    serde_json::from_value(driven.ask(asked)).unwrap()
}
