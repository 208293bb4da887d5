-- For the index that searches use. Postgres ships both, and the owner of a database may create them.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

-- Counted here, so that the limits of a plan are exact under parallel requests. The plan is what auth
-- said last.
CREATE TABLE owners (
  account_id text NOT NULL,
  plan text NOT NULL DEFAULT 'free',
  plan_changed_at timestamptz(3),
  link_count integer NOT NULL DEFAULT 0,
  -- At least the stored clicks; what has expired is taken off when they are counted again.
  click_count bigint NOT NULL DEFAULT 0,
  CONSTRAINT owners_pkey PRIMARY KEY (account_id),
  CONSTRAINT owners_plan_check CHECK (plan IN ('free', 'pro', 'unlimited')),
  CONSTRAINT owners_link_count_check CHECK (link_count >= 0)
);

CREATE TABLE links (
  id text NOT NULL,
  -- Neither owner nor target once the link is deleted: only its slug is kept, so that nobody gets it for
  -- 30 days.
  owner_id text,
  slug text NOT NULL,
  url text,
  -- Clicks by people; those by bots are only in the clicks table.
  clicks bigint NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  deleted_at timestamptz(3),
  -- When the clicks of a deleted link are purged, and no more are stored; NULL once they are.
  purge_at timestamptz(3),
  CONSTRAINT links_pkey PRIMARY KEY (id),
  CONSTRAINT links_slug_check CHECK (slug ~ '^[A-Za-z0-9_-]{3,64}$'),
  CONSTRAINT links_deleted_check CHECK (
    (owner_id IS NULL) = (deleted_at IS NOT NULL) AND (url IS NULL) = (deleted_at IS NOT NULL)
  ),
  CONSTRAINT links_purge_check CHECK (purge_at IS NULL OR deleted_at IS NOT NULL),
  CONSTRAINT links_url_check CHECK (url ~* '^https?://' AND octet_length(url) <= 2048),
  CONSTRAINT links_clicks_check CHECK (clicks >= 0)
);
CREATE UNIQUE INDEX links_slug_key ON links (slug);
CREATE INDEX links_owner_id_id_idx ON links (owner_id, id);
CREATE INDEX links_deleted_at_idx ON links (deleted_at);
CREATE INDEX links_purge_at_idx ON links (purge_at);
-- Begins with the owner, so that a search reads nothing of other accounts.
CREATE INDEX links_search_idx ON links USING gin (owner_id, (slug || E'\n' || url) gin_trgm_ops);

CREATE TABLE clicks (
  -- Generated when the link is followed, so storing a click twice changes nothing. A UUIDv7 of clicked_at.
  id uuid NOT NULL,
  link_id text NOT NULL,
  -- Of the link, which has none any more once it is deleted.
  owner_id text NOT NULL,
  clicked_at timestamptz(3) NOT NULL,
  is_bot boolean NOT NULL,
  referrer text,
  user_agent text,
  CONSTRAINT clicks_pkey PRIMARY KEY (id),
  CONSTRAINT clicks_link_id_fkey FOREIGN KEY (link_id)
    REFERENCES links (id) ON DELETE CASCADE ON UPDATE CASCADE
) PARTITION BY RANGE (id);
CREATE TABLE clicks_default PARTITION OF clicks DEFAULT;
CREATE INDEX clicks_link_id_idx ON clicks (link_id);
CREATE INDEX clicks_owner_id_clicked_at_idx ON clicks (owner_id, clicked_at);

-- Services may not change tables, so this and the next run as their owner. Whatever uses the table waits meanwhile:
-- neither waits long for its locks, nor moves more than 5,000 rows.

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
  -- First, as in statements that store clicks: a foreign key is made on it.
  LOCK TABLE links IN SHARE ROW EXCLUSIVE MODE;
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

-- Drops a partition with all that is in it.
CREATE FUNCTION drop_partition(parent text, name text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET lock_timeout = '200ms' AS $$
BEGIN
  EXECUTE format('LOCK TABLE ONLY %I', parent);
  IF EXISTS (
    SELECT FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid
    WHERE inhparent = parent::regclass AND c.relname = name
  ) THEN EXECUTE format('DROP TABLE %I', name); END IF;
  RETURN true;
END $$;

-- Counted when the clicks are stored, and kept after their retention.
CREATE TABLE daily_clicks (
  link_id text NOT NULL,
  -- In UTC.
  day date NOT NULL,
  people bigint NOT NULL,
  bots bigint NOT NULL,
  CONSTRAINT daily_clicks_pkey PRIMARY KEY (link_id, day),
  CONSTRAINT daily_clicks_link_id_fkey FOREIGN KEY (link_id)
    REFERENCES links (id) ON DELETE CASCADE ON UPDATE CASCADE
);

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

-- Responses to requests with an Idempotency-Key, for a day.
CREATE TABLE idempotency_keys (
  account_id text NOT NULL,
  key text NOT NULL,
  -- A hash of the method, URL and body: the same key with another request is an error.
  fingerprint text NOT NULL,
  -- Status, headers and body as JSON.
  response text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT idempotency_keys_pkey PRIMARY KEY (account_id, key)
);
CREATE INDEX idempotency_keys_created_at_idx ON idempotency_keys (created_at);
