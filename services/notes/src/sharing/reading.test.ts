import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../test-app.ts';
import { inAnHour, PASSWORD, share, visit } from './sharing.fixture.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

/** A hash of PASSWORD, with parameters that take no time. */
const CHEAP_HASH =
  '$argon2id$v=19$m=8,t=1,p=1$Sl6N9NR3pLGDhlLJZwbUIw$QC8ujEGnYR13H1ZWZy6HHjy8AzRpvks6oElFzZhgDJw';

const open = (url: unknown, body?: object) =>
  visit(app, url, { method: 'POST', path: '/access', ...(body && { body }) });

describe('reading a public note', () => {
  test('counts every view but not a look at the headers', async () => {
    const { call, path, url } = await share(app, {});
    await Promise.all(Array.from({ length: 20 }, () => visit(app, url)));
    await visit(app, url, { method: 'HEAD' });
    await visit(app, url, { path: '/access' });
    expect((await call('GET', path)).body['views']).toBe(20);
  });

  test('succeeds exactly as often as allowed, also for many at once; the last one may read on', async () => {
    const { url } = await share(app, { maxViews: 5 });
    expect((await visit(app, url, { path: '/access' })).body).toEqual({
      needsPassword: false,
      viewsLeft: 5,
    });
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, n) => (n % 2 === 0 ? visit(app, url) : open(url))),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    const usedUp = 'This link has been opened as often as it may be';
    for (const { status, body } of answers) {
      if (status !== 200)
        expect({ status, body }).toMatchObject({ status: 404, body: { message: usedUp } });
    }
    const last = await share(app, { maxViews: 1 });
    const { access } = (await open(last.url)).body;
    expect((await visit(app, last.url, { access })).body).toMatchObject({ title: 'Open letter' });
    expect((await visit(app, last.url)).status).toBe(404);
    expect((await visit(app, last.url, { access: `${access}x` })).status).toBe(404);
  });

  test('is counted from the beginning when the maximum changes, and goes on when it stays', async () => {
    const { call, path, url } = await share(app, {});
    for (let n = 0; n < 3; n += 1) await visit(app, url);
    const limited = await call('PATCH', path, { maxViews: 1 });
    expect(limited.body).toMatchObject({ maxViews: 1, views: 0 });
    expect((await visit(app, url)).status).toBe(200);
    const same = await call('PATCH', path, { maxViews: 1, allowIndexing: true });
    expect(same.body).toMatchObject({ maxViews: 1, views: 1 });
    expect((await visit(app, url)).status).toBe(404);
  });

  test('answers 404 once the link has expired, also to who has opened it', async () => {
    const { id, url } = await share(app, { password: PASSWORD, expiresAt: inAnHour() });
    const { access } = (await open(url, { password: PASSWORD })).body;
    expect((await visit(app, url, { access })).status).toBe(200);
    const expiresAt = new Date(Date.now() - 1);
    await app.database.prisma.share.update({ where: { noteId: id }, data: { expiresAt } });
    const message = 'This link has expired';
    for (const answer of [
      await visit(app, url, { access }),
      await open(url, { password: PASSWORD }),
    ]) {
      expect(answer).toMatchObject({ status: 404, body: { error: 'Not Found', message } });
    }
  });

  test('needs the password, tells nothing before, and ends when the password changes', async () => {
    const { call, path, url } = await share(app, { password: PASSWORD });
    const refused = await visit(app, url);
    expect(refused).toMatchObject({ status: 401, body: { error: 'Unauthorized' } });
    expect(JSON.stringify(refused)).not.toContain('letter');
    expect((await visit(app, url, { path: '/access' })).body['needsPassword']).toBe(true);
    expect((await open(url)).status).toBe(401);
    expect((await open(url, { password: 'a lantern in the dark' })).body.message).toBe(
      'Password is wrong',
    );
    const { access } = (await open(url, { password: PASSWORD })).body;
    expect((await visit(app, url, { access })).body).toMatchObject({ title: 'Open letter' });
    expect((await visit(app, url, { access, path: '/access' })).body['needsPassword']).toBe(false);
    expect((await call('GET', path)).body['views']).toBe(1);
    await call('PATCH', path, { password: 'another lantern' });
    expect((await visit(app, url, { access })).status).toBe(401);
  });

  test('answers 429 to an IP address that has tried ten wrong passwords of one link', async () => {
    const { call, path, url } = await share(app, { password: PASSWORD });
    const other = await share(app, { password: PASSWORD });
    expect((await open(url, { password: PASSWORD })).status).toBe(200);
    for (let n = 0; n < 10; n += 1) {
      expect((await open(url, { password: 'wrong wrong' })).status).toBe(401);
    }
    const refused = await open(url, { password: PASSWORD });
    expect(refused).toMatchObject({ status: 429, body: { error: 'Too Many Requests' } });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await open(other.url, { password: PASSWORD })).status).toBe(200);
    await call('DELETE', path);
    const { url: next } = (await call('POST', path, { password: PASSWORD })).body;
    expect((await open(next, { password: PASSWORD })).status).toBe(200);
  });

  test('answers who knows the password after 1,000 wrong ones, and hardly more to those who do not', async () => {
    const { id, url } = await share(app, { password: PASSWORD });
    await app.database.prisma.share.update({
      where: { noteId: id },
      data: { passwordHash: CHEAP_HASH },
    });
    const statusOf = async (from: string, password = 'wrong wrong') =>
      (await visit(app, url, { method: 'POST', path: '/access', body: { password }, from })).status;
    for (let n = 0; n < 1_000; n += 1) {
      expect(await statusOf(`10.0.${n >> 8}.${n & 255}`)).toBe(401);
    }
    for (let n = 0; n < 3; n += 1) expect(await statusOf('192.0.2.1', PASSWORD)).toBe(200);
    for (const addressOf of [() => '192.0.2.1', (n: number) => `2001:db8:1:${n}::1`]) {
      const statuses: number[] = [];
      // As many as a slow machine may have regained for the link since, and two for the site.
      for (let n = 0; n < 200 && !statuses.includes(429); n += 1) {
        statuses.push(await statusOf(addressOf(n)));
      }
      expect(statuses.slice(0, 2)).toEqual([401, 401]);
      expect(statuses).toContain(429);
    }
    expect(await statusOf('2001:db8:2:1::1', PASSWORD)).toBe(200);
  });

  test('gives the attachments that the note refers to, under the same conditions, and no others', async () => {
    const { call, id, workspaceId, path, url } = await share(app, {});
    const attach = async (name: string) => {
      const file = `/api/workspaces/${workspaceId}/attachments?name=${name}`;
      return String((await call('POST', file, { text: name })).body['id']);
    };
    const [shown, hidden] = [await attach('shown.json'), await attach('hidden.json')];
    const content = `![A file](/api/attachments/${shown}/content)`;
    await call('PATCH', `/api/notes/${id}`, { content }, { 'if-match': '*' });
    const read = (file: string, access = '') =>
      visit(app, url, { path: `/attachments/${file}`, access });
    expect(await read(shown)).toMatchObject({
      status: 200,
      body: { text: 'shown.json' },
      headers: { 'content-security-policy': expect.stringContaining('sandbox') },
    });
    for (const other of [hidden, 'fil_x', 'x%25']) expect((await read(other)).status).toBe(404);
    await call('PATCH', path, { maxViews: 1 });
    expect((await read(shown)).status).toBe(401);
    const { access } = (await open(url)).body;
    expect((await read(shown, access)).status).toBe(200);
    await call('DELETE', path);
    expect((await read(shown, access)).status).toBe(404);
  });
});
