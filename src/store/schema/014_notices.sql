-- Dice protocol 2: the notices that close sign-on, a rewind or a restore, and what each seat gave to them.

-- By which dice protocol a game is played; those that stood before go on with the first.
ALTER TABLE games ADD COLUMN protocol INTEGER NOT NULL DEFAULT 1 CHECK (protocol IN (1, 2));

CREATE TABLE notices (
    game   TEXT NOT NULL REFERENCES games (id),
    no     INTEGER NOT NULL CHECK (no >= 0),
    first  INTEGER NOT NULL CHECK (first >= 0),
    last   INTEGER NOT NULL CHECK (last >= first),
    why    TEXT NOT NULL CHECK (why IN ('sign-on', 'rewind', 'restore', 'again')),
    master BLOB NOT NULL CONSTRAINT "a notice's master has 32 bytes" CHECK (length(master) = 32),
    -- None until it is written.
    text   TEXT,
    -- Until when it waits for hashes, or for words; none where it does not.
    until  TEXT CONSTRAINT "until is like 2026-01-01T00:00:00Z"
           CHECK (until GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-9][0-9]Z'),
    -- What its source gave; none while it is waited for, and where it has no source.
    value  BLOB,
    -- None while anything is waited for, and where it came to nothing.
    salt   BLOB CONSTRAINT "a salt has 32 bytes" CHECK (length(salt) = 32),
    PRIMARY KEY (game, no)
) STRICT, WITHOUT ROWID;
CREATE INDEX notices_by_time ON notices (until) WHERE until IS NOT NULL;

CREATE TABLE nonces (
    game   TEXT NOT NULL,
    no     INTEGER NOT NULL CHECK (no >= 0),
    seat   TEXT NOT NULL,
    -- SHA-256 of the words, in hexadecimal.
    hash   TEXT NOT NULL CHECK (length(hash) = 64),
    -- Whether the hash came first.
    hashed INTEGER NOT NULL CHECK (hashed IN (0, 1)),
    -- None while only the hash is known.
    words  TEXT,
    PRIMARY KEY (game, no, seat),
    FOREIGN KEY (game, seat) REFERENCES seats (game, seat)
) STRICT, WITHOUT ROWID;
