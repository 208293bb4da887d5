import type { TokenIssuer } from '../tokens.ts';
import type { FuzzAccounts } from './run.ts';

const ACCOUNTS = 3;
const IDS_MAX = 50;
/** One in so many ids is of another account. */
const FOREIGN_EVERY = 4;
/** An id with its prefix, or the link of a public note. */
const ID_OR_LINK = /"(?:id":"|url":"https:[^"]*\/s\/)(([a-z]+)_[0-9a-z]{26}|[\w-]{43})"/g;

/**
 * Accounts for a service that knows them only by their tokens. `@@prefix@@` stands for one of the newest
 * ids with this prefix that the service has returned, such as `@@note@@`, mostly to the same account,
 * and `@@shared@@` for the token in the link of a public note.
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
      turn += 1;
      const owner = turn % FOREIGN_EVERY === 0 ? accountIndex + 1 : accountIndex;
      const seen = ids.get(`${owner % ACCOUNTS} ${name}`) ?? [];
      return fixed[name] ?? seen[turn % Math.max(1, seen.length)] ?? '';
    },
    observe({ status, text }, accountIndex) {
      if (status >= 300) return;
      for (const [, id = '', prefix = 'shared'] of text.matchAll(ID_OR_LINK)) {
        const key = `${accountIndex} ${prefix}`;
        const seen = ids.get(key) ?? [];
        if (seen.includes(id)) continue;
        ids.set(key, [id, ...seen].slice(0, IDS_MAX));
      }
    },
  };
}
