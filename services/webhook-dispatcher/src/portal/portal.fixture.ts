import { newId } from '@atrium/contracts/ids';
import { expect } from 'vitest';
import { type Call, startHarness } from '../harness.fixture.ts';
import { PAID, publisher } from '../publishing/publisher.fixture.ts';

export const SETTINGS = {
  name: 'Shop',
  colour: '#0a6847',
  logo: 'https://auth.example/avatars/x',
  origins: ['https://app.shop.example'],
};

export const tokenIn = (url: string) => url.split('/').at(-1) ?? '';

/** A product, its customer, and what opens its portal. */
export async function startPortals() {
  const harness = await startHarness();
  const product = publisher(harness);
  const owner = newId('usr');
  const applicationId = newId('app');
  const customer = newId('usr');
  const tokenOf = (application = applicationId, scope = 'events:publish') =>
    harness.issuer.issueToken({ sub: owner, applicationId: application, scope });
  const as =
    (token: string) =>
    (path: string, options: Call = {}) =>
      harness.call(path, { ...options, token });
  const ask = (body: object, token = tokenOf()) =>
    as(token)('/api/portal-sessions', { method: 'POST', body });
  const open = (token: string) =>
    harness.call('/api/portal-sessions/open', { method: 'POST', body: { token }, token: '' });

  /** The product `shop` of the owner with a portal, whose application may reach everybody. */
  async function registerShop(): Promise<void> {
    const token = tokenOf();
    await product.put('shop.order_paid', PAID, token);
    const put = { method: 'PUT', body: SETTINGS } as const;
    expect((await as(token)('/api/portals/shop', put)).status).toBe(200);
    await harness.database.query('UPDATE namespaces SET trusted_application_id = $1', [
      applicationId,
    ]);
  }

  /** What the pages of the portal of `shop` send for the customer. */
  async function enter(): Promise<ReturnType<typeof as>> {
    await registerShop();
    const { body } = await ask({ namespace: 'shop', accountId: customer });
    return as((await open(tokenIn(body.url))).body.accessToken);
  }

  return { harness, product, owner, customer, tokenOf, as, ask, open, registerShop, enter };
}
