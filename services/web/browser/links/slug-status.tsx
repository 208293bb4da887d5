import { Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { atrium } from '../session/atrium.ts';
import { queryKeys } from '../session/query-keys.ts';
import { useAllText } from '../texts/signed-in-texts.tsx';

const PAUSE_MS = 300;

/** Says at a pause in typing whether a short name is free. Sending the form is what decides. */
export function SlugStatus({ slug }: { slug: string }) {
  const { links } = useAllText();
  const [typed] = useDebouncedValue(slug, PAUSE_MS);
  const { data } = useQuery({
    queryKey: queryKeys.links.slug(typed),
    queryFn: ({ signal }) => atrium.links.checkSlug(typed, { signal }),
    enabled: typed !== '' && typed === slug,
    staleTime: 0,
  });
  const isKnown = data !== undefined && data.slug === slug;
  return (
    <Text
      role="status"
      size="xs"
      mt={4}
      {...(isKnown && !data.isAvailable ? { c: 'var(--mantine-color-error)' } : {})}
    >
      {isKnown && (data.isAvailable ? links.slugFree(slug) : links.slugTaken)}
    </Text>
  );
}
