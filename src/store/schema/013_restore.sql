-- What a restore from a backup leaves behind.

-- From the last restore on, a game's tags, names of mails and dice follow from this name too; empty before the first.
ALTER TABLE games ADD COLUMN epoch TEXT NOT NULL DEFAULT '';

-- Numbers that mails to a seat may have had in a time that was lost: no other mail ever has one of them.
CREATE TABLE lost_numbers (
    game  TEXT NOT NULL,
    seat  TEXT NOT NULL,
    first INTEGER NOT NULL CHECK (first > 0),
    last  INTEGER NOT NULL CHECK (last >= first),
    PRIMARY KEY (game, seat, first),
    FOREIGN KEY (game, seat) REFERENCES seats (game, seat)
) STRICT, WITHOUT ROWID;

-- By which a copy of this post office is told from one of another.
INSERT INTO marks (key, value) VALUES ('office', lower(hex(randomblob(16)))) ON CONFLICT DO NOTHING;
