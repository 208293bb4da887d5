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
