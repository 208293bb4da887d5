import { EVENTS_QUEUE } from '@atrium/contracts/queues';
import { OutboxLeases } from '@atrium/events/outbox-leases';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { join, newUser, type User } from '../invitations/invitations.fixture.ts';
import { newNote, startTestApp, type TestApp } from '../test-app.ts';
import { ANY_VERSION, startActivity } from './activity.fixture.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.[Symbol.asyncDispose]());

const start = () => startActivity(app);

/** The events of the owner's outbox about one thing, oldest first. */
function eventsOf({ id }: User, event: string) {
  return app.database.query<{ data: Record<string, string>; dueAt: Date | null }>(
    `SELECT data, due_at AS "dueAt" FROM outbox WHERE account_id = $1 AND event = $2 ORDER BY seq`,
    [id, event],
  );
}

describe('the events of a workspace', () => {
  test('tell its owner of new, deleted and restored notes and of new members', async () => {
    const { ada, workspaceId } = await start();
    const ben = newUser(app);
    await join(app, { owner: ada, workspaceId, user: ben }, 'viewer');
    const noteId = await newNote(ada.call, workspaceId, { title: 'Ferns', content: 'Secret' });
    await ada.call('DELETE', `/api/notes/${noteId}`);
    await ada.call('POST', `/api/notes/${noteId}/restore`);
    const data = { noteId, workspaceId, title: 'Ferns', userId: ada.id };
    const time = expect.stringMatching(/^\d{4}-/);
    expect(await eventsOf(ada, 'note.created')).toMatchObject([
      { data: { ...data, createdAt: time } },
    ]);
    expect(await eventsOf(ada, 'note.deleted')).toMatchObject([
      { data: { ...data, deletedAt: time } },
    ]);
    expect(await eventsOf(ada, 'note.updated')).toMatchObject([
      { data: { ...data, updatedAt: time } },
    ]);
    expect(await eventsOf(ada, 'workspace.member_added')).toEqual([
      { data: { workspaceId, userId: ben.id, role: 'viewer', joinedAt: time }, dueAt: null },
    ]);
  });

  test('tell of all changes of a note in a minute once, when it is over', async () => {
    const { ada, workspaceId, change } = await start();
    const noteId = await newNote(ada.call, workspaceId, { title: 'Ferns' });
    const other = await newNote(ada.call, workspaceId, { title: 'Moss' });
    const fromMs = Date.now();
    await Promise.all(
      Array.from({ length: 8 }, (_, n) => change(ada, noteId, { content: `${n}` })),
    );
    await change(ada, other, { content: 'Green' });
    await change(ada, noteId, { title: 'Ferns and moss' });
    const events = (await eventsOf(ada, 'note.updated')).filter(
      ({ data }) => data['noteId'] === noteId,
    );
    const minutes = events.map(({ dueAt }) => dueAt?.getTime() ?? 0);
    expect(new Set(minutes).size).toBe(events.length);
    for (const minuteMs of minutes) {
      expect(minuteMs % 60_000).toBe(0);
      expect(minuteMs).toBeGreaterThan(fromMs);
      expect(minuteMs).toBeLessThanOrEqual(Date.now() + 60_000);
    }
    expect(events.at(-1)?.data['title']).toBe('Ferns and moss');
  });

  test('tell of a change that follows once the relay has taken the event before', async () => {
    const { ada, workspaceId, change } = await start();
    const noteId = await newNote(ada.call, workspaceId, { title: 'Ferns' });
    await change(ada, noteId, { content: 'Green' });
    await app.database.query(
      `UPDATE outbox SET due_at = due_at - interval '2 min', created_at = created_at - interval '2 min',
         leased_until = now() + interval '30 s'
       WHERE account_id = $1 AND event = 'note.updated'`,
      [ada.id],
    );
    await change(ada, noteId, { title: 'Ferns and moss' });
    const titles = (await eventsOf(ada, 'note.updated')).map(({ data }) => data['title']);
    expect(titles).toEqual(['Ferns', 'Ferns and moss']);
  });

  test('are postponed together when a batch fails with two of one note', async () => {
    const { ada, workspaceId, change } = await start();
    const noteId = await newNote(ada.call, workspaceId, { title: 'Ferns' });
    for (const content of ['Green', 'Red']) {
      await change(ada, noteId, { content });
      await app.database.query(
        `UPDATE outbox SET due_at = due_at - interval '2 min', created_at = created_at - interval '2 min'
         WHERE account_id = $1 AND event = 'note.updated'`,
        [ada.id],
      );
    }
    const leases = new OutboxLeases(app.database.pool, EVENTS_QUEUE, 30);
    for (const batch of (await leases.lease(100)).batches) await leases.postpone(batch, 'Broken');
    expect(
      await app.database.query(
        `SELECT attempts, last_error AS reason FROM outbox WHERE account_id = $1 AND event = 'note.updated'`,
        [ada.id],
      ),
    ).toEqual([
      { attempts: 1, reason: 'Broken' },
      { attempts: 1, reason: 'Broken' },
    ]);
  });

  test('carry the id of the last request that caused them, and wake the relay when they are due', async () => {
    const { ada, path } = await start();
    const as = (requestId: string) => ({ ...ANY_VERSION, 'x-request-id': requestId });
    const { body } = await ada.call('POST', `${path}/notes`, { title: 'Ferns' }, as('req-1'));
    const note = `/api/notes/${String(body['id'])}`;
    await ada.call('PATCH', note, { content: 'Green' }, as('req-2'));
    app.relayWakes.length = 0;
    const fromMs = Date.now();
    await ada.call('PATCH', note, { content: 'Red' }, as('req-3'));
    const [{ queue, delayMs = 0 } = {}] = app.relayWakes;
    const [updated] = (await eventsOf(ada, 'note.updated')).slice(-1);
    expect(queue).toBe(EVENTS_QUEUE);
    expect(fromMs + delayMs).toBeLessThanOrEqual(Number(updated?.dueAt));
    // Postgres counts parts of a millisecond.
    expect(Date.now() + 1 + delayMs).toBeGreaterThanOrEqual(Number(updated?.dueAt));
    await ada.call('DELETE', note, undefined, as('req-4'));
    const rows = await app.database.query<{ event: string; requestId: string }>(
      `SELECT event, request_id AS "requestId" FROM outbox WHERE account_id = $1 ORDER BY seq`,
      [ada.id],
    );
    expect(Object.fromEntries(rows.map(({ event, requestId }) => [event, requestId]))).toEqual({
      'note.created': 'req-1',
      'note.updated': 'req-3',
      'note.deleted': 'req-4',
    });
  });

  test('say nothing when nothing changed', async () => {
    const { ada, workspaceId, change } = await start();
    const noteId = await newNote(ada.call, workspaceId, { title: 'Ferns', content: 'Green' });
    await change(ada, noteId, { content: 'Green', title: 'Ferns' });
    expect(await eventsOf(ada, 'note.updated')).toEqual([]);
  });
});
