-- Where a game stood at some entry of its log, so that it is opened from there: a cache, taken anew when it is gone.
CREATE TABLE snapshots (
    game   TEXT COLLATE "C" NOT NULL PRIMARY KEY REFERENCES games (id),
    -- The last entry of the log before it, and the hash of that.
    seq    BIGINT NOT NULL CHECK (seq > 0),
    hash   TEXT COLLATE "C" NOT NULL,
    -- The digest of the sources that made it, and of all that stands here.
    rules  TEXT COLLATE "C" NOT NULL,
    digest TEXT COLLATE "C" NOT NULL,
    -- Bytes unpacked, and packed.
    size   BIGINT NOT NULL CHECK (size >= 0),
    body   BYTEA NOT NULL
);
ALTER TABLE snapshots ALTER COLUMN body SET STORAGE EXTERNAL;
