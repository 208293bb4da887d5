export class BusyAddressError extends Error {
  override name = 'BusyAddressError';
  override message = 'Too many requests to the address of the host are in flight';
}

/** Counts requests in flight to each address, whichever names, subscriptions and accounts lead there. */
export class AddressLimit {
  readonly #max: number;
  readonly #inFlight = new Map<string, number>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Counts a request to a host with these addresses; false when one of them has enough already. */
  enter(addresses: readonly string[]): boolean {
    if (addresses.some((address) => (this.#inFlight.get(address) ?? 0) >= this.#max)) return false;
    for (const address of addresses) {
      this.#inFlight.set(address, (this.#inFlight.get(address) ?? 0) + 1);
    }
    return true;
  }

  leave(addresses: readonly string[]): void {
    for (const address of addresses) {
      const count = (this.#inFlight.get(address) ?? 1) - 1;
      if (count === 0) this.#inFlight.delete(address);
      else this.#inFlight.set(address, count);
    }
  }
}
