-- The log of a game: what happened, for ever, each entry with the hash of the one before.

CREATE TABLE log (
    game TEXT NOT NULL REFERENCES games (id),
    seq  INTEGER NOT NULL CHECK (seq > 0),
    prev TEXT NOT NULL,
    hash TEXT NOT NULL,
    slot INTEGER NOT NULL CHECK (slot >= 0),
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (game, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX log_by_slot ON log (game, slot, seq);
CREATE INDEX log_by_kind ON log (game, kind, seq);

CREATE TRIGGER log_never_updated BEFORE UPDATE ON log
BEGIN SELECT RAISE(ABORT, 'the log is append-only: nothing in it is changed'); END;
CREATE TRIGGER log_never_deleted BEFORE DELETE ON log
BEGIN SELECT RAISE(ABORT, 'the log is append-only: nothing in it is deleted'); END;
-- INSERT OR REPLACE would go round the trigger above.
CREATE TRIGGER log_never_replaced BEFORE INSERT ON log
WHEN EXISTS (SELECT 1 FROM log WHERE game = NEW.game AND seq = NEW.seq)
BEGIN SELECT RAISE(ABORT, 'the log is append-only: nothing in it is replaced'); END;

-- Where each log ends, so that a tail cut off is noticed.
CREATE TABLE log_heads (
    game TEXT NOT NULL PRIMARY KEY REFERENCES games (id),
    seq  INTEGER NOT NULL,
    hash TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The journal of the open leg, and the state at the last rest point (only a cache of the log).
CREATE TABLE open_leg (
    game TEXT NOT NULL PRIMARY KEY REFERENCES games (id),
    body TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE rest_points (
    game    TEXT NOT NULL PRIMARY KEY REFERENCES games (id),
    seq     INTEGER NOT NULL,
    version TEXT NOT NULL,
    body    TEXT NOT NULL
) STRICT;
