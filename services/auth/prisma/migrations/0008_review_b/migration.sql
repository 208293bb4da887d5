-- What one session or account can make this service store is bounded.
ALTER TABLE sessions ADD COLUMN refreshes integer NOT NULL DEFAULT 0;
-- Tells how often a session was refreshed within the hour without reading all of its tokens.
DROP INDEX refresh_tokens_session_id_idx;
CREATE INDEX refresh_tokens_session_id_created_at_idx ON refresh_tokens (session_id, created_at);
CREATE INDEX account_devices_last_seen_at_idx ON account_devices (last_seen_at);
