-- Where a game stood at some entry of its log, so that it is opened from there: a cache, taken anew when it is gone.
CREATE TABLE snapshots (
    game   TEXT NOT NULL PRIMARY KEY REFERENCES games (id),
    -- The last entry of the log before it, and the hash of that.
    seq    INTEGER NOT NULL CHECK (seq > 0),
    hash   TEXT NOT NULL,
    -- The digest of the sources that made it, and of all that stands here.
    rules  TEXT NOT NULL,
    digest TEXT NOT NULL,
    -- Bytes unpacked, and packed.
    size   INTEGER NOT NULL CHECK (size >= 0),
    body   BLOB NOT NULL
) STRICT;
