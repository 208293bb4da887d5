-- The outbox carries messages to other services beside events, each queue in a lane of its own:
-- the index leads with the queue, so that a claim reads exactly the rows that it may take.
-- claimed_until is 'infinity' for a message that was set aside after too many failures.
ALTER TABLE outbox
  ADD COLUMN queue text NOT NULL DEFAULT 'events',
  ADD COLUMN attempts smallint NOT NULL DEFAULT 0,
  ADD COLUMN last_error text;
DROP INDEX outbox_claim_idx;
CREATE INDEX outbox_claim_idx ON outbox (queue, claimed_until NULLS FIRST, seq);
-- Every row is written, claimed and deleted: the default of a fifth of the table is too late.
ALTER TABLE outbox SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000);

-- When the account is erased; its owner can cancel until then.
ALTER TABLE accounts ADD COLUMN deletion_due_at timestamptz(3);
CREATE INDEX accounts_deletion_due_idx ON accounts (deletion_due_at)
  WHERE deletion_due_at IS NOT NULL;

-- A copy of everything that all services hold of an account. It is ready once each service has sent
-- all parts of one run, and can be read with the token in the mail until it expires.
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

-- The run of a service that is whole.
CREATE TABLE account_export_services (
  export_id text NOT NULL REFERENCES account_exports (id) ON DELETE CASCADE ON UPDATE CASCADE,
  service text NOT NULL,
  run text NOT NULL,
  PRIMARY KEY (export_id, service)
);

-- The content is encrypted.
CREATE TABLE account_export_parts (
  export_id text NOT NULL REFERENCES account_exports (id) ON DELETE CASCADE ON UPDATE CASCADE,
  service text NOT NULL,
  run text NOT NULL,
  number integer NOT NULL CHECK (number >= 0),
  is_last boolean NOT NULL,
  content text NOT NULL,
  PRIMARY KEY (export_id, service, run, number)
);

-- Messages whose effect must not be had twice, such as a mail.
CREATE TABLE handled_messages (
  id text NOT NULL PRIMARY KEY,
  handled_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX handled_messages_handled_at_idx ON handled_messages (handled_at);
