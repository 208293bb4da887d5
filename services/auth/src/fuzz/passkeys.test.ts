import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { addPasskey } from '../second-factor/second-factor.fixture.ts';
import { startAuthenticator } from '../second-factor/passkeys/authenticator.fixture.ts';
import { type Answer, makeAccount, PASSWORD, startTestApp } from '../test-app.ts';

const app = await startTestApp();
afterAll(() => app[Symbol.asyncDispose]());

const SEED = 20_260_101;

/** Changes, removes or adds bytes in what an authenticator sends. */
const damage: fc.Arbitrary<(base64url: string) => string> = fc
  .record({
    at: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
    remove: fc.oneof(fc.nat({ max: 8 }), fc.constant(10_000)),
    insert: fc.uint8Array({ maxLength: 8 }),
  })
  .map(({ at, remove, insert }) => (base64url) => {
    const bytes = Buffer.from(base64url, 'base64url');
    const start = Math.floor(at * bytes.length);
    const end = bytes.subarray(start + remove);
    const damaged = Buffer.concat([bytes.subarray(0, start), insert, end]);
    return damaged.toString('base64url');
  });

interface Credential {
  response: object;
}

interface Signed {
  response: { signature: string };
}

/** The credential with one damaged field. The challenge stays valid unless it is in that field. */
function damagedIn<Kind extends Credential>(
  credential: Kind,
  field: keyof Kind['response'] & string,
  edit: (base64url: string) => string,
): Kind {
  const { response } = credential;
  const before: unknown = Reflect.get(response, field);
  return { ...credential, response: { ...response, [field]: edit(String(before)) } };
}

function expectAnswer({ status, body }: Answer, allowed: number[]): void {
  expect(allowed).toContain(status);
  if (status >= 400) {
    expect(body).toEqual({ error: expect.any(String), message: expect.any(String) });
  }
}

/** A signature is two numbers in an envelope of two bytes; the decoder does not mind what is around them. */
function hasSameNumbers(damaged: Signed, honest: Signed): boolean {
  const bytesOf = ({ response }: Signed) => Buffer.from(response.signature, 'base64url');
  return bytesOf(damaged).includes(bytesOf(honest).subarray(2));
}

test('new passkeys with damaged bytes are refused or harmless, and never cause a 500', async () => {
  const { accessToken: token } = await makeAccount(app, 'damaged');
  const fields = fc.constantFrom('attestationObject' as const, 'clientDataJSON' as const);
  for (const [field, edit] of fc.sample(fc.tuple(fields, damage), { numRuns: 60, seed: SEED })) {
    const options = await app.call('POST', '/user/passkeys/options', {
      token,
      body: { password: PASSWORD },
    });
    // An account can have at most twenty passkeys.
    if (options.status === 409) break;
    const credential = damagedIn(startAuthenticator().create(options.body), field, edit);
    const body = { name: 'Laptop', credential };
    expectAnswer(await app.call('POST', '/user/passkeys', { token, body }), [201, 400, 422]);
    await app.db.query('DELETE FROM passkeys');
  }
});

test('logins with damaged bytes of a passkey are refused', async () => {
  const { authenticator } = await addPasskey(app, await makeAccount(app, 'fractured'));
  const fields = fc.constantFrom(
    'authenticatorData' as const,
    'clientDataJSON' as const,
    'signature' as const,
    'userHandle' as const,
  );
  for (const [field, edit] of fc.sample(fc.tuple(fields, damage), { numRuns: 120, seed: SEED })) {
    const { body: options } = await app.call('POST', '/auth/passkey/options');
    const honest = authenticator.get(options);
    const credential = damagedIn(honest, field, edit);
    const isSame = JSON.stringify(credential) === JSON.stringify(honest);
    const answer = await app.call('POST', '/auth/passkey', { body: { credential } });
    const refused = [400, 401, 422];
    const isHarmless = field === 'signature' && hasSameNumbers(credential, honest);
    if (isSame) expectAnswer(answer, [200]);
    else expectAnswer(answer, isHarmless ? [200, ...refused] : refused);
  }
});
