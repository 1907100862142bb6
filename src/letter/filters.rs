//! What templates may do with words.

use super::Form;
use super::page::Kind;
use crate::text::wrap;
use minijinja::value::Value;
use minijinja::{Environment, Error};

/// Puts the filters of one form into an environment; on a page of HTML each marks what it gives.
pub(super) fn register(env: &mut Environment<'static>, form: Form, page: bool) {
    let as_kind = move |kind: Kind, text: String| if page { kind.mark(&text) } else { text };
    let item_of = move |text: String, n: u32| as_kind(Kind::Text, item(&text, n, form));
    env.add_filter("item", item_of);
    env.add_filter("event", move |text: String, n: u32| as_kind(Kind::Text, event(&text, n, form)));
    env.add_filter("brief", move |text: String, n: u32, word: String| {
        as_kind(Kind::Text, brief(&text, n, &word, form))
    });
    env.add_filter("told", move |text: String, n: u32, word: String, why: String| {
        as_kind(Kind::Text, told(&text, n, &word, &why, form))
    });
    env.add_filter("dice", move |rolls: Vec<String>, label: String| as_kind(Kind::Rows, dice(&rolls, &label, form)));
    env.add_filter("label", move |text: String, label: String| {
        let said = labelled(&text, &label, form);
        if page { Kind::labelled(&shown(&label, form), &said) } else { said }
    });
    env.add_filter("flow", move |text: String, indent: Option<usize>| {
        let indent = indent.unwrap_or(0);
        as_kind(if indent == 0 { Kind::Heading } else { Kind::Text }, flow(&text, indent, form))
    });
    env.add_filter("verdict", move |word: String, why: String| as_kind(Kind::Text, verdict(&word, &why, form)));
    env.add_filter("listed", move |line: String| {
        if line.starts_with("  ") {
            as_kind(Kind::Order, order(&line, form))
        } else {
            as_kind(Kind::Heading, flow(&line, 0, form))
        }
    });
    env.add_filter("copy", move |text: String| as_kind(Kind::Order, order(&text, form)));
    env.add_filter("rows", move |lines: Vec<String>| as_kind(Kind::Rows, lines.join("\n")));
    env.add_filter("drawn", move |lines: Vec<String>| as_kind(Kind::Drawn, lines.join("\n")));
    env.add_filter("asked", move |block: Value| asked(&block, page));
    // The plain page shows no picture.
    env.add_filter(
        "picture",
        move |cid: String, said: String| {
            if page { Kind::pictured(&cid, &said) } else { String::new() }
        },
    );
    env.add_filter("halves", move |hex: String| as_kind(Kind::Text, halves(&hex, form)));
}

/// What a seat asked for: on a page of HTML as it was filled for one; a drawing as it stands; else lines that flow.
fn asked(block: &Value, page: bool) -> Result<String, Error> {
    let lines: Vec<String> = block.get_attr("lines")?.try_iter()?.map(|line| line.to_string()).collect();
    let text = lines.join("\n");
    if !page {
        return Ok(text);
    }
    let filled = block.get_attr("page")?;
    Ok(match filled.as_str() {
        Some(filled) => filled.to_owned(),
        None if block.get_attr("drawing")?.is_true() => Kind::Drawn.mark(&text),
        None => Kind::Lines.mark(&text),
    })
}

/// A numbered paragraph.
fn item(text: &str, n: u32, form: Form) -> String {
    numbered(text, n, form).join("\n")
}

/// A numbered paragraph of the story. On a phone the note behind it, which rule made it so, costs no line of its own: WHY with
/// the number tells it.
fn event(text: &str, n: u32, form: Form) -> String {
    let all = numbered(text, n, form);
    let bare = text.rsplit_once(" [").filter(|(_, note)| form.narrow() && note.ends_with(']'));
    let bare = bare.map(|(said, _)| numbered(said.trim_end(), n, form)).filter(|bare| bare.len() < all.len());
    bare.unwrap_or(all).join("\n")
}

fn numbered(text: &str, n: u32, form: Form) -> Vec<String> {
    let first = format!("{}{}", number(n), if form.narrow() { " " } else { "  " });
    wrap(text, form.width, &first, first.chars().count())
}

/// The number of a line; a stroke for one that has none.
fn number(n: u32) -> String {
    if n == 0 { "  -".to_owned() } else { format!("{n:>3}") }
}

/// A line that needs no reason, after the word that answers it, in one line; of a long one the beginning stands.
fn brief(text: &str, n: u32, word: &str, form: Form) -> String {
    let first = format!("{}{}{word}: ", number(n), if form.narrow() { " " } else { "  " });
    let room = form.width.saturating_sub(first.chars().count());
    format!("{first}{}", beginning(text, room))
}

/// One of many lines, with its reason: as much of the line as costs no more paper than the reason alone.
fn told(text: &str, n: u32, word: &str, why: &str, form: Form) -> String {
    let n = number(n);
    let first = if form.narrow() { format!("{n} {word} ") } else { format!("{n}  {word}  ") };
    let hang = if form.narrow() { 4 } else { 5 };
    let lines = |said: &str| wrap(said, form.width, &first, hang);
    let least = lines(why);
    let room = form.width.saturating_sub(least.last().map_or(0, |line| line.chars().count()));
    let verb = text.split_whitespace().next().unwrap_or_default().to_owned();
    let fits = |said: &String| said.len() > verb.len() || *said == verb;
    let longest = [beginning(text, room.saturating_sub(2)), verb.clone()].into_iter().filter(fits);
    let said = longest.map(|said| lines(&format!("{said}: {why}"))).find(|lines| lines.len() <= least.len());
    said.unwrap_or(least).join("\n")
}

/// As many words of a text as there is room for, with dots where some are left out.
fn beginning(text: &str, room: usize) -> String {
    if text.chars().count() <= room {
        return text.to_owned();
    }
    let mut kept = String::new();
    for word in text.split_whitespace() {
        if kept.chars().count() + word.chars().count() + 4 > room {
            break;
        }
        kept.push_str(word);
        kept.push(' ');
    }
    format!("{kept}...")
}

/// Rolls of one scope, as many a line as fit.
fn dice(rolls: &[String], label: &str, form: Form) -> String {
    if rolls.is_empty() {
        return format!("  {label:<7} none");
    }
    let mut lines: Vec<String> = Vec::new();
    for roll in rolls {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 3 + roll.chars().count() <= form.width => {
                line.push_str("   ");
                line.push_str(roll);
            }
            _ if form.narrow() => lines.push(format!("  {} {roll}", if lines.is_empty() { label } else { " " })),
            _ => lines.push(format!("  {label:<7} {roll}")),
        }
    }
    lines.join("\n")
}

/// A line of the head, such as `  Now     your movement`; the label is shouted on a phone.
fn labelled(text: &str, label: &str, form: Form) -> String {
    let label = shown(label, form);
    let first = if form.narrow() { format!("  {label:<4} ") } else { format!("  {label:<8}") };
    wrap(text, form.width, &first, first.chars().count()).join("\n")
}

/// A label as the page has it.
fn shown(label: &str, form: Form) -> String {
    match (form.narrow(), label) {
        (false, _) => label.to_owned(),
        (true, "If not") => "ELSE".to_owned(),
        (true, _) => label.to_uppercase(),
    }
}

/// The word that answers a line, and its reason beside it.
fn verdict(word: &str, why: &str, form: Form) -> String {
    if why.is_empty() {
        return format!("     {word}");
    }
    let first = format!("     {word:<8} ");
    let hang = if form.narrow() { 5 } else { first.chars().count() };
    wrap(why, form.width, &first, hang).join("\n")
}

/// A paragraph.
fn flow(text: &str, indent: usize, form: Form) -> String {
    wrap(text, form.width, &" ".repeat(indent), indent).join("\n")
}

/// An order line that stands alone, to be copied.
fn order(text: &str, form: Form) -> String {
    wrap(text, form.width, "  ", 8).join("\n")
}

/// 64 digits: on one line, or two where one is too narrow.
fn halves(hex: &str, form: Form) -> String {
    if !form.narrow() || hex.len() <= 38 {
        return format!("  {hex}");
    }
    let (a, b) = hex.split_at_checked(hex.len() / 2).unwrap_or((hex, ""));
    format!("  {a}\n  {b}")
}
