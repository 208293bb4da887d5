import { validationError } from '@atrium/service-kit/http-error';
import { checkBirthdate } from './birthdate.ts';

/** What an account is opened with, its name trimmed. @throws HttpError 422 */
export function checkPerson<Person extends { name: string; birthdate: string }>(
  person: Person,
  nowMs: number,
): Person {
  const name = person.name.trim();
  if (name === '') throw validationError('Name must not be blank');
  checkBirthdate(person.birthdate, nowMs);
  return { ...person, name };
}
