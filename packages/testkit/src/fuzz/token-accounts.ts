import type { TokenIssuer } from '../tokens.ts';
import type { FuzzAccounts } from './run.ts';

const ACCOUNTS = 3;
const IDS_MAX = 50;

/**
 * Accounts for a service that knows them only by their tokens. `@@prefix@@` stands for one of the newest
 * ids with this prefix that the service has returned, such as `@@note@@`.
 *
 * @param fixed values of other placeholders
 */
export function tokenAccounts(
  issuer: Pick<TokenIssuer, 'issueToken'>,
  fixed: Record<string, string> = {},
): FuzzAccounts {
  const tokens = Array.from({ length: ACCOUNTS }, () =>
    issuer.issueToken({ expiresInSeconds: 86_400 }),
  );
  const ids = new Map<string, string[]>();
  let turn = 0;
  return {
    valueFor(name, accountIndex) {
      if (name === 'accessToken') return tokens[accountIndex] ?? '';
      const seen = ids.get(name) ?? [];
      return fixed[name] ?? seen[turn++ % Math.max(1, seen.length)] ?? '';
    },
    observe({ status, text }) {
      if (status >= 300) return;
      for (const [, id = '', prefix = ''] of text.matchAll(/"id":"(([a-z]+)_[0-9a-z]{26})"/g)) {
        const seen = ids.get(prefix) ?? [];
        if (seen.includes(id)) continue;
        ids.set(prefix, [id, ...seen].slice(0, IDS_MAX));
      }
    },
  };
}
