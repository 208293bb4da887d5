import type { EventName } from '../types.ts';

/** Of Atrium; products publish others. */
export const EVENTS: EventName[] = [
  'go.click',
  'note.created',
  'note.updated',
  'note.deleted',
  'note.shared',
  'workspace.member_added',
  'auth.suspicious_login',
];
