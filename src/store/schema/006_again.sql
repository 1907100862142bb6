-- A mail asked for again, mails that came back, and the true size of mails that are kept in part.

-- How often a mail was asked for again after it had been sent.
ALTER TABLE outbox ADD COLUMN again INTEGER NOT NULL DEFAULT 0 CHECK (again >= 0);
-- How many delivery reports say that it did not arrive.
ALTER TABLE outbox ADD COLUMN bounces INTEGER NOT NULL DEFAULT 0 CHECK (bounces >= 0);
-- Bytes of the mail as it came, where more came than are kept.
ALTER TABLE inbox ADD COLUMN bytes INTEGER CHECK (bytes >= 0);
