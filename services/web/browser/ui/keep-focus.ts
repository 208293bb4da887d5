/** A `ref` of what may go away while it has the focus: the page then has it. */
export const keepFocus = (element: HTMLElement | null) => () => {
  if (element?.contains(document.activeElement) !== true) return;
  document.querySelector('main')?.focus({ preventScroll: true });
};
