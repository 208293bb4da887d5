import type { ModalProps } from '@mantine/core';
import { type ReactNode, Suspense } from 'react';
import { useText } from '../../texts/texts.tsx';
import { LatePart } from '../late/late-page.tsx';
import { lazyPart } from '../lazy-part.tsx';
import { useFocusReturn } from './use-focus-return.ts';

/** Pages are read before a dialog of theirs is opened. */
const Modal = lazyPart<ModalProps>(async () => (await import('./modal.tsx')).Modal);

/** A question or a form over a page. */
export function Dialog({
  title,
  onClose,
  className,
  size = 'md',
  children,
}: {
  title: string;
  /** Without it only the dialog's own buttons close it. */
  onClose?: () => void;
  className?: string | undefined;
  size?: 'md' | 'xl';
  children: ReactNode;
}) {
  const { frame } = useText();
  useFocusReturn();
  const isClosable = onClose !== undefined;
  return (
    <Suspense fallback={<LatePart />}>
      <Modal
        opened
        onClose={() => onClose?.()}
        title={title}
        size={size}
        withCloseButton={isClosable}
        closeOnEscape={isClosable}
        closeOnClickOutside={isClosable}
        // When the dialog asks before it closes, the focus is to go back to where it was.
        overlayProps={{ onMouseDown: (event) => event.preventDefault() }}
        closeButtonProps={{ 'aria-label': frame.close }}
        transitionProps={{ duration: 0 }}
        returnFocus={false}
        {...(className !== undefined && { className })}
      >
        {children}
      </Modal>
    </Suspense>
  );
}
