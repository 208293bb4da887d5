import type { NoteSummary } from '@atrium/client';
import { Badge, Group, Text } from '@mantine/core';
import { memo } from 'react';
import { IconButton } from '../../frame/icon-button.tsx';
import { LIST_ROW, moveInList } from '../../frame/list-keys.ts';
import { TextLink } from '../../frame/links.tsx';
import { Time } from '../../frame/time.tsx';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import classes from './list.module.css';
import { useNoteActions } from './use-notes.ts';

export const ROW_HEIGHT_PX = 64;
const TAGS_SHOWN_MAX = 4;

export const NoteRow = memo(function NoteRow({
  note,
  canWrite,
}: {
  note: NoteSummary;
  canWrite: boolean;
}) {
  const {
    notes: { list: texts },
    listing: { favourites },
  } = useSignedInText();
  const { pin, star, remove } = useNoteActions(note.workspaceId);
  const { id, title, tags, pinned, favourite, sharedUrl, updatedAt } = note;
  return (
    <>
      <div className={classes.about}>
        <Group gap="xs" wrap="nowrap">
          <TextLink
            to="/notes/$id"
            params={{ id }}
            fw={600}
            c="var(--mantine-color-text)"
            truncate
            onKeyDown={moveInList}
            {...LIST_ROW}
          >
            {title}
          </TextLink>
          {sharedUrl !== null && <Badge className={classes.badge}>{texts.public}</Badge>}
        </Group>
        <Group gap={6} className={classes.details}>
          <Text size="sm" c="dimmed" className={classes.time}>
            {texts.changed} <Time value={updatedAt} />
          </Text>
          {tags.slice(0, TAGS_SHOWN_MAX).map((tag) => (
            <Badge key={tag} variant="default" size="sm" className={classes.badge}>
              {tag}
            </Badge>
          ))}
          {tags.length > TAGS_SHOWN_MAX && (
            <Text size="sm" c="dimmed">
              +{tags.length - TAGS_SHOWN_MAX}
            </Text>
          )}
        </Group>
      </div>
      <Group gap={0} wrap="nowrap">
        <IconButton
          icon="star"
          filled={favourite}
          label={favourite ? favourites.removeNote(title) : favourites.addNote(title)}
          onClick={() => void star(id, !favourite)}
        />
        {canWrite && (
          <>
            <IconButton
              icon="pin"
              filled={pinned}
              label={pinned ? texts.unpinNote(title) : texts.pinNote(title)}
              onClick={() => void pin(note, !pinned)}
            />
            <IconButton
              icon="trash"
              label={texts.deleteNote(title)}
              onClick={() => void remove(note)}
            />
          </>
        )}
      </Group>
    </>
  );
});
