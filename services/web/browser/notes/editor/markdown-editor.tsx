import { Suspense, useEffect, useRef, useState } from 'react';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { UnsavedChanges } from '../../ui/dialogs/unsaved-changes.tsx';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { createAttachedImages } from '../attachments/attached-images.ts';
import { useUploads } from '../attachments/use-uploads.ts';
import type { OpenNote } from '../saving/open-note.ts';
import { blocksOf } from './code-mirror/blocks.ts';
import { createEditor, type Editor, goTo } from './code-mirror/create-editor.ts';
import { showContent } from './code-mirror/show-content.ts';
import { setLinkedNotes } from './code-mirror/surface-context.ts';
import { releasePlace, reservePlace } from './code-mirror/upload-places.ts';
import { createBar, FormatBar } from './format-bar.tsx';
import { findTitles } from './find-titles.ts';
import { useLinkedNotes } from './use-linked-notes.ts';
import { useOpenLink } from './use-open-link.tsx';
import classes from './editor.module.css';

/** Most notes are written without files. */
const UploadList = lazyPart(
  async () => (await import('../attachments/upload-list.tsx')).UploadList,
);

/** Where the content of a note is written. */
export function MarkdownEditor({
  note,
  content,
  onChange,
}: {
  note: OpenNote;
  /** As it was at the last pause in typing. */
  content: string;
  onChange: () => void;
}) {
  const text = useSignedInText();
  const parent = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const chooseFiles = useRef((accepted: string) => {
    if (input.current === null) return;
    input.current.accept = accepted;
    input.current.click();
  });
  const [bar] = useState(createBar);
  const editor = useRef<Editor>(null);
  const uploads = useUploads(note, (id, markdown) => {
    if (editor.current !== null) releasePlace(editor.current, id, markdown);
  });
  const attach = (files: readonly File[], at: number) => {
    for (const file of files) {
      const id = uploads.add(file);
      if (editor.current !== null) reservePlace(editor.current, { id, at, name: file.name });
    }
  };
  const openLink = useOpenLink(note);
  const actions = useRef({ attach, openLink });
  useEffect(() => {
    actions.current = { attach, openLink };
  });
  // The editor is made once: the language and the listener of that moment stay.
  const options = useRef({ texts: text.notes.editor, blocks: blocksOf(text), onChange });
  useEffect(() => {
    if (parent.current === null) return;
    const { texts, blocks, onChange: changed } = options.current;
    const images = createAttachedImages();
    const created = createEditor(parent.current, {
      content: note.content(),
      texts,
      formatBar: bar,
      completions: {
        blocks,
        chooseFiles: chooseFiles.current,
        label: texts.completions,
        findTitles: (typed) => findTitles(note.opened.workspaceId, typed),
      },
      onChange: () => {
        note.saver.changed();
        changed();
      },
      context: {
        texts,
        loadImage: images.load,
        open: (target) => actions.current.openLink(target),
      },
      onFiles: (files, at) => actions.current.attach(files, at),
    });
    editor.current = created;
    note.attach({
      // Also after the page was left, while it is being saved.
      read: () => created.state.doc.toString(),
      show: (content, reason) => showContent(created, content, reason),
      focus: () => created.focus(),
      goTo: (position) => goTo(created, position),
    });
    return () => {
      created.destroy();
      images.dispose();
    };
  }, [note, bar]);
  const known = useLinkedNotes(note, content);
  useEffect(() => {
    if (known !== undefined) editor.current?.dispatch({ effects: setLinkedNotes.of(known) });
  }, [known]);
  return (
    <div className={classes.editor}>
      <FormatBar host={bar} editor={editor} onAttach={() => chooseFiles.current('')} />
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={({ currentTarget }) => {
          const { files } = currentTarget;
          attach([...(files ?? [])], editor.current?.state.selection.main.head ?? 0);
          // So that the same file can be chosen again.
          currentTarget.value = '';
        }}
      />
      {/* Not in the list, which goes with its last file: the question stays until it is answered. */}
      <UnsavedChanges when={uploads.list.length > 0} explanation={text.attachments.unsent} />
      {uploads.list.length > 0 && (
        <Suspense>
          <UploadList uploads={uploads} />
        </Suspense>
      )}
      <div ref={parent} className={classes.text} />
    </div>
  );
}
