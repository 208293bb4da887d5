import { useState } from 'react';
import { tryStorage } from '../../platform/try-storage.ts';
import { useUser } from '../../session/user.ts';

/** So that what is kept does not grow for years: the oldest are closed. */
const OPENED_MAX = 500;

/** Which rows of the tree are open. This device keeps them for each account. */
export function useOpened() {
  const key = `atrium-tree:${useUser().id}`;
  const [opened, setOpened] = useState<ReadonlySet<string>>(() => read(key));
  const setOpen = (id: string, isOpen: boolean) =>
    setOpened((before) => {
      const others = [...before].filter((each) => each !== id);
      const now = isOpen ? [...others, id].slice(-OPENED_MAX) : others;
      tryStorage(() => localStorage.setItem(key, JSON.stringify(now)));
      return new Set(now);
    });
  return { opened, setOpen };
}

function read(key: string): ReadonlySet<string> {
  const kept: unknown = tryStorage(() => JSON.parse(localStorage.getItem(key) ?? '[]'));
  return new Set(Array.isArray(kept) ? kept.filter((id) => typeof id === 'string') : []);
}
