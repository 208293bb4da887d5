/** What webhooks can subscribe to. The pages import it, so this imports nothing. */
export const EVENT_NAMES = [
  'go.click',
  'note.created',
  'note.updated',
  'note.deleted',
  'note.shared',
  'workspace.member_added',
  'auth.suspicious_login',
] as const;
