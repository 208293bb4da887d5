/** What a token can be made for. The pages import it, so this imports nothing. */
export const SCOPES = [
  'account:read',
  'notes:read',
  'notes:write',
  'links:read',
  'links:write',
  'webhooks:read',
  'webhooks:write',
] as const;

export type Scope = (typeof SCOPES)[number];
