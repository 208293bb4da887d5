import type { Subscription } from '@atrium/client';
import { serviceUrls } from '../../platform/service-urls.ts';

/** What the receiver of a page is called in lists. */
export const TRIAL_URL = `${serviceUrls.web}/`;

export const isTrial = ({ listener, url }: Subscription) => listener && url === TRIAL_URL;
