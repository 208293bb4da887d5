import { parentPort } from 'node:worker_threads';
import { type NoteSource, renderNote } from './rendered-note.ts';

parentPort?.on('message', (source: NoteSource) => parentPort?.postMessage(renderNote(source)));
