import { createHmac } from 'node:crypto';
import type { Page } from 'playwright-core';
import { PASSWORD, type Person } from '../accounts.ts';
import { call, text } from '../client.ts';

const STEP_SECONDS = 30;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The code that an authenticator app shows `steps` steps from now (RFC 6238). */
export function totpCode(secret: string, steps = 0): string {
  const bits = Array.from(secret, (char) => BASE32.indexOf(char).toString(2).padStart(5, '0')).join(
    '',
  );
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 1000 / STEP_SECONDS) + steps));
  const digest = createHmac('sha1', key).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000).padStart(6, '0');
}

/** Turns an authenticator app on. A code works once: the login that follows takes the code of the next step. */
export async function enableTotp(
  authUrl: string,
  { accessToken: token }: Person,
): Promise<{ secret: string; recoveryCodes: string[] }> {
  const url = `${authUrl}/user/second-factor/totp`;
  const setup = await call('POST', url, { token, body: { password: PASSWORD } });
  const secret = text(setup.body, 'secret');
  const body = { code: totpCode(secret) };
  const confirmed = await call('POST', `${url}/confirm`, { token, body });
  return { secret, recoveryCodes: confirmed.body['recoveryCodes'] as string[] };
}

/**
 * Gives the browser an authenticator that holds passkeys and needs no touch. It would also accept what
 * a page only suggests, before a test can press a button, so suggestions are off unless asked for.
 */
export async function addAuthenticator(page: Page, { suggests = false } = {}): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  if (suggests) return;
  const suggestNone = `if ('PublicKeyCredential' in window)
    PublicKeyCredential.isConditionalMediationAvailable = async () => false;`;
  await page.addInitScript(suggestNone);
  await page.evaluate(suggestNone);
}

/** Registers a passkey of the authenticator of a page. */
export async function addPasskey(page: Page, authUrl: string, person: Person): Promise<void> {
  const token = person.accessToken;
  const options = await call('POST', `${authUrl}/user/passkeys/options`, {
    token,
    body: { password: PASSWORD },
  });
  const create = `navigator.credentials
    .create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(${JSON.stringify(options.body)}) })
    .then((credential) => credential.toJSON())`;
  const credential = await page.evaluate(create);
  const body = { name: 'Laptop', credential };
  const added = await call('POST', `${authUrl}/user/passkeys`, { token, body });
  if (added.status !== 201) throw new Error(`passkey: ${JSON.stringify(added.body)}`);
}
