-- When time next brings something to a game: the one thing that a pass asks of the games.

-- Empty where it is to be asked at once.
ALTER TABLE games ADD COLUMN wake TEXT NOT NULL DEFAULT '' CONSTRAINT "wake is like 2026-01-01T00:00:00Z, or empty"
    CHECK (wake = '' OR wake GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-9][0-9]Z');
CREATE INDEX games_by_wake ON games (wake, id) WHERE state IN ('forming', 'playing');

-- Whoever writes anything on which a game's times hang, the game is asked again. So none is forgotten, whatever writes.
CREATE TRIGGER wake_by_due AFTER INSERT ON dues
BEGIN UPDATE games SET wake = '' WHERE id = NEW.game AND wake <> ''; END;
CREATE TRIGGER wake_by_due_moved AFTER UPDATE ON dues
BEGIN UPDATE games SET wake = '' WHERE id = NEW.game AND wake <> ''; END;
CREATE TRIGGER wake_by_due_gone AFTER DELETE ON dues
BEGIN UPDATE games SET wake = '' WHERE id = OLD.game AND wake <> ''; END;
CREATE TRIGGER wake_by_note AFTER INSERT ON game_notes
BEGIN UPDATE games SET wake = '' WHERE id = NEW.game AND wake <> ''; END;
CREATE TRIGGER wake_by_note_changed AFTER UPDATE ON game_notes
BEGIN UPDATE games SET wake = '' WHERE id = NEW.game AND wake <> ''; END;
CREATE TRIGGER wake_by_note_gone AFTER DELETE ON game_notes
BEGIN UPDATE games SET wake = '' WHERE id = OLD.game AND wake <> ''; END;
CREATE TRIGGER wake_by_desk AFTER INSERT ON desk
BEGIN UPDATE games SET wake = '' WHERE id = NEW.game AND wake <> ''; END;
CREATE TRIGGER wake_by_desk_changed AFTER UPDATE ON desk
BEGIN UPDATE games SET wake = '' WHERE id = NEW.game AND wake <> ''; END;
CREATE TRIGGER wake_by_desk_gone AFTER DELETE ON desk
BEGIN UPDATE games SET wake = '' WHERE id = OLD.game AND wake <> ''; END;
CREATE TRIGGER wake_by_stand_in AFTER INSERT ON stand_ins
BEGIN UPDATE games SET wake = '' WHERE id = NEW.game AND wake <> ''; END;
CREATE TRIGGER wake_by_stand_in_gone AFTER DELETE ON stand_ins
BEGIN UPDATE games SET wake = '' WHERE id = OLD.game AND wake <> ''; END;
CREATE TRIGGER wake_by_notice AFTER INSERT ON notices
BEGIN UPDATE games SET wake = '' WHERE id = NEW.game AND wake <> ''; END;
CREATE TRIGGER wake_by_notice_changed AFTER UPDATE ON notices
BEGIN UPDATE games SET wake = '' WHERE id = NEW.game AND wake <> ''; END;
CREATE TRIGGER wake_by_terms AFTER INSERT ON log WHEN NEW.kind = 'post.options'
BEGIN UPDATE games SET wake = '' WHERE id = NEW.game AND wake <> ''; END;
CREATE TRIGGER wake_by_state AFTER UPDATE OF state, held, deadline_hours ON games
BEGIN UPDATE games SET wake = '' WHERE id = NEW.id AND wake <> ''; END;

-- Nothing is looked for by these any more.
DROP INDEX dues_by_time;
DROP INDEX notices_by_time;

-- Notices that wait for what their source gives, and nothing else.
CREATE INDEX notices_waiting ON notices (game, no) WHERE text IS NOT NULL AND salt IS NULL;
