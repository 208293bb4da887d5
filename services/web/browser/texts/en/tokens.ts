import type { PersonalToken } from '@atrium/client';

const scopes: Record<PersonalToken['scopes'][number], string> = {
  'account:read': 'See your profile, email address and plan',
  'notes:read': 'Read your notes and workspaces',
  'notes:write': 'Write, share and delete notes and workspaces',
  'links:read': 'See your links and their clicks',
  'links:write': 'Make, change and delete links',
  'webhooks:read': 'See your webhooks and deliveries',
  'webhooks:write': 'Make, change and delete webhooks, and resend deliveries',
  'events:publish': 'Publish events of your products, and register their types',
};

export const tokens = {
  title: 'Access tokens',
  explanation:
    'A program sends one instead of your password. It never changes how you log in: password, factors, email.',
  none: 'A token lets a script or a job in CI use your notes, links and webhooks.',
  create: 'New token',
  name: 'Name',
  nameHint: 'What uses it, such as “Nightly backup”',
  scopesLabel: 'What it may do',
  scopesRequired: 'Choose what it may do',
  scopes,
  lifetime: 'Expires in',
  days: (days: number) => (days === 365 ? '1 year' : `${days} days`),
  submit: 'Create token',
  shownTitle: 'Your new token',
  shownHint: 'Copy it now. It is not shown again; a lost one is replaced by a new one.',
  copy: 'Copy the token',
  done: 'Done',
  expires: 'Expires',
  lastUsed: 'Last used',
  neverUsed: 'Never used',
  revoke: 'Revoke',
  revokeOf: (name: string) => `Revoke ${name}`,
  revokeTitle: (name: string) => `Revoke ${name}?`,
  revokeExplanation: 'What uses it is rejected from now on. It cannot be undone.',
  revoked: (name: string) => `${name} is revoked`,
};
