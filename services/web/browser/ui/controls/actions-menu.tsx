import { ActionIcon, Menu } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import { Icon } from './icon.tsx';

/**
 * What can be done with one thing. Its button has the focus again before an entry opens a dialog, which gives
 * it back there.
 */
export function ActionsMenu({ label, children }: { label: string; children: ReactNode }) {
  const button = useRef<HTMLButtonElement>(null);
  return (
    <Menu position="bottom-end" onClose={() => button.current?.focus()}>
      <Menu.Target>
        <ActionIcon ref={button} variant="subtle" color="gray" size={30} aria-label={label}>
          <Icon name="more" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
