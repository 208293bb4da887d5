import { newId } from '@atrium/contracts/ids';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { emailedToken, join, newUser, type User } from '../invitations/invitations.fixture.ts';
import { type Caller, newNote, newWorkspace, startTestApp, type TestApp } from '../test-app.ts';

/**
 * What each route answers to each role, to a non-member and to a request without a token. Every route
 * of the OpenAPI document must be here.
 */
const EXPECTED: Record<string, Record<Role, number>> = {
  'POST /api/workspaces': each(201, 201, 201, 201, 401),
  'GET /api/workspaces': each(200, 200, 200, 200, 401),
  'GET /api/workspaces/{id}': each(200, 200, 200, 404, 401),
  'PATCH /api/workspaces/{id}': each(200, 403, 403, 404, 401),
  'DELETE /api/workspaces/{id}': each(204, 403, 403, 404, 401),
  'POST /api/workspaces/{id}/notes': each(201, 201, 403, 404, 401),
  'GET /api/workspaces/{id}/notes': each(200, 200, 200, 404, 401),
  'GET /api/notes/{id}': each(200, 200, 200, 404, 401),
  'PATCH /api/notes/{id}': each(200, 200, 403, 404, 401),
  'DELETE /api/notes/{id}': each(204, 204, 403, 404, 401),
  'GET /api/workspaces/{id}/tags': each(200, 200, 200, 404, 401),
  'PATCH /api/workspaces/{id}/tags/{tag}': each(200, 200, 403, 404, 401),
  'DELETE /api/workspaces/{id}/tags/{tag}': each(204, 204, 403, 404, 401),
  'PUT /api/notes/{id}/favourite': each(204, 204, 204, 404, 401),
  'DELETE /api/notes/{id}/favourite': each(204, 204, 204, 404, 401),
  'GET /api/favourites': each(200, 200, 200, 200, 401),
  'POST /api/notes/{id}/move': each(200, 200, 403, 404, 401),
  'POST /api/notes/{id}/copy': each(201, 201, 403, 404, 401),
  'GET /api/workspaces/{id}/tree': each(200, 200, 200, 404, 401),
  'GET /api/notes/{id}/parents': each(200, 200, 200, 404, 401),
  'POST /api/notes/{id}/place': each(200, 200, 403, 404, 401),
  'GET /api/notes/{id}/links': each(200, 200, 200, 404, 401),
  'GET /api/notes/{id}/backlinks': each(200, 200, 200, 404, 401),
  'GET /api/workspaces/{id}/templates': each(200, 200, 200, 404, 401),
  'POST /api/notes/{id}/restore': each(200, 200, 403, 404, 401),
  'GET /api/workspaces/{id}/trash': each(200, 200, 200, 404, 401),
  'DELETE /api/workspaces/{id}/trash': each(204, 403, 403, 404, 401),
  'DELETE /api/workspaces/{id}/trash/{noteId}': each(204, 403, 403, 404, 401),
  'POST /api/notes/{id}/share': each(200, 200, 403, 404, 401),
  'GET /api/notes/{id}/share': each(200, 200, 200, 404, 401),
  'PATCH /api/notes/{id}/share': each(200, 200, 403, 404, 401),
  'DELETE /api/notes/{id}/share': each(204, 204, 403, 404, 401),
  'GET /api/notes/{id}/presence': each(200, 200, 200, 404, 401),
  'GET /api/notes/{id}/versions': each(200, 200, 200, 404, 401),
  'POST /api/notes/{id}/versions': each(200, 200, 403, 404, 401),
  'GET /api/notes/{id}/versions/{versionId}': each(200, 200, 200, 404, 401),
  'GET /api/notes/{id}/versions/{versionId}/comparison': each(200, 200, 200, 404, 401),
  'POST /api/notes/{id}/versions/{versionId}/restore': each(200, 200, 403, 404, 401),
  'POST /api/workspaces/{id}/attachments': each(201, 201, 403, 404, 401),
  'GET /api/workspaces/{id}/attachments': each(200, 200, 200, 404, 401),
  'GET /api/attachments/{id}/content': each(200, 200, 200, 404, 401),
  'DELETE /api/attachments/{id}': each(204, 403, 403, 404, 401),
  'GET /api/storage': each(200, 200, 200, 200, 401),
  'GET /api/workspaces/{id}/activity': each(200, 200, 200, 404, 401),
  'GET /api/workspaces/{id}/export': each(200, 200, 200, 404, 401),
  'POST /api/workspaces/{id}/imports': each(202, 202, 403, 404, 401),
  'GET /api/workspaces/{id}/imports': each(200, 200, 200, 404, 401),
  'GET /api/workspaces/{id}/imports/{importId}': each(200, 200, 200, 404, 401),
  'GET /api/workspaces/{id}/members': each(200, 200, 200, 404, 401),
  'PATCH /api/workspaces/{id}/members/{userId}': each(200, 403, 403, 404, 401),
  'DELETE /api/workspaces/{id}/members/{userId}': each(204, 403, 403, 404, 401),
  'POST /api/workspaces/{id}/transfer': each(200, 403, 403, 404, 401),
  'POST /api/workspaces/{id}/invitations': each(201, 403, 403, 404, 401),
  'GET /api/workspaces/{id}/invitations': each(200, 403, 403, 404, 401),
  'POST /api/workspaces/{id}/invitations/{invitationId}/resend': each(200, 403, 403, 404, 401),
  'DELETE /api/workspaces/{id}/invitations/{invitationId}': each(204, 403, 403, 404, 401),
  // The token of an invitation opens these, not a role.
  'GET /api/invitations/{token}': each(200, 200, 200, 200, 200),
  'POST /api/invitations/{token}/accept': each(403, 403, 403, 403, 401),
  // Everybody's own workspaces; nothing is found in those of others.
  'GET /api/trash': each(200, 200, 200, 200, 401),
  'GET /api/search': each(200, 200, 200, 404, 401),
  'GET /api/search/titles': each(200, 200, 200, 200, 401),
  // For operators, whatever their role in a workspace.
  'GET /api/operator/services/notes': each(404, 404, 404, 404, 401),
  'GET /shared/{token}': each(200, 200, 200, 200, 200),
  'GET /shared/{token}/access': each(200, 200, 200, 200, 200),
  'POST /shared/{token}/access': each(200, 200, 200, 200, 200),
  // The note does not refer to it.
  'GET /shared/{token}/attachments/{id}': each(404, 404, 404, 404, 404),
};

const ROLES = ['owner', 'editor', 'viewer', 'nonMember', 'anonymous'] as const;
type Role = (typeof ROLES)[number];

function each(...statuses: [number, number, number, number, number]): Record<Role, number> {
  const [owner, editor, viewer, nonMember, anonymous] = statuses;
  return { owner, editor, viewer, nonMember, anonymous };
}

const MARK = 'zqmark';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

/** A workspace with one of everything, for requests until one of them changes it. */
async function createEnvironment(route: string) {
  const [owner, editor, viewer, other, nonMember] = [1, 2, 3, 4, 5].map(() =>
    newUser(app, { plan: 'pro' }),
  ) as [User, User, User, User, User];
  const workspaceId = await newWorkspace(owner.call, `Garden ${MARK}`);
  const members = [
    [editor, 'editor'],
    [viewer, 'viewer'],
    [other, 'editor'],
  ] as const;
  for (const [user, role] of members) await join(app, { owner, workspaceId, user }, role);
  const noteId = await newNote(owner.call, workspaceId, { title: MARK, tags: [MARK] });
  const { url } = (await owner.call('POST', `/api/notes/${noteId}/share`)).body;
  const { data } = (await owner.call('GET', `/api/notes/${noteId}/versions`)).body;
  if (/\{id\}\/restore$|trash/.test(route)) await owner.call('DELETE', `/api/notes/${noteId}`);
  const attachments = `/api/workspaces/${workspaceId}/attachments?name=a.json`;
  const attached = await owner.call('POST', attachments, { text: MARK });
  const email = `${newId('usr')}@example.com`;
  const invitations = `/api/workspaces/${workspaceId}/invitations`;
  const invitation = await owner.call('POST', invitations, { email, role: 'viewer' });
  const imports = `/api/workspaces/${workspaceId}/imports`;
  const imported =
    route.includes('{importId}') && (await owner.call('POST', imports, { text: MARK }));
  const token = route.includes('/shared/')
    ? String(url).split('/').at(-1)
    : await emailedToken(app, email);
  const parameters: Record<string, string | undefined> = {
    id: idOf(route, { noteId, workspaceId, attachmentId: String(attached.body['id']) }),
    noteId,
    userId: other.id,
    versionId: (data as { id: string }[])[0]?.id,
    invitationId: String(invitation.body['id']),
    importId: imported ? String(imported.body['id']) : undefined,
    token,
    tag: MARK,
  };
  const path = route
    .split(' ')[1]
    ?.replaceAll(/\{(\w+)\}/g, (_all, name) => String(parameters[name]));
  const query: Record<string, string> = {
    'GET /api/search': `?q=${MARK}&workspace=${workspaceId}`,
    'GET /api/search/titles': `?q=${MARK}`,
    'POST /api/workspaces/{id}/attachments': '?name=b.json',
  };
  return {
    callers: { owner, editor, viewer, nonMember },
    url: `${path}${query[route] ?? ''}`,
    body: bodyOf(route, { userId: other.id, workspaceId }),
  };
}

function idOf(
  route: string,
  ids: { noteId: string; workspaceId: string; attachmentId: string },
): string {
  if (route.includes('/attachments/{id}')) return ids.attachmentId;
  return route.includes('/notes/{id}') ? ids.noteId : ids.workspaceId;
}

function bodyOf(
  route: string,
  { userId, workspaceId }: { userId: string; workspaceId: string },
): object | undefined {
  const bodies: Record<string, object> = {
    'POST /api/workspaces': { name: 'W' },
    'PATCH /api/workspaces/{id}': { name: 'W' },
    'POST /api/workspaces/{id}/notes': { title: 'T' },
    'PATCH /api/notes/{id}': { title: 'T' },
    'PATCH /api/workspaces/{id}/tags/{tag}': { name: 'T' },
    'POST /api/notes/{id}/move': { workspaceId },
    'POST /api/notes/{id}/place': { parentId: null },
    'POST /api/notes/{id}/copy': {},
    'POST /api/workspaces/{id}/attachments': { text: MARK },
    'PATCH /api/notes/{id}/share': { allowIndexing: true },
    'POST /api/workspaces/{id}/imports': { text: MARK },
    'POST /api/notes/{id}/versions': { name: 'V' },
    'PATCH /api/workspaces/{id}/members/{userId}': { role: 'viewer' },
    'POST /api/workspaces/{id}/transfer': { userId },
    'POST /api/workspaces/{id}/invitations': {
      email: `${newId('usr')}@example.com`,
      role: 'viewer',
    },
  };
  return bodies[route];
}

test('the table has every route and no other', async () => {
  const { paths } = (await app.server.inject('/openapi.json')).json();
  const routes = Object.entries<object>(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(Object.keys(EXPECTED).toSorted()).toEqual(routes.toSorted());
});

test.each(Object.entries(EXPECTED))('%s', async (route, expected) => {
  const method = route.split(' ')[0] as Parameters<Caller>[0];
  const headers = { 'if-match': '*' };
  const answers: { role: Role; status: number; text: string }[] = [];
  let environment: Awaited<ReturnType<typeof createEnvironment>> | undefined;
  // Roles that are refused come first, and change nothing.
  for (const role of ROLES.toSorted((a, b) => expected[b] - expected[a])) {
    environment ??= await createEnvironment(route);
    const { callers, url, body } = environment;
    const answer =
      role === 'anonymous'
        ? await app.server.inject({ method, url, headers, ...(body && { payload: body }) })
        : await callers[role].call(method, url, body, headers);
    const status = 'statusCode' in answer ? answer.statusCode : answer.status;
    answers.push({ role, status, text: JSON.stringify(answer.body) });
    if (status < 400 && method !== 'GET') environment = undefined;
  }
  const statuses = Object.fromEntries(answers.map(({ role, status }) => [role, status]));
  expect(statuses).toEqual(expected);
  // Anyone with the token of a link may see what it shows.
  if (route.includes('{token}')) return;
  const leaked = answers.filter(
    ({ role, text }) => ['nonMember', 'anonymous'].includes(role) && text.includes(MARK),
  );
  expect(leaked.filter(({ text }) => !text.includes(`"query":"${MARK}"`))).toEqual([]);
});
