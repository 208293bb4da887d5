-- A secret that waits for its first code is void after a few that were wrong.
ALTER TABLE totp_factors ADD COLUMN tries integer NOT NULL DEFAULT 0 CHECK (tries >= 0);
