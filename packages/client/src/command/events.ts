import type { EventName } from '../types.ts';

/** What a listener can be sent. */
export const EVENTS: EventName[] = [
  'go.click',
  'note.created',
  'note.updated',
  'note.deleted',
  'note.shared',
  'workspace.member_added',
  'auth.suspicious_login',
];
