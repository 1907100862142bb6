-- What is on the seats' desks: what is due, standing answers, drafts, press.

CREATE TABLE dues (
    game         TEXT NOT NULL,
    seat         TEXT NOT NULL,
    address      TEXT NOT NULL,
    default_text TEXT NOT NULL,
    due_at       TEXT CONSTRAINT "due_at is like 2026-01-01T00:00:00Z"
                 CHECK (due_at GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-9][0-9]Z'),
    PRIMARY KEY (game, seat, address),
    FOREIGN KEY (game, seat) REFERENCES seats (game, seat)
) STRICT, WITHOUT ROWID;
CREATE INDEX dues_by_time ON dues (due_at);

CREATE TABLE doctrine (
    game  TEXT NOT NULL,
    seat  TEXT NOT NULL,
    key   TEXT NOT NULL,
    scope TEXT NOT NULL,
    value TEXT NOT NULL,
    text  TEXT NOT NULL,
    PRIMARY KEY (game, seat, key, scope),
    FOREIGN KEY (game, seat) REFERENCES seats (game, seat)
) STRICT, WITHOUT ROWID;

CREATE TABLE desk (
    game  TEXT NOT NULL,
    seat  TEXT NOT NULL,
    key   TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (game, seat, key),
    FOREIGN KEY (game, seat) REFERENCES seats (game, seat)
) STRICT, WITHOUT ROWID;

CREATE TABLE drafts (
    game  TEXT NOT NULL,
    seat  TEXT NOT NULL,
    sheet TEXT NOT NULL,
    no    INTEGER NOT NULL,
    line  TEXT NOT NULL,
    PRIMARY KEY (game, seat, sheet, no),
    FOREIGN KEY (game, seat) REFERENCES seats (game, seat)
) STRICT, WITHOUT ROWID;

CREATE TABLE press (
    id        INTEGER PRIMARY KEY,
    game      TEXT NOT NULL,
    sender    TEXT NOT NULL,
    recipient TEXT NOT NULL,
    written   TEXT NOT NULL,
    body      TEXT NOT NULL,
    delivered TEXT,
    FOREIGN KEY (game, sender) REFERENCES seats (game, seat),
    FOREIGN KEY (game, recipient) REFERENCES seats (game, seat)
) STRICT;
CREATE INDEX press_waiting ON press (game, recipient, id) WHERE delivered IS NULL;
CREATE INDEX press_by_game ON press (game, id);
