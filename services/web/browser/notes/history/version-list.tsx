import type { VersionSummary } from '@atrium/client';
import { Badge, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { LIST_ROW, moveInList } from '../../ui/lists/list-keys.ts';
import { Time } from '../../ui/times/time.tsx';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { type People, personOf } from '../members/use-people.ts';
import classes from './history.module.css';

export function VersionList({
  versions,
  selected,
  people,
}: {
  versions: readonly VersionSummary[];
  selected: VersionSummary;
  people: People;
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
              {people === undefined && authorId !== null
                ? '…'
                : personOf(people, authorId, history.unknown).name}
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
