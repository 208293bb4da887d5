import { type ApiResponse, call, text } from '../client.ts';
import { CHROME_ON_LINUX } from '../accounts.ts';
import type { Produce } from './drive.ts';
import { createClickMarkers } from './markers.ts';
import type { ChaosEnvironment } from './chaos-environment.ts';

const LINKS = 20;
const CONCURRENT_CLICKS = 12;
const NOTES = 4;

/** Clients that follow short links of the owner. */
export async function createClickers(environment: ChaosEnvironment): Promise<Produce[]> {
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
    const response = await callOrNull('GET', String(shortUrls[turn++ % LINKS]), {
      headers: { 'user-agent': CHROME_ON_LINUX, referer: marker },
    });
    return response?.status === 302 ? marker : null;
  };
  return Array.from({ length: CONCURRENT_CLICKS }, () => click);
}

/** The owner sharing and unsharing notes. */
export async function createSharers(environment: ChaosEnvironment): Promise<Produce[]> {
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
    sharers.push(createSharer(`${notes}/api/notes/${text(note.body, 'id')}/share`, token));
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
function createSharer(shareUrl: string, token: string): Produce {
  let isPublic = false;
  return async () => {
    if (isPublic) {
      const hidden = await callOrNull('DELETE', shareUrl, { token });
      if (hidden?.status !== 204) return null;
      isPublic = false;
    }
    const shared = await callOrNull('POST', shareUrl, { token });
    if (shared?.status !== 200) return null;
    isPublic = true;
    return text(shared.body, 'url');
  };
}

/** Null when there is no response, because then nothing was accepted. */
async function callOrNull(
  method: string,
  url: string,
  options: { token?: string; headers?: Record<string, string> },
): Promise<ApiResponse | null> {
  return call(method, url, options).catch(() => null);
}
