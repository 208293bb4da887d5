import type { Answer, TestApp } from '../test-app.ts';

/** Attaches a file to a workspace. */
export async function upload(
  app: TestApp,
  file: {
    token: string;
    workspaceId: string;
    name: string;
    content: Buffer;
    headers?: Record<string, string>;
  },
): Promise<Answer> {
  const response = await app.server.inject({
    method: 'POST',
    url: `/api/workspaces/${file.workspaceId}/attachments?name=${encodeURIComponent(file.name)}`,
    headers: { authorization: `Bearer ${file.token}`, ...file.headers },
    payload: file.content,
  });
  return { status: response.statusCode, body: response.json(), headers: response.headers };
}
