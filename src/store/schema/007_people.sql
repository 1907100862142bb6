-- What a game keeps beside its chain, who waits for a seat, and how punctual each writer has been.

CREATE TABLE game_notes (
    game  TEXT NOT NULL REFERENCES games (id),
    key   TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (game, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX game_notes_by_key ON game_notes (key, game);

CREATE TABLE waiting (
    id         INTEGER PRIMARY KEY,
    game       TEXT NOT NULL REFERENCES games (id),
    address    TEXT NOT NULL CONSTRAINT "an address is kept in lower case" CHECK (address = lower(address)),
    preference TEXT NOT NULL,
    since      TEXT NOT NULL,
    UNIQUE (game, address)
) STRICT;

CREATE TABLE punctuality (
    address TEXT NOT NULL PRIMARY KEY,
    met     INTEGER NOT NULL DEFAULT 0 CHECK (met >= 0),
    missed  INTEGER NOT NULL DEFAULT 0 CHECK (missed >= 0)
) STRICT, WITHOUT ROWID;
