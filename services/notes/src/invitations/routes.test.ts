import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newWorkspace, startTestApp, type TestApp } from '../test-app.ts';
import { emailedToken, join, newUser } from './invitations.fixture.ts';
import { purgeInvitations } from './store.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const MISSING = { status: 404, body: { error: 'Not Found', message: 'Invitation not found' } };
const FULL = { status: 403, body: { error: 'Plan Limit Exceeded' } };

async function start(claims = {}) {
  const owner = newUser(app, claims);
  const workspaceId = await newWorkspace(owner.call, 'Garden');
  const path = `/api/workspaces/${workspaceId}/invitations`;
  const invite = (email: string, role = 'editor') => owner.call('POST', path, { email, role });
  const members = async () =>
    (await owner.call('GET', `/api/workspaces/${workspaceId}/members`)).body['data'] as object[];
  const accept = async (user: ReturnType<typeof newUser>, token?: string) =>
    user.call('POST', `/api/invitations/${token ?? (await emailedToken(app, user.email))}/accept`);
  return { owner, workspaceId, path, invite, members, accept };
}

function setExpiry(workspaceId: string, interval: string) {
  return app.database.query(
    'UPDATE invitations SET expires_at = now() + $2::interval WHERE workspace_id = $1',
    [workspaceId, interval],
  );
}

describe('an invitation', () => {
  test('is sent by email, kept for 7 days and never shows its token', async () => {
    const { owner, workspaceId, path, invite } = await start();
    const { status, body } = await invite('Grace@Example.com', 'viewer');
    expect(status).toBe(201);
    expect(body).toMatchObject({ workspaceId, email: 'grace@example.com', role: 'viewer' });
    const lifetimeMs =
      Date.parse(String(body['expiresAt'])) - Date.parse(String(body['createdAt']));
    expect(lifetimeMs).toBe(7 * 86_400_000);
    const list = await owner.call('GET', path);
    expect(list.body).toEqual({ data: [body], nextCursor: null });
    const [message] = await app.database.query(
      `SELECT queue, account_id AS "accountId", data FROM outbox WHERE event = 'workspace.invited' AND account_id = $1`,
      [owner.id],
    );
    const token = await emailedToken(app, 'grace@example.com');
    expect(message).toEqual({
      queue: 'inbox-auth',
      accountId: owner.id,
      data: {
        email: 'grace@example.com',
        workspaceName: 'Garden',
        role: 'viewer',
        token: expect.any(String),
      },
    });
    expect(JSON.stringify(message)).not.toContain(token);
    expect(JSON.stringify(await app.database.prisma.invitation.findMany())).not.toContain(token);
  });

  test('makes the account with its email address a member, once', async () => {
    const { workspaceId, path, owner, invite, members, accept } = await start();
    const guest = newUser(app);
    await invite(guest.email.toUpperCase(), 'viewer');
    const token = await emailedToken(app, guest.email);
    const received = await app.asToken('')('GET', `/api/invitations/${token}`);
    expect(received.body).toEqual({
      workspaceName: 'Garden',
      ownerId: owner.id,
      role: 'viewer',
      expiresAt: expect.any(String),
    });
    const answers = await Promise.all([1, 2, 3].map(() => accept(guest, token)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404, 404]);
    expect(answers.find(({ status }) => status === 200)?.body).toMatchObject({
      id: workspaceId,
      name: 'Garden',
      role: 'viewer',
    });
    expect(await members()).toMatchObject([
      { role: 'owner' },
      { userId: guest.id, role: 'viewer' },
    ]);
    expect((await owner.call('GET', path)).body['data']).toEqual([]);
  });

  test('cannot be accepted by another account or with an email address that is not verified', async () => {
    const { invite, members, accept } = await start();
    const [guest, thief] = [newUser(app), newUser(app)];
    await invite(guest.email);
    const token = await emailedToken(app, guest.email);
    expect(await accept(thief, token)).toMatchObject({ status: 403, body: { error: 'Forbidden' } });
    const unverified = app.as({ sub: guest.id, ev: false });
    expect(await unverified('POST', `/api/invitations/${token}/accept`)).toMatchObject({
      status: 403,
      body: { error: 'Email Not Verified' },
    });
    expect(await members()).toHaveLength(1);
    expect((await accept(guest, token)).status).toBe(200);
  });

  test('ends after 7 days, when it is revoked, and when it is sent again', async () => {
    const { owner, workspaceId, path, invite, accept } = await start();
    const guest = newUser(app);
    const id = String((await invite(guest.email)).body['id']);
    const first = await emailedToken(app, guest.email);
    await setExpiry(workspaceId, '-1 second');
    expect(await accept(guest, first)).toMatchObject(MISSING);
    expect(await guest.call('GET', `/api/invitations/${first}`)).toMatchObject(MISSING);
    expect((await owner.call('POST', `${path}/${id}/resend`)).body).toMatchObject({ id });
    const second = await emailedToken(app, guest.email);
    expect(await accept(guest, first)).toMatchObject(MISSING);
    expect((await owner.call('DELETE', `${path}/${id}`)).status).toBe(204);
    expect(await accept(guest, second)).toMatchObject(MISSING);
    expect(await owner.call('DELETE', `${path}/${id}`)).toMatchObject(MISSING);
    expect(await owner.call('POST', `${path}/${id}/resend`)).toMatchObject(MISSING);
  });

  test('returns 409 for an email address that has one, and replaces one that has expired', async () => {
    const { workspaceId, invite } = await start();
    await invite('a@example.com');
    expect(await invite('A@example.com')).toMatchObject({ status: 409 });
    await setExpiry(workspaceId, '-1 second');
    expect(await invite('a@example.com', 'viewer')).toMatchObject({
      status: 201,
      body: { role: 'viewer' },
    });
  });

  test('is purged a week after it has expired', async () => {
    const { workspaceId, owner, path, invite } = await start();
    await invite('old@example.com');
    await setExpiry(workspaceId, '-6 days -23 hours');
    await purgeInvitations(app.database);
    expect((await owner.call('GET', path)).body['data']).toHaveLength(1);
    await setExpiry(workspaceId, '-7 days -1 second');
    await purgeInvitations(app.database);
    expect((await owner.call('GET', path)).body['data']).toEqual([]);
  });

  test('needs a verified email address of the owner', async () => {
    const { owner, path } = await start();
    const unverified = app.as({ sub: owner.id, ev: false });
    const body = { email: 'a@example.com', role: 'editor' };
    expect(await unverified('POST', path, body)).toMatchObject({
      status: 403,
      body: { error: 'Email Not Verified' },
    });
  });

  test.each([
    ['no role', { email: 'a@example.com' }, 400],
    ['the role of the owner', { email: 'a@example.com', role: 'owner' }, 422],
    ['no address', { email: 'nobody', role: 'viewer' }, 422],
  ])('is refused with %s', async (_what, body, status) => {
    const { owner, path } = await start();
    expect((await owner.call('POST', path, body)).status).toBe(status);
  });

  test('sends at most 10 emails a day to one email address, whoever invites, without counting refusals', async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 9; n += 1) {
      const { invite } = await start();
      statuses.push((await invite('flooded@example.com')).status);
      expect((await invite('flooded@example.com')).status).toBe(409);
    }
    const { owner, path, invite } = await start();
    const { status, body } = await invite('flooded@example.com');
    const again = await owner.call('POST', `${path}/${String(body['id'])}/resend`);
    const another = await (await start()).invite('flooded@example.com');
    expect([...statuses, status, again.status, another.status]).toEqual([
      ...Array.from({ length: 10 }, () => 201),
      429,
      429,
    ]);
  });
});

describe('collaborators per workspace', () => {
  test('allows exactly 3 on the free plan, pending invitations counted, when many are invited at once', async () => {
    const { workspaceId, owner, invite } = await start();
    await join(app, { owner, workspaceId, user: newUser(app) });
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => invite(`${workspaceId}-${n}@example.com`)),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
    expect(answers.find(({ status }) => status === 403)).toMatchObject(FULL);
  });

  test('allows 20 on the pro plan of the owner', async () => {
    const { workspaceId, invite } = await start({ plan: 'pro' });
    const answers = await Promise.all(
      Array.from({ length: 21 }, (_, n) => invite(`${workspaceId}-${n}@example.com`)),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
  });

  test('counts neither expired nor revoked invitations, and counts one again when it is resent', async () => {
    const { owner, workspaceId, path, invite } = await start();
    const { body } = await invite(`${workspaceId}-late@example.com`);
    await setExpiry(workspaceId, '-1 second');
    const later = await Promise.all(
      [1, 2, 3].map((n) => invite(`${workspaceId}-${n}@example.com`)),
    );
    expect(later.map(({ status }) => status)).toEqual([201, 201, 201]);
    const resend = () => owner.call('POST', `${path}/${String(body['id'])}/resend`);
    expect(await resend()).toMatchObject(FULL);
    await owner.call('DELETE', `${path}/${String(later[0]?.body['id'])}`);
    expect((await resend()).status).toBe(200);
  });

  test('stays within the plan when invitations are accepted at once after a downgrade', async () => {
    const { owner, workspaceId, invite, members, accept } = await start({ plan: 'pro' });
    const guests = Array.from({ length: 6 }, () => newUser(app));
    for (const { email } of guests) await invite(email);
    await app.database.query(`UPDATE owners SET plan = 'free' WHERE account_id = $1`, [owner.id]);
    const answers = await Promise.all(guests.map((guest) => accept(guest)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(answers.find(({ status }) => status === 403)).toMatchObject(FULL);
    expect(await members()).toHaveLength(4);
    expect(await owner.call('GET', `/api/workspaces/${workspaceId}`)).toMatchObject({
      status: 200,
    });
  });
});
