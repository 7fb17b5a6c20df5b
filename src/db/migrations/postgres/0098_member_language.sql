-- The language of the mail to a member: that of the account page which the member opened last. Null for English.
ALTER TABLE member ADD language text;
