import type { KeyboardEvent } from 'react';

const STEPS: Record<string, number> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };

/** Marks the control of a row that has the focus. */
export const LIST_ROW = { 'data-list-row': true };

/** Moves the focus to the next row of the list, or to the one before, with j and k or the arrows. */
export function moveInList(event: KeyboardEvent<HTMLElement>): void {
  const step = STEPS[event.key];
  if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  const list = event.currentTarget.closest('ul');
  const rows = [...(list?.querySelectorAll<HTMLElement>('[data-list-row]') ?? [])];
  const next = rows[rows.indexOf(event.currentTarget) + step];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
