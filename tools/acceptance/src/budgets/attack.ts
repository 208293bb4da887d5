import type { Answers } from './answers.ts';
import type { Bystander } from './bystander.ts';
import type { Field } from './field.ts';

export interface Attack {
  name: string;
  /** What it does, in a line. */
  title: string;
  /** While it lasts, all but redirects may be refused. */
  stopsPostgres?: boolean;
  /** @returns what begins the attack; the bystander is measured before */
  prepare(field: Field): Promise<Strike>;
}

/**
 * Attacks, within three minutes.
 * @returns what else is wrong, such as a rejected request of the bystander
 */
export type Strike = (answers: Answers, bystander: Bystander) => Promise<string[] | void>;
