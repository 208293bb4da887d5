/** A note by its numbers in the index: that of its workspace and its own. */
export interface NoteNumber {
  number: number;
  noteNumber: number;
}

/** What the index has of the notes in $1 and $2, as `i`; `wanted.index` counts them from 1. */
export const WANTED_NOTES = `
  unnest($1::integer[], $2::integer[]) WITH ORDINALITY AS wanted (number, note_number, index)
    JOIN search_notes i ON i.workspace_number = wanted.number AND i.note_number = wanted.note_number`;

/** The parameters of WANTED_NOTES. As text: the driver would take a millisecond to quote thousands of numbers. */
export function wantedNotes(notes: readonly NoteNumber[]): [numbers: string, noteNumbers: string] {
  return [
    `{${notes.map(({ number }) => number).join()}}`,
    `{${notes.map(({ noteNumber }) => noteNumber).join()}}`,
  ];
}
