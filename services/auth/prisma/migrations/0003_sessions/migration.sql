-- expires_at is the session's end, whatever its tokens do. access_expires_at is when the newest
-- access token given to it dies: until then a revoked session must be known everywhere.
ALTER TABLE sessions
  ADD COLUMN expires_at timestamptz(3),
  ADD COLUMN access_expires_at timestamptz(3);
UPDATE sessions SET
  expires_at = created_at + interval '7 days',
  access_expires_at = last_used_at + interval '1 day';
ALTER TABLE sessions
  ALTER COLUMN expires_at SET NOT NULL,
  ALTER COLUMN access_expires_at SET NOT NULL;

-- Listed by account, newest first; ids sort by time.
DROP INDEX sessions_account_id_idx;
CREATE INDEX sessions_account_id_id_idx ON sessions (account_id, id);
CREATE INDEX sessions_expires_at_idx ON sessions (expires_at);
CREATE INDEX refresh_tokens_expires_at_idx ON refresh_tokens (expires_at);

-- A refresh updates one row of each: room on their pages spares the indexes.
ALTER TABLE sessions SET (fillfactor = 80);
ALTER TABLE refresh_tokens SET (fillfactor = 50);

-- What every service must know: sessions that ended while access tokens of theirs may be alive.
-- They outlive the rows of their sessions. made_by orders them as they become visible.
CREATE TABLE revoked_sessions (
  session_id text NOT NULL PRIMARY KEY,
  made_by xid8 NOT NULL DEFAULT pg_current_xact_id(),
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX revoked_sessions_made_by_idx ON revoked_sessions (made_by);
CREATE INDEX revoked_sessions_expires_at_idx ON revoked_sessions (expires_at);
INSERT INTO revoked_sessions (session_id, expires_at)
SELECT id, access_expires_at FROM sessions WHERE revoked_at > now() - interval '1 day';

-- A key is published first, signs from activates_at on, and is withdrawn at retires_at, which is
-- set once a newer key exists.
ALTER TABLE signing_keys
  ADD COLUMN activates_at timestamptz(3) NOT NULL DEFAULT now(),
  ADD COLUMN retires_at timestamptz(3);
UPDATE signing_keys SET activates_at = created_at;
