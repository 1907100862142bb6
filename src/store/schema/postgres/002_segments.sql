-- SQLite's schema 16: the log, packed. All entries that one act appends to a game's log are one row.

-- Nobody writes between packing and what follows it.
LOCK TABLE log, log_heads IN ACCESS EXCLUSIVE MODE;

CREATE TABLE segments (
    game     TEXT COLLATE "C" NOT NULL REFERENCES games (id),
    -- Its first entry and its last.
    seq_from BIGINT NOT NULL,
    seq_to   BIGINT NOT NULL CHECK (seq_to >= seq_from),
    -- The slot of its last entry.
    slot     BIGINT NOT NULL,
    -- The kinds of its entries, each between blanks.
    kinds    TEXT COLLATE "C" NOT NULL,
    -- The hash of its last entry; those of the others follow from the segment before.
    hash     TEXT COLLATE "C" NOT NULL,
    -- Bytes unpacked.
    size     BIGINT NOT NULL CHECK (size >= 0),
    -- By zlib: for each entry a line with its slot, its kind and the bytes of its body, the body, and the end of a line.
    body     BYTEA NOT NULL,
    PRIMARY KEY (game, seq_from)
);
-- What is packed is not packed again.
ALTER TABLE segments ALTER COLUMN body SET STORAGE EXTERNAL;
