//! A headless Chromium, spoken to by the DevTools protocol over two pipes: <https://chromedevtools.github.io/devtools-protocol/>.

use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

/// Longer than any answer takes on a machine that has much else to do.
const PATIENCE: Duration = Duration::from_secs(120);
/// The browser, best the one that has no window. It reads from the third of its files and writes to the fourth: there the
/// shell lays our pipes.
const START: &str =
    "exec \"$(command -v chromium-headless-shell || command -v chromium)\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1";
/// Its own files, no other program's settings, and nothing of its own on the network.
const ARGS: [&str; 20] = [
    "--headless",
    "--remote-debugging-pipe",
    "--no-sandbox",
    "--no-first-run",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-extensions",
    "--disable-default-apps",
    "--disable-component-update",
    "--disable-background-networking",
    "--disable-background-timer-throttling",
    "--disable-renderer-backgrounding",
    "--disable-breakpad",
    "--disable-sync",
    "--disable-popup-blocking",
    "--disable-hang-monitor",
    "--force-color-profile=srgb",
    "--hide-scrollbars",
    "--password-store=basic",
    "--use-mock-keychain",
];

/// A browser with one tab. It ends with this value.
pub struct Pipe {
    child: Child,
    to: ChildStdin,
    from: Receiver<Value>,
    session: Option<String>,
    last: u64,
    events: Vec<(String, Value)>,
}

impl Pipe {
    /// Starts a browser that keeps its files in a folder, with a window of so many pixels, and opens a tab.
    pub fn open(folder: &Path, (width, height): (u32, u32)) -> Pipe {
        let mut child = Command::new("sh")
            .args(["-c", START, "sh"])
            .args(ARGS)
            .arg(format!("--window-size={width},{height}"))
            .arg(format!("--user-data-dir={}", folder.display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (to, mut read) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        let (heard, from) = mpsc::channel();
        std::thread::spawn(move || {
            let mut message = Vec::new();
            while read.read_until(0, &mut message).is_ok_and(|read| read > 0) {
                message.pop();
                let value = serde_json::from_slice(&message).unwrap_or(Value::Null);
                message.clear();
                if heard.send(value).is_err() {
                    break;
                }
            }
        });
        let mut pipe = Pipe { child, to, from, session: None, last: 0, events: Vec::new() };
        let tab = pipe.call("Target.createTarget", json!({"url": "about:blank"}));
        let tab = pipe.call("Target.attachToTarget", json!({"targetId": tab["targetId"], "flatten": true}));
        pipe.session = tab["sessionId"].as_str().map(str::to_owned);
        pipe
    }

    /// Calls a method, and waits for what it returns.
    pub fn call(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params);
        loop {
            let message = self.next(method);
            if message["id"] == id {
                assert!(message["error"].is_null(), "{method}: {}", message["error"]);
                return message["result"].clone();
            }
            self.hear(message);
        }
    }

    /// Waits for an event that has not been waited for, and returns what it tells.
    pub fn wait(&mut self, event: &str) -> Value {
        loop {
            if let Some(at) = self.events.iter().position(|(method, _)| method == event) {
                return self.events.remove(at).1;
            }
            let message = self.next(event);
            self.hear(message);
        }
    }

    /// The events so far, in the order in which they came.
    pub fn events(&self) -> &[(String, Value)] {
        &self.events
    }

    fn send(&mut self, method: &str, params: Value) -> u64 {
        self.last += 1;
        let mut message = json!({"id": self.last, "method": method, "params": params});
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        let bytes = [message.to_string().as_bytes(), &[0]].concat();
        self.to.write_all(&bytes).expect("a browser: `tests/run` installs chromium");
        self.last
    }

    fn next(&self, what: &str) -> Value {
        self.from.recv_timeout(PATIENCE).unwrap_or_else(|why| panic!("the browser says nothing to {what}: {why}"))
    }

    fn hear(&mut self, message: Value) {
        // Nothing goes on in a page while it shows a dialog.
        if message["method"] == "Page.javascriptDialogOpening" {
            self.send("Page.handleJavaScriptDialog", json!({"accept": true}));
        }
        if let Some(method) = message["method"].as_str() {
            self.events.push((method.to_owned(), message["params"].clone()));
        }
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}
