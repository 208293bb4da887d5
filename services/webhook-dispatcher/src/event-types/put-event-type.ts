import { isDeepStrictEqual } from 'node:util';
import {
  EVENT_TYPES_MAX_BYTES,
  type PutEventTypeBody,
} from '@atrium/contracts/webhooks/publishing';
import type { Origin } from '@atrium/service-kit/database';
import { HttpError } from '@atrium/service-kit/http-error';
import type { Database, Tx } from '../database.ts';
import { isReserved } from './catalogue.ts';
import { incompatibilityOf } from './compatibility.ts';
import { excessOf, resolveSchema, type Schema } from './schema.ts';
import { countBytes, lockNamespace, type ProductEventType, writeEventType } from './store.ts';
import type { InTurn } from './turns.ts';
import { compileSchema } from './validators.ts';

const VERSIONS_MAX = 100;
const ANYTHING: Schema = { type: 'object' };

interface Change {
  name: string;
  accountId: string;
  body: PutEventTypeBody;
}

/**
 * Registers an event type, or changes it. Another schema is another version, which receivers of the version before
 * must be able to read. One that was archived comes back.
 *
 * @throws HttpError 403, 409, 422 or 429
 */
export async function putEventType(
  { database, inTurn }: { database: Database; inTurn: InTurn },
  origin: Origin,
  { name, accountId, body }: Change,
): Promise<{ isNew: boolean; stored: ProductEventType }> {
  const { schema = ANYTHING, example } = body;
  const excess = excessOf(example);
  if (excess !== undefined) throw new HttpError('event-too-large', `The example ${excess}`);
  // Before the transaction: compiling takes a while, and others wait for its locks.
  const { resolved, mismatch } = await inTurn(accountId, () => {
    const known = resolveSchema(schema);
    return { resolved: known.schema, mismatch: compileSchema(known).findMismatch(example) };
  });
  if (mismatch !== undefined) throw new HttpError('event-mismatch', `In the example ${mismatch}`);
  if (isReserved(name)) throw new HttpError('namespace-taken');
  return database.transaction(origin, (tx) => store(tx, { name, accountId, body }, resolved));
}

async function store(
  tx: Tx,
  { name, accountId, body }: Change,
  resolved: Schema,
): Promise<{ isNew: boolean; stored: ProductEventType }> {
  const locked = await lockNamespace(tx, { name, accountId });
  if (locked.kind === 'taken') throw new HttpError('namespace-taken');
  if (locked.kind === 'full') throw full(locked.why);
  const { current } = locked;
  const before = current && resolveStored(JSON.parse(current.schema));
  // What says nothing about values, such as a description, is changed in place.
  const isNewVersion = !isDeepStrictEqual(before, resolved);
  if (current !== undefined && isNewVersion) {
    const fault = before && incompatibilityOf(before, resolved);
    if (fault !== undefined)
      throw new HttpError('schema-incompatible', `In the new version ${fault}`);
    if (current.version >= VERSIONS_MAX) {
      throw full(`An event type has at most ${VERSIONS_MAX} versions; register another type`);
    }
  }
  const version = (current?.version ?? 0) + (isNewVersion ? 1 : 0);
  const stored = await writeEventType(tx, { name, version, body });
  if ((await countBytes(tx, accountId)) > EVENT_TYPES_MAX_BYTES) {
    throw full('The schemas and examples of an account have at most 20 MB');
  }
  return { isNew: current === undefined, stored };
}

const full = (why: string) => new HttpError('too-many-event-types', why);

/** Undefined for one that was stored under wider limits: no event can be published with it, so it promises nothing. */
function resolveStored(schema: Schema): Schema | undefined {
  try {
    return resolveSchema(schema).schema;
  } catch (error) {
    if (error instanceof HttpError) return undefined;
    throw error;
  }
}
