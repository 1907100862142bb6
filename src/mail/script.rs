//! The order script of a mail: the lines its writer wrote himself.
//!
//! Dropped are quoted lines, attribution lines, copies of the answered mail, signatures, and the footers of phones and
//! lists. Our own mails begin and end with a mark, so that an answer under a copy without quote marks is found too.
//!
//! A program that wraps an answer again breaks quoted lines that are too long for it, and the words that are left stand on
//! a line of their own without a quote mark. Such a line can be told from its writer's own only by its place. Who has
//! written above what he quotes does not write between its lines as well, so there it is passed over; else only where
//! taking it would do what cannot be undone.

use crate::text;

/// How the first body line of every mail of ours begins.
pub const REPORT_MARK: &str = "=== estafette mail";
/// The last body line of every mail of ours.
pub const REPORT_END: &str = "=== end of estafette mail ===";

/// Lines over which an attribution ("On … wrote:") may be wrapped.
const ATTRIBUTION_LINES_MAX: usize = 4;
/// Lines within which the other fields of a copied mail head must follow its From line.
const HEAD_LINES_MAX: usize = 8;

/// The widest line of a mail of ours; what is quoted and what was broken off it are no wider together.
const LINE_CHARS_MAX: usize = 76;
/// A quoted line that is shorter was not broken: no program wraps so narrowly.
const BROKEN_CHARS_MIN: usize = 55;
/// What stands before a line that may have been broken off a quoted one: it is told, and nothing of it is done.
pub const BROKEN_OFF: &str = "> ";
/// So many lines broken off in one mail are the work of a program, of which nobody needs to hear.
const TAILS_MIN: usize = 3;
/// Words by which a line does what cannot be undone.
const LASTING: [&str; 6] = ["end", "resign", "confirm", "proceed", "rewind", "replace"];

/// The first body line of our mail number `number`; under 40 columns, so that no mail program joins it to the next.
pub fn report_mark(number: u64) -> String {
    format!("{REPORT_MARK} {number} ===")
}

/// The lines that the writer of a (cleaned) text wrote, trimmed; single empty lines are kept between them.
pub fn order_lines(text: &str) -> Vec<String> {
    // The blanks at the end of a broken line say how wide it was, which a drawing with a gap says by nothing else.
    let wide: Vec<usize> = text.lines().map(|line| line.trim_start().chars().count()).collect();
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    // A line of one word is as wide as it is, wherever the program breaks others.
    let breaks = |line: &&&str| is_quoted(line) && line.trim_start_matches(is_mark).contains(' ');
    let widest = lines.iter().filter(breaks).map(|line| line.chars().count()).max().unwrap_or(0);
    let mut sieve = Sieve::new(widest, false);
    sieve.take_all(&lines, &wide);
    // So many are the work of a program that has wrapped all of it.
    if sieve.on_top == Some(true) && sieve.tails > 0 && sieve.tails + sieve.near >= TAILS_MIN {
        sieve = Sieve::new(widest, true);
        sieve.take_all(&lines, &wide);
        sieve.sum_up();
    }
    while sieve.kept.last().is_some_and(String::is_empty) {
        sieve.kept.pop();
    }
    sieve.kept
}

/// Where in the mail the reader stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Among the writer's own lines.
    Own,
    /// In a signature; quoted text or an attribution ends it.
    Signature,
    /// In a copy of another mail without quote marks; only our end mark ends it.
    Copy,
}

/// A quoted line, as far as it matters for what was broken off it.
#[derive(Clone, Copy)]
struct Quoted {
    /// Its characters, with the blanks at its end.
    chars: usize,
    /// How many of them are quote marks.
    marks: usize,
    /// How many blanks stood before the next word: two where a sentence ends, as in our mails.
    gap: usize,
}

impl Quoted {
    fn of(line: &str, wide: usize) -> Quoted {
        // Of a line of blanks the one behind the mark belongs to it.
        let marks = line.find(|c: char| !is_mark(c)).unwrap_or(line.len() + 1);
        let chars = line.chars().count().max(wide);
        let gap = if line.ends_with(['.', '?', '!', ':']) && chars == line.chars().count() { 2 } else { 1 };
        Quoted { chars, marks, gap }
    }
}

struct Sieve {
    place: Place,
    kept: Vec<String>,
    /// The quoted line straight above.
    above: Option<Quoted>,
    /// Characters of the longest quoted line.
    widest: usize,
    /// Whether lines of the writer's own stand above the first quoted one; none before that is met.
    on_top: Option<bool>,
    /// Lines that may have been broken off, and others that stand straight between quoted ones.
    tails: usize,
    near: usize,
    /// Whether a program has wrapped the mail: then every line straight between quoted ones is taken for one of them.
    wrapped: bool,
    /// Such lines of which it is not sure, and that may hold an order.
    unsure: usize,
    /// Whether the line straight above is quoted, or the end of such a line.
    in_quote: bool,
    /// What is told of lines above a mark whose beginning was cut away.
    cut: Option<String>,
}

impl Sieve {
    fn new(widest: usize, wrapped: bool) -> Sieve {
        let (place, kept) = (Place::Own, Vec::new());
        let above = None;
        Sieve {
            place,
            kept,
            above,
            widest,
            on_top: None,
            tails: 0,
            near: 0,
            wrapped,
            unsure: 0,
            in_quote: false,
            cut: None,
        }
    }

    fn take_all(&mut self, lines: &[&str], wide: &[usize]) {
        let mut at = 0;
        while let Some(rest) = lines.get(at..).filter(|rest| !rest.is_empty()) {
            at += self.take(rest, wide.get(at).copied().unwrap_or(0)).max(1);
        }
    }

    /// Of a mail that was wrapped, what was broken off is told in one line, as far as it may be the writer's own.
    fn sum_up(&mut self) {
        let cut = std::mem::take(&mut self.cut);
        self.kept.retain(|line| !line.starts_with(BROKEN_OFF) || cut.as_ref() == Some(line));
        if self.unsure > 0 {
            let lines = if self.unsure == 1 { "line" } else { "lines" };
            self.keep(&format!("{BROKEN_OFF}{} {lines} among the quoted ones", self.unsure));
        }
    }

    /// Takes the first lines of `rest`, of which the first came so wide, and says how many.
    fn take(&mut self, rest: &[&str], wide: usize) -> usize {
        let Some(&line) = rest.first() else { return 0 };
        let above = self.above.take();
        let in_quote = std::mem::take(&mut self.in_quote);
        if self.place == Place::Copy {
            if starts_with_nocase(line, REPORT_END) {
                self.place = Place::Own;
            }
        } else if starts_with_nocase(line, REPORT_END) {
            // The mark above it was cut away: what stands between must not be taken for orders. It may be its writer's own.
            let cut: Vec<String> = std::mem::take(&mut self.kept).into_iter().filter(|line| !line.is_empty()).collect();
            if let Some(first) = cut.first() {
                let first = first.strip_prefix(BROKEN_OFF).unwrap_or(first);
                let more = i64::try_from(cut.len() - 1).unwrap_or(i64::MAX);
                let more = match more {
                    0 => String::new(),
                    more => format!(", and {} more", text::plural(more, "line", "lines")),
                };
                let told = format!("{BROKEN_OFF}{first}{more}");
                self.keep(&told);
                self.cut = Some(told);
            }
            self.place = Place::Own;
        } else if starts_with_nocase(line, REPORT_MARK) || is_separator(line) || is_copied_head(rest) {
            self.place = Place::Copy;
        } else if is_quoted(line) {
            self.place = Place::Own;
            self.on_top.get_or_insert(!self.kept.is_empty());
            self.above = Some(Quoted::of(line, wide));
            self.in_quote = true;
        } else if let Some(taken) = attribution(rest) {
            self.place = self.after_attribution(rest.get(taken..).unwrap_or_default());
            return taken;
        } else if line == "--" || line.starts_with("-----BEGIN PGP SIGNATURE") {
            self.place = Place::Signature;
        } else if self.place == Place::Own && above.is_some_and(|above| self.is_broken_off(above, line)) {
            // Among quoted lines an END is one of them. Else it may be his: he is told that it was not taken.
            let among = is_among(rest);
            self.tails += 1;
            self.unsure += usize::from(!among);
            self.in_quote = true;
            if !(among && is_lasting(line)) {
                self.keep(&format!("{BROKEN_OFF}{line}"));
            }
        } else if self.place == Place::Own && self.wrapped && in_quote && is_among(rest) {
            // An order or an answer has letters or figures in it, a piece of a map may have none.
            self.unsure += usize::from(line.contains(char::is_alphanumeric));
            self.in_quote = true;
        } else if self.place == Place::Own && !is_footer(line) && !is_armour(line) {
            self.near += usize::from(in_quote && is_among(rest) && !line.is_empty());
            self.keep(line);
        }
        1
    }

    /// Whether a line may be the end of the quoted one above it, below an answer or where it would do what cannot be undone:
    /// its first word did not fit where the longest quoted line still did, and both together are no wider than a line of
    /// ours.
    fn is_broken_off(&self, above: Quoted, line: &str) -> bool {
        let word = line.split_whitespace().next().map_or(0, |word| word.chars().count());
        !line.is_empty()
            && (self.on_top == Some(true) || is_lasting(line))
            && above.chars >= BROKEN_CHARS_MIN
            && above.chars + above.gap + word > self.widest
            && above.chars.saturating_sub(above.marks) + above.gap + line.chars().count() <= LINE_CHARS_MAX
    }

    /// Some programs quote below an attribution without any mark; if the writer has already written, that is a copy.
    fn after_attribution(&self, below: &[&str]) -> Place {
        let next = below.iter().find(|line| !line.is_empty());
        let unmarked = next.is_some_and(|line| !is_quoted(line));
        if unmarked && !self.kept.is_empty() { Place::Copy } else { Place::Own }
    }

    fn keep(&mut self, line: &str) {
        let after_empty = self.kept.last().is_none_or(String::is_empty);
        if !(line.is_empty() && after_empty) {
            self.kept.push(line.to_owned());
        }
    }
}

/// Whether a line stands straight above a quoted one, or above the last of two that do.
fn is_among(rest: &[&str]) -> bool {
    let below = rest.iter().skip(1).take(2).take_while(|line| !line.is_empty());
    below.into_iter().any(|line| is_quoted(line))
}

/// Whether a line would do what cannot be undone.
fn is_lasting(line: &str) -> bool {
    let first = line.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    LASTING.contains(&first.to_lowercase().as_str())
}

fn starts_with_nocase(line: &str, start: &str) -> bool {
    line.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start))
}

/// `>` and `|` marks, and initials before the mark as The Bat! writes them (`RH> `).
fn is_quoted(line: &str) -> bool {
    let initials = line.len() - line.trim_start_matches(|c: char| c.is_ascii_uppercase()).len();
    let rest = line.get(initials..).unwrap_or_default();
    rest.starts_with('>') && initials <= 3 || line.starts_with('|')
}

/// Characters of which quote marks are made.
fn is_mark(c: char) -> bool {
    matches!(c, '>' | '|' | ' ')
}

/// Titles that mail programs put, between dashes, over a copied mail.
const TITLES: [&str; 18] = [
    "original message",
    "original appointment",
    "reply message",
    "forwarded message",
    "ursprüngliche nachricht",
    "original-nachricht",
    "weitergeleitete nachricht",
    "message d'origine",
    "message original",
    "message transféré",
    "messaggio originale",
    "messaggio inoltrato",
    "mensaje original",
    "mensagem original",
    "oryginalna wiadomość",
    "wiadomość oryginalna",
    "oorspronkelijk bericht",
    "původní zpráva",
];

/// The same without dashes, as Apple's program writes it.
const BEGINNINGS: [&str; 4] = [
    "begin forwarded message:",
    "anfang der weitergeleiteten nachricht:",
    "début du message réexpédié",
    "inizio messaggio inoltrato:",
];

/// A line after which a copy of another mail follows, or the footer of a mailing list.
fn is_separator(line: &str) -> bool {
    if line.starts_with("________") && line.trim_matches('_').is_empty() {
        return true;
    }
    let lower = line.to_lowercase();
    if BEGINNINGS.iter().any(|words| lower.starts_with(words)) {
        return true;
    }
    lower.starts_with("---") && {
        let title = lower.trim_matches(|c: char| c == '-' || c == ' ');
        TITLES.iter().any(|words| title.starts_with(words))
    }
}

/// "From" as the head of a copied mail names it.
const FROM_FIELDS: [&str; 9] = ["from", "von", "de", "da", "van", "od", "från", "fra", "lähettäjä"];
/// The fields that follow it.
const HEAD_FIELDS: [&str; 43] = [
    "sent",
    "date",
    "to",
    "cc",
    "subject",
    "reply-to",
    "importance",
    "gesendet",
    "datum",
    "an",
    "betreff",
    "envoyé",
    "date d'envoi",
    "à",
    "objet",
    "inviato",
    "data",
    "a",
    "oggetto",
    "enviado",
    "enviado el",
    "fecha",
    "para",
    "asunto",
    "assunto",
    "verzonden",
    "aan",
    "onderwerp",
    "wysłano",
    "wysłane",
    "do",
    "temat",
    "dw",
    "skickat",
    "till",
    "ämne",
    "sendt",
    "til",
    "emne",
    "odesláno",
    "komu",
    "předmět",
    "kopie",
];

/// The field name of a line such as `*From:* Umpire`, lower-case.
fn field(line: &str) -> Option<String> {
    let (name, _) = line.trim_start_matches(['*', ' ']).split_once(':')?;
    (name.chars().count() <= 16).then(|| name.trim_matches(['*', ' ']).to_lowercase())
}

/// The head of a copied mail without any other mark: a From line with at least two more fields under it.
fn is_copied_head(rest: &[&str]) -> bool {
    let named = |line: &str, names: &[&str]| field(line).is_some_and(|name| names.contains(&name.as_str()));
    let Some((first, below)) = rest.split_first() else { return false };
    named(first, &FROM_FIELDS)
        && below.iter().take(HEAD_LINES_MAX).filter(|line| named(line, &HEAD_FIELDS)).count() >= 2
}

/// Verbs that end an attribution line, before its colon.
const VERBS: [&str; 20] = [
    "wrote",
    "writes",
    "schrieb",
    "a écrit",
    "ha scritto",
    "escribió",
    "escreveu",
    "schreef",
    "skrev",
    "napisał",
    "napisała",
    "napisał(a)",
    "pisze",
    "napsal",
    "napsala",
    "napsal(a)",
    "kirjoitti",
    "írta",
    "said",
    "ezt írta",
];
/// Words that begin an attribution of several lines.
const OPENERS: [&str; 13] = ["on", "am", "le", "il", "el", "em", "op", "den", "dne", "dnia", "w", "quoting", "at"];

/// How many lines the attribution at the head of `rest` has, if there is one.
fn attribution(rest: &[&str]) -> Option<usize> {
    let first = rest.first()?.to_lowercase();
    let opened = first.split_whitespace().next().is_some_and(|word| OPENERS.contains(&word))
        || first.starts_with(|c: char| c.is_ascii_digit());
    let lines_max = if opened { ATTRIBUTION_LINES_MAX } else { 1 };
    let mut joined = String::new();
    for (at, line) in rest.iter().enumerate().take(lines_max) {
        if line.is_empty() || is_quoted(line) {
            return None;
        }
        joined.push_str(&line.to_lowercase());
        joined.push(' ');
        if is_attribution(joined.trim_end()) {
            return Some(at + 1);
        }
    }
    None
}

fn is_attribution(joined: &str) -> bool {
    let Some(words) = joined.strip_suffix(':') else { return false };
    let words = words.trim_end();
    let dated = words.contains(|c: char| c.is_ascii_digit() || c == '@' || c == '<');
    let verb = VERBS.iter().any(|verb| {
        words.ends_with(verb) || words.contains(&format!(" {verb} ")) || words.starts_with(&format!("{verb} "))
    });
    // "2026-11-21 20:01 GMT+01:00 Umpire <a@b>:" and "Quoting Umpire <a@b>:" have no verb.
    dated && (verb || words.ends_with('>') && words.contains('@') && words.contains(' '))
}

/// How the footers of phones and web mails begin.
const FOOTERS: [&str; 30] = [
    "sent from my ",
    "sent from mail for ",
    "sent from outlook",
    "sent from yahoo",
    "sent from gmail",
    "sent from proton",
    "sent with proton",
    "sent from ",
    "sent via ",
    "sent using ",
    "get outlook for ",
    "von meinem ",
    "gesendet von ",
    "gesendet mit ",
    "diese nachricht wurde von meinem ",
    "outlook für ",
    "envoyé de mon ",
    "envoyé depuis ",
    "envoyé à partir de ",
    "télécharger outlook",
    "inviato da ",
    "inviato dal mio ",
    "enviado desde ",
    "enviado do meu ",
    "verzonden vanaf ",
    "verstuurd vanaf ",
    "skickat från ",
    "wysłane z ",
    "wysłano z ",
    "odesláno z ",
];

fn is_footer(line: &str) -> bool {
    let lower = line.to_lowercase();
    FOOTERS.iter().any(|words| lower.starts_with(words))
        || lower.starts_with("virus-free")
        || lower.contains("checked for viruses by")
}

/// Lines around a text that OpenPGP signed in place.
fn is_armour(line: &str) -> bool {
    line.starts_with("-----BEGIN PGP SIGNED MESSAGE")
        || line.starts_with("-----END PGP")
        || line.starts_with("Hash: SHA")
}
