-- The log, packed: all entries that one act appends to a game's log are one row.

-- With rowids: a row of some kB then fits into a page, which it does not where rows are the leaves of an index.
CREATE TABLE segments (
    game     TEXT NOT NULL REFERENCES games (id),
    -- Its first entry and its last.
    seq_from INTEGER NOT NULL,
    seq_to   INTEGER NOT NULL CHECK (seq_to >= seq_from),
    -- The slot of its last entry.
    slot     INTEGER NOT NULL,
    -- The kinds of its entries, each between blanks.
    kinds    TEXT NOT NULL,
    -- The hash of its last entry; those of the others follow from the segment before.
    hash     TEXT NOT NULL,
    -- Bytes unpacked.
    size     INTEGER NOT NULL CHECK (size >= 0),
    -- By zlib: for each entry a line with its slot, its kind and the bytes of its body, the body, and the end of a line.
    body     BLOB NOT NULL,
    PRIMARY KEY (game, seq_from)
) STRICT;
