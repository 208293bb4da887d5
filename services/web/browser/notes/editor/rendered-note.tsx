import { Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import DOMPurify from 'dompurify';
import { type MouseEvent, useMemo } from 'react';
import { renderMarkdown } from '../../../src/markdown/markdown.ts';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { useShownAttachments } from '../attachments/use-shown-attachments.ts';
import type { OpenNote } from '../saving/open-note.ts';
import '../../../src/markdown/markdown.css';
import classes from './editor.module.css';
import { noteIdOf } from '../note-path.ts';
import { useLinkedNotes } from './use-linked-notes.ts';

/** The note as its readers see it. Styles and forms of its author have no place in the page. */
export function RenderedNote({ note, content }: { note: OpenNote; content: string }) {
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
    <section aria-label={editor.label} className={classes.rendered}>
      {content.trim() === '' ? (
        <Text c="dimmed">{editor.nothingWritten}</Text>
      ) : (
        // Its links are reached by keyboard; their clicks come here.
        <div
          ref={ref}
          className="markdown"
          role="presentation"
          onClick={(event) => {
            saveAttachment(event);
            follow(event);
          }}
          dangerouslySetInnerHTML={{ __html: html }}
        />
      )}
    </section>
  );
}

/** A link to a note opens in this page, unless a new tab or window is asked for. */
function useLinkNavigation() {
  const navigate = useNavigate();
  return (event: MouseEvent) => {
    const { target, button, metaKey, ctrlKey, shiftKey, altKey } = event;
    if (button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return;
    const href = target instanceof Element ? target.closest('a')?.getAttribute('href') : null;
    const id = noteIdOf(href ?? '');
    if (id === undefined) return;
    event.preventDefault();
    void navigate({ to: '/notes/$id', params: { id } });
  };
}
