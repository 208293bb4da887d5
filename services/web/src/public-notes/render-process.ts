import { constants, setPriority } from 'node:os';
import { type NoteSource, renderNote } from './rendered-note.ts';

// Notes that take long to render wait for what everybody does.
setPriority(constants.priority.PRIORITY_LOW);

process.on('message', (source: NoteSource) => process.send?.(renderNote(source)));
