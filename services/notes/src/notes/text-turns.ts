import { type AccountGate, runInTurn } from '@atrium/service-kit/account-gate';

/** About a thousand words. */
const LARGE_LENGTH = 8_000;

/**
 * Saves a text. A large one may bring thousands of other words into the search index, which takes ten times as long as
 * what people change as they write, so it waits for the account's turn.
 *
 * @throws HttpError 429 when too much of the account waits, 400 when the client has gone meanwhile
 */
export function saveInTurn<Result>(
  gate: AccountGate,
  request: Parameters<typeof runInTurn>[1],
  content: string | undefined,
  save: () => Promise<Result>,
): Promise<Result> {
  const isLarge = content !== undefined && content.length > LARGE_LENGTH;
  return isLarge ? runInTurn(gate, request, save) : save();
}
