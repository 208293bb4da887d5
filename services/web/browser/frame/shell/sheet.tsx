import { Drawer } from '@mantine/core';
import { useText } from '../../texts/texts.tsx';
import { Sidebar } from './sidebar.tsx';

/** The sidebar on a narrow screen. */
export function Sheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { frame } = useText();
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      size="280px"
      title={frame.product}
      closeButtonProps={{ 'aria-label': frame.closeMenu }}
    >
      <Sidebar />
    </Drawer>
  );
}
