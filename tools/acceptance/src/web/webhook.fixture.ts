import { type ReceiverAnswer, startReceiver } from '@atrium/testkit/receiver';
import type { Person } from '../accounts.ts';
import type { Atrium } from '../atrium.ts';
import { call, text } from '../client.ts';

/** An endpoint whose answers a test changes. */
export async function startEndpoint() {
  const answer: { current: ReceiverAnswer } = { current: { status: 200, body: 'thanks' } };
  const receiver = await startReceiver({ respond: () => answer.current });
  return Object.assign(receiver, {
    answerWith: (next: ReceiverAnswer) => {
      answer.current = next;
    },
  });
}

/** Makes a webhook, for shared notes by default. */
export async function subscribe(
  { urls }: Atrium,
  { accessToken: token }: Person,
  url: string,
  events = ['note.shared'],
): Promise<string> {
  const body = { url, events, description: 'Team chat' };
  const created = await call('POST', `${urls.webhooks}/api/webhooks`, { token, body });
  return text(created.body, 'id');
}

/** Makes a note public, which is an event of the account. */
export async function share(
  { urls: { notes } }: Atrium,
  { accessToken: token }: Person,
): Promise<void> {
  const input = { name: 'Shared', description: '' };
  const workspace = await call('POST', `${notes}/api/workspaces`, { token, body: input });
  const note = await call('POST', `${notes}/api/workspaces/${text(workspace.body, 'id')}/notes`, {
    token,
    body: { title: 'For all', content: 'Hello' },
  });
  const path = `/api/notes/${text(note.body, 'id')}/share`;
  await call('POST', notes + path, { token });
}
