//! The form in which a seat wants its mail, as the store keeps it: words such as `40 ascii both`.

use crate::host::paper::Format;
use crate::letter::Form;
use crate::text::{WIDTH, WIDTH_PHONE};

/// The words of a seat that has said nothing, with or without drawn maps.
pub fn at_first(pictures: bool) -> &'static str {
    if pictures { "76 plates" } else { "76" }
}

/// `SHEET OFF`, as one word.
pub const NO_SHEET: &str = "no sheet";

/// Reads the kept words; what it does not know changes nothing.
pub fn read(kept: &str) -> Format {
    let has = |word: &str| kept.split_whitespace().any(|w| w == word);
    let (both, plates, sheet) = (has("both"), has("plates"), has("sheet"));
    Format { narrow: has("40"), ascii: has("ascii"), both, plates, sheet, full: has("full") }
}

/// The kept words after some more were said: 76 or 40 sets the width, TEXT takes the page of HTML back, SHEET OFF the
/// order sheet, PLAIN all but the width.
pub fn changed(kept: &str, said: &[String]) -> String {
    let mut format = read(kept);
    for word in said {
        match word.as_str() {
            "40" => format.narrow = true,
            "76" => format.narrow = false,
            "ascii" => format.ascii = true,
            "both" => (format.both, format.plates) = (true, false),
            "plates" => format.plates = true,
            "sheet" => format.sheet = true,
            NO_SHEET => format.sheet = false,
            "text" => (format.both, format.plates) = (false, false),
            "full" => format.full = true,
            "short" => format.full = false,
            _ => format = Format { narrow: format.narrow, ..Format::default() },
        }
    }
    let width = if format.narrow { "40" } else { "76" };
    let said = [
        (format.ascii, "ascii"),
        (format.both, "both"),
        (format.plates, "plates"),
        (format.sheet, "sheet"),
        (format.full, "full"),
    ];
    let words = said.into_iter().map(|(set, word)| set.then_some(word));
    std::iter::once(Some(width)).chain(words).flatten().collect::<Vec<_>>().join(" ")
}

/// The form for the letter writer.
pub fn of(format: Format) -> Form {
    Form { width: if format.narrow { WIDTH_PHONE } else { WIDTH }, ascii: format.ascii }
}
