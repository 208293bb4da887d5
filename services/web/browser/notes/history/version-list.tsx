import type { PublicUser, VersionSummary } from '@atrium/client';
import { Badge, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { LIST_ROW, moveInList } from '../../frame/list-keys.ts';
import { Time } from '../../frame/time.tsx';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import classes from './history.module.css';

export function VersionList({
  versions,
  selected,
  people,
}: {
  versions: readonly VersionSummary[];
  selected: VersionSummary;
  people: ReadonlyMap<string, PublicUser> | undefined;
}) {
  const { history } = useSignedInText();
  return (
    <ul className={classes.list} aria-label={history.versions}>
      {versions.map(({ id, name, authorId, createdAt, isCurrent }) => (
        <li key={id}>
          <Link
            to="."
            search={() => ({ version: id })}
            resetScroll={false}
            replace
            className={classes.version}
            aria-current={id === selected.id}
            onKeyDown={moveInList}
            {...LIST_ROW}
          >
            <Group gap="xs">
              <Text component="span" size="sm" fw={600}>
                {name ?? <Time value={createdAt} />}
              </Text>
              {isCurrent && <Badge size="sm">{history.current}</Badge>}
            </Group>
            <Text component="span" size="sm" c="dimmed">
              {authorName(authorId, people, history.unknown)}
              {name !== null && (
                <>
                  {' · '}
                  <Time value={createdAt} />
                </>
              )}
            </Text>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function authorName(
  id: string | null,
  people: ReadonlyMap<string, PublicUser> | undefined,
  unknown: string,
): string {
  if (people === undefined && id !== null) return '…';
  return people?.get(id ?? '')?.name ?? unknown;
}
