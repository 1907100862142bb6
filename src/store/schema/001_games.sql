-- Games, their seats, and the files they are played from.

CREATE TABLE scenarios (
    digest TEXT NOT NULL,
    path   TEXT NOT NULL,
    text   TEXT NOT NULL,
    PRIMARY KEY (digest, path)
) STRICT, WITHOUT ROWID;

CREATE TABLE games (
    id              TEXT NOT NULL PRIMARY KEY,
    ruleset         TEXT NOT NULL,
    engine_version  TEXT NOT NULL,
    scenario_digest TEXT NOT NULL,
    tempo           TEXT NOT NULL CHECK (tempo IN ('live', 'sealed')),
    deadline_hours  INTEGER CHECK (deadline_hours > 0),
    master          BLOB NOT NULL CONSTRAINT "a master secret has 32 bytes" CHECK (length(master) = 32),
    state           TEXT NOT NULL CHECK (state IN ('forming', 'playing', 'over', 'corrupt')),
    held            INTEGER NOT NULL DEFAULT 0 CHECK (held IN (0, 1)),
    created         TEXT NOT NULL,
    spare_used      INTEGER NOT NULL DEFAULT 0 CHECK (spare_used BETWEEN 0 AND 16)
) STRICT, WITHOUT ROWID;

CREATE TABLE seats (
    game       TEXT NOT NULL REFERENCES games (id),
    seat       TEXT NOT NULL,
    side       TEXT,
    ordinal    INTEGER NOT NULL,
    signed_on  TEXT,
    nonce      TEXT,
    format     TEXT NOT NULL DEFAULT 'text',
    mails_sent INTEGER NOT NULL DEFAULT 0 CHECK (mails_sent >= 0),
    told_seq   INTEGER NOT NULL DEFAULT 0 CHECK (told_seq >= 0),
    PRIMARY KEY (game, seat),
    UNIQUE (game, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE addresses (
    game    TEXT NOT NULL,
    seat    TEXT NOT NULL,
    address TEXT NOT NULL CONSTRAINT "an address is kept in lower case" CHECK (address = lower(address)),
    PRIMARY KEY (game, seat, address),
    FOREIGN KEY (game, seat) REFERENCES seats (game, seat)
) STRICT, WITHOUT ROWID;
CREATE INDEX addresses_by_address ON addresses (address);

-- A reply tag is a secret of its reader; only its digest is kept.
CREATE TABLE tags (
    hash        TEXT NOT NULL PRIMARY KEY,
    game        TEXT NOT NULL,
    seat        TEXT NOT NULL,
    mail_number INTEGER NOT NULL,
    FOREIGN KEY (game, seat) REFERENCES seats (game, seat)
) STRICT, WITHOUT ROWID;
