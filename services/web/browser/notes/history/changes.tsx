import type { Comparison, VersionSummary } from '@atrium/client';
import { Button, NativeSelect, Skeleton, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Loaded } from '../../ui/page/loaded.tsx';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { useTranslation } from '../../texts/texts.tsx';
import { Diff } from './diff.tsx';
import classes from './history.module.css';
import type { Selection } from './selection.ts';
import { useComparison, useRestoreVersion } from './use-history.ts';

/** What differs between two versions, and the way back to the one that is shown. */
export function Changes({
  versions,
  selection: { version, against, from, to },
  canRestore,
}: {
  versions: readonly VersionSummary[];
  selection: Selection;
  canRestore: boolean;
}) {
  const { history } = useSignedInText();
  const { locale } = useTranslation();
  const navigate = useNavigate();
  const comparison = useComparison(version.noteId, from, to);
  const restoreVersion = useRestoreVersion(version.noteId);
  const restore = useMutation({
    mutationFn: async () => {
      if (!(await restoreVersion(version, versions[0] ?? version))) return;
      await navigate({ to: '.', search: () => ({}), replace: true, resetScroll: false });
    },
  });
  const format = new Intl.DateTimeFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'short',
  });
  const labelOf = ({ name, createdAt }: VersionSummary) => {
    const time = format.format(new Date(createdAt));
    return name === null ? time : `${name} (${time})`;
  };
  const compareWith = (id: string) => {
    const search = { version: version.id, ...(id !== '' && { against: id }) };
    void navigate({ to: '.', search: () => search, replace: true, resetScroll: false });
  };
  return (
    <section aria-label={history.changes} className={classes.changes}>
      <div className={classes.bar}>
        <NativeSelect
          label={history.compareWith}
          value={against?.id ?? ''}
          data={[
            { value: '', label: history.before },
            ...versions
              .filter(({ id }) => id !== version.id)
              .map((other) => ({ value: other.id, label: labelOf(other) })),
          ]}
          onChange={(event) => compareWith(event.currentTarget.value)}
        />
        {canRestore && !version.isCurrent && (
          <Button loading={restore.isPending} onClick={() => restore.mutate()}>
            {history.restore}
          </Button>
        )}
      </div>
      <Text size="sm" c="dimmed" role="status">
        {from.id === to.id ? history.oldest : history.fromTo(labelOf(from), labelOf(to))}
      </Text>
      <Loaded query={comparison} skeleton={<Skeleton h={240} />}>
        {(data) => <Compared comparison={data} />}
      </Loaded>
    </section>
  );
}

function Compared({ comparison: { from, to, title, content, tags } }: { comparison: Comparison }) {
  const { history } = useSignedInText();
  const isSame =
    [...title, ...content].every(({ kind }) => kind === 'same') &&
    tags.added.length + tags.removed.length === 0;
  return (
    <Stack gap="md">
      {isSame && from.id !== to.id && <Text>{history.same}</Text>}
      <div className={classes.title}>
        <Diff blocks={title} />
      </div>
      {tags.removed.length > 0 && (
        <Text size="sm">{history.tagsRemoved(tags.removed.join(', '))}</Text>
      )}
      {tags.added.length > 0 && <Text size="sm">{history.tagsAdded(tags.added.join(', '))}</Text>}
      <Diff blocks={content} />
    </Stack>
  );
}
