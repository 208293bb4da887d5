import { validationError } from '@atrium/service-kit/http-error';

const EARLIEST = '1900-01-01';
/** The time zone furthest ahead of UTC is 14 hours ahead: it may already be tomorrow there. */
const FURTHEST_AHEAD_MS = 14 * 3_600_000;

/**
 * Refuses dates that do not exist or that no user can have been born on. The schema has checked the
 * form YYYY-MM-DD.
 *
 * @throws HttpError 422
 */
export function checkBirthdate(birthdate: string, nowMs: number): void {
  const time = Date.parse(`${birthdate}T00:00:00.000Z`);
  // `Date.parse` reads 30 February as 2 March.
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== birthdate) {
    throw validationError('Birthdate must be a real date');
  }
  if (birthdate < EARLIEST) {
    throw validationError('Birthdate must not be before 1900');
  }
  if (time > nowMs + FURTHEST_AHEAD_MS) {
    throw validationError('Birthdate must not be in the future');
  }
}
