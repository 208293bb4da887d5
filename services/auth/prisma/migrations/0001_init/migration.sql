CREATE TABLE accounts (
  id text NOT NULL PRIMARY KEY,
  name text NOT NULL,
  username text NOT NULL CHECK (username ~ '^[A-Za-z0-9_.-]{3,30}$'),
  email text NOT NULL,
  email_verified_at timestamptz(3),
  -- The token of the invitation that led to the registration, encrypted; until the address is verified.
  invitation text,
  -- What the system that it was imported from calls it.
  external_id text,
  password_hash text NOT NULL,
  birthdate date NOT NULL,
  gender text NOT NULL CHECK (gender IN ('female', 'male', 'other', 'unspecified')),
  plan text NOT NULL DEFAULT 'free' CHECK (plan IN ('free', 'pro', 'unlimited')),
  -- Of the emails to the owner.
  language text NOT NULL DEFAULT 'en' CHECK (language IN ('en', 'de')),
  bio text NOT NULL DEFAULT '',
  -- An https address, or the path of an uploaded one.
  avatar text,
  profile_links jsonb NOT NULL DEFAULT '[]',
  -- While it is set, nobody can log in.
  suspended_at timestamptz(3),
  -- When the account is erased. Its owner can cancel the deletion until then.
  deletion_due_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
-- The operator class also serves prefixes, by which operators find accounts.
CREATE UNIQUE INDEX accounts_username_key ON accounts (lower(username) text_pattern_ops);
CREATE UNIQUE INDEX accounts_email_key ON accounts (lower(email) text_pattern_ops);
CREATE UNIQUE INDEX accounts_external_id_key ON accounts (external_id);
CREATE INDEX accounts_deletion_due_at_idx ON accounts (deletion_due_at)
  WHERE deletion_due_at IS NOT NULL;

CREATE TABLE avatars (
  -- Part of a public address, so it cannot be guessed, and a new one for each upload.
  id text NOT NULL PRIMARY KEY,
  account_id text REFERENCES accounts (id) ON DELETE CASCADE ON UPDATE CASCADE,
  -- Of its logo; the table of applications follows.
  application_id text,
  image bytea NOT NULL CHECK (length(image) <= 200000),
  CHECK (num_nonnulls(account_id, application_id) = 1)
);
CREATE UNIQUE INDEX avatars_account_id_key ON avatars (account_id);
CREATE UNIQUE INDEX avatars_application_id_key ON avatars (application_id);

-- Usernames from registrations with a taken email address. Such a registration is answered like any
-- other, so its username has to look taken for a while.
CREATE TABLE reserved_usernames (
  username text NOT NULL PRIMARY KEY CHECK (username = lower(username)),
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX reserved_usernames_expires_at_idx ON reserved_usernames (expires_at);

CREATE TABLE account_devices (
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE ON UPDATE CASCADE,
  fingerprint bytea NOT NULL CHECK (length(fingerprint) = 32),
  browser text NOT NULL,
  os text NOT NULL,
  first_seen_at timestamptz(3) NOT NULL DEFAULT now(),
  last_seen_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, fingerprint)
);
CREATE INDEX account_devices_last_seen_at_idx ON account_devices (last_seen_at);

-- A refresh updates one session and one token. The free space on their pages allows heap-only updates,
-- which touch no index.
CREATE TABLE sessions (
  id text NOT NULL PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE ON UPDATE CASCADE,
  -- Of the device that logged in. Only that device may use a rotated token again within the grace period.
  device_id_hash bytea NOT NULL CHECK (length(device_id_hash) = 32),
  browser text NOT NULL,
  os text NOT NULL,
  ip_address text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  last_used_at timestamptz(3) NOT NULL DEFAULT now(),
  refresh_count integer NOT NULL DEFAULT 0,
  -- Whether its login took a second factor, or a passkey, which is two in one.
  passed_second_factor boolean NOT NULL DEFAULT false,
  -- The latest end of the session, whatever the lifetime of its tokens.
  expires_at timestamptz(3) NOT NULL,
  -- When its newest access token expires. Until then every service must know that it is revoked.
  access_expires_at timestamptz(3) NOT NULL,
  revoked_at timestamptz(3)
) WITH (fillfactor = 80);
-- Sessions are listed by account, newest first; ids sort by time.
CREATE INDEX sessions_account_id_id_idx ON sessions (account_id, id);
-- Revoked sessions stay until they expire, so that logins and lists would read ever more of them.
CREATE INDEX sessions_active_idx ON sessions (account_id, id) WHERE revoked_at IS NULL;
CREATE INDEX sessions_expires_at_idx ON sessions (expires_at);

CREATE TABLE refresh_tokens (
  hash bytea NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
  session_id text NOT NULL REFERENCES sessions (id) ON DELETE CASCADE ON UPDATE CASCADE,
  successor_hash bytea CHECK (length(successor_hash) = 32),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  rotated_at timestamptz(3),
  expires_at timestamptz(3) NOT NULL,
  CHECK ((successor_hash IS NULL) = (rotated_at IS NULL))
) WITH (fillfactor = 50);
-- Counts a session's refreshes within the last hour without reading all its tokens.
CREATE INDEX refresh_tokens_session_id_created_at_idx ON refresh_tokens (session_id, created_at);
CREATE INDEX refresh_tokens_expires_at_idx ON refresh_tokens (expires_at);

-- Of programs of the account's owner; their services get access tokens for it.
CREATE TABLE personal_tokens (
  id text NOT NULL PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE ON UPDATE CASCADE,
  hash bytea NOT NULL CHECK (length(hash) = 32),
  name text NOT NULL,
  scopes text[] NOT NULL CHECK (scopes <@ ARRAY['account:read', 'notes:read', 'notes:write', 'links:read',
    'links:write', 'webhooks:read', 'webhooks:write', 'events:publish']),
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  last_used_at timestamptz(3),
  -- When its newest access token expires. Until then every service must know that it is revoked.
  access_expires_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX personal_tokens_hash_key ON personal_tokens (hash);
CREATE INDEX personal_tokens_account_id_id_idx ON personal_tokens (account_id, id);
CREATE INDEX personal_tokens_expires_at_idx ON personal_tokens (expires_at);

-- Sessions that were revoked while their access tokens, or portal links made with them, may still be valid. A row
-- outlives the session itself. made_by orders the rows as they become visible.
CREATE TABLE revoked_sessions (
  session_id text NOT NULL PRIMARY KEY,
  made_by xid8 NOT NULL DEFAULT pg_current_xact_id(),
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX revoked_sessions_made_by_idx ON revoked_sessions (made_by);
CREATE INDEX revoked_sessions_expires_at_idx ON revoked_sessions (expires_at);

-- A key is published first, signs from activates_at on, and is withdrawn at retires_at, which is set
-- when a newer key is created.
CREATE TABLE signing_keys (
  kid text NOT NULL PRIMARY KEY,
  public_jwk jsonb NOT NULL,
  -- Encrypted; empty once it is withdrawn.
  private_key text NOT NULL,
  -- For ID tokens, which every OpenID Connect client can verify with it.
  rsa_public_jwk jsonb NOT NULL,
  -- Encrypted; empty once it is withdrawn.
  rsa_private_key text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  activates_at timestamptz(3) NOT NULL DEFAULT now(),
  retires_at timestamptz(3)
);

-- An authenticator app. It counts as a second factor once a code of it has been confirmed.
CREATE TABLE totp_factors (
  account_id text NOT NULL PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE ON UPDATE CASCADE,
  -- Encrypted.
  secret text NOT NULL,
  -- The time step of the newest code that was used. Codes of this and earlier steps are refused.
  last_used_step integer,
  -- Codes tried before the first correct one. The secret is void after a few.
  confirm_attempts integer NOT NULL DEFAULT 0 CHECK (confirm_attempts >= 0),
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
  -- The authenticator's own id, in base64url.
  credential_id text NOT NULL UNIQUE,
  public_key bytea NOT NULL,
  -- An unsigned 32-bit signature counter. Authenticators without one always send 0.
  counter bigint NOT NULL CHECK (counter >= 0),
  transports text[] NOT NULL,
  name text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  last_used_at timestamptz(3)
);
CREATE INDEX passkeys_account_id_id_idx ON passkeys (account_id, id);

-- A WebAuthn challenge. It is deleted when it comes back, whether or not the signature is valid. A
-- passwordless login does not know the account yet.
CREATE TABLE passkey_challenges (
  hash bytea NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
  purpose text NOT NULL CHECK (purpose IN ('register', 'second-step', 'login')),
  account_id text REFERENCES accounts (id) ON DELETE CASCADE ON UPDATE CASCADE,
  expires_at timestamptz(3) NOT NULL,
  CHECK ((account_id IS NULL) = (purpose = 'login'))
);
CREATE INDEX passkey_challenges_account_id_idx ON passkey_challenges (account_id);
CREATE INDEX passkey_challenges_expires_at_idx ON passkey_challenges (expires_at);

-- A login with a correct password that still needs its second factor.
CREATE TABLE mfa_challenges (
  hash bytea NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE ON UPDATE CASCADE,
  attempts integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX mfa_challenges_account_id_idx ON mfa_challenges (account_id);
CREATE INDEX mfa_challenges_expires_at_idx ON mfa_challenges (expires_at);

-- The single-use or short-lived tokens in the links of email messages. confirm-email is sent to the
-- account's next address, revert-email to its previous one.
CREATE TABLE email_tokens (
  hash bytea NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE ON UPDATE CASCADE,
  purpose text NOT NULL CHECK (
    purpose IN ('verify-email', 'reset-password', 'confirm-email', 'revoke-access', 'revert-email')
  ),
  email text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX email_tokens_account_id_purpose_idx ON email_tokens (account_id, purpose);
CREATE INDEX email_tokens_expires_at_idx ON email_tokens (expires_at);
-- Finds previous addresses that their owners can still take back.
CREATE INDEX email_tokens_revert_email_idx ON email_tokens (lower(email))
  WHERE purpose = 'revert-email';

-- The email outbox. content is encrypted, and deleted once the message is sent or given up.
CREATE TABLE email_messages (
  id uuid NOT NULL PRIMARY KEY,
  kind text NOT NULL,
  content text,
  attempts integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  -- NULL once the message is sent or given up.
  next_attempt_at timestamptz(3) DEFAULT now(),
  -- A due message is not put on the queue again before this time.
  queued_until timestamptz(3),
  sent_at timestamptz(3),
  last_error text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CHECK (content IS NOT NULL OR next_attempt_at IS NULL)
);
CREATE INDEX email_messages_next_attempt_at_idx ON email_messages (next_attempt_at);
-- Finds finished messages to purge.
CREATE INDEX email_messages_finished_idx ON email_messages (created_at)
  WHERE next_attempt_at IS NULL;

-- The audit trail. Rows are never changed; they are deleted by age or with their account. An event
-- need not belong to an account: a login with an unknown address is an event too.
CREATE TABLE audit_events (
  id text NOT NULL PRIMARY KEY,
  account_id text REFERENCES accounts (id) ON DELETE CASCADE ON UPDATE CASCADE,
  kind text NOT NULL,
  session_id text,
  ip_address text,
  device text,
  request_id text,
  data jsonb NOT NULL DEFAULT '{}',
  -- Who acted for the platform; never shown to the account.
  operator_id text REFERENCES accounts (id) ON DELETE SET NULL ON UPDATE CASCADE,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
-- Serves the erasure of an operator's account, and the actions on an account.
CREATE INDEX audit_events_operator_id_idx ON audit_events (operator_id)
  WHERE operator_id IS NOT NULL;
CREATE INDEX audit_events_account_id_id_idx ON audit_events (account_id, id);
CREATE INDEX audit_events_created_at_idx ON audit_events (created_at);

-- A file of accounts that an operator imports, which is in parts until it is finished. One at a time.
CREATE TABLE account_imports (
  id text NOT NULL PRIMARY KEY,
  operator_id text REFERENCES accounts (id) ON DELETE SET NULL ON UPDATE CASCADE,
  file_name text NOT NULL,
  state text NOT NULL DEFAULT 'uploading'
    CHECK (state IN ('uploading', 'waiting', 'running', 'completed', 'failed')),
  lines integer NOT NULL DEFAULT 0,
  lines_read integer NOT NULL DEFAULT 0,
  created integer NOT NULL DEFAULT 0,
  already_there integer NOT NULL DEFAULT 0,
  rejected integer NOT NULL DEFAULT 0,
  -- How often it was begun or resumed since it has last got on.
  attempts integer NOT NULL DEFAULT 0,
  error text,
  -- When its upload has last got on.
  uploaded_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL,
  finished_at timestamptz(3)
);
CREATE INDEX account_imports_operator_id_idx ON account_imports (operator_id);
CREATE UNIQUE INDEX account_imports_active_key ON account_imports ((finished_at IS NULL))
  WHERE finished_at IS NULL;

CREATE TABLE account_import_parts (
  import_id text NOT NULL REFERENCES account_imports (id) ON DELETE CASCADE ON UPDATE CASCADE,
  number integer NOT NULL,
  content bytea NOT NULL,
  PRIMARY KEY (import_id, number)
);

-- Why a line of the file made no account.
CREATE TABLE account_import_rejections (
  import_id text NOT NULL REFERENCES account_imports (id) ON DELETE CASCADE ON UPDATE CASCADE,
  line integer NOT NULL,
  field text NOT NULL,
  message text NOT NULL,
  email text,
  PRIMARY KEY (import_id, line)
);

-- A copy of everything that all services store about an account. It is ready once every service has
-- sent all parts of one run, and can be downloaded with the emailed token until it expires.
CREATE TABLE account_exports (
  id text NOT NULL PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE ON UPDATE CASCADE,
  requested_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  ready_at timestamptz(3),
  token_hash bytea CHECK (length(token_hash) = 32),
  CHECK ((ready_at IS NULL) = (token_hash IS NULL))
);
CREATE UNIQUE INDEX account_exports_token_hash_key ON account_exports (token_hash);
CREATE INDEX account_exports_account_id_idx ON account_exports (account_id);
CREATE INDEX account_exports_expires_at_idx ON account_exports (expires_at);

-- The first complete run of each service. A service starts a new run when it repeats an export.
CREATE TABLE account_export_services (
  export_id text NOT NULL REFERENCES account_exports (id) ON DELETE CASCADE ON UPDATE CASCADE,
  service text NOT NULL,
  run text NOT NULL,
  PRIMARY KEY (export_id, service)
);

CREATE TABLE account_export_parts (
  export_id text NOT NULL REFERENCES account_exports (id) ON DELETE CASCADE ON UPDATE CASCADE,
  service text NOT NULL,
  run text NOT NULL,
  number integer NOT NULL CHECK (number >= 0),
  is_last boolean NOT NULL,
  -- Encrypted.
  content text NOT NULL,
  PRIMARY KEY (export_id, service, run, number)
);

-- Account messages that must not take effect twice, such as those that send email.
CREATE TABLE processed_messages (
  id text NOT NULL PRIMARY KEY,
  processed_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX processed_messages_processed_at_idx ON processed_messages (processed_at);

-- Events and account messages on their way to other services, each with its queue. due_at is NULL for
-- a new row, and 'infinity' for a message that failed too often. leased_until is in no index, so
-- leasing a row is a heap-only update on a page with free space.
CREATE TABLE outbox (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text NOT NULL,
  queue text NOT NULL DEFAULT 'events',
  event text NOT NULL,
  account_id text NOT NULL,
  -- json, not jsonb: it is passed on as written and never searched.
  data json NOT NULL,
  request_id text,
  traceparent text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  -- Of an event that a product has published: when it happened.
  occurred_at timestamptz(3),
  due_at timestamptz(3),
  leased_until timestamptz(3),
  attempts smallint NOT NULL DEFAULT 0,
  last_error text
) WITH (
  fillfactor = 50,
  -- Every row is inserted, leased and deleted, so dead rows pile up faster than the default allows.
  autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_vacuum_threshold = 5000
);
CREATE INDEX outbox_due_idx ON outbox (queue, due_at NULLS FIRST, seq);

-- Programs that people log in to with Atrium, or that use Atrium for their owner.
CREATE TABLE applications (
  id text NOT NULL PRIMARY KEY,
  -- Its owner; null: it is a part of Atrium.
  account_id text REFERENCES accounts (id) ON DELETE CASCADE ON UPDATE CASCADE,
  name text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('web', 'single-page', 'native', 'machine')),
  home_page text,
  redirect_urls text[] NOT NULL,
  post_logout_urls text[] NOT NULL,
  backchannel_logout_url text,
  scopes text[] NOT NULL CHECK (scopes <@ ARRAY['account:read', 'notes:read', 'notes:write', 'links:read',
    'links:write', 'webhooks:read', 'webhooks:write', 'events:publish']),
  id_token_algorithm text NOT NULL DEFAULT 'RS256' CHECK (id_token_algorithm IN ('RS256', 'EdDSA')),
  is_first_party boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL
);
CREATE INDEX applications_account_id_id_idx ON applications (account_id, id);
-- The command of Atrium. It only logs in devices, so it has no address to come back to.
INSERT INTO applications (id, name, kind, redirect_urls, post_logout_urls, scopes, is_first_party, created_at, updated_at)
VALUES ('app_00000000000000000000000000', 'Atrium command', 'native', '{}', '{}', ARRAY['account:read', 'notes:read',
  'notes:write', 'links:read', 'links:write', 'webhooks:read', 'webhooks:write', 'events:publish'], true, now(), now());

ALTER TABLE avatars ADD FOREIGN KEY (application_id) REFERENCES applications (id)
  ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE application_secrets (
  id text NOT NULL PRIMARY KEY,
  application_id text NOT NULL REFERENCES applications (id) ON DELETE CASCADE ON UPDATE CASCADE,
  hash bytea NOT NULL CHECK (length(hash) = 32),
  -- Its last characters, by which its owner tells it from the other one.
  ending text NOT NULL,
  created_at timestamptz(3) NOT NULL
);
CREATE INDEX application_secrets_application_id_idx ON application_secrets (application_id);

-- What people have allowed applications.
CREATE TABLE oauth_consents (
  id text NOT NULL PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE ON UPDATE CASCADE,
  application_id text NOT NULL REFERENCES applications (id) ON DELETE CASCADE ON UPDATE CASCADE,
  scopes text[] NOT NULL,
  created_at timestamptz(3) NOT NULL,
  last_used_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX oauth_consents_account_id_application_id_key ON oauth_consents (account_id, application_id);
CREATE INDEX oauth_consents_application_id_idx ON oauth_consents (application_id);

-- One login to an application and its family of tokens. Their claim sid is its id.
CREATE TABLE oauth_grants (
  id text NOT NULL PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE ON UPDATE CASCADE,
  application_id text NOT NULL REFERENCES applications (id) ON DELETE CASCADE ON UPDATE CASCADE,
  -- It ends with this session; null: it goes on after it (offline_access).
  session_id text REFERENCES sessions (id) ON DELETE CASCADE ON UPDATE CASCADE,
  -- What a person has logged in without its browser (RFC 8628), as it calls itself.
  device_name text,
  scopes text[] NOT NULL,
  created_at timestamptz(3) NOT NULL,
  -- When its newest access token expires. Until then every service must know that it has ended.
  access_expires_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX oauth_grants_account_id_application_id_idx ON oauth_grants (account_id, application_id);
CREATE INDEX oauth_grants_application_id_idx ON oauth_grants (application_id);
CREATE UNIQUE INDEX oauth_grants_session_id_application_id_key ON oauth_grants (session_id, application_id);
CREATE INDEX oauth_grants_expires_at_idx ON oauth_grants (expires_at);

-- Whatever ends a grant, every service must know it: the person, the application, a replayed token, a log-out, the
-- erasure of an account. As for sessions, an hour is for portal links, and a minute for tokens that are being issued just
-- now.
CREATE FUNCTION publish_ended_grants() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO revoked_sessions (session_id, expires_at)
  SELECT id, access_expires_at + interval '61 minutes' FROM ended
  WHERE access_expires_at > now() - interval '61 minutes'
  ON CONFLICT (session_id) DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER oauth_grants_ended AFTER DELETE ON oauth_grants
  REFERENCING OLD TABLE AS ended FOR EACH STATEMENT EXECUTE FUNCTION publish_ended_grants();

-- What the OpenID Connect provider keeps for a while: codes, refresh tokens, interactions and the like. Their ids
-- are secrets, so only hashes of them are stored.
CREATE TABLE oauth_records (
  model text NOT NULL,
  id_hash bytea NOT NULL CHECK (length(id_hash) = 32),
  grant_id text REFERENCES oauth_grants (id) ON DELETE CASCADE ON UPDATE CASCADE,
  account_id text REFERENCES accounts (id) ON DELETE CASCADE ON UPDATE CASCADE,
  session_id text REFERENCES sessions (id) ON DELETE CASCADE ON UPDATE CASCADE,
  -- Of a session: the id of ours, or a random one while nobody is logged in.
  uid text,
  -- Of a device that waits to be logged in: what it shows to its person.
  user_code text,
  payload jsonb NOT NULL,
  consumed_at timestamptz(3),
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (model, id_hash)
);
CREATE UNIQUE INDEX oauth_records_uid_key ON oauth_records (uid);
CREATE UNIQUE INDEX oauth_records_user_code_key ON oauth_records (user_code);
CREATE INDEX oauth_records_grant_id_model_consumed_at_expires_at_idx
  ON oauth_records (grant_id, model, consumed_at, expires_at);
CREATE INDEX oauth_records_account_id_idx ON oauth_records (account_id);
CREATE INDEX oauth_records_session_id_idx ON oauth_records (session_id);
CREATE INDEX oauth_records_expires_at_idx ON oauth_records (expires_at);

-- Logouts that applications have to be told of.
CREATE TABLE oauth_logouts (
  sid text NOT NULL PRIMARY KEY,
  application_id text NOT NULL REFERENCES applications (id) ON DELETE CASCADE ON UPDATE CASCADE,
  -- No foreign key: an application is told also after the account was erased.
  account_id text NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamptz(3) NOT NULL
);
CREATE INDEX oauth_logouts_application_id_idx ON oauth_logouts (application_id);
CREATE INDEX oauth_logouts_due_at_idx ON oauth_logouts (due_at);

-- Somebody whom another provider logs in: subject is what it calls them.
CREATE TABLE login_identities (
  id text NOT NULL PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE ON UPDATE CASCADE,
  provider text NOT NULL,
  subject text NOT NULL,
  -- What the provider showed when it was linked, for its owner to recognise.
  label text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  last_used_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX login_identities_provider_subject_key ON login_identities (provider, subject);
CREATE INDEX login_identities_account_id_idx ON login_identities (account_id);
