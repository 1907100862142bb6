//! What comes in and goes out again: lines.

use estafette::mail::script::order_lines;

#[test]
fn words_broken_off_a_quotation_end_nothing() {
    let report = "The sheet is open until Thursday; when you have no more orders write END";
    assert_eq!(report.len(), 72);
    let other = "> The third corps of the army stands on both banks of the river at";
    // Wrapped again at 72 columns: one word of the quoted line is left over.
    let (kept, left) = report.rsplit_once(' ').unwrap();
    for left in [left, "end", "RESIGN", "END now"] {
        assert_eq!(order_lines(&format!("{other}\n> {kept}\n{left}\n{other}\n\nDUR MARCH\n")), ["DUR MARCH"], "{left}");
        let below = order_lines(&format!("{other}\n> {kept}\n{left}\n"));
        assert_eq!(below, [format!("> {left}")], "told, and not done");
    }
    // A writer's own lines: after an empty line, under a line that was not broken, under one with room for the word, or
    // wider than any line of ours; and whatever can be undone.
    for own in [
        format!("{other}\n> {kept}\n\nEND\n"),
        format!("> What do you do?\nEND\n{other}\n"),
        format!("> {report} that you mean\n> {kept}\nEND\n{other}\n"),
        format!("> {kept} and no more\nEND\n"),
    ] {
        assert_eq!(order_lines(&own), ["END"], "{own}");
    }
    assert_eq!(order_lines(&format!("{other}\n> {kept}\nQ1 YES\n{other}\nEND")), ["Q1 YES", "END"]);
    assert_eq!(order_lines(&format!("DUR MARCH\n> {kept}\n> x\nDAV HALT\n")), ["DUR MARCH", "DAV HALT"]);
}
