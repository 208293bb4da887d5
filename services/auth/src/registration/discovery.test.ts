import { afterAll, expect, test } from 'vitest';
import { type Answer, inputOf, PASSWORD, startTestApp } from '../test-app.ts';

const app = await startTestApp();
afterAll(() => app[Symbol.asyncDispose]());

const SAMPLES = 200;
/** Registering is slower and the gap that could be is larger. */
const REGISTRATION_SAMPLES = 60;
const SLOW_MAIL_MS = 2000;
/** A gap that is there shows in each of them; what a busy machine does by chance does not. */
const ROUNDS = 3;
const GROSS = 2;
/** For a busy machine. */
const TIMEOUT_MS = 900_000;

/** What a client can tell answers apart by. */
function appearanceOf({ status, body, headers }: Answer) {
  const { date: _date, 'x-request-id': _id, ...rest } = headers;
  return { status, body, headers: rest };
}

function medianOf(times: number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}

type Ask = (n: number) => Promise<Answer>;

/** Sends both kinds in turn: the answers must look alike, and take about as long. */
async function compare(
  title: string,
  known: Ask,
  unknown: Ask,
  samples = SAMPLES,
): Promise<Answer> {
  const expected = appearanceOf(await known(-1));
  await unknown(-1);
  /** How many times longer the slower kind takes, by the medians of some samples from `first` on. */
  const gapFrom = async (first: number) => {
    const times: [number[], number[]] = [[], []];
    for (let n = first; n < first + samples; n += 1) {
      for (const which of n % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
        const startMs = performance.now();
        const answer = await (which === 0 ? known(n) : unknown(n));
        times[which].push(performance.now() - startMs);
        expect(appearanceOf(answer)).toEqual(expected);
      }
    }
    const [knownMs = 0, unknownMs = 0] = times.map(medianOf);
    console.log(`${title}: known ${knownMs.toFixed(2)} ms, unknown ${unknownMs.toFixed(2)} ms`);
    return Math.max(knownMs / unknownMs, unknownMs / knownMs);
  };
  const gaps: number[] = [];
  while (gaps.length < ROUNDS && (gaps.at(-1) ?? GROSS) >= GROSS) {
    gaps.push(await gapFrom(gaps.length * samples));
  }
  expect(Math.min(...gaps)).toBeLessThan(GROSS);
  return known(-2);
}

test(
  'security 4: a wrong password is answered like an unknown address, in the same time',
  { timeout: TIMEOUT_MS },
  async () => {
    await app.call('POST', '/auth/register', { body: inputOf('existing') });
    const logIn = (email: string) =>
      app.call('POST', '/auth/login', { body: { email, password: 'a wrong guess' } });
    const answer = await compare(
      'security 4, login',
      () => logIn('existing@example.com'),
      () => logIn('missing1@example.com'),
    );
    expect([answer.status, answer.body]).toEqual([
      401,
      { error: 'Unauthorized', message: 'Invalid email or password' },
    ]);
  },
);

test(
  'security 5: forgot-password answers an unknown address alike, also while SMTP is slow',
  { timeout: TIMEOUT_MS },
  async () => {
    await app.call('POST', '/auth/register', { body: inputOf('slowmail') });
    await app.mailbox.waitFor((mail) => mail.to.includes('slowmail@example.com'));
    app.mailbox.delayMs = SLOW_MAIL_MS;
    const forgot = (email: string) =>
      app.call('POST', '/auth/forgot-password', { body: { email } });
    const answer = await compare(
      'security 5, forgot-password',
      () => forgot('slowmail@example.com'),
      () => forgot('missing1@example.com'),
    );
    app.mailbox.delayMs = 0;
    expect(answer.status).toBe(202);
    await app.emailToken('slowmail@example.com', 'reset-password');
    expect(app.mailbox.messages.some((mail) => mail.to.includes('missing1@example.com'))).toBe(
      false,
    );
  },
);

test(
  'security 6: a registration with a taken address is answered like a success',
  { timeout: TIMEOUT_MS },
  async () => {
    await app.call('POST', '/auth/register', { body: inputOf('resident') });
    const register = (username: string, email: string) =>
      app.call('POST', '/auth/register', { body: { ...inputOf(username), email } });
    const answer = await compare(
      'security 6, register',
      (n) => register(`taken_${n + 2}`, 'Resident@example.com'),
      (n) => register(`fresh_${n + 2}`, `fresh${n + 2}@example.com`),
      REGISTRATION_SAMPLES,
    );
    expect(answer.status).toBe(201);
    await app.mailbox.waitFor(
      (mail) => mail.to.includes('resident@example.com') && mail.subject.includes('already'),
    );
    const own = { email: 'resident@example.com', password: PASSWORD };
    expect((await app.call('POST', '/auth/login', { body: own })).status).toBe(200);
  },
);
