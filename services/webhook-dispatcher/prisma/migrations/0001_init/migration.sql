CREATE TABLE subscriptions (
  id text PRIMARY KEY,
  account_id text NOT NULL,
  url text NOT NULL,
  events text[] NOT NULL CHECK (cardinality(events) > 0),
  enabled boolean NOT NULL DEFAULT true,
  disabled_reason text,
  sealed_secret text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CHECK (NOT enabled OR disabled_reason IS NULL)
);
-- Serves the owner's list and the fan-out of an event to its account's subscriptions.
CREATE INDEX subscriptions_account_id_id_idx ON subscriptions (account_id, id);

-- Written once. The body is text, not jsonb: every attempt sends the same bytes.
CREATE TABLE events (
  id text PRIMARY KEY,
  event text NOT NULL,
  account_id text NOT NULL,
  body text NOT NULL,
  request_id text,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);

-- The hot rows: narrow, because each attempt rewrites one twice (lease, result).
-- available_at is when a worker may take the row next: when it is due, or, under a lease, when the
-- lease ends. NULL once no attempt will follow.
CREATE TABLE deliveries (
  id text PRIMARY KEY,
  event_id text NOT NULL REFERENCES events (id) ON DELETE CASCADE ON UPDATE CASCADE,
  subscription_id text NOT NULL REFERENCES subscriptions (id) ON DELETE CASCADE ON UPDATE CASCADE,
  state text NOT NULL DEFAULT 'pending'
    CHECK (state IN ('pending', 'delivered', 'failed', 'exhausted')),
  attempt_count smallint NOT NULL DEFAULT 0 CHECK (attempt_count BETWEEN 0 AND 5),
  available_at timestamptz(3) DEFAULT now(),
  lease_id text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CHECK ((available_at IS NOT NULL) = (state IN ('pending', 'failed')))
);
-- Each attempt leaves two dead row versions behind: the default of a fifth of the table is too late.
ALTER TABLE deliveries SET (autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_vacuum_threshold = 1000);
CREATE UNIQUE INDEX deliveries_event_id_subscription_id_key
  ON deliveries (event_id, subscription_id);
CREATE INDEX deliveries_subscription_id_id_idx ON deliveries (subscription_id, id);
-- What the lease reads: for each endpoint, its due rows in order.
CREATE INDEX deliveries_due_idx ON deliveries (subscription_id, available_at)
  WHERE available_at IS NOT NULL;

CREATE TABLE attempts (
  id text PRIMARY KEY,
  delivery_id text NOT NULL REFERENCES deliveries (id) ON DELETE CASCADE ON UPDATE CASCADE,
  number smallint NOT NULL CHECK (number BETWEEN 1 AND 5),
  started_at timestamptz(3) NOT NULL,
  duration_ms integer NOT NULL CHECK (duration_ms >= 0),
  status integer,
  error text,
  response_excerpt text
);
CREATE UNIQUE INDEX attempts_delivery_id_number_key ON attempts (delivery_id, number);
