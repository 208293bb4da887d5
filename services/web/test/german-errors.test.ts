import { AtriumError, type ErrorCode } from '@atrium/client';
import { expect, test } from 'vitest';
import { importReason } from '../browser/texts/de/import-reasons.ts';
import { germanError } from '../browser/texts/de/errors.ts';
import { visitor } from '../browser/texts/en/visitor.ts';

const refused = (code: string | undefined, message: string) =>
  new AtriumError(422, 'Validation Error', message, { code: code as ErrorCode | undefined });

test.each([
  ['username-taken', 'Username is already taken', 'Dieser Benutzername ist vergeben'],
  ['not-found', 'Link not found', 'Das gibt es nicht oder nicht mehr'],
  ['validation-failed', 'Bio is $&', 'Eine Angabe ist nicht gültig (Bio is $&)'],
  [
    'plan-limit-size',
    'Content may have at most 500 kB in this workspace',
    'Das ist größer, als der Tarif erlaubt. Was möglich ist, steht unter „Tarif“.',
  ],
  ['moon-not-full', 'The moon is not full', 'The moon is not full'],
  [undefined, 'The note is not saved', 'The note is not saved'],
])('says the rejection %s in German, and as the service does in English', (code, message, ours) => {
  expect(germanError(refused(code, message))).toBe(ours);
  expect(visitor.errors.rejection(refused(code, message))).toBe(message);
});

test.each([
  ['The archive has more than 5000 notes', 'Das Archiv hat mehr als 5000 Notizen'],
  [
    'A note may have at most 50 kB in this workspace',
    'Eine Notiz darf in diesem Arbeitsbereich höchstens 50 kB haben',
  ],
  ['The moon is not full', 'The moon is not full'],
])('says why an archive is not imported in German: %s', (sentence, ours) => {
  expect(importReason(sentence)).toBe(ours);
});
