/** How often an attacker got each answer. */
export class Answers {
  readonly #counts = new Map<string, number>();

  /** @param outcome a status, or what happened instead of an answer */
  add(outcome: number | string): void {
    const name = String(outcome);
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  /** Statuses from 500 on, without 503: errors of a service, where a rejection would be right. */
  get faults(): string[] {
    return [...this.#counts.keys()].filter((name) => /^5(?!03)/.test(name));
  }

  toString(): string {
    const sorted = [...this.#counts].toSorted(([a], [b]) => a.localeCompare(b));
    return sorted.map(([name, count]) => `${count} × ${name}`).join(', ') || 'none';
  }
}
