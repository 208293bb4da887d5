-- An authenticator app. It counts as a factor once a code of it has been confirmed.
CREATE TABLE totp_factors (
  account_id text NOT NULL PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE ON UPDATE CASCADE,
  secret text NOT NULL,
  -- The time step of the newest code that was used: it and all before it are void.
  last_used_step integer,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  confirmed_at timestamptz(3)
);

-- A code is deleted when it is used.
CREATE TABLE recovery_codes (
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE ON UPDATE CASCADE,
  hash bytea NOT NULL CHECK (length(hash) = 32),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, hash)
);

CREATE TABLE passkeys (
  id text NOT NULL PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE ON UPDATE CASCADE,
  -- As the authenticator names it, in base64url.
  credential_id text NOT NULL UNIQUE,
  public_key bytea NOT NULL,
  -- Unsigned 32 bits; authenticators that do not count say 0.
  counter bigint NOT NULL CHECK (counter >= 0),
  transports text[] NOT NULL,
  name text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  last_used_at timestamptz(3)
);
CREATE INDEX passkeys_account_id_id_idx ON passkeys (account_id, id);

-- What an authenticator has been asked to sign. Deleted when it comes back, whatever came of it.
-- A passwordless login knows no account yet.
CREATE TABLE passkey_challenges (
  hash bytea NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
  purpose text NOT NULL CHECK (purpose IN ('register', 'second-step', 'login')),
  account_id text REFERENCES accounts (id) ON DELETE CASCADE ON UPDATE CASCADE,
  expires_at timestamptz(3) NOT NULL,
  CHECK ((account_id IS NULL) = (purpose = 'login'))
);
CREATE INDEX passkey_challenges_account_id_idx ON passkey_challenges (account_id);
CREATE INDEX passkey_challenges_expires_at_idx ON passkey_challenges (expires_at);

-- A login whose password was right and whose second step is still to come.
CREATE TABLE pending_logins (
  hash bytea NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE ON UPDATE CASCADE,
  tries integer NOT NULL DEFAULT 0 CHECK (tries >= 0),
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX pending_logins_account_id_idx ON pending_logins (account_id);
CREATE INDEX pending_logins_expires_at_idx ON pending_logins (expires_at);
