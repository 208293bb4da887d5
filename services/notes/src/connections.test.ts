import { withClient } from '@atrium/testkit/connection';
import { until } from '@atrium/testkit/until';
import { expect, test } from 'vitest';
import { newWorkspace, startTestApp } from './test-app.ts';

const WAITING = `
  SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

test('requests of one account that wait leave connections to others', async () => {
  await using app = await startTestApp();
  const [busy, other] = [app.as(), app.as()];
  const workspaceId = await newWorkspace(busy);
  const path = `/api/workspaces/${workspaceId}/notes`;
  const { DATABASE_URL = '' } = app.workerEnvironment();
  let answered = 0;
  const create = async (_: unknown, n: number) => {
    const { status } = await busy('POST', path, { title: `Note ${n}` });
    answered += 1;
    return status;
  };
  const statuses = await withClient(DATABASE_URL, async (lock) => {
    await lock.query('BEGIN');
    await lock.query('SELECT FROM workspaces WHERE id = $1 FOR UPDATE', [workspaceId]);
    const waiting = Array.from({ length: 15 }, create);
    await withClient(DATABASE_URL, (client) =>
      until(async () => (await client.query(WAITING)).rows.length >= 5),
    );
    expect((await other('GET', '/api/workspaces')).status).toBe(200);
    expect(answered).toBe(0);
    await lock.query('ROLLBACK');
    return Promise.all(waiting);
  });
  const made = statuses.filter((status) => status === 201);
  expect(statuses.filter((status) => status === 503)).toHaveLength(15 - made.length);
  const { body } = await busy('GET', `/api/workspaces/${workspaceId}`);
  expect(body['noteCount']).toBe(made.length);
});
