-- The hidden pieces as an umpire may read them with any SQLite tool. Written with the events they follow
-- from, rebuilt from them at any time; nothing is ever decided from these rows.

CREATE TABLE organization_display (
    game   TEXT NOT NULL REFERENCES games (id),
    side   TEXT NOT NULL,
    leader TEXT,
    under  TEXT,
    hex    TEXT,
    unit   TEXT,
    arm    TEXT,
    sp     INTEGER,
    mode   TEXT
) STRICT;
CREATE INDEX organization_display_by_game ON organization_display (game, side);

CREATE TABLE vedettes (
    game    TEXT NOT NULL REFERENCES games (id),
    side    TEXT NOT NULL,
    vedette TEXT NOT NULL,
    hex     TEXT,
    face    TEXT
) STRICT;
CREATE INDEX vedettes_by_game ON vedettes (game, side);

CREATE TABLE fog_chits (
    game     TEXT NOT NULL REFERENCES games (id),
    side     TEXT NOT NULL,
    chit     TEXT NOT NULL,
    hex      TEXT,
    contents TEXT
) STRICT;
CREATE INDEX fog_chits_by_game ON fog_chits (game, side);

CREATE TABLE intel (
    game        TEXT NOT NULL REFERENCES games (id),
    side        TEXT NOT NULL,
    tag         TEXT NOT NULL,
    hex         TEXT,
    what        TEXT,
    sp          TEXT,
    learnt_turn INTEGER,
    confidence  TEXT
) STRICT;
CREATE INDEX intel_by_game ON intel (game, side);

CREATE TABLE board_rows (
    game  TEXT NOT NULL REFERENCES games (id),
    side  TEXT,
    board TEXT NOT NULL,
    name  TEXT NOT NULL,
    hex   TEXT,
    facts TEXT
) STRICT;
CREATE INDEX board_rows_by_game ON board_rows (game, board, side);
