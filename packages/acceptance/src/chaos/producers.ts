import { type Answer, call, text } from '../client.ts';
import { CHROME_ON_LINUX } from '../accounts.ts';
import type { Produce } from './drive.ts';
import { createClickMarks } from './marks.ts';
import type { World } from './world.ts';

const LINKS = 20;
const CLICKS_AT_ONCE = 12;
const NOTES = 4;

/** People who follow short links of the owner. */
export async function createClickers(world: World): Promise<Produce[]> {
  const { owner, platform } = world;
  const shortUrls: string[] = [];
  for (let n = 0; n < LINKS; n++) {
    const made = await call('POST', `${platform.urls.links}/api/links`, {
      token: owner.accessToken,
      body: { url: `https://example.com/${n}` },
    });
    shortUrls.push(text(made.body, 'shortUrl'));
  }
  const nextMark = createClickMarks();
  let turn = 0;
  const click = async () => {
    const mark = nextMark();
    const answer = await attempt('GET', String(shortUrls[turn++ % LINKS]), {
      headers: { 'user-agent': CHROME_ON_LINUX, referer: mark },
    });
    return answer?.status === 302 ? mark : null;
  };
  return Array.from({ length: CLICKS_AT_ONCE }, () => click);
}

/** The owner, who makes notes public and private again. */
export async function createSharers(world: World): Promise<Produce[]> {
  const { owner, platform } = world;
  const { notes } = platform.urls;
  const token = owner.accessToken;
  const existing = await call('GET', `${notes}/api/workspaces`, { token });
  const [workspace] = existing.body['data'] as { id: string }[];
  const workspaceId = workspace?.id ?? (await makeWorkspace(notes, token));
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

async function makeWorkspace(notes: string, token: string): Promise<string> {
  const body = { name: 'Chaos', description: '' };
  return text((await call('POST', `${notes}/api/workspaces`, { token, body })).body, 'id');
}

/**
 * Each time a note is made public its address is another one, so the address is the mark. Where
 * the fault has swallowed an answer, the same request again tells what it would have said.
 */
function createSharer(shareUrl: string, token: string): Produce {
  let isPublic = false;
  return async () => {
    if (isPublic) {
      const hidden = await attempt('DELETE', shareUrl, { token });
      if (hidden?.status !== 204) return null;
      isPublic = false;
    }
    const shared = await attempt('POST', shareUrl, { token });
    if (shared?.status !== 200) return null;
    isPublic = true;
    return text(shared.body, 'url');
  };
}

/** Null when there is no answer: then nothing has been promised either. */
async function attempt(
  method: string,
  url: string,
  options: { token?: string; headers?: Record<string, string> },
): Promise<Answer | null> {
  return call(method, url, options).catch(() => null);
}
