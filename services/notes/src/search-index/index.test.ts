import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '@atrium/contracts/ids';
import { newWorkspace, startTestApp, type TestApp } from '../test-app.ts';
import { analyseNote, type NoteText } from './analysis.ts';
import { lengthClass } from './entries.ts';
import { eraseDeletedWorkspaces } from '../workspaces/erasure.ts';
import { eraseOrphans } from './orphans.ts';
import { addToIndex, removeFromIndex, updateInIndex } from './store.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

interface Model extends NoteText {
  workspaceId: string;
}

/** What the index should hold of some notes, in the form in which `indexOf` reads it. */
async function expectedIndex(notes: ReadonlyMap<string, Model>) {
  const words = new Set<string>();
  const workspaces = new Map<string, { notes: number; length: number; languages: object }>();
  for (const [id, { workspaceId, ...text }] of notes) {
    const { language, length, weights } = await analyseNote(text);
    for (const [word, weight] of weights) {
      words.add([workspaceId, id, word, weight, lengthClass(length)].join(' '));
    }
    const {
      notes: count,
      length: total,
      languages,
    } = workspaces.get(workspaceId) ?? {
      notes: 0,
      length: 0,
      languages: {},
    };
    const written: Record<string, number> = { ...languages };
    written[language] = (written[language] ?? 0) + 1;
    workspaces.set(workspaceId, { notes: count + 1, length: total + length, languages: written });
  }
  return { words: [...words].toSorted(), workspaces: Object.fromEntries(workspaces) };
}

/** Reads every entry of every block by the documented format. */
async function readIndex(workspaceIds: string[]) {
  const blocks = await app.database.query<{
    workspaceId: string;
    number: number;
    word: string;
    block: number;
    entries: Buffer;
  }>(
    `SELECT workspace_id AS "workspaceId", number, word, block, entries
     FROM search_blocks JOIN search_workspaces ON number = workspace_number
     WHERE workspace_id = ANY ($1)`,
    [workspaceIds],
  );
  const ids = await app.database.query<{ number: number; note: number; id: string }>(
    `SELECT workspace_number AS number, note_number AS note, note_id AS id FROM search_notes`,
  );
  const idOf = new Map(ids.map(({ number, note, id }) => [`${number} ${note}`, id]));
  const words = blocks.flatMap(({ workspaceId, number, word, block, entries }) => {
    expect(entries.length).toBeGreaterThan(0);
    return Array.from({ length: entries.length / 4 }, (_, index) => {
      const [high = 0, low = 0, weight = 0, length = 0] = entries.subarray(index * 4);
      const note = block * 512 + ((high & 3) << 7) + low;
      return [workspaceId, idOf.get(`${number} ${note}`), word, weight, length].join(' ');
    });
  });
  const rows = await app.database.query<{
    id: string;
    notes: number;
    length: number;
    languages: object;
  }>(
    `SELECT workspace_id AS id, note_count AS notes, total_length::float AS length, languages
     FROM search_workspaces WHERE workspace_id = ANY ($1) AND note_count > 0`,
    [workspaceIds],
  );
  const workspaces = rows.map(({ id, ...row }) => [id, row]);
  return { words: words.toSorted(), workspaces: Object.fromEntries(workspaces) };
}

const text: fc.Arbitrary<NoteText> = fc.record({
  title: fc.constantFrom('Plan', 'The plan of the house', '東京の寿司', 'Müll und Häuser'),
  content: fc
    .array(
      fc.constantFrom('red', 'blue', 'the', 'und', 'der', 'house', 'Häuser', '食べる', 'x_y'),
      {
        maxLength: 40,
      },
    )
    .map((words) => words.join(' ')),
  tags: fc.uniqueArray(fc.constantFrom('red', 'to do', 'Küche'), { maxLength: 2 }),
});
const step = fc.record({
  kind: fc.constantFrom(
    'write',
    'write',
    'write',
    'change',
    'change',
    'move',
    'delete',
    'restore',
    'delete all',
    'restore all',
  ),
  note: fc.nat({ max: 5 }),
  workspace: fc.nat({ max: 1 }),
  text,
});

test('agrees with the notes after any sequence of writes, moves, deletes and restores', async () => {
  const call = app.as();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
      const workspaceIds = [newId('ws'), newId('ws')];
      const ids = Array.from({ length: 6 }, () => newId('note'));
      const notes = new Map<string, Model>();
      const deleted = new Map<string, Model>();
      for (const { kind, note, workspace, text: newText } of steps) {
        const id = ids[note] ?? '';
        const workspaceId = workspaceIds[workspace] ?? '';
        const current = notes.get(id);
        const addAll = async (models: [string, Model][]) => {
          const texts = models.map(([noteId, model]) => ({ id: noteId, ...model }));
          await app.database.transaction({ job: 'test' }, (tx) =>
            addToIndex(tx, models[0]?.[1].workspaceId ?? '', texts),
          );
          for (const [noteId, model] of models) notes.set(noteId, model);
        };
        const removeAll = async (noteIds: string[]) => {
          await app.database.transaction({ job: 'test' }, (tx) => removeFromIndex(tx, noteIds));
          for (const noteId of noteIds) notes.delete(noteId);
        };
        const add = (model: Model) => addAll([[id, model]]);
        const remove = () => removeAll([id]);
        const isHere = ([, model]: [string, Model]) => model.workspaceId === workspaceId;
        if (kind === 'delete all') {
          const here = [...notes].filter(isHere);
          await removeAll(here.map(([noteId]) => noteId));
          for (const [noteId, model] of here) deleted.set(noteId, model);
          continue;
        }
        if (kind === 'restore all') {
          const gone = [...deleted].filter(isHere).filter(([noteId]) => !notes.has(noteId));
          await addAll(gone);
          continue;
        }
        if (current === undefined) {
          const trashed = deleted.get(id);
          if (kind === 'restore' && trashed !== undefined) await add(trashed);
          else if (kind === 'write') await add({ ...newText, workspaceId });
        } else if (kind === 'delete') {
          await remove();
          deleted.set(id, current);
        } else if (kind === 'move') {
          await remove();
          await add({ ...current, workspaceId });
        } else if (kind === 'change') {
          await app.database.transaction({ job: 'test' }, (tx) =>
            updateInIndex(tx, { id, ...newText }),
          );
          notes.set(id, { ...newText, workspaceId: current.workspaceId });
        }
      }
      expect(await readIndex(workspaceIds)).toEqual(await expectedIndex(notes));
    }),
    { numRuns: 25 },
  );
  expect((await call('GET', '/api/search?q=red')).status).toBe(200);
});

test('agrees with the notes after requests of all kinds at once', async () => {
  const call = app.as({ plan: 'pro' });
  const workspaceId = await newWorkspace(call);
  const path = `/api/workspaces/${workspaceId}/notes`;
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, n) =>
      call('POST', path, { title: `Note ${n}`, content: `shared words number ${n % 3}` }),
    ),
  );
  const ids = answers.map(({ body }) => String(body['id']));
  await Promise.all(
    ids.flatMap((id, n) => {
      const change = { content: `shared changed ${n % 5}`, tags: [`tag ${n % 2}`] };
      const patch = call('PATCH', `/api/notes/${id}`, change, { 'if-match': '*' });
      return n % 3 === 0 ? [patch, call('DELETE', `/api/notes/${id}`)] : [patch];
    }),
  );
  await Promise.all(
    ids.map((id, n) =>
      n % 6 === 0 ? call('POST', `/api/notes/${id}/restore`) : call('GET', `/api/notes/${id}`),
    ),
  );
  const rows = await app.database.prisma.note.findMany({ where: { workspaceId, deletedAt: null } });
  expect(rows).toHaveLength(25);
  const notes = new Map(rows.map((row) => [row.id, row]));
  expect(await readIndex([workspaceId])).toEqual(await expectedIndex(notes));
});

test('deletes the rows of a deleted workspace and of no other', async () => {
  const call = app.as();
  const [gone, orphaned] = [await newWorkspace(call), await newWorkspace(call)];
  const kept = await newWorkspace(call);
  for (const id of [gone, orphaned, kept]) {
    await call('POST', `/api/workspaces/${id}/notes`, { title: 'Here', content: 'some words' });
  }
  await call('DELETE', `/api/workspaces/${gone}`);
  await eraseDeletedWorkspaces(app);
  await app.database.prisma.workspace.delete({ where: { id: orphaned } });
  await eraseOrphans(app.database);
  expect((await readIndex([gone, orphaned])).words).toEqual([]);
  expect((await readIndex([kept])).words).not.toEqual([]);
  expect(
    await app.database.prisma.searchNote.count({ where: { words: { contains: 'here' } } }),
  ).toBe(1);
});
