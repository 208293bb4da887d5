import type { DestinationMessage } from '../destination-message.ts';
import type { SocketTarget } from './socket-target.ts';

/** A connection to a broker, for one subscription. */
export interface Link {
  /** Resolves when the broker has confirmed the message; rejects with the reason when it did not. */
  send(message: DestinationMessage): Promise<void>;
  /** False once nothing more can be sent. */
  isOpen(): boolean;
  close(): Promise<void>;
}

/** @param signal destroys the socket, also while it is being opened */
export type OpenLink = (target: SocketTarget, signal: AbortSignal) => Promise<Link>;
