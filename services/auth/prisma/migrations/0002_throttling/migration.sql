-- Usernames of registrations with a taken address: to the outside these look like accounts, so for
-- a time nobody else can register them.
CREATE TABLE reserved_usernames (
  username text NOT NULL PRIMARY KEY CHECK (username = lower(username)),
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX reserved_usernames_expires_at_idx ON reserved_usernames (expires_at);
