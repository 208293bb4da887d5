/** What webhooks can subscribe to. The pages import it, so this imports nothing. */
export const EVENT_NAMES = [
  'go.click',
  'note.created',
  'note.updated',
  'note.deleted',
  'note.shared',
  'workspace.member_added',
  'auth.suspicious_login',
] as const;

/** First parts of names that no product publishes events under. */
export const RESERVED_NAMESPACES: ReadonlySet<string> = new Set([
  ...EVENT_NAMES.map((name) => name.split('.')[0] ?? ''),
  'account',
  'atrium',
  'link',
  'links',
  'notes',
  'webhook',
  'webhooks',
  'workspaces',
]);

/** The first part of the name of an event type: whose event it is. */
export const namespaceOf = (name: string): string => name.slice(0, name.indexOf('.'));

/** What a subscription can name to receive an event: itself, or what it is below (`shop.*`). */
export function patternsOf(name: string): string[] {
  const parts = name.split('.');
  return [name, ...parts.slice(1).map((_, at) => `${parts.slice(0, at + 1).join('.')}.*`)];
}
