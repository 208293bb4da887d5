import Type, { type Static } from 'typebox';
import { component, exampleId } from '../component.ts';
import { IdSchema } from '../ids.ts';

export const SearchQuery = Type.Object({
  q: Type.String({ minLength: 1, maxLength: 1000 }),
  workspace: Type.Optional(Type.String({ maxLength: 100 })),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
  cursor: Type.Optional(Type.String({ maxLength: 500 })),
});

/** INTERFACE 2.6. */
export const SearchResult = Type.Object({
  id: IdSchema('note'),
  title: Type.String(),
  snippet: Type.String({ description: 'Excerpt with the matched terms between ** markers' }),
  workspaceId: IdSchema('ws'),
  workspaceName: Type.String(),
  relevance: Type.Number({ minimum: 0, maximum: 1 }),
});
export type SearchResult = Static<typeof SearchResult>;

export const SearchResponse = component(
  'SearchResponse',
  Type.Object({
    results: Type.Array(SearchResult),
    total: Type.Integer(),
    query: Type.String(),
    nextCursor: Type.Union([Type.String(), Type.Null()]),
    didYouMean: Type.Union([Type.String(), Type.Null()], {
      description:
        'The query with misspelt words corrected; the results are of the corrected query',
    }),
    isPartial: Type.Boolean({
      description: 'Whether notes may be missing because looking at all of them is too much work',
    }),
  }),
  {
    results: [
      {
        id: exampleId('note'),
        title: 'Plans for autumn',
        snippet: 'Plant **tulips**.',
        workspaceId: exampleId('ws'),
        workspaceName: 'Work',
        relevance: 0.87,
      },
    ],
    total: 1,
    query: 'tulips',
    nextCursor: null,
    didYouMean: null,
    isPartial: false,
  },
);

export const TitleQuery = Type.Object({
  q: Type.String({ minLength: 1, maxLength: 200 }),
  workspace: Type.Optional(Type.String({ maxLength: 100 })),
  limit: Type.Integer({ minimum: 1, maximum: 50, default: 10 }),
});

export const TitleResult = Type.Pick(SearchResult, ['id', 'title', 'workspaceId', 'workspaceName']);
export type TitleResult = Static<typeof TitleResult>;

export const TitleResponse = component(
  'TitleResponse',
  Type.Object({ data: Type.Array(TitleResult) }),
  {
    data: [
      {
        id: exampleId('note'),
        title: 'Plans for autumn',
        workspaceId: exampleId('ws'),
        workspaceName: 'Work',
      },
    ],
  },
);
