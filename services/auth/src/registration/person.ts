import { checkBirthdate } from './birthdate.ts';

/** What an account is opened with, its name trimmed. @throws HttpError 422 */
export function checkPerson<Person extends { name: string; birthdate: string }>(
  person: Person,
  nowMs: number,
): Person {
  checkBirthdate(person.birthdate, nowMs);
  return { ...person, name: person.name.trim() };
}
