CREATE TABLE subscriptions (
  id text PRIMARY KEY,
  account_id text NOT NULL,
  url text NOT NULL,
  events text[] NOT NULL CHECK (cardinality(events) > 0),
  -- Of the only product whose events it has ever asked for; NULL once it asked for events of several.
  namespace text,
  description text NOT NULL DEFAULT '',
  -- json, not jsonb: shown as it was written.
  filter json,
  -- Events that its filter has kept away since it was set.
  unmatched_count bigint NOT NULL DEFAULT 0,
  enabled boolean NOT NULL DEFAULT true,
  disabled_reason text,
  -- Unlike a disabled one, a paused subscription still collects deliveries.
  paused boolean NOT NULL DEFAULT false,
  rate_limit_per_second integer CHECK (rate_limit_per_second > 0),
  sealed_secret text NOT NULL,
  previous_sealed_secret text,
  previous_secret_until timestamptz(3),
  -- Until then Service-Signature is still made with the previous secret.
  service_signature_switch_at timestamptz(3),
  -- Of an ed25519 key pair, whose private key is encrypted with the secret; null for HMAC.
  public_key text,
  previous_public_key text,
  -- Custom headers as encrypted JSON: they often carry a receiver's credentials.
  sealed_headers text,
  -- A destination other than HTTP as encrypted JSON, with its credentials.
  sealed_destination text,
  -- The first failed attempt since the last success.
  failing_since timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  -- When a listener last fetched its deliveries; null for all that are sent by workers.
  listened_at timestamptz(3),
  deleted_at timestamptz(3),
  -- To the workers a listener is paused: they neither send nor count what it collects.
  CHECK (listened_at IS NULL OR paused),
  CHECK (NOT enabled OR disabled_reason IS NULL)
);
-- Serves the owner's list and the fan-out of an event to its account's subscriptions.
CREATE INDEX subscriptions_account_id_id_idx ON subscriptions (account_id, id);
-- Serves the purge.
CREATE INDEX subscriptions_deleted_idx ON subscriptions (deleted_at) WHERE deleted_at IS NOT NULL;

-- What auth said last: the plan for portals, whose tokens carry none, and the id from before an import.
CREATE TABLE owners (
  account_id text PRIMARY KEY,
  plan text NOT NULL DEFAULT 'free' CHECK (plan IN ('free', 'pro', 'unlimited')),
  plan_changed_at timestamptz(3),
  external_id text
);
-- Serves publishing to external ids. Auth alone keeps them unique: its messages arrive in any order.
CREATE INDEX owners_external_id_idx ON owners (external_id, account_id)
  WHERE external_id IS NOT NULL;

-- No foreign keys among the following tables: each would cost a lookup per row. One statement
-- writes what belongs together, and retention removes it in order.

-- Written once. The body is text, not jsonb: every attempt sends the same bytes.
-- Partitioned by the time in its ids, as are attempts: see create_partition below.
CREATE TABLE events (
  id text PRIMARY KEY,
  event text NOT NULL,
  account_id text NOT NULL,
  body text NOT NULL,
  request_id text,
  traceparent text,
  -- Made by its owner for a test, with example data.
  is_test boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  -- Those that asked for its type and whose filter it did not match; NULL for none.
  unmatched_subscription_ids text[]
) PARTITION BY RANGE (id);
CREATE TABLE events_default PARTITION OF events DEFAULT;
-- Serves the preview of a filter, which finds all other events by their deliveries.
CREATE INDEX events_unmatched_idx ON events (account_id, id)
  WHERE unmatched_subscription_ids IS NOT NULL;

-- Written once. Its state is in `undelivered`.
CREATE TABLE deliveries (
  id text PRIMARY KEY,
  event_id text NOT NULL,
  subscription_id text NOT NULL,
  event text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX deliveries_event_id_subscription_id_key
  ON deliveries (event_id, subscription_id);
CREATE INDEX deliveries_subscription_id_id_idx ON deliveries (subscription_id, id);

-- A narrow row for each delivery that has not been delivered, rewritten by each lease and attempt.
CREATE TABLE undelivered (
  subscription_id text NOT NULL,
  delivery_id text NOT NULL,
  event_id text NOT NULL,
  -- NULL once no attempt will follow by itself: exhausted.
  due_at timestamptz(3) DEFAULT now(),
  -- Attempts made, and the number at which it is exhausted; a redelivery raises the second.
  attempt_count smallint NOT NULL DEFAULT 0,
  attempts_allowed smallint NOT NULL DEFAULT 5,
  -- Since when its name could not be looked up in time. An answer or a redelivery starts anew.
  postponed_since timestamptz(3),
  -- In no index, so that taking and ending a lease is a heap-only update.
  lease_id uuid,
  leased_until timestamptz(3),
  -- Leases that have expired during the next attempt, as those of a worker that has crashed.
  take_overs smallint NOT NULL DEFAULT 0,
  PRIMARY KEY (subscription_id, delivery_id)
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000);
-- Serves the lease: for each endpoint, its due rows in order. Equal keys are not folded into one
-- entry, because an entry is skipped as dead only when all its rows are.
CREATE INDEX undelivered_due_idx ON undelivered (subscription_id, due_at)
  WITH (deduplicate_items = off) WHERE due_at IS NOT NULL;
-- Serves what owners list and recover. It holds exhausted rows only, so an attempt does not touch it.
CREATE INDEX undelivered_exhausted_idx ON undelivered (subscription_id, delivery_id)
  WHERE due_at IS NULL;

CREATE TABLE attempts (
  id text NOT NULL,
  delivery_id text NOT NULL,
  number smallint NOT NULL,
  started_at timestamptz(3) NOT NULL,
  duration_ms integer NOT NULL CHECK (duration_ms >= 0),
  status integer,
  error text,
  response_headers text,
  response_excerpt text,
  PRIMARY KEY (delivery_id, number)
) PARTITION BY RANGE (delivery_id);
CREATE TABLE attempts_default PARTITION OF attempts DEFAULT;

-- Services may not change tables, so this and the next run as their owner. Whatever uses the table waits meanwhile:
-- neither waits long for its locks, nor moves more than 5,000 keys.

-- Makes a partition, and moves what the default partition has of its range. False: that would be too much.
CREATE FUNCTION create_partition(parent text, name text, lower text, upper text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET lock_timeout = '200ms' SET enable_seqscan = off AS $$
DECLARE
  rest text := parent || '_default';
  key text := substring(pg_get_partkeydef(parent::regclass) FROM '\((\w+)\)');
  in_range text := format('%1$I >= %2$L AND %1$I < %3$L', key, lower, upper);
  is_too_much boolean;
BEGIN
  -- Against everything: an INSERT that is on its way to the default partition already would fail there.
  EXECUTE format('LOCK TABLE ONLY %I', parent);
  IF to_regclass(quote_ident(name)) IS NOT NULL THEN RETURN true; END IF;
  EXECUTE format('LOCK TABLE %I', rest);
  EXECUTE format('SELECT EXISTS (SELECT FROM %I WHERE %s OFFSET 5000)', rest, in_range) INTO is_too_much;
  IF is_too_much THEN RETURN false; END IF;
  EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL)', name, parent);
  EXECUTE format('WITH moved AS (DELETE FROM %I WHERE %s RETURNING *) INSERT INTO %I SELECT * FROM moved',
    rest, in_range, name);
  EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
    parent, name, lower, upper);
  RETURN true;
END $$;

-- Drops a partition, and moves what remaining and held deliveries refer to into the default partition.
-- False: that would be too much.
CREATE FUNCTION drop_partition(parent text, name text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET lock_timeout = '200ms' SET enable_seqscan = off AS $$
DECLARE
  key text := substring(pg_get_partkeydef(parent::regclass) FROM '\((\w+)\)');
  users text := CASE parent
    WHEN 'events' THEN 'SELECT event_id AS used FROM deliveries UNION ALL SELECT event_id FROM held_deliveries'
    ELSE 'SELECT id AS used FROM deliveries' END;
  bounds text[];
  used text[];
  is_locked boolean;
BEGIN
  -- Twice: the first time, without a lock, passes over what has just been deleted and marks it for the second.
  FOR is_locked IN SELECT unnest(ARRAY[false, true]) LOOP
    IF is_locked THEN EXECUTE format('LOCK TABLE ONLY %I', parent); END IF;
    SELECT regexp_match(pg_get_expr(c.relpartbound, c.oid), 'FROM \(''(.*)''\) TO \(''(.*)''\)') INTO bounds
    FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid
    WHERE inhparent = parent::regclass AND c.relname = name;
    IF bounds IS NULL THEN RETURN true; END IF;
    EXECUTE format('SELECT ARRAY (SELECT used FROM (%s) users WHERE used >= $1 AND used < $2 LIMIT 5001)', users)
      INTO used USING bounds[1], bounds[2];
    IF cardinality(used) > 5000 THEN RETURN false; END IF;
  END LOOP;
  EXECUTE format('ALTER TABLE %I DETACH PARTITION %I', parent, name);
  EXECUTE format('INSERT INTO %I SELECT * FROM %I WHERE %I = ANY ($1)', parent, name, key) USING used;
  EXECUTE format('DROP TABLE %I', name);
  RETURN true;
END $$;

-- Deliveries of subscriptions that are full, the oldest event first; made when there is capacity. Decided on arrival,
-- as for others: one that is disabled meanwhile keeps its deliveries.
CREATE TABLE held_deliveries (
  subscription_id text NOT NULL,
  event_id text NOT NULL,
  event text NOT NULL,
  PRIMARY KEY (subscription_id, event_id)
) WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000);
-- Serves retention, which keeps their events, and the trace of an event.
CREATE INDEX held_deliveries_event_id_idx ON held_deliveries (event_id);

-- Events that could not be ingested, for the operator.
CREATE TABLE rejected_events (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  event_id text,
  reason text NOT NULL,
  payload text NOT NULL,
  rejected_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX rejected_events_event_id_key ON rejected_events (event_id);

-- An owner's request to send exhausted deliveries again; workers carry it out in batches.
CREATE TABLE recoveries (
  id text PRIMARY KEY,
  subscription_id text NOT NULL,
  since timestamptz(3) NOT NULL,
  -- Deliveries up to this id are done.
  cursor text NOT NULL DEFAULT '',
  recovered integer NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  completed_at timestamptz(3)
);
CREATE INDEX recoveries_subscription_id_id_idx ON recoveries (subscription_id, id);
CREATE INDEX recoveries_running_idx ON recoveries (created_at) WHERE completed_at IS NULL;

-- The first part of the names of a product's event types.
CREATE TABLE namespaces (
  name text PRIMARY KEY,
  account_id text NOT NULL,
  -- Set by an operator: its tokens may publish to any account.
  trusted_application_id text,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX namespaces_account_id_idx ON namespaces (account_id);

-- How the pages of a product's webhooks look to its customers.
CREATE TABLE portals (
  namespace text PRIMARY KEY REFERENCES namespaces ON DELETE CASCADE,
  name text NOT NULL,
  colour text,
  logo text,
  -- Whose pages may show them in a frame.
  origins text[] NOT NULL
);

-- SHA-256 of the token of a link, and of the one that it is exchanged for.
CREATE TABLE portal_sessions (
  link_hash bytea PRIMARY KEY,
  access_hash bytea NOT NULL,
  namespace text NOT NULL REFERENCES namespaces ON DELETE CASCADE,
  account_id text NOT NULL,
  application_id text,
  -- What has made the link, which ends with it.
  session_id text NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX portal_sessions_access_hash_key ON portal_sessions (access_hash);
CREATE INDEX portal_sessions_namespace_idx ON portal_sessions (namespace);
CREATE INDEX portal_sessions_account_id_idx ON portal_sessions (account_id);
CREATE INDEX portal_sessions_expires_at_idx ON portal_sessions (expires_at);

CREATE TABLE event_types (
  name text PRIMARY KEY,
  namespace text NOT NULL REFERENCES namespaces ON DELETE CASCADE,
  description text NOT NULL,
  -- json, not jsonb: shown as it was written.
  example json NOT NULL,
  version integer NOT NULL,
  archived_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX event_types_namespace_idx ON event_types (namespace);

-- What the data of an event type is, and was.
CREATE TABLE event_type_versions (
  name text NOT NULL REFERENCES event_types ON DELETE CASCADE,
  version integer NOT NULL,
  schema json NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (name, version)
);

-- The ids that products give their events, so that each is published once.
CREATE TABLE published_events (
  namespace text NOT NULL,
  id text NOT NULL,
  -- SHA-256 of its content.
  hash bytea NOT NULL,
  event_id text NOT NULL,
  PRIMARY KEY (namespace, id)
);
CREATE INDEX published_events_event_id_idx ON published_events (event_id);

-- Messages for other services (the email about a disabled subscription), stored with the change.
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

-- Responses to requests with an Idempotency-Key, for a day.
CREATE TABLE idempotency_keys (
  account_id text NOT NULL,
  key text NOT NULL,
  -- A hash of the method, URL and body: the same key with another request is an error.
  fingerprint text NOT NULL,
  -- Status, headers and body as JSON, encrypted: some hold a secret.
  response text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT idempotency_keys_pkey PRIMARY KEY (account_id, key)
);
CREATE INDEX idempotency_keys_created_at_idx ON idempotency_keys (created_at);
