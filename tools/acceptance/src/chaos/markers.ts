import { randomBytes } from 'node:crypto';

const MARKER_FIELDS: Record<string, string> = {
  'go.click': 'referrer',
  'note.shared': 'url',
  'auth.suspicious_login': 'sessionId',
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
 * The marker in the body of a delivery: the referrer of a click, the public address of a note, the
 * session of a login.
 */
export function markerOf(rawBody: Buffer): string {
  const { event, data } = JSON.parse(rawBody.toString()) as {
    event: string;
    data: Record<string, unknown>;
  };
  const field = MARKER_FIELDS[event] ?? '';
  return String(data[field]);
}
