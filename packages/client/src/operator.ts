import {
  AUTH_OPERATOR_ROUTES,
  LINKS_OPERATOR_ROUTES,
  NOTES_OPERATOR_ROUTES,
  type OperatorApi,
  WEBHOOKS_OPERATOR_ROUTES,
} from './api/operator.ts';
import type { Atrium } from './index.ts';

export type { OperatorApi } from './api/operator.ts';

/**
 * For the console of operators, beside what every product needs.
 * @example
 * const operations = createOperator(atrium);
 * const { data } = await operations.listOperatorAccounts({ query: 'ada' });
 */
export function createOperator({ callsOf }: Atrium): OperatorApi {
  return {
    ...callsOf('auth', AUTH_OPERATOR_ROUTES),
    ...callsOf('notes', NOTES_OPERATOR_ROUTES),
    ...callsOf('links', LINKS_OPERATOR_ROUTES),
    ...callsOf('webhooks', WEBHOOKS_OPERATOR_ROUTES),
  };
}
