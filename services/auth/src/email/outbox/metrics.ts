import { Counter, Gauge, type Registry } from 'prom-client';
import type { EmailOutbox, FailureOutcome } from './store.ts';

export type EmailOutcome = 'sent' | FailureOutcome['kind'];

/**
 * Registers how long the oldest unsent message has waited, which has no value while Postgres does not answer, and a
 * counter of attempts.
 * @returns counts an attempt
 */
export function observeEmails(
  registry: Registry,
  outbox: Pick<EmailOutbox, 'oldestUnsentSeconds'>,
): (outcome: EmailOutcome) => void {
  const registers = [registry];
  new Gauge({
    name: 'email_oldest_unsent_seconds',
    help: 'Age of the oldest email that is neither sent nor given up; 0 when there is none',
    registers,
    async collect() {
      const seconds = await outbox.oldestUnsentSeconds().catch(() => undefined);
      if (seconds === undefined) this.remove();
      else this.set(seconds);
    },
  });
  const attempts = new Counter({
    name: 'email_attempts_total',
    help: 'Attempts to send an email, by outcome: sent, retry, given-up or refused',
    labelNames: ['outcome'] as const,
    registers,
  });
  // What alerts look for is there from the start: Prometheus sees no increase in a first value.
  attempts.inc({ outcome: 'sent' }, 0);
  attempts.inc({ outcome: 'given-up' }, 0);
  return (outcome) => attempts.inc({ outcome });
}
