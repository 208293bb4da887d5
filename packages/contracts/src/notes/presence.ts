import Type from 'typebox';
import { component, exampleId } from '../component.ts';

export const NOTE_STREAM_EXAMPLE = `event: present\ndata: {"userIds":["${exampleId('usr')}"]}\n\nevent: saved\ndata: {"etag":"\\"7\\"","userId":"${exampleId('usr')}"}\n\n`;

/** A body of type text/event-stream (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export const NoteStream = component(
  'NoteStream',
  Type.String({
    description:
      'Server-sent events, each at the beginning and after a change. `present`: `{ userIds }`, who has ' +
      'the note open. `saved`: `{ etag, userId }`, the entity tag of the note and who wrote its text last; ' +
      'null when that account has been erased. `changed`, only after a change: another account has done something ' +
      'in the workspace other than write the text of a note, such as make, rename, move or delete one.',
  }),
  NOTE_STREAM_EXAMPLE,
);
