import type { Import } from '@atrium/contracts/notes/imports';
import { zip } from '@atrium/testkit/zip';
import { newWorkspace, type TestApp } from '../test-app.ts';

/** Uploads an archive. */
export async function upload(
  app: Pick<TestApp, 'server'>,
  token: string,
  workspaceId: string,
  archive: Buffer,
  key: Record<string, string> = {},
): Promise<{ status: number; body: Import; headers: Record<string, unknown> }> {
  const response = await app.server.inject({
    method: 'POST',
    url: `/api/workspaces/${workspaceId}/imports`,
    headers: { authorization: `Bearer ${token}`, ...key },
    payload: archive,
  });
  return { status: response.statusCode, body: response.json(), headers: response.headers };
}

/** Uploads an archive of one note to a workspace of a new account. No worker imports it yet. */
export async function uploadNote(
  app: TestApp,
): Promise<{ id: string; read: () => Promise<Import> }> {
  const token = app.token();
  const workspaceId = await newWorkspace(app.asToken(token));
  const { body } = await upload(
    app,
    token,
    workspaceId,
    zip([{ path: 'good.md', content: 'text' }]),
  );
  return { id: body.id, read: () => readImport(app, token, body) };
}

/** Uploads an archive and imports it. @returns the finished import */
export async function importInto(
  app: TestApp,
  token: string,
  workspaceId: string,
  archive: Buffer,
): Promise<Import> {
  const { body } = await upload(app, token, workspaceId, archive);
  await app.runImports();
  return readImport(app, token, body);
}

export async function readImport(
  app: TestApp,
  token: string,
  { workspaceId, id }: Import,
): Promise<Import> {
  const url = `/api/workspaces/${workspaceId}/imports/${id}`;
  const headers = { authorization: `Bearer ${token}` };
  return (await app.server.inject({ url, headers })).json();
}

export async function exportOf(app: TestApp, token: string, workspaceId: string): Promise<Buffer> {
  const url = `/api/workspaces/${workspaceId}/export`;
  return (await app.server.inject({ url, headers: { authorization: `Bearer ${token}` } }))
    .rawPayload;
}
