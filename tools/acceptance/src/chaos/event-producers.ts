import { randomUUID } from 'node:crypto';
import { type ApiResponse, call, text } from '../client.ts';
import { CHROME_ON_LINUX } from '../accounts.ts';
import type { Produce } from './drive.ts';
import { createClickMarkers, PUBLISHED_TYPE } from './markers.ts';
import type { LoadedPlatform } from './chaos-environment.ts';
import type { Rejections } from './rejections.ts';

const LINKS = 20;
const CONCURRENT_CLICKS = 12;
const NOTES = 4;
const CONCURRENT_PUBLISHERS = 4;

/** Clients that follow short links of the owner. */
export async function createClickers(
  environment: LoadedPlatform,
  rejections: Rejections,
): Promise<Produce[]> {
  const { owner, platform } = environment;
  const shortUrls: string[] = [];
  for (let n = 0; n < LINKS; n++) {
    const created = await call('POST', `${platform.urls.links}/api/links`, {
      token: owner.accessToken,
      body: { url: `https://example.com/${n}` },
    });
    shortUrls.push(text(created.body, 'shortUrl'));
  }
  const nextMarker = createClickMarkers();
  let turn = 0;
  const click = async () => {
    const marker = nextMarker();
    const request = call('GET', String(shortUrls[turn++ % LINKS]), {
      headers: { 'user-agent': CHROME_ON_LINUX, referer: marker },
    });
    return (await accepted(request, 302, rejections)) === null ? null : marker;
  };
  return Array.from({ length: CONCURRENT_CLICKS }, () => click);
}

/** The owner sharing and unsharing notes. */
export async function createSharers(
  environment: LoadedPlatform,
  rejections: Rejections,
): Promise<Produce[]> {
  const { owner, platform } = environment;
  const { notes } = platform.urls;
  const token = owner.accessToken;
  const existing = await call('GET', `${notes}/api/workspaces`, { token });
  const [workspace] = existing.body['data'] as { id: string }[];
  const workspaceId = workspace?.id ?? (await createWorkspace(notes, token));
  const sharers: Produce[] = [];
  for (let n = 0; n < NOTES; n++) {
    const note = await call('POST', `${notes}/api/workspaces/${workspaceId}/notes`, {
      token,
      body: { title: 'For all', content: 'Hello' },
    });
    const shareUrl = `${notes}/api/notes/${text(note.body, 'id')}/share`;
    sharers.push(createSharer(shareUrl, token, rejections));
  }
  return sharers;
}

async function createWorkspace(notes: string, token: string): Promise<string> {
  const body = { name: 'Chaos', description: '' };
  return text((await call('POST', `${notes}/api/workspaces`, { token, body })).body, 'id');
}

/**
 * A note gets a new address each time it is shared, so the address is the marker. If the fault swallowed a
 * response, repeating the request returns the same one.
 */
function createSharer(shareUrl: string, token: string, rejections: Rejections): Produce {
  let isPublic = false;
  return async () => {
    if (isPublic) {
      const hidden = await accepted(call('DELETE', shareUrl, { token }), 204, rejections);
      if (hidden === null) return null;
      isPublic = false;
    }
    const shared = await accepted(call('POST', shareUrl, { token }), 200, rejections);
    if (shared === null) return null;
    isPublic = true;
    return text(shared.body, 'url');
  };
}

/**
 * The owner publishing events with ids of their own. One whose response the fault swallowed is published again
 * with the same id, which makes no second event.
 */
export async function createPublishers(
  { owner, platform }: LoadedPlatform,
  rejections: Rejections,
): Promise<Produce[]> {
  const { webhooks } = platform.urls;
  const token = owner.accessToken;
  const type = { description: 'Happens in a fault', example: { marker: '1' } };
  const url = `${webhooks}/api/event-types/${PUBLISHED_TYPE}`;
  await call('PUT', url, { token, body: type });
  const createPublisher = (): Produce => {
    let marker = randomUUID();
    return async () => {
      const body = { type: PUBLISHED_TYPE, id: marker, data: { marker } };
      const request = call('POST', `${webhooks}/api/events`, { token, body });
      if ((await accepted(request, 202, rejections)) === null) return null;
      const published = marker;
      marker = randomUUID();
      return published;
    };
  };
  return Array.from({ length: CONCURRENT_PUBLISHERS }, createPublisher);
}

/** The owner logging in from new devices. */
export function createLogins(environment: LoadedPlatform, rejections: Rejections): Produce[] {
  const { owner, platform } = environment;
  const { email, password } = owner;
  const logIn = async () => {
    const request = call('POST', `${platform.urls.auth}/auth/login`, {
      body: { email, password },
      headers: { 'user-agent': CHROME_ON_LINUX },
    });
    const response = await accepted(request, 200, rejections);
    if (response === null) return null;
    const [, claims = ''] = text(response.body, 'accessToken').split('.');
    return text(JSON.parse(Buffer.from(claims, 'base64url').toString()), 'sid');
  };
  return [logIn];
}

/** Null when there is no response or a rejection, because then nothing was accepted. */
async function accepted(
  request: Promise<ApiResponse>,
  status: number,
  rejections: Rejections,
): Promise<ApiResponse | null> {
  const response = await request.catch(() => null);
  if (response === null || response.status === status) return response;
  rejections.add(response);
  return null;
}
