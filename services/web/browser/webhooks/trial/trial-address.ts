import type { Subscription } from '@atrium/client';
import { addresses } from '../../platform/addresses.ts';

/** What the receiver of a page is called in lists. */
export const TRIAL_ADDRESS = `${addresses.web}/`;

export const isTrial = ({ listener, url }: Subscription) => listener && url === TRIAL_ADDRESS;
