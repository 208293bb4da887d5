import type { SendResult } from './send.ts';

/** A signed delivery that goes elsewhere than to HTTP. */
export interface DestinationMessage {
  accountId: string;
  subscriptionId: string;
  sealedDestination: string;
  url: string;
  deliveryId: string;
  event: string;
  /** Unix milliseconds. */
  startedMs: number;
  /** Names and values in turn, those of a request by HTTP. */
  headers: readonly string[];
  body: Buffer;
}

/** Sends to a destination that is not HTTP. Never rejects, like `Send`. */
export type SendElsewhere = (message: DestinationMessage) => Promise<SendResult>;

/** The headers that say what a delivery is and sign it, without those of its request. */
export function signatureHeaders({ headers }: DestinationMessage): [name: string, value: string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = headers[at] ?? '';
    if (/^(service|webhook)-/i.test(name)) pairs.push([name, headers[at + 1] ?? '']);
  }
  return pairs;
}
