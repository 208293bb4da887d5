import { useEffect, useRef } from 'react';

/**
 * Closes a dialog when what it sends is done. Once the dialog is closed it does nothing: it would close the next
 * one in its place.
 */
export function useWhileOpen(onClose: () => void): () => void {
  const isOpen = useRef(true);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  return () => {
    if (isOpen.current) onClose();
  };
}
