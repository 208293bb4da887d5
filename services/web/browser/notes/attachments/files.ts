import { createFiles } from '@atrium/client/files';
import { atrium } from '../../session/atrium.ts';

/** The files of notes, beside the notes of `atrium`. */
export const files = createFiles(atrium);
