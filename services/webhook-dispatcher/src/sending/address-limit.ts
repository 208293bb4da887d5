import { SharedSlots } from './shared-slots.ts';

export class BusyAddressError extends Error {
  override name = 'BusyAddressError';
  override message = 'Too many requests to the address of the host are in flight';
}

/** Counts requests in flight to each address, whichever names and subscriptions lead there. */
export class AddressLimit {
  readonly #max: number;
  readonly #slots = new Map<string, SharedSlots>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Counts a request to a host with these addresses; false when the account has its share of one already. */
  enter(addresses: readonly string[], accountId: string): boolean {
    const isFull = (address: string) => this.#slots.get(address)?.hasRoomFor(accountId) === false;
    if (addresses.some(isFull)) return false;
    for (const address of addresses) {
      const slots = this.#slots.get(address) ?? new SharedSlots(this.#max);
      this.#slots.set(address, slots);
      slots.take(accountId);
    }
    return true;
  }

  leave(addresses: readonly string[], accountId: string): void {
    for (const address of addresses) {
      const slots = this.#slots.get(address);
      slots?.leave(accountId);
      if (slots?.isUnused === true) this.#slots.delete(address);
    }
  }
}
