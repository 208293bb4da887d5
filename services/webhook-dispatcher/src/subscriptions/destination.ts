import type {
  Destination,
  DestinationBody,
  DestinationKind,
} from '@atrium/contracts/webhooks/destinations';
import { validationError } from '@atrium/service-kit/http-error';
import type { KeyRing } from '@atrium/service-kit/key-ring';
import type { CustomHeaders } from './custom-headers.ts';
import { sealingContexts } from './secrets.ts';

/** A destination that is not HTTP, with its credentials. */
export type RemoteDestination = Exclude<DestinationBody, { kind: 'http' }>;

/** Encrypts a destination for the column `sealed_destination`, which is null for HTTP. */
export function sealDestination(
  keyRing: KeyRing,
  subscriptionId: string,
  destination: DestinationBody,
): string | null {
  if (destination.kind === 'http') return null;
  return keyRing.encrypt(JSON.stringify(destination), sealingContexts.destination(subscriptionId));
}

/** The column of a destination, unless it stays as it is. */
export function destinationChange(
  keyRing: KeyRing,
  subscriptionId: string,
  destination: DestinationBody | undefined,
): { sealedDestination?: string | null } {
  if (destination === undefined) return {};
  return { sealedDestination: sealDestination(keyRing, subscriptionId, destination) };
}

/** The destination that `sealDestination` encrypted. */
export function openDestination(
  keyRing: KeyRing,
  subscriptionId: string,
  sealed: string,
): RemoteDestination {
  return JSON.parse(keyRing.decrypt(sealed, sealingContexts.destination(subscriptionId)));
}

/** What the owner is shown of it. */
export function shownDestination(
  keyRing: KeyRing,
  subscriptionId: string,
  sealed: string | null,
): Destination {
  if (sealed === null) return { kind: 'http' };
  const { credentials: _hidden, ...shown } = openDestination(keyRing, subscriptionId, sealed);
  return shown;
}

/** Custom headers are those of HTTP; the others carry only what Atrium says of a delivery. */
export function assertHeadersFit(kind: DestinationKind, headers: CustomHeaders = {}): void {
  if (kind !== 'http' && Object.keys(headers).length > 0) {
    throw validationError('Headers go with HTTP only');
  }
}

/** Scheme, host and port: `URL.origin` is "null" for the schemes that are not HTTP. */
export function originOf(text: string): string | undefined {
  const url = URL.parse(text);
  return url === null ? undefined : `${url.protocol}//${url.host}`;
}
