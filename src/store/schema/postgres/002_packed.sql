-- What stands when the old log has been packed.

-- With it go its indexes and triggers, but not what these call.
DROP TABLE log;
CREATE TRIGGER segments_never_changed BEFORE UPDATE OR DELETE ON segments FOR EACH ROW EXECUTE FUNCTION log_stays();
CREATE TRIGGER segments_never_emptied BEFORE TRUNCATE ON segments FOR EACH STATEMENT EXECUTE FUNCTION log_stays();
CREATE TRIGGER wake_by_terms AFTER INSERT ON segments FOR EACH ROW WHEN (NEW.kinds LIKE '% post.options %')
    EXECUTE FUNCTION game_stirs();

-- Nothing was ever kept in these.
DROP TABLE IF EXISTS doctrine;
DROP TABLE IF EXISTS drafts;
DROP TABLE IF EXISTS rest_points;
ALTER TABLE seats DROP COLUMN told_seq;

-- Bytes of a mail unpacked; none where it lies there as it is, as all did before.
ALTER TABLE inbox ADD COLUMN size BIGINT CHECK (size >= 0);
ALTER TABLE outbox ADD COLUMN size BIGINT CHECK (size >= 0);
ALTER TABLE inbox ALTER COLUMN raw SET STORAGE EXTERNAL;
ALTER TABLE outbox ALTER COLUMN raw SET STORAGE EXTERNAL;
