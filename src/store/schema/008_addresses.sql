-- The owner's own spelling of an address, capitals of its local part and all, once a mail has come from it. Until then,
-- as with every address that was kept before, the local part is compared without regard to ASCII capitals; from then on
-- letter for letter. Empty: the owner has confirmed that he writes it in more ways than one.
ALTER TABLE addresses ADD COLUMN spelled TEXT;
