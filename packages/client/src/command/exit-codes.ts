import { AtriumError } from '../http/error.ts';

/** What the command ends with; documented in the README of the package. */
export const EXIT_CODES = {
  ok: 0,
  failed: 1,
  usage: 2,
  notLoggedIn: 3,
  unreachable: 4,
  interrupted: 130,
} as const;

export type ExitName = keyof typeof EXIT_CODES;

/** Ends the command with a sentence for its user. */
export class CommandError extends Error {
  readonly exit: ExitName;

  constructor(exit: ExitName, message: string) {
    super(message);
    this.exit = exit;
  }
}

/** Without a response, the cause of `fetch`'s error has the useful message. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, cause } = error;
  const why = cause instanceof Error && cause.cause instanceof Error ? cause.cause.message : '';
  return why === '' ? message : `${message}: ${why}`;
}

/** What the command ends with after this failure. */
export function exitOf(error: unknown): ExitName {
  if (error instanceof CommandError) return error.exit;
  return error instanceof AtriumError && error.status === 0 ? 'unreachable' : 'failed';
}
