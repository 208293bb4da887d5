import { createAtrium, AtriumError } from '@atrium/client';
import { expect, test } from 'vitest';
import { sharedAtrium } from './shared-atrium.fixture.ts';
import { registrationInput } from './accounts.ts';

const platform = await sharedAtrium();
const { auth, notes, links, webhooks } = platform.urls;
const urls = { authUrl: auth, notesUrl: notes, linksUrl: links, webhooksUrl: webhooks };

test('registers, logs in, creates and lists notes and logs out', async () => {
  const atrium = createAtrium(urls);
  const input = registrationInput('client');
  const { email, password } = input;
  await atrium.auth.registerAccount({ ...input, gender: 'female' });
  await atrium.auth.logIn({ email, password });
  expect(atrium.session.getState().user).toMatchObject({ email, emailVerified: false });
  const workspace = await atrium.notes.createWorkspace({ name: 'Work' });
  for (const title of ['One', 'Two', 'Three'])
    await atrium.notes.createNote(workspace.id, { title });
  const titles = [];
  for await (const note of atrium.notes.listNotes(workspace.id, { limit: 2 }))
    titles.push(note.title);
  expect(titles).toEqual(['Three', 'Two', 'One']);
  const { data } = await atrium.notes.listNotes(workspace.id, { limit: 1 });
  const note = await atrium.notes.getNote(data[0]?.id ?? '');
  const changed = await atrium.notes.updateNote(note.id, { pinned: true }, { ifMatch: note.etag });
  expect(changed.pinned).toBe(true);
  const error = await atrium.notes
    .updateNote(note.id, { pinned: false }, { ifMatch: note.etag })
    .catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(AtriumError);
  expect(error).toMatchObject({
    status: 412,
    error: 'Precondition Failed',
    requestId: expect.any(String),
  });
  await atrium.auth.refreshSession();
  await atrium.auth.logOut();
  expect(atrium.session.getState().user).toBeNull();
  await expect(atrium.notes.listWorkspaces()).rejects.toMatchObject({ status: 401 });
});
