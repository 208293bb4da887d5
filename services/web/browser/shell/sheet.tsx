import { Drawer } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { useSignedInText } from '../texts/signed-in-texts.tsx';
import { OPEN_EVENT } from './palette.tsx';
import classes from './shell.module.css';
import { Sidebar } from './sidebar.tsx';

/** The sidebar on a narrow screen. It makes way for the palette that it opens. */
export function Sheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { frame, shell } = useSignedInText();
  useWindowEvent(OPEN_EVENT, onClose);
  return (
    <Drawer
      data-sheet
      opened={isOpen}
      onClose={onClose}
      size="300px"
      title={frame.product}
      closeButtonProps={{ 'aria-label': shell.closeMenu, size: 44 }}
      padding={0}
      classNames={{
        header: classes.sheetHeader ?? '',
        title: classes.sheetTitle ?? '',
        body: classes.sheet ?? '',
      }}
      returnFocus={false}
    >
      <Sidebar />
    </Drawer>
  );
}
