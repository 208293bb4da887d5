import { createPortals } from '@atrium/client/portals';
import { atrium } from '../session/atrium.ts';

/** The products of the account, and what their customers see. */
export const portals = createPortals(atrium);
