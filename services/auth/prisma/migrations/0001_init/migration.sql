CREATE TABLE accounts (
  id text NOT NULL PRIMARY KEY,
  name text NOT NULL,
  username text NOT NULL CHECK (username ~ '^[A-Za-z0-9_.-]{3,30}$'),
  email text NOT NULL,
  password_hash text NOT NULL,
  birthdate date NOT NULL,
  gender text NOT NULL CHECK (gender IN ('female', 'male', 'other', 'unspecified')),
  plan text NOT NULL DEFAULT 'free' CHECK (plan IN ('free', 'pro')),
  bio text NOT NULL DEFAULT '',
  avatar text,
  profile_links jsonb NOT NULL DEFAULT '[]',
  email_verified_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX accounts_username_key ON accounts (lower(username));
CREATE UNIQUE INDEX accounts_email_key ON accounts (lower(email));

CREATE TABLE account_devices (
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE ON UPDATE CASCADE,
  fingerprint bytea NOT NULL CHECK (length(fingerprint) = 32),
  browser text NOT NULL,
  os text NOT NULL,
  first_seen_at timestamptz(3) NOT NULL DEFAULT now(),
  last_seen_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, fingerprint)
);

CREATE TABLE sessions (
  id text NOT NULL PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE ON UPDATE CASCADE,
  browser text NOT NULL,
  os text NOT NULL,
  ip_address text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  last_used_at timestamptz(3) NOT NULL DEFAULT now(),
  revoked_at timestamptz(3)
);
CREATE INDEX sessions_account_id_idx ON sessions (account_id);

CREATE TABLE refresh_tokens (
  hash bytea NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
  session_id text NOT NULL REFERENCES sessions (id) ON DELETE CASCADE ON UPDATE CASCADE,
  successor_hash bytea CHECK (length(successor_hash) = 32),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  rotated_at timestamptz(3),
  expires_at timestamptz(3) NOT NULL,
  CHECK ((successor_hash IS NULL) = (rotated_at IS NULL))
);
CREATE INDEX refresh_tokens_session_id_idx ON refresh_tokens (session_id);

CREATE TABLE mail_links (
  hash bytea NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE ON UPDATE CASCADE,
  purpose text NOT NULL CHECK (purpose IN ('verify-email', 'reset-password')),
  email text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX mail_links_account_id_purpose_idx ON mail_links (account_id, purpose);

-- due_at is NULL once there is nothing left to do, so finished mails leave the index's live part.
CREATE TABLE outgoing_mails (
  id uuid NOT NULL PRIMARY KEY,
  kind text NOT NULL,
  content text,
  attempts integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  due_at timestamptz(3) DEFAULT now(),
  sent_at timestamptz(3),
  last_error text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CHECK (content IS NOT NULL OR due_at IS NULL)
);
CREATE INDEX outgoing_mails_due_at_idx ON outgoing_mails (due_at);

CREATE TABLE signing_keys (
  kid text NOT NULL PRIMARY KEY,
  public_jwk jsonb NOT NULL,
  private_key text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);

CREATE TABLE outbox (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text NOT NULL UNIQUE,
  event text NOT NULL,
  account_id text NOT NULL,
  data jsonb NOT NULL,
  request_id text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  claimed_until timestamptz(3)
);
CREATE INDEX outbox_claim_idx ON outbox (claimed_until NULLS FIRST, seq);
