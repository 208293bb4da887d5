/**
 * Remembers tokens that were verified, so that a signature is checked once per token. Bounded by two
 * generations, an approximation of least-recently-used without a write per hit: when the young one
 * is full it becomes the old one, and what was not asked for since is forgotten.
 * https://github.com/dominictarr/hashlru describes the algorithm.
 */
export class TokenCache<Entry> {
  readonly #generationMax: number;
  #young = new Map<string, Entry>();
  #old = new Map<string, Entry>();

  /** @param max entries held at most */
  constructor(max: number) {
    this.#generationMax = Math.max(1, Math.floor(max / 2));
  }

  get(token: string): Entry | undefined {
    const young = this.#young.get(token);
    if (young !== undefined) {
      return young;
    }
    const old = this.#old.get(token);
    if (old !== undefined) {
      this.set(token, old);
    }
    return old;
  }

  set(token: string, entry: Entry): void {
    this.#young.set(token, entry);
    if (this.#young.size >= this.#generationMax) {
      this.#old = this.#young;
      this.#young = new Map();
    }
  }

  delete(token: string): void {
    this.#young.delete(token);
    this.#old.delete(token);
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
  }
}
