import Type, { type Static } from 'typebox';
import { component, exampleId } from '../component.ts';
import { IdSchema } from '../ids.ts';
import { EXAMPLE_TIMESTAMP, NullableTimestamp, Timestamp } from '../timestamps.ts';

/** Why an import has ended before the file did. */
const ACCOUNT_IMPORT_ERRORS = ['too-many-rejected', 'interrupted'] as const;

const Count = Type.Integer({ minimum: 0 });

/** A file of accounts that an operator imports: docs/moving-in.md. */
export const AccountImport = component(
  'AccountImport',
  Type.Object({
    id: IdSchema('imp'),
    fileName: Type.String(),
    operator: Type.Union([Type.String(), Type.Null()], {
      description: 'The username of who began it; null once that account is erased',
    }),
    state: Type.Enum(['uploading', 'waiting', 'running', 'completed', 'failed']),
    lines: Type.Integer({ minimum: 0, description: 'Of the file; 0 while it is uploaded' }),
    linesRead: Count,
    created: Type.Integer({ minimum: 0, description: 'Accounts created' }),
    alreadyThere: Type.Integer({ minimum: 0, description: 'Accounts that were there before' }),
    rejected: Type.Integer({
      minimum: 0,
      description: 'Lines that made no account; the report has their reasons',
    }),
    error: Type.Union([Type.Enum([...ACCOUNT_IMPORT_ERRORS]), Type.Null()]),
    createdAt: Timestamp,
    finishedAt: NullableTimestamp,
  }),
  {
    id: exampleId('imp'),
    fileName: 'accounts.ndjson',
    operator: 'grace',
    state: 'completed',
    lines: 100_000,
    linesRead: 100_000,
    created: 99_990,
    alreadyThere: 8,
    rejected: 2,
    error: null,
    createdAt: EXAMPLE_TIMESTAMP,
    finishedAt: '2026-01-31T09:30:12.000Z',
  },
);
export type AccountImport = Static<typeof AccountImport>;

export const AccountImportQuery = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 255, description: 'Of the file' }),
});
