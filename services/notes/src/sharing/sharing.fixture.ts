import { newNote, newWorkspace, type TestApp } from '../test-app.ts';

interface VisitOptions {
  method?: 'GET' | 'HEAD' | 'POST';
  path?: string;
  access?: string;
  body?: object;
  /** The IP address of the reader. */
  from?: string;
}

export const PASSWORD = 'a lantern in the fog';

export const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

/** Asks for what is below `/shared/{token}`, as whoever has the link may. */
export async function visit(
  app: TestApp,
  url: unknown,
  { method = 'GET', path = '', access = '', body, from }: VisitOptions = {},
) {
  const response = await app.server.inject({
    method,
    url: new URL(String(url)).pathname.replace('/s/', '/shared/') + path,
    headers: { 'share-access': access },
    ...(body && { payload: body }),
    ...(from !== undefined && { remoteAddress: from }),
  });
  const { statusCode: status, headers, body: text } = response;
  return { status, headers, body: text.startsWith('{') ? response.json() : text };
}

/** A public note with these settings. */
export async function share(app: TestApp, settings: object) {
  const call = app.as({ plan: 'pro' });
  const workspaceId = await newWorkspace(call);
  const id = await newNote(call, workspaceId, { title: 'Open letter', content: '**Hello**' });
  const path = `/api/notes/${id}/share`;
  const { body, headers } = await call('POST', path, settings);
  const url = String(body['url']);
  return { call, id, workspaceId, path, url, etag: String(headers['etag']) };
}
