import { createOperator } from '@atrium/client/operator';
import { atrium } from '../session/atrium.ts';

/** What operators see and do, beside what everybody's pages need. */
export const operator = createOperator(atrium);
