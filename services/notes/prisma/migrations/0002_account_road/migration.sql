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
