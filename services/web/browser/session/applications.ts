import { createApplications } from '@atrium/client/applications';
import { atrium } from './atrium.ts';

/** Applications that people log in to, and what people allow them. */
export const applications = createApplications(atrium);
