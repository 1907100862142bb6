-- What stands when the old log has been packed.

CREATE TRIGGER segments_never_updated BEFORE UPDATE ON segments
BEGIN SELECT RAISE(ABORT, 'the log is append-only: nothing in it is changed'); END;
CREATE TRIGGER segments_never_deleted BEFORE DELETE ON segments
BEGIN SELECT RAISE(ABORT, 'the log is append-only: nothing in it is deleted'); END;
-- INSERT OR REPLACE would go round the trigger above; by the rowid, too.
CREATE TRIGGER segments_never_replaced BEFORE INSERT ON segments
WHEN EXISTS (SELECT 1 FROM segments WHERE game = NEW.game AND seq_from = NEW.seq_from)
    OR EXISTS (SELECT 1 FROM segments WHERE rowid = NEW.rowid)
BEGIN SELECT RAISE(ABORT, 'the log is append-only: nothing in it is replaced'); END;

-- With it go its indexes and triggers; the last of these has its like.
DROP TABLE log;
CREATE TRIGGER wake_by_terms AFTER INSERT ON segments WHEN NEW.kinds LIKE '% post.options %'
BEGIN UPDATE games SET wake = '' WHERE id = NEW.game AND wake <> ''; END;

-- Nothing was ever kept in these.
DROP TABLE IF EXISTS doctrine;
DROP TABLE IF EXISTS drafts;
DROP TABLE IF EXISTS rest_points;
ALTER TABLE seats DROP COLUMN told_seq;

-- Bytes of a mail unpacked; none where it lies there as it is, as all did before.
ALTER TABLE inbox ADD COLUMN size INTEGER CHECK (size >= 0);
ALTER TABLE outbox ADD COLUMN size INTEGER CHECK (size >= 0);
