import { newId } from '@atrium/contracts/ids';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { PAID } from '../publishing/publisher.fixture.ts';
import { SETTINGS, startPortals, tokenIn } from './portal.fixture.ts';

const { harness, product, owner, customer, tokenOf, as, ask, open, registerShop, enter } =
  await startPortals();
afterEach(() => product.clear());
afterAll(() => harness[Symbol.asyncDispose]());

describe('a link to a portal', () => {
  test('opens it with what its owner has set, for an hour, and only its hash is stored', async () => {
    await registerShop();
    const { status, body } = await ask({ namespace: 'shop', accountId: customer });
    expect(status).toBe(201);
    expect(body.url).toMatch(/^https:\/\/atrium\.example\/portal\/ptl_[\w-]{43}$/);
    expect((Date.parse(body.expiresAt) - Date.now()) / 60_000).toBeCloseTo(60, 0);
    const token = tokenIn(body.url);
    const opened = await open(token);
    expect(opened).toMatchObject({
      status: 200,
      body: { portal: { namespace: 'shop', ...SETTINGS }, expiresAt: body.expiresAt },
    });
    const { accessToken } = opened.body;
    const stored = JSON.stringify(await harness.database.query('SELECT * FROM portal_sessions'));
    for (const secret of [token, accessToken]) expect(stored).not.toContain(secret);
    // Neither does the work of the other.
    expect((await as(token)('/api/webhooks')).status).toBe(401);
    expect((await open(accessToken)).status).toBe(404);
    await harness.database.query('UPDATE portal_sessions SET expires_at = now()');
    expect((await open(token)).status).toBe(404);
    expect((await as(accessToken)('/api/webhooks')).status).toBe(401);
    await ask({ namespace: 'shop' });
    const [left] = await harness.database.query('SELECT count(*)::int FROM portal_sessions');
    expect(left).toEqual({ count: 1 });
  });

  test('needs the scope, the product, its portal, and a customer whom its events reach', async () => {
    const token = tokenOf();
    await product.put('shop.order_paid', PAID, token);
    const body = { namespace: 'shop' };
    expect((await ask(body)).status).toBe(404);
    await registerShop();
    expect((await ask(body)).status).toBe(201);
    expect((await ask({ namespace: 'till' })).status).toBe(404);
    expect((await ask(body, tokenOf(undefined, 'webhooks:write'))).status).toBe(403);
    expect((await ask(body, harness.token)).status).toBe(404);
    expect((await ask(body, '')).status).toBe(401);
    expect((await ask({ ...body, accountId: 'x' })).status).toBe(422);
    const toCustomer = { ...body, accountId: customer };
    expect((await ask(toCustomer, tokenOf(newId('app')))).status).toBe(403);
    const session = harness.issuer.issueToken({ sub: owner });
    expect((await ask(toCustomer, session)).status).toBe(403);
    expect((await ask(body, session)).status).toBe(201);
  });

  test('is made for an imported customer by the id from before', async () => {
    await registerShop();
    const sql = 'INSERT INTO owners (account_id, external_id) VALUES ($1, $2)';
    await harness.database.query(sql, [customer, 'crm|7']);
    const body = { namespace: 'shop', externalId: 'crm|7' };
    const { status, body: made } = await ask(body);
    expect(status).toBe(201);
    const [session] = await harness.database.query(
      'SELECT account_id AS "accountId" FROM portal_sessions ORDER BY expires_at DESC LIMIT 1',
    );
    expect([session, typeof made.url]).toEqual([{ accountId: customer }, 'string']);
    expect((await ask({ ...body, externalId: 'crm|8' })).body.error).toBe('Validation Error');
    expect((await ask({ ...body, accountId: customer })).status).toBe(422);
    for (const externalId of ['crm|7', 'crm|8']) {
      expect((await ask({ ...body, externalId }, tokenOf(newId('app')))).status).toBe(403);
    }
  });

  test('ends when an operator trusts the application no more', async () => {
    const call = await enter();
    expect((await call('/api/webhooks')).status).toBe(200);
    await harness.database.query('UPDATE namespaces SET trusted_application_id = NULL');
    expect((await call('/api/webhooks')).status).toBe(401);
  });

  test('ends with the login, token or application that has made it, and what it has opened too', async () => {
    await registerShop();
    const sid = newId('ses');
    const { body } = await ask(
      { namespace: 'shop' },
      harness.issuer.issueToken({ sub: owner, sid }),
    );
    const link = tokenIn(body.url);
    const call = as((await open(link)).body.accessToken);
    expect((await call('/api/webhooks')).status).toBe(200);
    harness.revoked.add(sid);
    expect((await open(link)).status).toBe(404);
    expect((await call('/api/webhooks')).status).toBe(401);
    const other = await ask({ namespace: 'shop' });
    expect((await open(tokenIn(other.body.url))).status).toBe(200);
  });
});

describe('the settings of a portal', () => {
  test.each([
    [{ origins: ['http://shop.example'] }],
    [{ origins: ['http://localhost'] }],
    [{ origins: ['https://*.shop.example'] }],
    [{ origins: ['https://shop.example/path'] }],
    [{ origins: ["https://shop.example; script-src 'self'"] }],
    [{ origins: Array.from({ length: 11 }, (_, n) => `https://a${n}.example`) }],
    [{ colour: 'red' }],
    [{ colour: '#0a6847;' }],
    [{ logo: 'javascript:alert(1)' }],
    [{ name: '' }],
  ])('are refused with %j', async (change) => {
    await product.put('shop.order_paid', PAID, tokenOf());
    const put = { method: 'PUT', body: { ...SETTINGS, ...change } } as const;
    expect((await as(tokenOf())('/api/portals/shop', put)).status).toBe(422);
  });

  test('take a colour in capitals, and say how one is written', async () => {
    await product.put('shop.order_paid', PAID, tokenOf());
    const put = (colour: string) =>
      as(tokenOf())('/api/portals/shop', { method: 'PUT', body: { ...SETTINGS, colour } });
    expect(await put('#0A6847')).toMatchObject({ status: 200, body: { colour: '#0A6847' } });
    expect((await put('green')).body.message).toBe(
      'Colour must be six hexadecimal digits after #, such as #0a6847',
    );
  });

  test('may name pages on the own machine, and say how an origin is written', async () => {
    await product.put('shop.order_paid', PAID, tokenOf());
    const put = (origins: string[]) =>
      as(tokenOf())('/api/portals/shop', { method: 'PUT', body: { ...SETTINGS, origins } });
    const origins = ['http://localhost:9120', 'http://127.0.0.1:9120'];
    expect((await put(origins)).body).toMatchObject({ origins });
    expect((await put(['https://shop.example/'])).body.message).toBe(
      'Origins item 1 must be an origin such as https://app.example.com, without a path',
    );
  });

  test('are changed and listed by the owner of the product alone', async () => {
    await registerShop();
    const portal = { namespace: 'shop', ...SETTINGS };
    const { body } = await as(tokenOf())('/api/portals');
    expect(body).toEqual({ data: [{ namespace: 'shop', portal }] });
    expect((await harness.call('/api/portals')).body).toEqual({ data: [] });
    const put = { method: 'PUT', body: SETTINGS } as const;
    expect((await harness.call('/api/portals/shop', put)).status).toBe(404);
  });
});
