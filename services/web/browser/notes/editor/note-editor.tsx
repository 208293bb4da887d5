import { Badge, Stack, Textarea, VisuallyHidden } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { Suspense, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { LatePart } from '../../ui/late/late-page.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { PageTitle } from '../../ui/page/page-title.tsx';
import { useToast } from '../../ui/toasts/toasts.tsx';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { FavouriteButton } from '../favourites/favourite-button.tsx';
import { takeTitle } from '../list/title-typed-ahead.ts';
import type { OpenNote } from '../saving/open-note.ts';
import { ShareButton } from '../sharing/share-button.tsx';
import { useWorkspace } from '../workspaces/use-workspaces.ts';
import classes from './editor.module.css';
import { MarkdownEditor } from './markdown-editor.tsx';
import { NoteBar } from './note-bar.tsx';
import { NoteMenu } from './note-menu.tsx';
import rail from './note-rail.module.css';
import { NoteRail } from './note-rail.tsx';
import { SavingStatus, useSavingState } from './saving-status.tsx';
import { SizeMeter } from './size-meter.tsx';
import { Tags } from './tags.tsx';

const TITLE_LENGTH_MAX = 200;
/** After a pause in typing, so that no key waits for it. */
const FOLLOW_PAUSE_MS = 200;

/** Most notes are opened without one. */
const Notice = lazyPart(async () => (await import('./notice.tsx')).Notice);

export function NoteEditor({ note }: { note: OpenNote }) {
  const { notes, organising } = useSignedInText();
  const { title } = useSyncExternalStore(note.subscribe, note.fields);
  const { data: workspace } = useWorkspace(note.opened.workspaceId);
  const [content, setContent] = useState(note.content);
  const follow = useDebouncedCallback(() => setContent(note.content()), FOLLOW_PAUSE_MS);
  const heading = title.trim() === '' ? notes.list.untitled : title;
  return (
    <div className={rail.page}>
      <Stack gap="md">
        <PageTitle>{heading}</PageTitle>
        <VisuallyHidden component="h1">{heading}</VisuallyHidden>
        <NoteBar note={note}>
          {note.opened.isTemplate && <Badge variant="default">{organising.template}</Badge>}
          <SavingStatus saver={note.saver} />
          <FavouriteButton note={note.opened} />
          <NoteMenu note={note} canWrite />
          <ShareButton note={note} />
        </NoteBar>
        <TitleField note={note} />
        <Tags note={note} />
        <MarkdownEditor note={note} content={content} onChange={follow} />
        {workspace?.role === 'owner' && <SizeMeter content={content} />}
        <Notices note={note} />
      </Stack>
      <NoteRail note={note} content={content} onJump={({ position }) => note.goTo(position)} />
    </div>
  );
}

/** Says what keeps the text from being saved, or from being kept on this device; it moves none of the text. */
function Notices({ note }: { note: OpenNote }) {
  const { kind } = useSavingState(note.saver);
  const isAsked = kind === 'conflict' || kind === 'deleted' || kind === 'forbidden';
  if (note.keepsDrafts && !isAsked) return null;
  return (
    <div className={classes.notices}>
      <Suspense fallback={<LatePart />}>
        {!note.keepsDrafts && <Notice about="noDrafts" note={note} />}
        {isAsked && <Notice about={kind} note={note} />}
      </Suspense>
    </div>
  );
}

function TitleField({ note }: { note: OpenNote }) {
  const { editor, list } = useSignedInText().notes;
  const toast = useToast();
  const { title } = useSyncExternalStore(note.subscribe, note.fields);
  const input = useRef<HTMLTextAreaElement>(null);
  const [isNew] = useState(note.content() === '' && title === list.untitled);
  // A new note begins with its name, which may have been typed already.
  useEffect(() => {
    if (!isNew) return;
    // Unless the person has gone elsewhere meanwhile, such as into the palette.
    if (document.activeElement?.matches('body, main') === true) input.current?.select();
    const typed = takeTitle();
    if (typed !== '') note.change({ title: typed });
  }, [isNew, note]);
  return (
    <Textarea
      autosize
      ref={input}
      aria-label={editor.noteTitle}
      placeholder={editor.noteTitle}
      variant="unstyled"
      className={classes.title ?? ''}
      value={title}
      error={title.trim() === '' && editor.titleRequired}
      maxLength={TITLE_LENGTH_MAX}
      autoComplete="off"
      onPaste={({ currentTarget: { value, selectionStart, selectionEnd }, clipboardData }) => {
        const pasted = clipboardData.getData('text/plain').length;
        const length = value.length - (selectionEnd - selectionStart) + pasted;
        // The browser leaves the rest out without a word.
        if (length > TITLE_LENGTH_MAX) toast(editor.titleCut(TITLE_LENGTH_MAX), { kind: 'error' });
      }}
      onChange={(event) =>
        note.change({ title: event.currentTarget.value.replaceAll(/\s*\n\s*/g, ' ') })
      }
      onKeyDown={(event) => {
        // Enter may also end the composition of a word.
        if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
        event.preventDefault();
        note.focusContent();
      }}
    />
  );
}
