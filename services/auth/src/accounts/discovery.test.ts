import { afterAll, expect, test } from 'vitest';
import { type Answer, inputOf, PASSWORD, startTestApp } from '../test-app.ts';

const app = await startTestApp();
afterAll(() => app[Symbol.asyncDispose]());

const SAMPLES = 200;
/** Registering is slower and the gap that could be is larger. */
const REGISTRATION_SAMPLES = 60;
const SLOW_MAIL_MS = 2000;
/** For a busy machine. */
const TIMEOUT_MS = 300_000;

/** What a client can tell answers apart by. */
function appearanceOf({ status, body, headers }: Answer) {
  const { date: _date, 'x-request-id': _id, ...rest } = headers;
  return { status, body, headers: rest };
}

function medianOf(times: number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}

/** Sends both kinds in turn: the answers must look alike, and take about as long. */
async function compare(
  title: string,
  known: (n: number) => Promise<Answer>,
  unknown: (n: number) => Promise<Answer>,
  samples = SAMPLES,
): Promise<Answer> {
  const times: [number[], number[]] = [[], []];
  const timed = async (which: 0 | 1, n: number) => {
    const startMs = performance.now();
    const answer = await (which === 0 ? known(n) : unknown(n));
    times[which].push(performance.now() - startMs);
    return answer;
  };
  const expected = appearanceOf(await known(-1));
  await unknown(-1);
  for (let n = 0; n < samples; n += 1) {
    for (const which of n % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      expect(appearanceOf(await timed(which, n))).toEqual(expected);
    }
  }
  const [knownMs, unknownMs] = times.map(medianOf);
  console.log(`${title}: known ${knownMs?.toFixed(2)} ms, unknown ${unknownMs?.toFixed(2)} ms`);
  const ratio = (knownMs ?? 0) / (unknownMs ?? 1);
  expect(Math.max(ratio, 1 / ratio)).toBeLessThan(2);
  return known(-2);
}

test(
  'security 4: a known user with a wrong password looks like an unknown user',
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
  'security 5: forgot-password looks the same for an unknown user, also while mail is slow',
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
    await app.linkToken('slowmail@example.com', 'reset-password');
    expect(app.mailbox.messages.some((mail) => mail.to.includes('missing1@example.com'))).toBe(
      false,
    );
  },
);

test(
  'security 6: registering with a taken address looks like success',
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
