import { Alert, Badge, Group, Stack, Text, Title } from '@mantine/core';
import { Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { TextLink } from '../../ui/controls/links.tsx';
import { PageTitle } from '../../ui/page/page-title.tsx';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { FavouriteButton } from '../favourites/favourite-button.tsx';
import type { OpenNote } from '../saving/open-note.ts';
import classes from './editor.module.css';
import { NoteBar } from './note-bar.tsx';
import { NoteMenu } from './note-menu.tsx';
import rail from './note-rail.module.css';
import { NoteRail } from './note-rail.tsx';
import { useSavingState } from './saving-status.tsx';

const RenderedNote = lazyPart(async () => (await import('./rendered-note.tsx')).RenderedNote);

/** A note for somebody who may only read it. */
export function NoteReader({ note }: { note: OpenNote }) {
  const { members, presence, sharing } = useSignedInText();
  const { workspaceId } = note.opened;
  const isPublic = useSyncExternalStore(note.subscribe, note.isPublic);
  const { title, tags } = useSyncExternalStore(note.subscribe, note.fields);
  const content = useContent(note);
  const saving = useSavingState(note.saver);
  return (
    <div className={rail.page}>
      <Stack gap="md">
        <PageTitle>{title}</PageTitle>
        <NoteBar note={note}>
          <FavouriteButton note={note.opened} />
          {isPublic && <Badge>{sharing.shared}</Badge>}
          <Badge variant="default">{members.readOnly.badge}</Badge>
          <NoteMenu note={note} canWrite={false} />
        </NoteBar>
        {saving.kind === 'deleted' && (
          <Alert color="red" variant="light" role="alert" title={presence.gone} />
        )}
        <Title order={1} size={32} className={classes.heading ?? ''}>
          {title}
        </Title>
        {tags.length > 0 && (
          <Group gap="xs">
            {tags.map((tag) => (
              <Badge key={tag} variant="default">
                {tag}
              </Badge>
            ))}
          </Group>
        )}
        <Text size="sm" c="dimmed">
          {members.readOnly.explanation}{' '}
          <TextLink
            to="/workspaces/$id/members"
            params={{ id: workspaceId }}
            size="sm"
            underline="always"
          >
            {members.readOnly.members}
          </TextLink>
        </Text>
        <Suspense fallback={<div className={classes.rendered} />}>
          <RenderedNote note={note} content={content} />
        </Suspense>
      </Stack>
      <NoteRail note={note} content={content} onJump={(_heading, index) => showHeading(index)} />
    </div>
  );
}

function showHeading(index: number): void {
  const headings = document.querySelectorAll(
    `.${classes.rendered} > div > :is(h2, h3, h4, h5, h6)`,
  );
  headings[index]?.scrollIntoView();
}

/** As it is now: the text of a reader follows what others save. */
function useContent(note: OpenNote): string {
  const [content, setContent] = useState(note.content);
  useEffect(() => {
    let shown = note.content();
    note.attach({
      read: () => shown,
      show: (next) => {
        shown = next;
        setContent(next);
      },
    });
  }, [note]);
  return content;
}
