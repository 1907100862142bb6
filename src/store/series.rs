//! What a server keeps beside the rows: the series by which it numbers them, and how tables, indexes and triggers are made.

use postgres::Client;

/// Columns, conditions, indexes and triggers of the schema that is looked in first, without its name.
pub(super) const OBJECTS: &str = "WITH here AS (SELECT current_schema()::regnamespace AS id), said AS (\
     SELECT 'table ' || relname AS name, '' AS made FROM pg_class WHERE relkind = 'r' AND relnamespace = (SELECT id FROM here) \
     UNION ALL SELECT 'column ' || c.relname || '.' || attname, format_type(atttypid, atttypmod) || attnotnull::text || attidentity::text \
       || coalesce(pg_get_expr(adbin, adrelid), '') FROM pg_attribute JOIN pg_class AS c ON c.oid = attrelid \
       LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum \
       WHERE c.relkind = 'r' AND attnum > 0 AND NOT attisdropped AND c.relnamespace = (SELECT id FROM here) \
     UNION ALL SELECT 'condition ' || c.relname || '.' || conname, pg_get_constraintdef(k.oid) FROM pg_constraint AS k \
       JOIN pg_class AS c ON c.oid = conrelid WHERE connamespace = (SELECT id FROM here) \
     UNION ALL SELECT 'index ' || indexname, indexdef FROM pg_indexes WHERE schemaname = current_schema() \
     UNION ALL SELECT 'trigger ' || c.relname || '.' || tgname, pg_get_triggerdef(t.oid) || tgenabled::text FROM pg_trigger AS t \
       JOIN pg_class AS c ON c.oid = tgrelid WHERE NOT tgisinternal AND c.relnamespace = (SELECT id FROM here) \
     UNION ALL SELECT 'function ' || proname, prosrc FROM pg_proc WHERE pronamespace = (SELECT id FROM here)) \
     SELECT name, replace(made, current_schema() || '.', '') FROM said ORDER BY name";

/// Tables whose rows the server numbers, and the column.
const NUMBERED: [(&str, &str); 9] = [
    ("inbox", "id"),
    ("outbox", "id"),
    ("press", "id"),
    ("waiting", "id"),
    ("organization_display", "rowid"),
    ("vedettes", "rowid"),
    ("fog_chits", "rowid"),
    ("intel", "rowid"),
    ("board_rows", "rowid"),
];

/// Has the server number on behind the rows that are there. A replica that took over, or rows that were put back without
/// their series, leave the numbers behind; what is not behind is not touched, for others may be counting.
pub(super) fn number_on(client: &mut Client) -> Result<(), postgres::Error> {
    let one = |(table, column): &(&str, &str)| {
        format!(
            "SELECT setval(pg_get_serial_sequence('{table}', '{column}'), most) FROM \
             (SELECT max({column}) AS most FROM {table}) AS known \
             WHERE most > coalesce(pg_sequence_last_value(pg_get_serial_sequence('{table}', '{column}')::regclass), 0)"
        )
    };
    let all: Vec<String> = NUMBERED.iter().map(one).collect();
    match client.simple_query(&all.join(" UNION ALL ")) {
        // A place where this user may not write, or where there are no such tables yet.
        Err(error) if error.as_db_error().is_some() => Ok(()),
        other => other.map(drop),
    }
}

/// Whether a complaint is that a number is taken that the server itself gave.
pub(super) fn is_of_numbers(error: &postgres::Error) -> bool {
    let constraint = error.as_db_error().and_then(postgres::error::DbError::constraint).unwrap_or_default();
    let table = constraint.strip_suffix("_pkey");
    table.is_some_and(|table| NUMBERED.iter().any(|(numbered, _)| *numbered == table))
}
