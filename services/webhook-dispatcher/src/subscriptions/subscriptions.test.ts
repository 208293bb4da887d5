import { newId } from '@atrium/contracts/ids';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startHarness } from '../harness.fixture.ts';

let harness: Awaited<ReturnType<typeof startHarness>>;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness?.[Symbol.asyncDispose]());

const body = { url: 'https://93.184.216.34/hook', events: ['go.click', 'note.shared'] };
const eleven = Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`x-${i}`, 'y']));
const create = (input: object = body, token?: string) =>
  harness.call('/api/webhooks', {
    method: 'POST',
    body: input,
    ...(token === undefined ? {} : { token }),
  });

describe('a webhook subscription', () => {
  it('is created with a secret that is never shown again', async () => {
    const { status, body: created } = await create();
    expect(status).toBe(201);
    expect(created).toEqual({
      id: expect.stringMatching(/^whk_[0-9a-hjkmnp-tv-z]{26}$/),
      ...body,
      description: '',
      destination: { kind: 'http' },
      headerNames: [],
      filter: null,
      unmatchedCount: 0,
      rateLimitPerSecond: null,
      enabled: true,
      disabledReason: null,
      paused: false,
      listener: false,
      signature: 'hmac',
      publicKey: null,
      failingSince: null,
      previousSecretValidUntil: null,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: expect.any(String),
    });
    const { secret, ...rest } = created;
    expect((await harness.call(`/api/webhooks/${created.id}`)).body).toEqual(rest);
    const stored = await harness.database.query('SELECT sealed_secret FROM subscriptions');
    expect(JSON.stringify(stored)).not.toContain(secret.slice(6));
  });

  it.each([
    [{ events: ['go.click'] }, 400, 'Bad Request'],
    [{ ...body, url: 7 }, 400, 'Bad Request'],
    [{ ...body, events: 'go.click' }, 400, 'Bad Request'],
    [{ ...body, events: [] }, 422, 'Validation Error'],
    [{ ...body, events: ['note.eaten'] }, 422, 'Validation Error'],
    [{ ...body, events: ['go.click', 'go.click'] }, 422, 'Validation Error'],
    [{ ...body, url: 'not a url' }, 422, 'Validation Error'],
    [{ ...body, url: 'ftp://example.com' }, 422, 'Validation Error'],
    [{ ...body, url: 'https://10.0.0.1/hook' }, 422, 'Validation Error'],
    [{ ...body, url: 'https://[::ffff:169.254.169.254]/' }, 422, 'Validation Error'],
    [{ ...body, description: 'x'.repeat(201) }, 422, 'Validation Error'],
    [{ ...body, headers: ['a'] }, 400, 'Bad Request'],
    [{ ...body, headers: { a: 1 } }, 400, 'Bad Request'],
    [{ ...body, headers: { 'a b': 'c' } }, 422, 'Validation Error'],
    [{ ...body, headers: { a: 'b\r\nHost: c' } }, 422, 'Validation Error'],
    [{ ...body, headers: { 'Service-Signature': 'mine' } }, 422, 'Validation Error'],
    [{ ...body, headers: eleven }, 422, 'Validation Error'],
    [{ ...body, rateLimitPerSecond: 0 }, 422, 'Validation Error'],
    [{ ...body, rateLimitPerSecond: 10_001 }, 422, 'Validation Error'],
    [{ ...body, rateLimitPerSecond: '5' }, 400, 'Bad Request'],
  ])('is refused for %j', async (input, status, error) => {
    const answer = await create(input);
    expect(answer).toEqual({ status, body: { error, message: expect.any(String) } });
  });

  it('returns 401 without a token and 403 without a verified email address', async () => {
    expect(await create(body, '')).toMatchObject({ status: 401, body: { error: 'Unauthorized' } });
    const unverified = harness.issuer.issueToken({ ev: false });
    expect(await create(body, unverified)).toMatchObject({
      status: 403,
      body: { error: 'Email Not Verified' },
    });
  });

  it('is listed in pages, newest first, to its owner only', async () => {
    const token = harness.issuer.issueToken();
    const ids: string[] = [];
    for (let i = 0; i < 3; i += 1) ids.push((await create(body, token)).body.id);
    const first = await harness.call('/api/webhooks?limit=2', { token });
    const cursor = encodeURIComponent(first.body.nextCursor);
    const second = await harness.call(`/api/webhooks?limit=2&cursor=${cursor}`, { token });
    const seen = [...first.body.data, ...second.body.data].map(({ id }) => id);
    expect(seen).toEqual(ids.toReversed());
    expect(second.body.nextCursor).toBeNull();
    expect((await harness.call('/api/webhooks?cursor=x', { token })).status).toBe(422);
    expect((await harness.call('/api/webhooks?limit=101', { token })).status).toBe(422);
  });

  it('changes only the fields that are given', async () => {
    const { id } = (await create()).body;
    const change = (patch: object) =>
      harness.call(`/api/webhooks/${id}`, { method: 'PATCH', body: patch });
    expect(await change({ events: ['go.click'], enabled: false })).toMatchObject({
      status: 200,
      body: { id, url: body.url, events: ['go.click'], enabled: false },
    });
    expect((await change({ url: 'https://127.0.0.1.example.invalid/x' })).status).toBe(200);
    expect((await change({ url: 'https://192.168.0.1/' })).status).toBe(422);
  });

  it('is not found once it is deleted', async () => {
    const { id } = (await create()).body;
    const remove = () => harness.call(`/api/webhooks/${id}`, { method: 'DELETE' });
    expect(await remove()).toEqual({ status: 204, body: null });
    const missing = { error: 'Not Found', message: 'Webhook not found' };
    expect(await remove()).toEqual({ status: 404, body: missing });
    expect(await harness.call(`/api/webhooks/${id}`)).toEqual({ status: 404, body: missing });
  });

  it('is restored as it was for four minutes after it was deleted', async () => {
    const created = (await create()).body;
    const path = `/api/webhooks/${created.id}`;
    const restore = (token?: string) =>
      harness.call(`${path}/restore`, { method: 'POST', ...(token && { token }) });
    await harness.call(path, { method: 'PATCH', body: { enabled: false } });
    await harness.call(path, { method: 'DELETE' });
    expect((await restore(harness.issuer.issueToken())).status).toBe(404);
    expect(await restore()).toMatchObject({ status: 200, body: { enabled: false } });
    // The client asks again when the answer was lost.
    expect(await restore()).toMatchObject({ status: 200, body: { enabled: false } });
    expect((await restore(harness.issuer.issueToken())).status).toBe(404);
    expect((await harness.call(path)).body).toMatchObject({ id: created.id, enabled: false });
    await harness.call(path, { method: 'DELETE' });
    await harness.database.query(
      `UPDATE subscriptions SET deleted_at = now() - interval '4 minutes' WHERE id = $1`,
      [created.id],
    );
    expect((await restore()).status).toBe(404);
  });

  it('is not restored over the limit of the plan', async () => {
    const token = harness.issuer.issueToken({ sub: newId('usr') });
    const { id } = (await create(body, token)).body;
    await harness.call(`/api/webhooks/${id}`, { method: 'DELETE', token });
    let last = '';
    for (let i = 0; i < 10; i += 1) {
      const created = await create(body, token);
      expect(created.status).toBe(201);
      last = created.body.id;
    }
    const restored = await harness.call(`/api/webhooks/${id}/restore`, { method: 'POST', token });
    expect(restored).toMatchObject({ status: 403, body: { error: 'Plan Limit Exceeded' } });
    const kept = `/api/webhooks/${last}/restore`;
    expect((await harness.call(kept, { method: 'POST', token })).status).toBe(200);
  });

  it('is not found by other accounts', async () => {
    const { id } = (await create()).body;
    const token = harness.issuer.issueToken();
    const path = `/api/webhooks/${id}`;
    const patch = { method: 'PATCH' as const, body: { enabled: false }, token };
    expect((await harness.call(path, { token })).status).toBe(404);
    expect((await harness.call(path, patch)).status).toBe(404);
    expect((await harness.call(path, { method: 'DELETE', token })).status).toBe(404);
    expect((await harness.call(`${path}/deliveries`, { token })).status).toBe(404);
  });
});
