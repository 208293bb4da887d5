import { newId, newUuid } from '@atrium/contracts/ids';
import type { Click } from './click.ts';
import type { ClickOrigin } from './journal.ts';

export const VISITOR: ClickOrigin = { ip: '203.0.113.9', ownerPlan: 'free' };

/** A click of a person, just now, on a link that is not stored. */
export function exampleClick(changes: Partial<Click> = {}): Click {
  return {
    id: newUuid(changes.clickedAtMs ?? Date.now()),
    linkId: newId('lnk'),
    ownerId: newId('usr'),
    slug: 'gone',
    url: 'https://example.com/',
    clickedAtMs: Date.now(),
    isBot: false,
    referrer: null,
    userAgent: null,
    requestId: 'req',
    ...changes,
  };
}
