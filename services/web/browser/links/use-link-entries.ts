import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { PaletteEntry } from '../ui/palette-entry.ts';
import { atrium } from '../session/atrium.ts';
import { queryKeys } from '../session/query-keys.ts';
import { readableUrl } from '../ui/urls.ts';

const PAUSE_MS = 150;
const FOUND_MAX = 5;
const QUERY_LENGTH_MAX = 200;

/** Links whose short name or destination has what is typed. */
export function useLinkEntries(typed: string): PaletteEntry[] {
  const navigate = useNavigate();
  const [q] = useDebouncedValue(typed.trim().slice(0, QUERY_LENGTH_MAX), PAUSE_MS);
  const { data: found = [] } = useQuery({
    queryKey: queryKeys.links.palette(q),
    queryFn: async ({ signal }) =>
      (await atrium.links.listLinks({ q, limit: FOUND_MAX }, { signal })).data,
    enabled: q !== '',
    placeholderData: keepPreviousData,
  });
  if (typed.trim() === '' || q === '') return [];
  return found.map(({ id, slug, url }) => ({
    key: id,
    label: slug,
    detail: readableUrl(url),
    run: () => navigate({ to: '/links/$id', params: { id } }),
  }));
}
