import type { LinkQuery } from '@atrium/contracts/links';
import { type AccountGate, runInTurn } from '@atrium/service-kit/account-gate';
import { accountOf } from '@atrium/service-kit/authentication';
import type { Database } from '@atrium/service-kit/database';
import { validationError } from '@atrium/service-kit/http-error';
import { decodeCursor, decodeIdCursor, toPage } from '@atrium/service-kit/pagination';
import type { Static } from 'typebox';
import { type ClicksPosition, searchLinks, searchLinksByClicks } from './search.ts';
import type { LinkStore } from './store.ts';

/** One page of the links of the account that asks. No index has the order by clicks: it is a search too. */
export async function listPage(
  {
    links,
    searchDatabase,
    gate,
  }: { links: LinkStore; searchDatabase: Pick<Database, 'pool'>; gate: AccountGate },
  request: Parameters<typeof runInTurn>[1],
  { limit, cursor, q, sort }: Static<typeof LinkQuery>,
) {
  const many = limit + 1;
  if (sort === 'clicks') {
    const after = decodeClicksCursor(cursor);
    const rows = await runInTurn(gate, request, (ownerId) =>
      searchLinksByClicks(searchDatabase, { ownerId, text: q ?? '', limit: many, after }),
    );
    return toPage(rows, limit, (row) => [row.clicks, row.id]);
  }
  const beforeId = decodeIdCursor(cursor);
  const rows =
    q === undefined
      ? await links.listOwned(accountOf(request).id, many, beforeId)
      : await runInTurn(gate, request, (ownerId) =>
          searchLinks(searchDatabase, { ownerId, text: q, limit: many, beforeId }),
        );
  return toPage(rows, limit, (row) => [row.id]);
}

/** @throws HttpError 422 when it is no cursor of the order by clicks */
function decodeClicksCursor(cursor: string | undefined): ClicksPosition | undefined {
  if (cursor === undefined) return undefined;
  const [clicks, id] = decodeCursor(cursor, 2);
  if (typeof clicks !== 'number' || !Number.isSafeInteger(clicks) || typeof id !== 'string') {
    throw validationError('Cursor is not valid');
  }
  return { clicks, id };
}
