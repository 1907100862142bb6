//! What is said with its cure where a server's tables, or the rights of who asks, are not as they should be.

use super::{Rows, STREM, ask, office, post, twins};
use estafette::store::Store;

#[test]
fn a_doctor_without_the_rights_to_make_an_index_names_the_statements_that_give_them() {
    let rows = Rows::get();
    let address = rows.fresh();
    Store::on_server(&address, true).unwrap();
    ask(
        &address,
        "CREATE ROLE clerk LOGIN; GRANT USAGE ON SCHEMA public TO clerk; \
         GRANT ALL ON ALL TABLES IN SCHEMA public TO clerk; DROP INDEX tags_by_seat",
    );
    let name = address.rsplit_once('/').unwrap().1;
    let store = Store::on_server(&address.replace("estafette@", "clerk@"), false).unwrap();
    let database = format!("GRANT CREATE ON DATABASE {name} TO clerk");
    // Who only looks needs no more than to make the tables beside.
    let said = store.integrity().unwrap_err().to_string();
    assert!(said.contains(&database) && !said.contains("ON SCHEMA"), "{said}");
    let grants = [database.as_str(), "GRANT CREATE ON SCHEMA public TO clerk", "GRANT estafette TO clerk"];
    for at in 0..grants.len() {
        let said = store.mend().unwrap_err().to_string();
        assert!(said.contains(&format!("say: {})", grants[at..].join("; "))), "{said}");
        let there = ask(&address, "SELECT 1 FROM pg_indexes WHERE indexname = 'tags_by_seat'");
        assert!(there.is_empty() && said.contains("nothing was changed"), "{said}");
        ask(&address, grants[at]);
    }
    assert_eq!(store.mend().unwrap().missing, ["tags_by_seat"]);
    assert_eq!(store.integrity().unwrap(), Vec::<String>::new());
}

#[test]
fn a_table_that_is_gone_is_named_with_the_backup_as_its_cure() {
    let (_file, server, _rows) = twins();
    let config = std::fs::read_to_string(server.path().join("config.toml")).unwrap();
    let address = config.lines().next().unwrap().split('"').nth(1).unwrap().to_owned();
    let mut there = office(server.path());
    ask(&address, "DROP TABLE rate");
    post(server.path(), "french", STREM[0].1, 9);
    there.pass().unwrap();
    let said: Vec<String> = there.ailing().into_iter().map(|ailing| ailing.why).collect();
    let cured = |why: &String| why.contains("missing: the table rate; ") && why.contains("restore the backup");
    assert!(said.iter().any(cured) && !said.iter().any(|why| why.contains("disk")), "{said:?}");
}
