//! A page in headless Chromium, and all that it complains of or asks for.

use headless_chrome::browser::tab::point::Point;
use headless_chrome::protocol::cdp::types::Event;
use headless_chrome::protocol::cdp::{Emulation, Input, Log, Network, Runtime};
use headless_chrome::{Browser, LaunchOptions, Tab};
use serde_json::Value;
use std::ffi::OsStr;
use std::sync::{Arc, Mutex};
use std::time::Duration;
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
    tab: Arc<Tab>,
    heard: Arc<Mutex<Vec<String>>>,
    _browser: Browser,
    folder: TempDir,
}

impl Driven {
    /// Opens a page from a file.
    pub fn open(page: &str, screen: Screen) -> Driven {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("page.html"), page).unwrap();
        let args = ["--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage"].map(OsStr::new).to_vec();
        let options = LaunchOptions::default_builder()
            .sandbox(false)
            .window_size(Some((screen.0, screen.1)))
            .idle_browser_timeout(Duration::from_secs(300))
            .args(args)
            .build()
            .unwrap();
        let browser = Browser::new(options).expect("a browser: `tests/run` installs chromium");
        let tab = browser.new_tab().unwrap();
        let heard = Arc::new(Mutex::new(Vec::new()));
        let ears = Arc::clone(&heard);
        tab.add_event_listener(Arc::new(move |event: &Event| {
            let said = match event {
                Event::LogEntryAdded(entry) => format!("log: {}", entry.params.entry.text),
                Event::RuntimeExceptionThrown(thrown) => format!("thrown: {:?}", thrown.params.exception_details),
                Event::RuntimeConsoleAPICalled(called) => format!("console: {:?}", called.params.args),
                Event::NetworkRequestWillBeSent(request) => format!("request: {}", request.params.request.url),
                Event::PageJavascriptDialogOpening(dialog) => format!("dialog: {}", dialog.params.message),
                _ => return,
            };
            ears.lock().unwrap().push(said);
        }))
        .unwrap();
        tab.call_method(Log::Enable(None)).unwrap();
        tab.call_method(Runtime::Enable(None)).unwrap();
        tab.call_method(Network::Enable {
            max_total_buffer_size: None,
            max_resource_buffer_size: None,
            max_post_data_size: None,
            report_direct_socket_traffic: None,
            enable_durable_messages: None,
        })
        .unwrap();
        tab.call_method(Emulation::SetDeviceMetricsOverride {
            width: screen.0,
            height: screen.1,
            device_scale_factor: 1.0,
            mobile: screen.2,
            scale: None,
            screen_width: None,
            screen_height: None,
            position_x: None,
            position_y: None,
            dont_set_visible_size: None,
            screen_orientation: None,
            viewport: None,
            display_feature: None,
            device_posture: None,
        })
        .unwrap();
        let driven = Driven { tab, heard, _browser: browser, folder };
        driven.load();
        driven
    }

    /// Lays another page, or the same one, into the place of this one, and opens it anew.
    pub fn again(&self, page: &str) {
        std::fs::write(self.folder.path().join("page.html"), page).unwrap();
        self.load();
    }

    fn load(&self) {
        let file = self.folder.path().join("page.html");
        self.tab.navigate_to(&format!("file://{}", file.display())).unwrap().wait_until_navigated().unwrap();
    }

    /// Shows the page as a desk by night does, or by day.
    pub fn night(&self, dark: bool) {
        let value = if dark { "dark" } else { "light" }.to_owned();
        let feature = Emulation::MediaFeature { name: "prefers-color-scheme".to_owned(), value };
        self.tab.call_method(Emulation::SetEmulatedMedia { media: None, features: Some(vec![feature]) }).unwrap();
    }

    /// What an expression of the page comes to.
    pub fn ask(&self, expression: &str) -> Value {
        let wrapped = format!("JSON.stringify(({expression}) ?? null)");
        let found = self.tab.evaluate(&wrapped, false).unwrap_or_else(|error| panic!("{expression}: {error}"));
        let text = found.value.and_then(|value| value.as_str().map(str::to_owned)).unwrap();
        serde_json::from_str(&text).unwrap()
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
        self.tab.click_point(Point { x, y }).unwrap();
    }

    /// Takes hold of a point of the window, and lets go at another.
    pub fn drag(&self, from: (f64, f64), to: (f64, f64)) {
        let half = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
        self.tab.move_mouse_to_point(Point { x: from.0, y: from.1 }).unwrap();
        self.mouse(Input::DispatchMouseEventTypeOption::MousePressed, from);
        for (x, y) in [half, to] {
            self.tab.move_mouse_to_point(Point { x, y }).unwrap();
        }
        self.mouse(Input::DispatchMouseEventTypeOption::MouseReleased, to);
    }

    fn mouse(&self, kind: Input::DispatchMouseEventTypeOption, (x, y): (f64, f64)) {
        self.tab
            .call_method(Input::DispatchMouseEvent {
                Type: kind,
                x,
                y,
                button: Some(Input::MouseButton::Left),
                click_count: Some(1),
                modifiers: None,
                timestamp: None,
                buttons: None,
                force: None,
                tangential_pressure: None,
                tilt_x: None,
                tilt_y: None,
                twist: None,
                delta_x: None,
                delta_y: None,
                pointer_Type: None,
            })
            .unwrap();
    }

    /// Strikes a key.
    pub fn key(&self, key: &str) {
        self.tab.press_key(key).unwrap();
    }

    /// All that it asked for but its own file, and all that it complained of.
    pub fn complaints(&self) -> Vec<String> {
        let heard = self.heard.lock().unwrap();
        heard.iter().filter(|said| !said.starts_with("request: file:")).cloned().collect()
    }
}
