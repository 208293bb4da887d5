import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { type NoteSource, renderNote } from './rendered-note.ts';

// On Linux that of this thread alone: notes that take long to render wait for what everybody does.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);

parentPort?.on('message', (source: NoteSource) => parentPort?.postMessage(renderNote(source)));
