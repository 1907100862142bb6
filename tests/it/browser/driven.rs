//! A page in headless Chromium, and all that it complains of or asks for.

use super::pipe::Pipe;
use serde_json::{Value, json};
use std::cell::RefCell;
use tempfile::TempDir;

/// A screen: width and height in pixels, and whether it is a phone's.
#[derive(Clone, Copy, Debug)]
pub struct Screen(pub u32, pub u32, pub bool);

/// A desk, and a phone.
pub const SCREENS: [Screen; 2] = [Screen(1280, 900, false), PHONE];
/// A phone.
pub const PHONE: Screen = Screen(375, 667, true);
/// The narrowest screen that anybody reads a mail on.
pub const NARROW: Screen = Screen(360, 640, true);

/// A page that is open.
pub struct Driven {
    browser: RefCell<Pipe>,
    folder: TempDir,
}

impl Driven {
    /// Opens a page from a file.
    pub fn open(page: &str, screen: Screen) -> Driven {
        let folder = tempfile::tempdir().unwrap();
        let browser = RefCell::new(Pipe::open(&folder.path().join("browser"), (screen.0, screen.1)));
        let driven = Driven { browser, folder };
        for domain in ["Log", "Runtime", "Network", "Page"] {
            driven.call(&format!("{domain}.enable"), json!({}));
        }
        let size = json!({"width": screen.0, "height": screen.1, "deviceScaleFactor": 1.0, "mobile": screen.2});
        driven.call("Emulation.setDeviceMetricsOverride", size);
        driven.again(page);
        driven
    }

    fn call(&self, method: &str, params: Value) -> Value {
        self.browser.borrow_mut().call(method, params)
    }

    /// Lays another page, or the same one, into the place of this one, and opens it anew.
    pub fn again(&self, page: &str) {
        let file = self.folder.path().join("page.html");
        std::fs::write(&file, page).unwrap();
        self.call("Page.navigate", json!({"url": format!("file://{}", file.display())}));
        // The empty page before it may tell so late that it was there.
        let there = "location.protocol === 'file:' && document.readyState === 'complete'";
        loop {
            self.browser.borrow_mut().wait("Page.loadEventFired");
            if self.ask(there) == true {
                break;
            }
        }
    }

    /// Shows the page as a desk by night does, or by day.
    pub fn night(&self, dark: bool) {
        let value = if dark { "dark" } else { "light" };
        let features = json!([{"name": "prefers-color-scheme", "value": value}]);
        self.call("Emulation.setEmulatedMedia", json!({"features": features}));
    }

    /// What an expression of the page comes to.
    pub fn ask(&self, expression: &str) -> Value {
        let wrapped = format!("JSON.stringify(({expression}) ?? null)");
        let found = self.call("Runtime.evaluate", json!({"expression": wrapped}));
        assert!(found["exceptionDetails"].is_null(), "{expression}: {}", found["exceptionDetails"]);
        serde_json::from_str(found["result"]["value"].as_str().unwrap()).unwrap()
    }

    /// Clicks on the middle of what an expression finds.
    pub fn click(&self, element: &str) {
        let place = self.ask(&format!(
            "(() => {{ const e = {element}; e.scrollIntoView({{block: 'nearest'}}); const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }})()"
        ));
        self.click_at(place[0].as_f64().unwrap(), place[1].as_f64().unwrap());
    }

    /// Clicks on a point of the window.
    pub fn click_at(&self, x: f64, y: f64) {
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"] {
            self.mouse(kind, (x, y));
        }
    }

    /// Takes hold of a point of the window, and lets go at another.
    pub fn drag(&self, from: (f64, f64), to: (f64, f64)) {
        let half = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
        self.mouse("mouseMoved", from);
        self.mouse("mousePressed", from);
        self.mouse("mouseMoved", half);
        self.mouse("mouseMoved", to);
        self.mouse("mouseReleased", to);
    }

    fn mouse(&self, kind: &str, (x, y): (f64, f64)) {
        let button = if kind == "mouseMoved" { "none" } else { "left" };
        let params = json!({"type": kind, "x": x, "y": y, "button": button, "clickCount": i32::from(button == "left")});
        self.call("Input.dispatchMouseEvent", params);
    }

    /// Strikes a key: a letter or a digit, or one of those that have a name.
    pub fn key(&self, key: &str) {
        let (code, number, text) = match key {
            "Enter" => ("Enter".to_owned(), 13, Some("\r")),
            "Tab" => ("Tab".to_owned(), 9, None),
            "Backspace" => ("Backspace".to_owned(), 8, None),
            "ArrowLeft" => ("ArrowLeft".to_owned(), 37, None),
            "." => ("Period".to_owned(), 190, Some(".")),
            "ArrowRight" => ("ArrowRight".to_owned(), 39, None),
            _ => {
                let capital = key.to_uppercase();
                let digit = key.chars().all(|c| c.is_ascii_digit());
                let number = capital.bytes().next().filter(|_| key.len() == 1).expect("a key");
                (format!("{}{capital}", if digit { "Digit" } else { "Key" }), u32::from(number), Some(key))
            }
        };
        let kind = if text.is_some() { "keyDown" } else { "rawKeyDown" };
        for (kind, text) in [(kind, text), ("keyUp", None)] {
            let mut params = json!({"type": kind, "key": key, "code": code, "windowsVirtualKeyCode": number});
            if let Some(text) = text {
                params["text"] = json!(text);
            }
            self.call("Input.dispatchKeyEvent", params);
        }
    }

    /// All that it asked for but its own file, and all that it complained of.
    pub fn complaints(&self) -> Vec<String> {
        // What it said before this answer has come by now.
        self.ask("0");
        let browser = self.browser.borrow();
        let said = |(event, told): &(String, Value)| {
            Some(match event.as_str() {
                "Log.entryAdded" => format!("log: {}", told["entry"]["text"]),
                "Runtime.exceptionThrown" => format!("thrown: {}", told["exceptionDetails"]),
                "Runtime.consoleAPICalled" => format!("console: {}", told["args"]),
                "Network.requestWillBeSent" => format!("request: {}", told["request"]["url"].as_str()?),
                "Page.javascriptDialogOpening" => format!("dialog: {}", told["message"]),
                _ => return None,
            })
        };
        browser.events().iter().filter_map(said).filter(|said| !said.starts_with("request: file:")).collect()
    }
}
