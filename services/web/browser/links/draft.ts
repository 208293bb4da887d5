import type { LinkValues } from './link-form.tsx';

const keyOf = (accountId: string) => `atrium.new-link.${accountId}`;

/** What was typed for a new link in this tab and not sent. */
export function readDraft(accountId: string): LinkValues {
  const stored = sessionStorage.getItem(keyOf(accountId));
  return stored === null ? { url: '', slug: '' } : (JSON.parse(stored) as LinkValues);
}

export function keepDraft(accountId: string, values: LinkValues): void {
  sessionStorage.setItem(keyOf(accountId), JSON.stringify(values));
}

export function dropDraft(accountId: string): void {
  sessionStorage.removeItem(keyOf(accountId));
}
