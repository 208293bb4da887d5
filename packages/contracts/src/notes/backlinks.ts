import Type, { type Static } from 'typebox';
import { component, exampleId } from '../component.ts';
import { IdSchema } from '../ids.ts';

export const NoteLinks = component(
  'NoteLinks',
  Type.Object({
    data: Type.Array(
      Type.Object({
        name: Type.String({ description: 'What stands between [[ and ]], in lower case' }),
        noteId: IdSchema('note'),
        title: Type.String({ description: 'Of that note, now' }),
      }),
    ),
  }),
  { data: [{ name: 'plans', noteId: exampleId('note'), title: 'Plans for autumn' }] },
);

/** A note that links to another one. */
export const Backlink = component(
  'Backlink',
  Type.Object({
    id: IdSchema('note'),
    title: Type.String(),
    workspaceId: IdSchema('ws'),
    workspaceName: Type.String(),
    excerpt: Type.String({
      description: 'What stands around the link, with the words of its name between ** markers',
    }),
  }),
  {
    id: exampleId('note'),
    title: 'Plans for autumn',
    workspaceId: exampleId('ws'),
    workspaceName: 'Work',
    excerpt: 'After that see **Plans** for what is planted when.',
  },
);
export type Backlink = Static<typeof Backlink>;
