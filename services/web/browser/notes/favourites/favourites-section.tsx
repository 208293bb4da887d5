import type { NoteSummary } from '@atrium/client';
import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { RowLink } from '../../ui/lists/row-link.tsx';
import rows from '../../ui/lists/rows.module.css';
import { useToast } from '../../ui/toasts/toasts.tsx';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { useNoteActions } from '../list/use-notes.ts';
import { useWorkspaces } from '../workspaces/use-workspaces.ts';
import { useFavourites } from './use-favourites.ts';

/** Favourites of all workspaces. Nothing while there are none: they come from notes. */
export function FavouritesSection() {
  const text = useSignedInText();
  const { data = [], hasMore, isLoadingMore, loadMore } = useFavourites();
  const { data: workspaces = [] } = useWorkspaces();
  if (data.length === 0) return null;
  const names = new Map(workspaces.map(({ id, name }) => [id, name]));
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {text.listing.favourites.title}
      </Title>
      <ul className={rows.list} aria-label={text.listing.favourites.title}>
        {data.map((note) => (
          <FavouriteRow key={note.id} note={note} workspaceName={names.get(note.workspaceId)} />
        ))}
      </ul>
      {hasMore && (
        <Group>
          <Button variant="default" size="xs" loading={isLoadingMore} onClick={loadMore}>
            {text.lists.more}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

function FavouriteRow({
  note: { id, title },
  workspaceName,
}: {
  note: NoteSummary;
  workspaceName: string | undefined;
}) {
  const { listing, notes } = useSignedInText();
  const toast = useToast();
  const { star } = useNoteActions();
  const remove = async () => {
    const isRemoved = await star(id, false);
    if (isRemoved) {
      toast(listing.favourites.removed(title), { undo: () => void star(id, true) });
    }
  };
  return (
    <li className={rows.item}>
      <Group justify="space-between" wrap="nowrap">
        <div>
          <RowLink to="/notes/$id" params={{ id }}>
            {title}
          </RowLink>
          {workspaceName !== undefined && (
            <Text size="sm" c="dimmed">
              {notes.search.inWorkspace(workspaceName)}
            </Text>
          )}
        </div>
        <IconButton
          icon="star"
          filled
          label={listing.favourites.removeNote(title)}
          onClick={() => void remove()}
        />
      </Group>
    </li>
  );
}
