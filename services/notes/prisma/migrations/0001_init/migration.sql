-- One row per account that owns or joined a workspace. Its lock makes the workspace limit exact under parallel
-- requests. The plan is what auth said last: limits follow the plan of the owner, whoever makes the request.
CREATE TABLE owners (
  account_id text NOT NULL,
  workspace_count integer NOT NULL DEFAULT 0,
  plan text NOT NULL DEFAULT 'free',
  plan_changed_at timestamptz(3),
  CONSTRAINT owners_pkey PRIMARY KEY (account_id),
  CONSTRAINT owners_workspace_count_check CHECK (workspace_count >= 0)
);

CREATE TABLE workspaces (
  id text NOT NULL,
  -- Null once it is deleted: it has no members any more, and a job erases what is in it.
  owner_id text,
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

-- Who may read and write a workspace. Its owner is a member too, so that every query checks one table.
CREATE TABLE members (
  account_id text NOT NULL,
  workspace_id text NOT NULL,
  role text NOT NULL,
  joined_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT members_pkey PRIMARY KEY (account_id, workspace_id),
  CONSTRAINT members_workspace_id_fkey FOREIGN KEY (workspace_id)
    REFERENCES workspaces (id) ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT members_role_check CHECK (role IN ('owner', 'editor', 'viewer'))
);
CREATE INDEX members_workspace_id_joined_at_idx ON members (workspace_id, joined_at);
CREATE UNIQUE INDEX members_owner_key ON members (workspace_id) WHERE role = 'owner';

CREATE TABLE invitations (
  id text NOT NULL,
  workspace_id text NOT NULL,
  -- In lower case.
  email text NOT NULL,
  role text NOT NULL,
  token_hash bytea NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT invitations_pkey PRIMARY KEY (id),
  CONSTRAINT invitations_workspace_id_fkey FOREIGN KEY (workspace_id)
    REFERENCES workspaces (id) ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT invitations_role_check CHECK (role IN ('editor', 'viewer'))
);
CREATE UNIQUE INDEX invitations_token_hash_key ON invitations (token_hash);
CREATE UNIQUE INDEX invitations_workspace_id_email_key ON invitations (workspace_id, email);
CREATE INDEX invitations_expires_at_idx ON invitations (expires_at);

-- The alphabet of people: without regard to letter case first, and 2 before 10.
CREATE COLLATION natural_order (provider = icu, locale = 'und-u-kn-true');

-- The name of a note as links have it. The code has the same rule (backlinks/link-names.ts): what JavaScript trims is
-- trimmed, and this collation has the full lower case of Unicode, as JavaScript has.
CREATE FUNCTION note_name(title text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT lower(btrim(title, U&' \0009\000A\000B\000C\000D\00A0\1680\2000\2001\2002\2003\2004\2005\2006\2007\2008'
    '\2009\200A\2028\2029\202F\205F\3000\FEFF') COLLATE pg_unicode_fast) COLLATE "default"
$$;

CREATE TABLE notes (
  id text NOT NULL,
  workspace_id text NOT NULL,
  title text NOT NULL,
  content text NOT NULL DEFAULT '',
  tags text[] NOT NULL DEFAULT '{}',
  pinned boolean NOT NULL DEFAULT false,
  -- A template is in neither the list of notes nor the search index; notes are made as copies of it.
  is_template boolean NOT NULL DEFAULT false,
  -- The note that it is below: not in the trash and of the same workspace, unless this one is in the trash itself,
  -- so no foreign key.
  parent_id text,
  -- Its order among its siblings.
  position double precision NOT NULL DEFAULT 0,
  -- Incremented by every change; the entity tag of the note.
  version integer NOT NULL DEFAULT 1,
  -- When it was moved to the trash. A note in the trash is in neither the count of its workspace nor the
  -- search index.
  deleted_at timestamptz(3),
  -- The trash has a share for what the owner deletes and one for what editors delete.
  deleted_by_owner boolean NOT NULL DEFAULT false,
  -- The note above it whose deletion took it along, at the same time.
  deleted_with text,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- Of an imported note: the id that its archive gives it, by which it is recognized and exported again.
  source_id text,
  CONSTRAINT notes_pkey PRIMARY KEY (id),
  CONSTRAINT notes_workspace_id_fkey FOREIGN KEY (workspace_id)
    REFERENCES workspaces (id) ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT notes_content_size_check CHECK (octet_length(content) <= 512000),
  CONSTRAINT notes_version_check CHECK (version >= 1)
);
CREATE INDEX notes_source_idx ON notes (workspace_id, source_id) WHERE source_id IS NOT NULL;
CREATE INDEX notes_workspace_id_pinned_id_idx ON notes (workspace_id, pinned, id);
-- The orders in which notes are listed.
CREATE INDEX notes_by_creation_idx ON notes (workspace_id, pinned, created_at, id)
  WHERE deleted_at IS NULL;
CREATE INDEX notes_by_change_idx ON notes (workspace_id, pinned, updated_at, id)
  WHERE deleted_at IS NULL;
CREATE INDEX notes_by_title_idx ON notes (workspace_id, pinned, title COLLATE natural_order, id)
  WHERE deleted_at IS NULL;
CREATE INDEX notes_by_name_idx ON notes (workspace_id, note_name(title), id)
  WHERE deleted_at IS NULL AND NOT is_template;
-- No parent is '', as an index does not serve IS NOT DISTINCT FROM.
CREATE INDEX notes_tree_idx ON notes (workspace_id, coalesce(parent_id, ''), position, id)
  WHERE deleted_at IS NULL AND NOT is_template;
CREATE INDEX notes_templates_idx ON notes (workspace_id, id) WHERE is_template;
CREATE INDEX notes_trash_idx ON notes (workspace_id, deleted_at, id) WHERE deleted_at IS NOT NULL;
CREATE INDEX notes_purge_idx ON notes (deleted_at) WHERE deleted_at IS NOT NULL;

-- Each member has favourites of their own. They are deleted with the membership.
CREATE TABLE favourites (
  account_id text NOT NULL,
  note_id text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT favourites_pkey PRIMARY KEY (account_id, note_id),
  CONSTRAINT favourites_note_id_fkey FOREIGN KEY (note_id)
    REFERENCES notes (id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX favourites_note_id_idx ON favourites (note_id);
CREATE INDEX favourites_account_id_created_at_note_id_idx ON favourites (account_id, created_at, note_id);

-- What the text of a note links to.
CREATE TABLE note_links (
  note_id text NOT NULL,
  -- Of that note.
  workspace_id text NOT NULL,
  -- A title in lower case, or the address of a note.
  name text NOT NULL,
  -- The note that it means, whatever its title is now; the oldest one with the title when it is null. It may
  -- be of a note that is gone.
  target_id text,
  CONSTRAINT note_links_pkey PRIMARY KEY (note_id, name),
  CONSTRAINT note_links_note_id_fkey FOREIGN KEY (note_id)
    REFERENCES notes (id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX note_links_workspace_id_name_idx ON note_links (workspace_id, name);
CREATE INDEX note_links_target_id_idx ON note_links (target_id);

-- A note with such a row is public.
CREATE TABLE shares (
  note_id text NOT NULL,
  -- Not hashed: the owner sees the link again, and a reader of this column can read the note too.
  token text NOT NULL,
  password_hash text,
  -- Signs what readers get when they have opened the note; a new password brings a new key.
  access_key bytea NOT NULL,
  expires_at timestamptz(3),
  max_views integer,
  views integer NOT NULL DEFAULT 0,
  allow_indexing boolean NOT NULL DEFAULT false,
  -- Incremented by every change of the settings; the entity tag of the share.
  version integer NOT NULL,
  shared_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT shares_pkey PRIMARY KEY (note_id),
  CONSTRAINT shares_note_id_fkey FOREIGN KEY (note_id)
    REFERENCES notes (id) ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT shares_max_views_check CHECK (max_views >= 1),
  CONSTRAINT shares_version_check CHECK (version >= 1)
);
CREATE UNIQUE INDEX shares_token_key ON shares (token);

-- Files that notes refer to; their content is in the file storage, under their id. What is removed is first
-- detached from its workspaces, then erased from the storage, and only then is its row deleted.
CREATE TABLE attachments (
  id text NOT NULL,
  name text NOT NULL,
  type text NOT NULL,
  size_bytes integer NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- Null while it is being uploaded.
  stored_at timestamptz(3),
  -- Renewed by the process that uploads it.
  leased_until timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- As of notes.
  source_id text,
  CONSTRAINT attachments_pkey PRIMARY KEY (id),
  CONSTRAINT attachments_size_check CHECK (size_bytes >= 0)
);

-- The workspaces whose notes may refer to a file. Another one is added when such a note is moved or copied
-- there, so that the text of the note stays as it is.
CREATE TABLE attachment_workspaces (
  workspace_id text NOT NULL,
  attachment_id text NOT NULL,
  -- When a job last looked for notes that refer to it, and since when it has found none.
  checked_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  unused_since timestamptz(3),
  CONSTRAINT attachment_workspaces_pkey PRIMARY KEY (workspace_id, attachment_id),
  CONSTRAINT attachment_workspaces_workspace_id_fkey FOREIGN KEY (workspace_id)
    REFERENCES workspaces (id) ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT attachment_workspaces_attachment_id_fkey FOREIGN KEY (attachment_id)
    REFERENCES attachments (id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX attachment_workspaces_attachment_id_idx ON attachment_workspaces (attachment_id);
CREATE INDEX attachment_workspaces_checked_at_idx ON attachment_workspaces (checked_at);

-- Archives whose notes become notes of a workspace. The archive is in the file storage, under the id of its
-- import, until the import is finished; then the row reports its outcome.
CREATE TABLE imports (
  id text NOT NULL,
  workspace_id text,
  account_id text NOT NULL,
  state text NOT NULL DEFAULT 'uploading',
  size_bytes bigint NOT NULL,
  -- Entries of the archive to import, and how many of them are dealt with, in their order.
  total integer NOT NULL DEFAULT 0,
  done integer NOT NULL DEFAULT 0,
  created integer NOT NULL DEFAULT 0,
  unchanged integer NOT NULL DEFAULT 0,
  -- The first of what was left out, each with its path and the reason.
  skipped jsonb NOT NULL DEFAULT '[]',
  skipped_count integer NOT NULL DEFAULT 0,
  -- What its report counts as: the most that it can have, until it is finished.
  report_bytes integer NOT NULL,
  -- What the archive says of the workspace that was exported.
  source_name text,
  source_description text,
  error text,
  -- Incremented whenever a worker leases the import: one whose lease has ended can record nothing more.
  attempt integer NOT NULL DEFAULT 0,
  -- In a row, without progress.
  failures integer NOT NULL DEFAULT 0,
  -- Neither finished nor released: once the lease has ended, its worker has too.
  is_leased boolean NOT NULL DEFAULT false,
  -- How often its worker has ended.
  interruptions integer NOT NULL DEFAULT 0,
  leased_until timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  finished_at timestamptz(3),
  CONSTRAINT imports_pkey PRIMARY KEY (id),
  CONSTRAINT imports_workspace_id_fkey FOREIGN KEY (workspace_id)
    REFERENCES workspaces (id) ON DELETE SET NULL ON UPDATE CASCADE,
  CONSTRAINT imports_state_check
    CHECK (state IN ('uploading', 'waiting', 'running', 'completed', 'failed'))
);
CREATE INDEX imports_workspace_id_id_idx ON imports (workspace_id, id);
CREATE INDEX imports_account_id_idx ON imports (account_id);
-- One at a time in a workspace.
CREATE UNIQUE INDEX imports_active_key ON imports (workspace_id) WHERE finished_at IS NULL;
CREATE INDEX imports_finished_idx ON imports (finished_at) WHERE finished_at IS NOT NULL;

-- What a note said. Its current version, the one that is not superseded, holds its current text.
CREATE TABLE versions (
  id text NOT NULL,
  note_id text NOT NULL,
  -- Null when the account has been erased.
  author_id text,
  name text,
  title text NOT NULL,
  content text NOT NULL,
  tags text[] NOT NULL,
  -- When its author began it, and when it became the current one; the same unless somebody else wrote in between.
  begun_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL,
  superseded_at timestamptz(3),
  CONSTRAINT versions_pkey PRIMARY KEY (id),
  CONSTRAINT versions_note_id_fkey FOREIGN KEY (note_id)
    REFERENCES notes (id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX versions_note_id_created_at_id_idx ON versions (note_id, created_at, id);
CREATE INDEX versions_author_id_id_idx ON versions (author_id, id);
CREATE INDEX versions_superseded_idx ON versions (superseded_at) WHERE superseded_at IS NOT NULL;

-- How many bytes two texts begin with alike, by bisection. Not characters: each step would count them.
CREATE FUNCTION common_start(one bytea, other bytea) RETURNS integer
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  alike integer := 0;
  most integer := least(length(one), length(other));
  tried integer;
BEGIN
  WHILE alike < most LOOP
    tried := (alike + most + 1) / 2;
    IF substring(one FROM 1 FOR tried) = substring(other FROM 1 FOR tried) THEN
      alike := tried;
    ELSE
      most := tried - 1;
    END IF;
  END LOOP;
  RETURN alike;
END
$$;

-- How many bytes a workspace holds, and the sum for its owner, kept by the triggers below, so that whatever writes or
-- deletes counts. Tables of their own, locked after notes: a lock on the workspace or its owner, which others take
-- before those of notes, would lead to deadlocks; so would foreign keys. Workspaces are locked before owners, each in
-- the order of their ids.
CREATE TABLE workspace_storage (
  workspace_id text NOT NULL,
  -- Null once the workspace is deleted.
  owner_id text,
  note_bytes bigint NOT NULL DEFAULT 0,
  version_bytes bigint NOT NULL DEFAULT 0,
  attachment_bytes bigint NOT NULL DEFAULT 0,
  import_bytes bigint NOT NULL DEFAULT 0,
  CONSTRAINT workspace_storage_pkey PRIMARY KEY (workspace_id)
);

CREATE TABLE owner_storage (
  owner_id text NOT NULL,
  note_bytes bigint NOT NULL DEFAULT 0,
  version_bytes bigint NOT NULL DEFAULT 0,
  attachment_bytes bigint NOT NULL DEFAULT 0,
  import_bytes bigint NOT NULL DEFAULT 0,
  -- The latest transaction that changed the sum, and the sum before it: only what adds to it can be too much.
  changed_by bigint NOT NULL DEFAULT 0,
  former_bytes bigint NOT NULL DEFAULT 0,
  CONSTRAINT owner_storage_pkey PRIMARY KEY (owner_id)
);

-- Of a note or a version. 1 kB stands for its title, its tags and its entries in indexes.
CREATE FUNCTION text_bytes(content text) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT octet_length(content)::bigint + 1024';

CREATE TYPE storage_change AS (workspace_id text, bytes bigint);

CREATE FUNCTION change_storage(kind text, changes storage_change[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  WITH change AS MATERIALIZED (
    SELECT workspace_id, sum(bytes)::bigint AS bytes FROM unnest(changes)
    GROUP BY workspace_id HAVING sum(bytes) <> 0
  ), locked AS MATERIALIZED (
    SELECT workspace_id FROM workspace_storage
    WHERE workspace_id = ANY (ARRAY(SELECT workspace_id FROM change))
    ORDER BY workspace_id FOR UPDATE
  )
  UPDATE workspace_storage AS storage SET
    note_bytes = note_bytes + CASE kind WHEN 'note' THEN bytes ELSE 0 END,
    version_bytes = version_bytes + CASE kind WHEN 'version' THEN bytes ELSE 0 END,
    attachment_bytes = attachment_bytes + CASE kind WHEN 'attachment' THEN bytes ELSE 0 END,
    import_bytes = import_bytes + CASE kind WHEN 'import' THEN bytes ELSE 0 END
  FROM change JOIN locked USING (workspace_id)
  WHERE storage.workspace_id = change.workspace_id;
END
$$;

CREATE FUNCTION sum_storage() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  WITH change AS MATERIALIZED (
    SELECT owner_id, sum(note_bytes)::bigint AS note, sum(version_bytes)::bigint AS version,
      sum(attachment_bytes)::bigint AS attachment, sum(import_bytes)::bigint AS import
    FROM (
      SELECT owner_id, note_bytes, version_bytes, attachment_bytes, import_bytes FROM added
      UNION ALL
      SELECT owner_id, -note_bytes, -version_bytes, -attachment_bytes, -import_bytes FROM removed
    ) AS changed
    GROUP BY owner_id
  ), locked AS MATERIALIZED (
    SELECT owner_id FROM owner_storage WHERE owner_id = ANY (ARRAY(SELECT owner_id FROM change))
    ORDER BY owner_id FOR UPDATE
  )
  UPDATE owner_storage AS storage SET
    note_bytes = note_bytes + note, version_bytes = version_bytes + version,
    attachment_bytes = attachment_bytes + attachment, import_bytes = import_bytes + import,
    changed_by = pg_current_xact_id()::text::bigint,
    former_bytes = CASE WHEN changed_by = pg_current_xact_id()::text::bigint THEN former_bytes
      ELSE note_bytes + version_bytes + attachment_bytes + import_bytes END
  FROM change JOIN locked USING (owner_id)
  WHERE storage.owner_id = change.owner_id;
  RETURN NULL;
END
$$;
CREATE TRIGGER workspace_storage_changed AFTER UPDATE ON workspace_storage
  REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION sum_storage();

CREATE FUNCTION open_storage() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO owner_storage (owner_id) VALUES (NEW.owner_id) ON CONFLICT DO NOTHING;
  INSERT INTO workspace_storage (workspace_id, owner_id) VALUES (NEW.id, NEW.owner_id);
  RETURN NULL;
END
$$;
CREATE TRIGGER workspaces_created AFTER INSERT ON workspaces
  FOR EACH ROW EXECUTE FUNCTION open_storage();

CREATE FUNCTION close_storage() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'workspaces' THEN
    DELETE FROM workspace_storage WHERE workspace_id = OLD.id;
  ELSE
    DELETE FROM owner_storage WHERE owner_id = OLD.account_id;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER workspaces_deleted AFTER DELETE ON workspaces
  FOR EACH ROW EXECUTE FUNCTION close_storage();
CREATE TRIGGER owners_deleted AFTER DELETE ON owners
  FOR EACH ROW EXECUTE FUNCTION close_storage();

-- A statement changes many when an account is erased.
CREATE FUNCTION pass_on_storage() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  ids text[] := ARRAY(
    SELECT id FROM added JOIN removed USING (id)
    WHERE added.owner_id IS DISTINCT FROM removed.owner_id
  );
BEGIN
  IF cardinality(ids) = 0 THEN
    RETURN NULL;
  END IF;
  INSERT INTO owner_storage (owner_id)
  SELECT DISTINCT owner_id FROM added WHERE id = ANY (ids) AND owner_id IS NOT NULL
  ON CONFLICT DO NOTHING;
  PERFORM FROM workspace_storage WHERE workspace_id = ANY (ids) ORDER BY workspace_id FOR UPDATE;
  UPDATE workspace_storage AS storage SET owner_id = added.owner_id FROM added
  WHERE added.id = storage.workspace_id AND added.id = ANY (ids);
  RETURN NULL;
END
$$;
CREATE TRIGGER workspaces_passed_on AFTER UPDATE ON workspaces
  REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION pass_on_storage();

CREATE FUNCTION count_notes() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  CASE TG_OP
    WHEN 'INSERT' THEN
      PERFORM change_storage('note', ARRAY(
        SELECT ROW (workspace_id, text_bytes(content))::storage_change FROM added
      ));
    WHEN 'DELETE' THEN
      PERFORM change_storage('note', ARRAY(
        SELECT ROW (workspace_id, -text_bytes(content))::storage_change FROM removed
      ));
    ELSE
      PERFORM change_storage('note', ARRAY(
        SELECT ROW (workspace_id, text_bytes(content))::storage_change FROM added
        UNION ALL
        SELECT ROW (workspace_id, -text_bytes(content))::storage_change FROM removed
      ));
      -- A note that is moved takes its versions along.
      PERFORM change_storage('version', ARRAY(
        SELECT ROW (passed.workspace_id, passed.sign * text_bytes(versions.content))::storage_change
        FROM added JOIN removed USING (id) JOIN versions ON versions.note_id = added.id
          CROSS JOIN LATERAL (VALUES (added.workspace_id, 1), (removed.workspace_id, -1))
            AS passed (workspace_id, sign)
        WHERE added.workspace_id <> removed.workspace_id
      ));
  END CASE;
  RETURN NULL;
END
$$;
CREATE TRIGGER notes_created AFTER INSERT ON notes REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_notes();
CREATE TRIGGER notes_changed AFTER UPDATE ON notes
  REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_notes();
CREATE TRIGGER notes_deleted AFTER DELETE ON notes REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_notes();

-- Versions are deleted before their note, so that their workspace is still known.
CREATE FUNCTION count_versions() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  CASE TG_OP
    WHEN 'INSERT' THEN
      PERFORM change_storage('version', ARRAY(
        SELECT ROW (workspace_id, text_bytes(added.content))::storage_change
        FROM added JOIN notes ON notes.id = added.note_id
      ));
    WHEN 'DELETE' THEN
      PERFORM change_storage('version', ARRAY(
        SELECT ROW (workspace_id, -text_bytes(removed.content))::storage_change
        FROM removed JOIN notes ON notes.id = removed.note_id
      ));
    ELSE
      PERFORM change_storage('version', ARRAY(
        SELECT ROW (workspace_id, text_bytes(added.content) - text_bytes(removed.content))::storage_change
        FROM added JOIN removed USING (id) JOIN notes ON notes.id = added.note_id
      ));
  END CASE;
  RETURN NULL;
END
$$;
CREATE TRIGGER versions_created AFTER INSERT ON versions REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_versions();
CREATE TRIGGER versions_changed AFTER UPDATE ON versions
  REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_versions();
CREATE TRIGGER versions_deleted AFTER DELETE ON versions REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_versions();

-- A file counts in each workspace that has it.
CREATE FUNCTION count_attachments() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  CASE TG_OP
    WHEN 'INSERT' THEN
      PERFORM change_storage('attachment', ARRAY(
        SELECT ROW (workspace_id, size_bytes)::storage_change
        FROM added JOIN attachments ON attachments.id = attachment_id
      ));
    ELSE
      PERFORM change_storage('attachment', ARRAY(
        SELECT ROW (workspace_id, -size_bytes)::storage_change
        FROM removed JOIN attachments ON attachments.id = attachment_id
      ));
  END CASE;
  RETURN NULL;
END
$$;
CREATE TRIGGER attachments_attached AFTER INSERT ON attachment_workspaces
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_attachments();
CREATE TRIGGER attachments_detached AFTER DELETE ON attachment_workspaces
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_attachments();

CREATE FUNCTION count_imports() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  CASE TG_OP
    WHEN 'INSERT' THEN
      PERFORM change_storage('import', ARRAY(
        SELECT ROW (workspace_id, report_bytes)::storage_change FROM added
      ));
    WHEN 'DELETE' THEN
      PERFORM change_storage('import', ARRAY(
        SELECT ROW (workspace_id, -report_bytes)::storage_change FROM removed
      ));
    ELSE
      PERFORM change_storage('import', ARRAY(
        SELECT ROW (workspace_id, report_bytes)::storage_change FROM added
        UNION ALL
        SELECT ROW (workspace_id, -report_bytes)::storage_change FROM removed
      ));
  END CASE;
  RETURN NULL;
END
$$;
CREATE TRIGGER imports_created AFTER INSERT ON imports REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_imports();
CREATE TRIGGER imports_changed AFTER UPDATE ON imports
  REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_imports();
CREATE TRIGGER imports_deleted AFTER DELETE ON imports REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_imports();

-- Who did what in a workspace: the latest 10,000 entries of 90 days. The titles of a note are null once it is
-- erased. No foreign keys: they would lock the workspace after the note; every other writer locks it before.
CREATE TABLE activities (
  id text NOT NULL,
  workspace_id text NOT NULL,
  -- Null when the account has been erased; member_id too.
  actor_id text,
  kind text NOT NULL,
  note_id text,
  title text,
  former_title text,
  member_id text,
  role text,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT activities_pkey PRIMARY KEY (id)
);
CREATE INDEX activities_workspace_id_id_idx ON activities (workspace_id, id);
CREATE INDEX activities_actor_id_id_idx ON activities (actor_id, id);
CREATE INDEX activities_member_id_idx ON activities (member_id);
-- Serves the erasure of titles.
CREATE INDEX activities_note_id_idx ON activities (note_id);

-- The search index; see docs/decisions/0014-search-has-its-own-index.md. Workspaces and their
-- notes have small numbers in it. No foreign keys: a deleted workspace cannot be found at once, and a
-- scheduled job deletes its rows, as there may be millions.
CREATE TABLE search_workspaces (
  number integer GENERATED ALWAYS AS IDENTITY,
  workspace_id text NOT NULL,
  -- The number given last; never given again.
  last_note integer NOT NULL,
  note_count integer NOT NULL,
  total_length bigint NOT NULL,
  -- How many notes are written in each language.
  languages jsonb NOT NULL,
  CONSTRAINT search_workspaces_pkey PRIMARY KEY (number)
) WITH (fillfactor = 50);
CREATE UNIQUE INDEX search_workspaces_workspace_id_key ON search_workspaces (workspace_id);

CREATE TABLE search_notes (
  workspace_number integer NOT NULL,
  note_number integer NOT NULL,
  note_id text NOT NULL,
  language text NOT NULL,
  length integer NOT NULL,
  -- What search_blocks holds of the note: its words, one a line, and one byte of weight for each.
  words text NOT NULL,
  weights bytea NOT NULL,
  -- Its heaviest words as hashes, by which search results are compared.
  profile bytea NOT NULL,
  CONSTRAINT search_notes_pkey PRIMARY KEY (workspace_number, note_number)
);
CREATE UNIQUE INDEX search_notes_note_id_key ON search_notes (note_id);

-- Where a word occurs in the notes 512 * block to 512 * block + 511 of a workspace: four bytes each,
-- see services/notes/src/search-index/entries.ts. Rows are rewritten in place, which needs room in the page.
CREATE TABLE search_blocks (
  workspace_number integer NOT NULL,
  word text COLLATE "C" NOT NULL,
  block integer NOT NULL,
  entries bytea NOT NULL,
  CONSTRAINT search_blocks_pkey PRIMARY KEY (workspace_number, word, block)
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
-- At most 2 kB: neither compressed nor moved out of the row.
ALTER TABLE search_blocks ALTER COLUMN entries SET STORAGE PLAIN;

-- The stem of a folded word. Stemmed twice, as a stemmer finds fewer endings in a word without its
-- accents (fatiguees, fatigue, fatigu). No language: the word itself.
CREATE FUNCTION search_stem(language text, word text) RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  dictionary regdictionary;
  once text;
BEGIN
  IF language = '' THEN
    RETURN word;
  END IF;
  dictionary := ('pg_catalog.' || language || '_stem')::regdictionary;
  once := coalesce((pg_catalog.ts_lexize(dictionary, word))[1], word);
  RETURN coalesce((pg_catalog.ts_lexize(dictionary, once))[1], once);
END
$$;

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
-- At most one note.updated for each note and minute. Not due_at: rows that fail together get the same one.
CREATE UNIQUE INDEX outbox_note_updated_key ON outbox ((data ->> 'noteId'), created_at)
  WHERE event = 'note.updated';

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
