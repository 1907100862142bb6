//! A command of the operator's, and what it prints.

use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Longest text that a command may print, in bytes; access tokens are long.
const PRINTED_BYTES_MAX: u64 = 16 << 10;
/// Between two looks at a command that runs, and how many looks it gets: 30 seconds in all.
const STEP: Duration = Duration::from_millis(50);
const STEPS: u32 = 600;

/// What a command prints, run in a folder by the shell, with 30 seconds of time. Neither it nor the command's complaints
/// are ever logged.
///
/// # Errors
/// In a few words, why it prints nothing.
pub fn printed(command: &str, dir: &Path) -> Result<String, String> {
    let mut shell = Command::new("/bin/sh");
    shell.arg("-c").arg(command).current_dir(dir);
    let mut child = shell
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|why| format!("it cannot be run: {why}"))?;
    let out = child.stdout.take();
    let reader = std::thread::spawn(move || {
        let mut text = String::new();
        let read = out.map(|out| out.take(PRINTED_BYTES_MAX).read_to_string(&mut text));
        read.and_then(Result::ok).map(|_| text)
    });
    let code = ended(&mut child).ok_or_else(|| "it does not come to an end".to_owned())?;
    if code != Some(0) {
        return Err("it fails".to_owned());
    }
    let text = reader.join().ok().flatten().unwrap_or_default();
    if text.trim().is_empty() { Err("it prints nothing".to_owned()) } else { Ok(text) }
}

/// Waits for a command, and ends one that will not end; gives its exit code.
fn ended(child: &mut Child) -> Option<Option<i32>> {
    for _ in 0..STEPS {
        if let Ok(Some(status)) = child.try_wait() {
            return Some(status.code());
        }
        std::thread::sleep(STEP);
    }
    // One that is gone already needs no end.
    let _ = child.kill();
    let _ = child.wait();
    None
}
