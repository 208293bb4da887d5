import type { KeyboardEvent } from 'react';

const ROW = '[role=treeitem]';

export function rowsIn(element: HTMLElement): HTMLElement[] {
  const tree = element.closest('[role=tree]');
  return [...(tree?.querySelectorAll<HTMLElement>(ROW) ?? [])];
}

const levelOf = (row: HTMLElement | undefined) => Number(row?.getAttribute('aria-level'));

/** Moves the focus, and opens and closes a row, as the tree pattern of WAI-ARIA says. */
export function handleRowKey(
  event: KeyboardEvent<HTMLElement>,
  { isOpen, setOpen }: { isOpen?: boolean; setOpen: (isOpen: boolean) => void },
): void {
  const { currentTarget: row, key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const rows = rowsIn(row);
  const index = rows.indexOf(row);
  const focus = (target: HTMLElement | undefined) => target?.focus();
  const parent = () => rows.slice(0, index).findLast((each) => levelOf(each) < levelOf(row));
  const firstChild = () => (levelOf(rows[index + 1]) > levelOf(row) ? rows[index + 1] : undefined);
  const actions: Record<string, () => void> = {
    ArrowDown: () => focus(rows[index + 1]),
    ArrowUp: () => focus(rows[index - 1]),
    Home: () => focus(rows[0]),
    End: () => focus(rows.at(-1)),
    ArrowRight: () => (isOpen === false ? setOpen(true) : focus(firstChild())),
    ArrowLeft: () => (isOpen === true ? setOpen(false) : focus(parent())),
    ' ': () => row.click(),
  };
  const action = actions[key];
  if (action === undefined) return;
  event.preventDefault();
  action();
}
