-- What is still to be delivered moves to a narrow table of its own, so that an attempt writes as
-- little as it can: a lease changes no index, a delivered row is deleted, and `deliveries` is
-- written once. Foreign keys between the hot tables go too: each costs a look-up per row; what they
-- kept together is now written by one statement and purged in order (see retention).

ALTER TABLE subscriptions
  ADD COLUMN description text NOT NULL DEFAULT '',
  -- Custom headers as encrypted JSON: they often carry a receiver's credentials.
  ADD COLUMN sealed_headers text,
  ADD COLUMN rate_limit_per_second integer CHECK (rate_limit_per_second > 0),
  -- Unlike a disabled one, a paused subscription still collects deliveries.
  ADD COLUMN paused boolean NOT NULL DEFAULT false,
  -- The first failed attempt since the last success.
  ADD COLUMN failing_since timestamptz(3),
  ADD COLUMN previous_sealed_secret text,
  ADD COLUMN previous_secret_until timestamptz(3),
  -- Until then Service-Signature is still made with the previous secret.
  ADD COLUMN service_signature_switch_at timestamptz(3),
  ADD COLUMN deleted_at timestamptz(3);

-- A row for each delivery that has not been delivered.
CREATE TABLE undelivered (
  subscription_id text NOT NULL,
  delivery_id text NOT NULL,
  event_id text NOT NULL,
  -- NULL once no attempt will follow by itself: exhausted.
  due_at timestamptz(3) DEFAULT now(),
  -- Attempts made, and the number at which it is exhausted; a redelivery raises the second.
  attempt_count smallint NOT NULL DEFAULT 0,
  attempts_allowed smallint NOT NULL DEFAULT 5,
  -- Not indexed, so that taking and ending a lease is a heap-only update.
  lease_id uuid,
  leased_until timestamptz(3),
  PRIMARY KEY (subscription_id, delivery_id)
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000);
-- What the lease reads: for each endpoint, its due rows in order. Equal keys are not folded into one
-- entry, since an entry is passed over as dead only when all its rows are.
CREATE INDEX undelivered_due_idx ON undelivered (subscription_id, due_at)
  WITH (deduplicate_items = off) WHERE due_at IS NOT NULL;

INSERT INTO undelivered (subscription_id, delivery_id, event_id, due_at, attempt_count)
SELECT d.subscription_id, d.id, d.event_id,
  CASE WHEN d.state <> 'exhausted' THEN
    CASE WHEN d.lease_id IS NULL THEN d.available_at ELSE now() END END,
  d.attempt_count
FROM deliveries d WHERE d.state <> 'delivered';

DROP INDEX deliveries_due_idx;
ALTER TABLE deliveries
  DROP CONSTRAINT deliveries_event_id_fkey,
  DROP CONSTRAINT deliveries_subscription_id_fkey,
  DROP COLUMN state,
  DROP COLUMN attempt_count,
  DROP COLUMN available_at,
  DROP COLUMN lease_id,
  ADD COLUMN event text;
UPDATE deliveries d SET event = e.event FROM events e WHERE e.id = d.event_id;
ALTER TABLE deliveries
  ALTER COLUMN event SET NOT NULL,
  RESET (autovacuum_vacuum_scale_factor, autovacuum_vacuum_threshold);

-- Named by their delivery and number: an index on the id alone would serve nobody.
DROP INDEX attempts_delivery_id_number_key;
ALTER TABLE attempts
  DROP CONSTRAINT attempts_delivery_id_fkey,
  DROP CONSTRAINT attempts_pkey,
  DROP CONSTRAINT attempts_number_check,
  ADD CONSTRAINT attempts_pkey PRIMARY KEY (delivery_id, number);

-- Events that could not be taken in, for the operator to see.
CREATE TABLE rejected_events (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  event_id text,
  reason text NOT NULL,
  payload text NOT NULL,
  rejected_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX rejected_events_event_id_key ON rejected_events (event_id);

-- An owner's wish to send again what was exhausted; a worker carries it out in small steps.
CREATE TABLE recoveries (
  id text PRIMARY KEY,
  subscription_id text NOT NULL,
  since timestamptz(3) NOT NULL,
  -- Deliveries up to this id have been dealt with.
  cursor text NOT NULL DEFAULT '',
  recovered integer NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  completed_at timestamptz(3)
);
CREATE INDEX recoveries_subscription_id_id_idx ON recoveries (subscription_id, id);
CREATE INDEX recoveries_running_idx ON recoveries (created_at) WHERE completed_at IS NULL;

-- What this service tells others (the mail about a disabled subscription).
CREATE TABLE outbox (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text NOT NULL UNIQUE,
  queue text NOT NULL DEFAULT 'events',
  event text NOT NULL,
  account_id text NOT NULL,
  data jsonb NOT NULL,
  request_id text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  claimed_until timestamptz(3),
  attempts smallint NOT NULL DEFAULT 0,
  last_error text
) WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000);
CREATE INDEX outbox_claim_idx ON outbox (queue, claimed_until NULLS FIRST, seq);
