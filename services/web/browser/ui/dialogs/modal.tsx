import { Modal as MantineModal, type ModalProps } from '@mantine/core';
import type { FocusEvent } from 'react';

const AUTOFOCUS = 'data-autofocus';

/** Mantine's, which leaves the focus alone once it is inside. */
export function Modal(props: ModalProps) {
  return <MantineModal {...props} onFocusCapture={markFocused} />;
}

/**
 * Mantine focuses the marked element in two timers. A busy device runs them late, when a person is typing
 * into another field: the mark goes where the focus goes.
 */
function markFocused({ currentTarget: modal, target }: FocusEvent): void {
  if (!modal.contains(target)) return;
  for (const marked of modal.querySelectorAll(`[${AUTOFOCUS}]`)) marked.removeAttribute(AUTOFOCUS);
  target.setAttribute(AUTOFOCUS, '');
}
