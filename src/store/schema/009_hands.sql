-- Whose hands a seat is in: who stands in for it, the codes by which it changes hands, and whose copy a reply tag came with.

CREATE TABLE stand_ins (
    game    TEXT NOT NULL,
    seat    TEXT NOT NULL,
    address TEXT NOT NULL CONSTRAINT "an address is kept in lower case" CHECK (address = lower(address)),
    kind    TEXT NOT NULL CHECK (kind IN ('late', 'away')),
    PRIMARY KEY (game, seat),
    FOREIGN KEY (game, seat) REFERENCES seats (game, seat)
) STRICT, WITHOUT ROWID;

-- Only a code's digest is kept. At most one of a kind is good for a seat, and for an address.
CREATE TABLE codes (
    game    TEXT NOT NULL REFERENCES games (id),
    -- The seat; empty for who asks without one.
    seat    TEXT NOT NULL,
    -- From where alone it may come, without a reply tag; empty for any address of the seat, with one.
    address TEXT NOT NULL CONSTRAINT "an address is kept in lower case" CHECK (address = lower(address)),
    kind    TEXT NOT NULL,
    hash    TEXT NOT NULL,
    until   TEXT NOT NULL,
    body    TEXT NOT NULL,
    PRIMARY KEY (game, seat, address, kind)
) STRICT, WITHOUT ROWID;
CREATE INDEX codes_by_address ON codes (address, game, seat, kind) WHERE address <> '';
CREATE INDEX codes_by_time ON codes (until);

-- The address whose copy alone holds the tag; none where all copies to the seat's own addresses do.
ALTER TABLE tags ADD COLUMN reader TEXT;
CREATE INDEX tags_by_seat ON tags (game, seat);

-- A stand-in was one of the seat's addresses, and stood on its desk as "late his@address the@owner's".
INSERT INTO stand_ins (game, seat, address, kind)
SELECT game, seat, lower(substr(rest, 1, instr(rest, ' ') - 1)), kind
FROM (SELECT game, seat, substr(value, 1, instr(value, ' ') - 1) AS kind,
             substr(value, instr(value, ' ') + 1) || ' ' AS rest
      FROM desk WHERE key = 'acting')
WHERE kind IN ('late', 'away');
DELETE FROM addresses WHERE EXISTS (SELECT 1 FROM stand_ins AS s WHERE s.game = addresses.game
    AND s.seat = addresses.seat AND s.address = addresses.address);
-- Codes of eight digits are good for nothing any more; nor is an address that would have taken the place of all.
DELETE FROM desk WHERE key = 'acting' OR key = 'moving' OR key LIKE 'code/%' OR key LIKE 'held/%';
