import { createFiles } from '@atrium/client/files';
import { atrium } from './atrium.ts';

/** The files of notes, beside the notes of `atrium`. */
export const files = createFiles(atrium);
