import { parentPort } from 'node:worker_threads';
import { renderNote } from './rendered-note.ts';

parentPort?.on('message', (content: string) => parentPort?.postMessage(renderNote(content)));
