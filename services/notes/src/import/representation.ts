import type { Import } from '@atrium/contracts/notes/imports';
import type { ImportRecord } from './store.ts';

export function represent({ sourceName, sourceDescription, ...rest }: ImportRecord): Import {
  return {
    ...rest,
    source: sourceName === null ? null : { name: sourceName, description: sourceDescription ?? '' },
    createdAt: rest.createdAt.toISOString(),
    finishedAt: rest.finishedAt?.toISOString() ?? null,
  };
}
