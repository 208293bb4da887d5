import { Text, Typography } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import DOMPurify from 'dompurify';
import { type MouseEvent, useMemo } from 'react';
import { queryKeys } from '../../session/query-keys.ts';
import { renderMarkdown } from '../../../src/markdown/markdown.ts';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { useShownAttachments } from '../attachments/use-shown-attachments.ts';
import type { OpenNote } from '../saving/open-note.ts';
import { workspaces } from '../workspaces/workspaces.ts';
import classes from './editor.module.css';
import { useSavingState } from './saving-status.tsx';

/** The note as its readers see it. Styles and forms of its author have no place in the page. */
export function Preview({ note, content }: { note: OpenNote; content: string }) {
  const { editor } = useSignedInText().notes;
  const noteIds = useLinkedNotes(note, content);
  const follow = useLinkNavigation();
  const html = useMemo(() => {
    const findNote = (title: string) => noteIds?.get(title.toLowerCase());
    const rendered = renderMarkdown(content, { findNote, missingNote: editor.missingNote });
    return DOMPurify.sanitize(rendered, { FORBID_TAGS: ['style', 'form'] });
  }, [content, noteIds, editor]);
  const { ref, onClick: saveAttachment } = useShownAttachments(html);
  return (
    <section aria-label={editor.preview} className={classes.preview}>
      {content.trim() === '' ? (
        <Text c="dimmed">{editor.emptyPreview}</Text>
      ) : (
        <Typography>
          {/* Its links are reached by keyboard; their clicks come here. */}
          <div
            ref={ref}
            role="presentation"
            onClick={(event) => {
              saveAttachment(event);
              follow(event);
            }}
            dangerouslySetInnerHTML={{ __html: html }}
          />
        </Typography>
      )}
    </section>
  );
}

/** The notes that the titles in the text mean: asked for once it is saved. */
function useLinkedNotes(note: OpenNote, content: string): ReadonlyMap<string, string> | undefined {
  const { kind } = useSavingState(note.saver);
  const titles = content.match(/\[\[[^[\]\n]+\]\]/g)?.join('') ?? '';
  const { data } = useQuery({
    queryKey: queryKeys.workspaces.noteLinks(note.id, titles),
    queryFn: ({ signal }) => workspaces.listNoteLinks(note.id, { signal }),
    enabled: titles !== '' && kind === 'saved',
    placeholderData: keepPreviousData,
  });
  return useMemo(
    () => data && new Map(data.data.map(({ name, noteId }) => [name, noteId])),
    [data],
  );
}

/** A link to a note opens in this page, unless a new tab or window is asked for. */
function useLinkNavigation() {
  const navigate = useNavigate();
  return (event: MouseEvent) => {
    const { target, button, metaKey, ctrlKey, shiftKey, altKey } = event;
    if (button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return;
    const href = target instanceof Element ? target.closest('a')?.getAttribute('href') : null;
    const [, id] = /^\/notes\/(note_[0-9a-z]{26})$/.exec(href ?? '') ?? [];
    if (id === undefined) return;
    event.preventDefault();
    void navigate({ to: '/notes/$id', params: { id } });
  };
}
