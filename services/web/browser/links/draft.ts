import { tryStorage } from '../platform/try-storage.ts';
import type { LinkValues } from './link-form.tsx';

const keyOf = (accountId: string) => `atrium.new-link.${accountId}`;

/** What was typed for a new link in this tab and not sent. */
export function readDraft(accountId: string): LinkValues {
  const stored = tryStorage(() => sessionStorage.getItem(keyOf(accountId))) ?? null;
  return stored === null ? { url: '', slug: '' } : (JSON.parse(stored) as LinkValues);
}

export function keepDraft(accountId: string, values: LinkValues): void {
  tryStorage(() => sessionStorage.setItem(keyOf(accountId), JSON.stringify(values)));
}

export function dropDraft(accountId: string): void {
  tryStorage(() => sessionStorage.removeItem(keyOf(accountId)));
}
