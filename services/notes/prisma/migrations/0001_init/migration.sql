-- One row per account. Its lock makes the workspace limit exact under parallel requests.
CREATE TABLE owners (
  account_id text NOT NULL,
  workspace_count integer NOT NULL,
  CONSTRAINT owners_pkey PRIMARY KEY (account_id),
  CONSTRAINT owners_workspace_count_check CHECK (workspace_count >= 0)
);

CREATE TABLE workspaces (
  id text NOT NULL,
  owner_id text NOT NULL,
  name text NOT NULL,
  description text NOT NULL DEFAULT '',
  note_count integer NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT workspaces_pkey PRIMARY KEY (id),
  CONSTRAINT workspaces_owner_id_fkey FOREIGN KEY (owner_id)
    REFERENCES owners (account_id) ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT workspaces_note_count_check CHECK (note_count >= 0)
);
CREATE INDEX workspaces_owner_id_id_idx ON workspaces (owner_id, id);

-- Generated columns need immutable expressions, and array_to_string is only stable. A tsvector holds
-- at most 1 MB; of a note with more words, the beginning is indexed.
CREATE FUNCTION note_search_document(title text, content text, tags text[]) RETURNS tsvector
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  heading tsvector :=
    pg_catalog.setweight(pg_catalog.to_tsvector('pg_catalog.simple', title), 'A')
    || pg_catalog.setweight(
      pg_catalog.to_tsvector('pg_catalog.simple', pg_catalog.array_to_string(tags, ' ')), 'B');
BEGIN
  RETURN heading
    || pg_catalog.setweight(pg_catalog.to_tsvector('pg_catalog.simple', content), 'C');
EXCEPTION WHEN program_limit_exceeded THEN
  RETURN heading || pg_catalog.setweight(
    pg_catalog.to_tsvector('pg_catalog.simple', pg_catalog.left(content, 40000)), 'C');
END
$$;

CREATE TABLE notes (
  id text NOT NULL,
  workspace_id text NOT NULL,
  title text NOT NULL,
  content text NOT NULL DEFAULT '',
  tags text[] NOT NULL DEFAULT '{}',
  pinned boolean NOT NULL DEFAULT false,
  -- Incremented by every change; the entity tag of the note.
  version integer NOT NULL DEFAULT 1,
  -- Not hashed: the owner sees the link again, and a reader of this column can read the note too.
  share_token text,
  shared_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  search tsvector GENERATED ALWAYS AS (note_search_document(title, content, tags)) STORED,
  CONSTRAINT notes_pkey PRIMARY KEY (id),
  CONSTRAINT notes_workspace_id_fkey FOREIGN KEY (workspace_id)
    REFERENCES workspaces (id) ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT notes_content_size_check CHECK (octet_length(content) <= 512000),
  CONSTRAINT notes_version_check CHECK (version >= 1),
  CONSTRAINT notes_shared_check CHECK ((share_token IS NULL) = (shared_at IS NULL))
);
CREATE UNIQUE INDEX notes_share_token_key ON notes (share_token);
CREATE INDEX notes_workspace_id_pinned_id_idx ON notes (workspace_id, pinned, id);
CREATE INDEX notes_search_idx ON notes USING gin (search);

-- Events and messages for other services, stored with the change that they report.
CREATE TABLE outbox (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text NOT NULL,
  queue text NOT NULL DEFAULT 'events',
  event text NOT NULL,
  account_id text NOT NULL,
  -- json, not jsonb: it is passed on as written and never searched.
  data json NOT NULL,
  request_id text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
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
