//! format=flowed undone (RFC 3676): soft line ends joined, space-stuffing removed, quote marks kept.

/// Undoes format=flowed; `delsp` as the Content-Type's DelSp parameter says (RFC 3676 §4.1).
pub(super) fn unflow(text: &str, delsp: bool) -> String {
    let mut lines: Vec<String> = Vec::new();
    // Depth of quoting of the paragraph that the line before left open.
    let mut open: Option<usize> = None;
    for line in text.split('\n') {
        let line = line.strip_suffix('\r').unwrap_or(line);
        let body = line.trim_start_matches('>');
        let depth = line.len() - body.len();
        let body = body.strip_prefix(' ').unwrap_or(body);
        // The signature mark ends in a space and yet is a whole line (RFC 3676 §4.3).
        let signature = body == "-- ";
        let soft = !signature && body.ends_with(' ');
        let kept = if soft && delsp { body.strip_suffix(' ').unwrap_or(body) } else { body };
        match lines.last_mut() {
            Some(paragraph) if open == Some(depth) && !signature => paragraph.push_str(kept),
            _ => {
                let marks = ">".repeat(depth);
                let gap = if depth > 0 { " " } else { "" };
                lines.push(format!("{marks}{gap}{kept}"));
            }
        }
        open = soft.then_some(depth);
    }
    lines.join("\n")
}
