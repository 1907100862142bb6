-- The key under which reply tags are digested from now on, so that nobody finds a tag by trying what its digest fits.
-- Tags that were kept before stay good under the digest that they have.
INSERT INTO marks (key, value) VALUES ('tag key', lower(hex(randomblob(32)))) ON CONFLICT DO NOTHING;
