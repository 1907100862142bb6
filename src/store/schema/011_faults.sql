-- What tells a fault from work that went well.

-- How often the process ended in the middle of work on this mail.
ALTER TABLE inbox ADD COLUMN in_hand INTEGER NOT NULL DEFAULT 0 CHECK (in_hand >= 0);
-- The hash of the log's entry that the open leg follows from, and the digest of that hash and the leg.
ALTER TABLE open_leg ADD COLUMN head TEXT;
ALTER TABLE open_leg ADD COLUMN digest TEXT;
