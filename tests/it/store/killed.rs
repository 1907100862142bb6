//! A process killed at every named point.

use super::*;

use std::process::{Command, Stdio};

/// Not a test of its own: what the child process does before it is killed.
#[test]
fn child() {
    let Some(dir) = std::env::var_os("ESTAFETTE_TEST_DIR") else { return };
    let store = Store::open(&PathBuf::from(dir).join("estafette.db")).unwrap();
    store
        .act(|act| {
            act.receive(&mail("<1@a>"))?;
            act.append("moravia-7", &[NewEntry { slot: 0, kind: "event", body: "{}" }])?;
            let number = act.next_mail_number("moravia-7", "french")?;
            act.queue(&letter("<o1@a>", Some(number)))
        })
        .unwrap();
    store.mark_sent(1, NOW).unwrap();
}

fn run(dir: &Path, variable: &str, value: &std::ffi::OsStr) -> bool {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "store::killed::child"]).env("ESTAFETTE_TEST_DIR", dir).env(variable, value);
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap().success()
}

#[test]
fn at_every_point_an_act_is_whole_or_not_at_all() {
    let (dir, path) = office();
    drop(with_game(&path));
    let names = dir.path().join("names");
    assert!(run(dir.path(), "ESTAFETTE_FAIL_COUNT", names.as_os_str()));
    let names = std::fs::read_to_string(names).unwrap();
    let names: Vec<_> = names.lines().collect();
    let committed = names.iter().position(|name| *name == "store/commit/after").unwrap();
    assert!(committed > 5 && names.contains(&"store/sent/after"), "{names:?}");
    for (passed, name) in names.iter().enumerate() {
        let (dir, path) = office();
        drop(with_game(&path));
        let plan = format!("*:{}", passed + 1);
        assert!(!run(dir.path(), "ESTAFETTE_FAIL", plan.as_ref()), "killed at {name}");
        let store = Store::open(&path).unwrap();
        let kept = u32::from(passed >= committed);
        assert_eq!(store.log_head("moravia-7").unwrap().seq, kept, "{name}");
        assert_eq!(store.new_mails(9).unwrap().len(), kept as usize, "{name}");
        assert_eq!(store.outbox_of_seat("moravia-7", "french").unwrap().len(), kept as usize, "{name}");
        assert_eq!(store.integrity().unwrap(), Vec::<String>::new(), "{name}");
    }
}
