import type { ServerResponse } from 'node:http';
import { finished, type Readable } from 'node:stream';
import { tooManyRequests } from '@atrium/service-kit/http-error';
import { clientKeyOf } from '@atrium/service-kit/rate-limit/address';

interface Transfer {
  /** The id of an account, or the IP address of a reader without one. */
  client: string;
  response: ServerResponse;
}

/** The transfers of this process. The server ends those that do not get on. */
export interface Transfers {
  /**
   * Counts an upload until it is answered.
   *
   * @throws HttpError 429 when there are too many at the same time
   */
  receive(transfer: Transfer): void;
  /**
   * Content for a response. It is closed with the response.
   *
   * @throws HttpError 429 when there are too many at the same time
   */
  send(content: Readable, transfer: Transfer): Readable;
}

/** For a request with 100 MB at 2 Mbit/s. */
export const UPLOAD_TIMEOUT_MS = 400_000;

/** At the same time, for each client. */
export interface TransferLimits {
  uploads: number;
  downloads: number;
}

const LIMITS = { uploads: 8, downloads: 32 };

export function createTransfers(limits: TransferLimits = LIMITS): Transfers {
  const startUpload = limitConcurrency(limits.uploads);
  const startDownload = limitConcurrency(limits.downloads);
  return {
    receive: startUpload,
    send(content, transfer) {
      finished(transfer.response, () => content.destroy());
      startDownload(transfer);
      return content;
    },
  };
}

function limitConcurrency(max: number) {
  const open = new Map<string, number>();
  return ({ client: given, response }: Transfer): void => {
    const client = clientKeyOf(given);
    const count = open.get(client) ?? 0;
    if (count >= max) throw tooManyRequests('Too many files at the same time', 1);
    open.set(client, count + 1);
    finished(response, () => {
      const rest = (open.get(client) ?? 0) - 1;
      if (rest > 0) open.set(client, rest);
      else open.delete(client);
    });
  };
}
