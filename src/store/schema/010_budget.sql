-- Whose turn it is to be read, and what goes out last.

-- The seat that a mail names rightly, as `game/seat`; empty for all others together.
ALTER TABLE inbox ADD COLUMN lane TEXT NOT NULL DEFAULT '';
CREATE INDEX inbox_lanes ON inbox (id, lane) WHERE state = 'new';
-- Whether a mail was only asked for: it goes after those that play needs.
ALTER TABLE outbox ADD COLUMN asked INTEGER NOT NULL DEFAULT 0 CHECK (asked IN (0, 1));
CREATE INDEX outbox_in_turn ON outbox (asked, id, next_try) WHERE state = 'ready';
-- Nothing is looked up by these any more.
DROP INDEX inbox_new;
DROP INDEX outbox_ready;
