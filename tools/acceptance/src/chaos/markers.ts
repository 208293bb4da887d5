import { randomBytes } from 'node:crypto';

/** The type of the events that the owner publishes. */
export const PUBLISHED_TYPE = 'chaos.happened';

const MARKER_FIELDS: Record<string, string> = {
  'go.click': 'referrer',
  'note.shared': 'url',
  'auth.suspicious_login': 'sessionId',
  [PUBLISHED_TYPE]: 'marker',
};

/**
 * Creates the marker of a click: a unique referrer. All of it is in the host name, which survives any
 * shortening of a referrer.
 */
export function createClickMarkers(): () => string {
  const run = randomBytes(4).toString('hex');
  let count = 0;
  return () => `https://${run}-${++count}.chaos.example/`;
}

/**
 * The marker in the body of a delivery, and the id of its event: the referrer of a click, the public address
 * of a note, the session of a login, the field of a published event.
 */
export function markerOf(rawBody: Buffer): { marker: string; eventId: string } {
  const { id, event, data } = JSON.parse(rawBody.toString()) as {
    id: string;
    event: string;
    data: Record<string, unknown>;
  };
  const field = MARKER_FIELDS[event] ?? '';
  return { marker: String(data[field]), eventId: id };
}
