import { AtriumError, type ErrorCode } from '@atrium/client';
import { expect, test } from 'vitest';
import { visitor } from '../browser/texts/en/visitor.ts';
import { errorText } from '../browser/ui/error-text.ts';

const failed = (code: ErrorCode) =>
  new AtriumError(500, 'Internal Server Error', 'The sentence of the service', { code });

test('asks to try again only when nothing can have taken effect', () => {
  expect(errorText(failed('internal-error'), visitor)).toBe(visitor.errors.unexpected);
  expect(errorText(failed('outcome-unknown'), visitor)).toBe('The sentence of the service');
});
