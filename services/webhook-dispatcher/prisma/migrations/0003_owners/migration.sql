-- What owners list and recover. Only exhausted rows are in it, so it costs an attempt nothing.
CREATE INDEX undelivered_exhausted_idx ON undelivered (subscription_id, delivery_id)
  WHERE due_at IS NULL;
-- What the purge looks for.
CREATE INDEX subscriptions_deleted_idx ON subscriptions (deleted_at) WHERE deleted_at IS NOT NULL;
