/** What a token can be made for. The pages import it, so this imports nothing. */
export const SCOPES = [
  'account:read',
  'notes:read',
  'notes:write',
  'links:read',
  'links:write',
  'webhooks:read',
  'webhooks:write',
  'events:publish',
] as const;

export type Scope = (typeof SCOPES)[number];

/** What people allow applications besides: to know who they are, and to stay logged in (OpenID Connect Core 5.4, 11). */
export const IDENTITY_SCOPES = ['openid', 'profile', 'email', 'offline_access'] as const;
