import { randomBytes } from 'node:crypto';

/**
 * A mark for a click: a page that it claims to come from, and that no other click has. It is all in
 * the host name, which is the last thing that anybody would cut off a referrer.
 */
export function createClickMarks(): () => string {
  const run = randomBytes(4).toString('hex');
  let made = 0;
  return () => `https://${run}-${++made}.chaos.example/`;
}

/** The mark of the action that this event tells of; for a shared note it is the public address. */
export function markOf(rawBody: Buffer): string {
  const { event, data } = JSON.parse(rawBody.toString()) as {
    event: string;
    data: Record<string, unknown>;
  };
  return String(event === 'go.click' ? data['referrer'] : data['url']);
}
