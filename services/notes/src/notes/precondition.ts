import { HttpError, notFound } from '@atrium/service-kit/http-error';
import Type from 'typebox';
import { type Precondition, readIfMatch } from './entity-tag.ts';

export const IfMatch = Type.Object({
  'if-match': Type.Optional(
    Type.String({ description: 'The entity tag (ETag) that was read, or *' }),
  ),
});

/** @throws HttpError 428: text is only replaced by someone who has read it */
export function requirePrecondition(header: string | undefined): Precondition {
  const precondition = readIfMatch(header);
  if (precondition.kind === 'none') {
    throw new HttpError('precondition-required');
  }
  return precondition;
}

/** The error of a change that found no note, or another version of it. */
export function rejectionOf({ kind }: { kind: 'missing' | 'stale' }): Error {
  return kind === 'missing'
    ? notFound('Note')
    : new HttpError('precondition-failed', 'The note has changed since you read it');
}
