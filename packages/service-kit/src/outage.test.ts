import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { isDatabaseUnavailable, isRedisUnavailable, mayHaveCommitted } from './outage.ts';

const withFields = (message: string, fields: object) => Object.assign(new Error(message), fields);

describe('isDatabaseUnavailable', () => {
  it.each([
    withFields('connect ECONNREFUSED', { code: 'ECONNREFUSED', syscall: 'connect' }),
    new AggregateError([withFields('connect', { code: 'ECONNREFUSED' })]),
    withFields('connect ENOENT /run/.s.PGSQL.5432', { code: 'ENOENT', syscall: 'connect' }),
    withFields('terminating connection', { code: '57P01' }),
    withFields('the database system is starting up', { code: '57P03' }),
    withFields('connection failure', { code: '08006' }),
    withFields('too many clients', { code: '53300' }),
    withFields('canceling statement due to statement timeout', { code: '57014' }),
    new Error('timeout exceeded when trying to connect'),
    new Error('Connection terminated due to connection timeout'),
    new Error('Connection terminated unexpectedly'),
    withFields('Can’t reach database server', { code: 'P1001' }),
    withFields('Server has closed the connection', { code: 'P1017' }),
    withFields('Timed out fetching a connection', { code: 'P2024' }),
    // As Prisma's driver adapter for pg reports it, alone and inside a failed raw query.
    withFields('adapter', { cause: { kind: 'DatabaseNotReachable' } }),
    withFields('adapter', { cause: { kind: 'postgres', originalCode: '57P01' } }),
    withFields('raw query failed', {
      code: 'P2010',
      meta: { driverAdapterError: withFields('adapter', { cause: { kind: 'ConnectionClosed' } }) },
    }),
  ])('%s', (error) => {
    expect(isDatabaseUnavailable(error)).toBe(true);
  });
});

describe('mayHaveCommitted', () => {
  it.each([
    { severity: 'ERROR', code: '53100', expected: false },
    { severity: 'FATAL', code: '57P01', expected: false },
    { severity: 'PANIC', code: '53100', expected: true },
    { severity: 'PANIC', code: 'XX000', expected: true },
  ])('is $expected for $severity $code', ({ expected, ...fields }) => {
    const error = Object.assign(new pg.DatabaseError('rejected', 0, 'error'), fields);
    expect(mayHaveCommitted(error)).toBe(expected);
    expect(isDatabaseUnavailable(error)).toBe(true);
  });
});

describe('isRedisUnavailable', () => {
  it.each([
    new Error("Stream isn't writeable and enableOfflineQueue options is false"),
    new Error('Connection is closed.'),
    new Error('Command timed out'),
    withFields('Reached the max', { name: 'MaxRetriesPerRequestError' }),
    withFields('LOADING Redis is loading the dataset in memory', { name: 'ReplyError' }),
    // It answers, but takes nothing that changes anything.
    withFields("OOM command not allowed when used memory > 'maxmemory'.", { name: 'ReplyError' }),
    withFields('MISCONF Redis is configured to save RDB snapshots', { name: 'ReplyError' }),
    withFields('NOREPLICAS Not enough good replicas to write.', { name: 'ReplyError' }),
    withFields('BUSY Redis is busy running a script.', { name: 'ReplyError' }),
  ])('%s', (error) => {
    expect(isRedisUnavailable(error)).toBe(true);
  });
});

describe('an error that is not an outage', () => {
  const circular = new Error('round');
  circular.cause = circular;
  it.each([
    withFields('duplicate key', { code: '23505' }),
    withFields('unique constraint', { code: 'P2002', meta: { target: ['username'] } }),
    withFields('no such file', { code: 'ENOENT', syscall: 'open' }),
    new TypeError('x is not a function'),
    circular,
    'text',
    undefined,
  ])('%s', (error) => {
    expect(isDatabaseUnavailable(error)).toBe(false);
    expect(isRedisUnavailable(error)).toBe(false);
  });
});
