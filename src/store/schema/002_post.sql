-- Mails in and out. Times that are compared are UTC in whole seconds, so that text order is time order.

CREATE TABLE inbox (
    id         INTEGER PRIMARY KEY,
    message_id TEXT NOT NULL,
    digest     TEXT NOT NULL,
    game       TEXT REFERENCES games (id),
    seat       TEXT CHECK (seat IS NULL OR game IS NOT NULL),
    received   TEXT NOT NULL,
    raw        BLOB NOT NULL,
    state      TEXT NOT NULL CHECK (state IN ('new', 'done', 'refused', 'quarantined')),
    reason     TEXT,
    UNIQUE (message_id, digest),
    FOREIGN KEY (game, seat) REFERENCES seats (game, seat)
) STRICT;
CREATE INDEX inbox_new ON inbox (id) WHERE state = 'new';
CREATE INDEX inbox_by_seat ON inbox (game, seat, id);
CREATE INDEX inbox_by_game ON inbox (game, id);

CREATE TABLE outbox (
    id         INTEGER PRIMARY KEY,
    game       TEXT REFERENCES games (id),
    seat       TEXT CHECK (seat IS NULL OR game IS NOT NULL),
    number     INTEGER CHECK (number > 0),
    message_id TEXT NOT NULL UNIQUE,
    recipient  TEXT NOT NULL,
    raw        BLOB NOT NULL,
    state      TEXT NOT NULL CHECK (state IN ('ready', 'held', 'sent', 'failed')),
    queued     TEXT NOT NULL,
    sent       TEXT CHECK ((sent IS NOT NULL) = (state = 'sent')),
    answers    INTEGER REFERENCES inbox (id),
    tries      INTEGER NOT NULL DEFAULT 0,
    next_try   TEXT CONSTRAINT "next_try is like 2026-01-01T00:00:00Z"
               CHECK (next_try GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-9][0-9]Z'),
    fault      TEXT,
    FOREIGN KEY (game, seat) REFERENCES seats (game, seat)
) STRICT;
CREATE INDEX outbox_ready ON outbox (id) WHERE state = 'ready';
CREATE INDEX outbox_by_game ON outbox (game, state, id);
CREATE INDEX outbox_by_seat ON outbox (game, seat, number, id);
CREATE INDEX outbox_by_answer ON outbox (answers);

-- Answers given to one address on one day.
CREATE TABLE rate (
    day     TEXT NOT NULL,
    address TEXT NOT NULL,
    count   INTEGER NOT NULL,
    PRIMARY KEY (day, address)
) STRICT, WITHOUT ROWID;

-- What a transport must remember between two runs, such as the last mail it fetched.
CREATE TABLE marks (
    key   TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
