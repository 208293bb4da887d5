import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { PaletteEntry } from '../../ui/palette-entry.ts';
import { atrium } from '../../session/atrium.ts';
import { queryKeys } from '../../session/query-keys.ts';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { useCreateNote } from '../list/use-create-note.ts';
import { useWorkspaces } from '../workspaces/use-workspaces.ts';

const PAUSE_MS = 150;
const TITLES_MAX = 5;
const FOUND_MAX = 5;
const QUERY_LENGTH_MAX = 200;

/**
 * New notes when one types that; notes whose title begins so, then notes that have the words; the search itself;
 * and other new notes, which Enter must not create before anything is found.
 * @param others what else was found, which stands behind the notes
 */
export function usePaletteEntries(typed: string, others: PaletteEntry[]): PaletteEntry[] {
  const { notes } = useSignedInText();
  const navigate = useNavigate();
  const create = useCreateNote();
  const { data: workspaces = [] } = useWorkspaces();
  const query = typed.trim();
  const [q] = useDebouncedValue(query.slice(0, QUERY_LENGTH_MAX), PAUSE_MS);
  const { data: found = [] } = useQuery({
    queryKey: queryKeys.notes.palette(q),
    queryFn: ({ signal }) => findNotes(q, signal),
    enabled: q !== '',
    placeholderData: keepPreviousData,
  });
  const open = (id: string) => navigate({ to: '/notes/$id', params: { id } });
  const creations = workspaces
    .filter(({ role }) => role !== 'viewer')
    .map(({ id, name }) => ({
      key: `new ${id}`,
      label: notes.list.newIn(name),
      run: async () => create.mutate(() => id),
    }))
    .filter(({ label }) => label.toLowerCase().includes(query.toLowerCase()));
  if (query === '') return creations;
  const isMeant = ({ label }: PaletteEntry) => label.toLowerCase().startsWith(query.toLowerCase());
  return [
    ...creations.filter(isMeant),
    ...(q === '' ? [] : found).map(({ id, title, workspaceName, snippet }) => ({
      key: id,
      label: title,
      detail: notes.search.inWorkspace(workspaceName),
      snippet,
      run: () => open(id),
    })),
    ...others,
    {
      key: 'search',
      label: notes.search.searchFor(query),
      run: () => navigate({ to: '/notes', search: { q: query } }),
    },
    ...creations.filter((entry) => !isMeant(entry)),
  ];
}

interface Found {
  id: string;
  title: string;
  workspaceName: string;
  snippet?: string;
}

async function findNotes(q: string, signal: AbortSignal): Promise<Found[]> {
  const [titles, { results }] = await Promise.all([
    atrium.notes.searchTitles({ q, limit: TITLES_MAX }, { signal }),
    atrium.notes.searchNotes({ q, limit: FOUND_MAX }, { signal }),
  ]);
  const snippets = new Map(results.map(({ id, snippet }) => [id, snippet]));
  const byId = new Map<string, Found>([
    ...titles.data.map(
      (note) => [note.id, { ...note, snippet: snippets.get(note.id) ?? '' }] as const,
    ),
    ...results.map((note) => [note.id, note] as const),
  ]);
  return [...byId.values()];
}
