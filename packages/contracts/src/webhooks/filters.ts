import Type, { type Static } from 'typebox';
import { component, exampleId } from '../component.ts';
import { EventTypeName } from '../events.ts';
import { IdSchema } from '../ids.ts';
import { EXAMPLE_TIMESTAMP, Timestamp } from '../timestamps.ts';

/** Comparisons of one value; each counts as one condition. */
export const FILTER_CONDITIONS_MAX = 30;
/** Values of one $in. */
export const FILTER_VALUES_MAX = 100;
/** Objects and lists inside each other, and names of one path. */
export const FILTER_DEPTH_MAX = 16;
/** Characters of a filter's JSON. */
export const FILTER_MAX_CHARACTERS = 8_192;
/** Recent events that a filter is tried against. */
export const FILTER_PREVIEW_EVENTS = 50;

export const exampleFilter = {
  'data.title': { $startsWith: 'Release' },
  $or: [
    { data: { workspaceId: exampleId('ws') } },
    { data: { url: { $not: { $in: ['https://example.com/'] } } } },
  ],
};

/** What is beyond a schema is checked by webhook-dispatcher, which names the place that is wrong. */
export const Filter = Type.Unsafe<Record<string, unknown>>(
  Type.Object(
    {},
    {
      additionalProperties: true,
      description:
        'Only events that match are delivered. Paths into the body that would be sent, with dots ' +
        '(`{ "data.totalCents": { "$gte": 1000 } }`) or as objects inside each other ' +
        '(`{ "data": { "totalCents": { "$gte": 1000 } } }`), and what must be there: a value, or `$eq`, `$ne`, ' +
        '`$in`, `$gt`, `$gte`, `$lt`, `$lte`, `$exists`, `$startsWith`. All must hold; `$and` and `$or` take a list ' +
        `of filters, \`$not\` one. A list in the body stands for each of its items. At most ${FILTER_CONDITIONS_MAX} ` +
        'comparisons.',
    },
  ),
);
export type Filter = Static<typeof Filter>;

export const FilterPreviewBody = component(
  'FilterPreviewBody',
  Type.Object({ filter: Filter }, { additionalProperties: false }),
  { filter: exampleFilter },
);

export const FilterPreview = component(
  'FilterPreview',
  Type.Object({
    matching: Type.Integer({ description: 'How many of them match' }),
    data: Type.Array(
      Type.Object({
        id: IdSchema('evt'),
        event: EventTypeName,
        createdAt: Timestamp,
        matches: Type.Boolean(),
      }),
      { description: `The newest ${FILTER_PREVIEW_EVENTS}, fewer when they are large` },
    ),
  }),
  {
    matching: 1,
    data: [
      {
        id: exampleId('evt'),
        event: 'note.shared',
        createdAt: EXAMPLE_TIMESTAMP,
        matches: true,
      },
    ],
  },
);
export type FilterPreview = Static<typeof FilterPreview>;
