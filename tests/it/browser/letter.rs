//! The page of HTML in a mail: legible, named, no wider than a phone, and it asks for nothing from outside.

use super::driven::{Driven, NARROW, SCREENS};
use super::laid::dim;
use crate::gateway::bench::{Mail, parsed};
use crate::rehearse::driver::files;
use crate::troupe;
use data_encoding::BASE64;
use estafette::store::Tempo;
use mail_parser::{MessageParser, MimeHeaders, PartType};
use std::path::Path;

/// The page of a mail as its reader's program shows it: each picture in its place.
fn page(mail: &Mail) -> Option<String> {
    let parsed = MessageParser::new().parse(&mail.raw).unwrap();
    let mut page = parsed.parts.iter().find_map(|part| match &part.body {
        PartType::Html(page) if part.attachment_name().is_none() => Some(page.to_string()),
        _ => None,
    })?;
    for part in &parsed.parts {
        if let Some(cid) = part.content_id() {
            let inline = format!("data:image/png;base64,{}", BASE64.encode(part.contents()));
            page = page.replace(&format!("cid:{cid}"), &inline);
        }
    }
    Some(page)
}

#[test]
fn the_page_of_a_mail_is_legible_and_named_and_fits_a_phone() {
    for (ruleset, name) in
        [("campaigns", "teaching"), ("brave_fellows", "teaching-fog"), ("austerlitz1805", "teaching")]
    {
        let game = files(ruleset, &format!("{name}.yaml"));
        let told = troupe::played((ruleset, name, game), ("game-1", Tempo::Live), 12, "PLATES");
        let mails: Vec<Mail> = told.sent().into_iter().map(parsed).collect();
        let mut pages: Vec<String> = mails.iter().filter_map(page).filter(|page| page.contains("<img")).collect();
        // No mail of them scrolls sideways on any phone, and no table of it either.
        let narrow = Driven::open(&pages[0], NARROW);
        for page in mails.iter().filter_map(page) {
            narrow.again(&page);
            let wide = narrow.ask("[document.documentElement, ...document.querySelectorAll('table,p,div')].filter((e) => e.scrollWidth > window.innerWidth).map((e) => [e.scrollWidth, e.textContent.slice(0, 300)])");
            assert_eq!(wide, serde_json::json!([]), "{name} scrolls sideways");
        }
        // The largest of them has all that a page may have.
        pages.sort_by_key(String::len);
        let page = pages.pop().unwrap();
        if let Ok(dir) = std::env::var("PAGES") {
            std::fs::write(Path::new(&dir).join(format!("mail-{ruleset}.html")), &page).unwrap();
        }
        for screen in SCREENS {
            let driven = Driven::open(&page, screen);
            let asked: Vec<String> =
                driven.complaints().into_iter().filter(|said| !said.contains("request: data:")).collect();
            assert_eq!(asked, Vec::<String>::new(), "{name} {screen:?}");
            assert_eq!(driven.ask("document.documentElement.lang"), "en", "{name}");
            let blind =
                "[...document.images].filter((i) => !i.alt || !i.naturalWidth).length + document.images.length * 1000";
            let images = driven.ask(blind).as_u64().unwrap();
            assert!(images >= 1000 && images.is_multiple_of(1000), "{name} {screen:?}: {images}");
            assert_eq!(dim(&driven), serde_json::json!([]), "{name} {screen:?} is hard to read");
            let wide = driven.ask("document.documentElement.scrollWidth - window.innerWidth").as_i64().unwrap();
            assert!(wide <= 0, "{name} {screen:?}: it scrolls sideways by {wide}");
            // What is pale is found.
            driven.ask("(document.querySelector('td,p,pre').style.cssText = 'color:#ccc;background:#fff') && 1");
            assert_ne!(dim(&driven), serde_json::json!([]));
        }
    }
}
