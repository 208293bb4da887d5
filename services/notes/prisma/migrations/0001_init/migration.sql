-- One row per account: the row whose lock makes "five workspaces" exact under parallel requests.
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

-- A function of its own because a generated column takes immutable expressions only, and
-- array_to_string is merely stable. A tsvector holds at most 1 MB: a note made of hundreds of
-- thousands of different words is still accepted, and its beginning is what can be found.
-- It names every function by its schema, so that no search_path can change what it does.
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
  -- Counts every change; the entity tag of the note.
  version integer NOT NULL DEFAULT 1,
  -- Stored as it is, not hashed: the link is a capability that its owner is shown again each time
  -- the note is read, and whoever could read this column could read the note beside it.
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
