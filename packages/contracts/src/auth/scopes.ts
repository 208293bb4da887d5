import Type, { type Static } from 'typebox';

/** What a token can be made for. The pages import it, so it says nothing else. */
export const SCOPES = [
  'account:read',
  'notes:read',
  'notes:write',
  'links:read',
  'links:write',
  'webhooks:read',
  'webhooks:write',
] as const;

export const Scope = Type.Enum([...SCOPES]);
export type Scope = Static<typeof Scope>;
