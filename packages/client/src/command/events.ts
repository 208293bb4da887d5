import type { EventName } from '../types.ts';

/** What a listener can be sent. */
export const EVENTS: EventName[] = ['go.click', 'note.shared', 'auth.suspicious_login'];
