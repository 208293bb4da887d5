CREATE TABLE links (
  id text NOT NULL,
  owner_id text NOT NULL,
  -- Null once the link is deleted: its slug is free again, while clicks that are still on their way
  -- find the link that they belong to.
  slug text,
  url text NOT NULL,
  -- Clicks by people. Bots are in the clicks table only.
  clicks bigint NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  deleted_at timestamptz(3),
  CONSTRAINT links_pkey PRIMARY KEY (id),
  CONSTRAINT links_slug_check CHECK (slug ~ '^[A-Za-z0-9_-]{3,64}$'),
  CONSTRAINT links_deleted_check CHECK ((slug IS NULL) = (deleted_at IS NOT NULL)),
  CONSTRAINT links_url_check CHECK (url ~* '^https?://' AND octet_length(url) <= 2048),
  CONSTRAINT links_clicks_check CHECK (clicks >= 0)
);
CREATE UNIQUE INDEX links_slug_key ON links (slug);
CREATE INDEX links_owner_id_id_idx ON links (owner_id, id);

CREATE TABLE clicks (
  -- Given when the link is followed: storing a click twice changes nothing.
  id uuid NOT NULL,
  link_id text NOT NULL,
  clicked_at timestamptz(3) NOT NULL,
  is_bot boolean NOT NULL,
  referrer text,
  user_agent text,
  CONSTRAINT clicks_pkey PRIMARY KEY (id),
  CONSTRAINT clicks_link_id_fkey FOREIGN KEY (link_id)
    REFERENCES links (id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX clicks_link_id_clicked_at_idx ON clicks (link_id, clicked_at);

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
