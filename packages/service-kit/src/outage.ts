import pg from 'pg';

/** Sockets that fail this way fail because the other side is unavailable, not because the request was wrong. */
const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** Deadlock detected, and serialization failure. */
const CONFLICT_STATES = ['40P01', '40001'];

/**
 * SQLSTATEs of a server that is starting, stopping, full, or too slow to answer, and of a
 * transaction that lost against another: all of them are worth another try.
 * https://www.postgresql.org/docs/18/errcodes-appendix.html
 */
const POSTGRES_STATES = new Set([
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  '57014',
  '53300',
  '55P03',
  ...CONFLICT_STATES,
  '53100',
  '53200',
  '25006',
]);

/** What pg says instead of sending a query. */
const UNSENT_MESSAGES = [
  'Client has encountered a connection error',
  'Client was closed and is not queryable',
];

/** What pg and pg-pool say instead of giving a code. */
const POSTGRES_MESSAGES = [
  ...UNSENT_MESSAGES,
  'timeout exceeded when trying to connect',
  'Connection terminated',
  'Query read timeout',
];

/** https://www.prisma.io/docs/orm/reference/error-reference */
const PRISMA_CODES = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2037']);
const PRISMA_ADAPTER_KINDS = new Set([
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
  'TooManyConnections',
]);

const REDIS_MESSAGES = [
  "Stream isn't writeable",
  'Command timed out',
  'Connection is closed',
  'Reached the max retries per request limit',
  'LOADING ',
  'CLUSTERDOWN ',
  'Too many Cluster redirections',
  "Cluster isn't ready",
  'Failed to refresh slots cache',
  'None of startup nodes is available',
  'All sentinels are unreachable',
  'UNBLOCKED ',
  'MASTERDOWN ',
  'READONLY ',
  // It answers, but takes no writes: its memory is full, its disk or replicas fail, a script runs.
  'OOM ',
  'MISCONF ',
  'NOREPLICAS ',
  'BUSY ',
];

const DEPTH_MAX = 6;

/** An error together with everything it wraps: causes, aggregates, Prisma's adapter errors. */
function* chain(error: unknown, depth = 0): Generator<object> {
  if (typeof error !== 'object' || error === null || depth > DEPTH_MAX) {
    return;
  }
  yield error;
  if ('cause' in error) {
    yield* chain(error.cause, depth + 1);
  }
  if (error instanceof AggregateError) {
    for (const inner of error.errors) {
      yield* chain(inner, depth + 1);
    }
  }
  if ('meta' in error && typeof error.meta === 'object' && error.meta !== null) {
    const { meta } = error;
    if ('driverAdapterError' in meta) {
      yield* chain(meta.driverAdapterError, depth + 1);
    }
  }
}

function textOf(error: object, key: string): string {
  const value: unknown = Reflect.get(error, key);
  return typeof value === 'string' ? value : '';
}

function isPostgresState(code: string): boolean {
  return POSTGRES_STATES.has(code) || /^08[0-9A-Z]{3}$/.test(code);
}

function isPanic(error: object): boolean {
  return textOf(error, 'severity') === 'PANIC';
}

function isSocketFailure(error: object): boolean {
  const code = textOf(error, 'code');
  // ENOENT is a Unix socket that is gone, unless it is about a file.
  return NETWORK_CODES.has(code) || (code === 'ENOENT' && textOf(error, 'syscall') === 'connect');
}

/**
 * Whether an error of pg or Prisma means that Postgres is unavailable or cannot keep up, so that the same
 * request may succeed later.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  for (const link of chain(error)) {
    const code = textOf(link, 'code');
    const message = textOf(link, 'message');
    if (
      isSocketFailure(link) ||
      isPanic(link) ||
      PRISMA_CODES.has(code) ||
      PRISMA_ADAPTER_KINDS.has(textOf(link, 'kind')) ||
      isPostgresState(code) ||
      isPostgresState(textOf(link, 'originalCode')) ||
      POSTGRES_MESSAGES.some((known) => message.startsWith(known))
    ) {
      return true;
    }
  }
  return false;
}

/**
 * Whether an error of pg or Prisma means that a transaction was rolled back because it lost against another one:
 * it may succeed at once when it runs again.
 */
export function isTransactionConflict(error: unknown): boolean {
  for (const link of chain(error)) {
    const [code, original] = [textOf(link, 'code'), textOf(link, 'originalCode')];
    if (code === 'P2034' || CONFLICT_STATES.includes(code) || CONFLICT_STATES.includes(original)) {
      return true;
    }
  }
  return false;
}

/**
 * Whether a COMMIT that failed with this error of pg may have taken effect: it was sent, and Postgres has not said
 * that it rolled back. PgBouncer reports a lost connection to Postgres in class 08. In a PANIC all of Postgres
 * restarts, and the COMMIT may be in the WAL already.
 */
export function mayHaveCommitted(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) {
    return isPanic(error) || error.code?.startsWith('08') === true;
  }
  return !(error instanceof Error && UNSENT_MESSAGES.some((it) => error.message.startsWith(it)));
}

/** Whether an error of ioredis or BullMQ means that Redis is unavailable or not ready. */
export function isRedisUnavailable(error: unknown): boolean {
  for (const link of chain(error)) {
    const message = textOf(link, 'message');
    if (
      isSocketFailure(link) ||
      textOf(link, 'name') === 'MaxRetriesPerRequestError' ||
      REDIS_MESSAGES.some((known) => message.startsWith(known))
    ) {
      return true;
    }
  }
  return false;
}
