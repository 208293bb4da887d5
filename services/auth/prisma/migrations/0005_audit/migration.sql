-- The audit trail. Rows are only added, and go with their age or their account.
-- Who an event is about may be nobody: a login with an unknown address is an event too.
CREATE TABLE audit_events (
  id text NOT NULL PRIMARY KEY,
  account_id text REFERENCES accounts (id) ON DELETE CASCADE ON UPDATE CASCADE,
  kind text NOT NULL,
  session_id text,
  ip_address text,
  device text,
  request_id text,
  data jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX audit_events_account_id_id_idx ON audit_events (account_id, id);
CREATE INDEX audit_events_created_at_idx ON audit_events (created_at);

-- confirm-email goes to an account's next address, revert-email to its last one.
ALTER TABLE mail_links DROP CONSTRAINT mail_links_purpose_check;
ALTER TABLE mail_links ADD CONSTRAINT mail_links_purpose_check CHECK (
  purpose IN ('verify-email', 'reset-password', 'confirm-email', 'not-me', 'revert-email')
);
CREATE INDEX mail_links_expires_at_idx ON mail_links (expires_at);
CREATE INDEX mail_links_held_email_idx ON mail_links (lower(email)) WHERE purpose = 'revert-email';

-- Keeps a sweep from putting a mail on the queue that is on it already.
ALTER TABLE outgoing_mails ADD COLUMN queued_until timestamptz(3);
-- Finds the mails that are done with, to purge them.
CREATE INDEX outgoing_mails_created_at_idx ON outgoing_mails (created_at) WHERE due_at IS NULL;
