-- Which rows are on their way is not in the index any more, only when a row is due: taking a row
-- then rewrites it within its page (https://www.postgresql.org/docs/current/storage-hot.html), which
-- needs room there, and touches no index.
ALTER TABLE outbox RENAME COLUMN claimed_until TO due_at;
ALTER INDEX outbox_claim_idx RENAME TO outbox_due_idx;
ALTER TABLE outbox
  ADD COLUMN leased_until timestamptz(3),
  -- Nobody looks for an id here: consumers tell twins apart.
  DROP CONSTRAINT outbox_id_key,
  -- Only carried, never searched: kept as it was written.
  ALTER COLUMN data TYPE json,
  SET (fillfactor = 50);
