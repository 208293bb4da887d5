import { constants, setPriority } from 'node:os';
import { type NoteSource, type RenderedNote, renderNote } from './rendered-note.ts';

// Notes that take long to render wait for what everybody does.
setPriority(constants.priority.PRIORITY_LOW);

process.on('message', (source: NoteSource) => process.send?.(render(source)));
// Whoever started it waits for this, and only then sends the first note.
process.send?.('ready');

/** An error is an answer: the same note would fail again, and others need not wait for a new process. */
function render(source: NoteSource): RenderedNote | Error {
  try {
    return renderNote(source);
  } catch (error) {
    return new Error('The note cannot be rendered', { cause: error });
  }
}
