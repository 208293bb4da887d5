import { Button, Group, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { LoadError } from '../page/loaded.tsx';
import type { ListState } from './use-list.ts';

/** Below a list: how much of it shows, and more of it when one scrolls here. */
export function ListEnd({ list }: { list: ListState<unknown> }) {
  const { lists } = useSignedInText();
  const { data = [], error, moreError, isFetching, hasMore, isLoadingMore, loadMore } = list;
  const isWaiting = hasMore && !isFetching && error === null && moreError === null;
  const end = useRef<HTMLDivElement>(null);
  const load = useRef(loadMore);
  useEffect(() => {
    load.current = loadMore;
  });
  useEffect(() => {
    if (end.current === null || !isWaiting) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting === true) load.current();
      },
      { rootMargin: '400px' },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
    // Observed anew after each page: a short one, or one that is empty, leaves the end in view.
  }, [isWaiting]);
  if (moreError !== null) {
    return <LoadError query={{ error: moreError, isFetching: isLoadingMore, refetch: loadMore }} />;
  }
  return (
    <Group ref={end} justify="space-between" mih={30}>
      <Text size="sm" c="dimmed" role="status">
        {lists.shown(data.length)}
      </Text>
      {hasMore && (
        <Button variant="default" size="xs" loading={isLoadingMore} onClick={loadMore}>
          {lists.more}
        </Button>
      )}
    </Group>
  );
}
