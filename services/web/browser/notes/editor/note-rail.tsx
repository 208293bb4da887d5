import { useMediaQuery } from '@mantine/hooks';
import { useDeferredValue } from 'react';
import { TextLink } from '../../ui/controls/links.tsx';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { LinkedFrom } from '../organising/linked-from.tsx';
import type { OpenNote } from '../saving/open-note.ts';
import { PARSED_FIRST_CHARACTERS } from './code-mirror/language.ts';
import { type Heading, outlineOf } from './outline.ts';
import classes from './note-rail.module.css';

const WIDE = '(min-width: 80em)';

/** Beside a note where there is room, below it elsewhere: what it is made of, and what leads to it. */
export function NoteRail({
  note,
  content,
  onJump,
}: {
  note: OpenNote;
  content: string;
  onJump: (heading: Heading, index: number) => void;
}) {
  const { history } = useSignedInText();
  const isWide = useMediaQuery(WIDE);
  return (
    <div className={classes.rail}>
      {isWide && <Outline content={content} onJump={onJump} />}
      <LinkedFrom noteId={note.id} workspaceId={note.opened.workspaceId} />
      {isWide && (
        <TextLink to="/notes/$id/history" params={{ id: note.id }} size="sm">
          {history.title}
        </TextLink>
      )}
    </div>
  );
}

function Outline({
  content,
  onJump,
}: {
  content: string;
  onJump: (heading: Heading, index: number) => void;
}) {
  const { outline } = useSignedInText().notes.editor;
  const shown = useDeferredValue(content, content.slice(0, PARSED_FIRST_CHARACTERS));
  const headings = outlineOf(shown);
  if (headings.every(({ text }) => text === '')) return null;
  return (
    <nav aria-label={outline}>
      <h2 className={classes.title}>{outline}</h2>
      <ul className={classes.headings}>
        {headings.map(
          (heading, index) =>
            heading.text !== '' && (
              <li key={index} data-level={heading.level}>
                <button type="button" onClick={() => onJump(heading, index)}>
                  {heading.text}
                </button>
              </li>
            ),
        )}
      </ul>
    </nav>
  );
}
