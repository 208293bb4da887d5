import type { ReactNode } from 'react';
import { IconButton } from './icon-button.tsx';
import { PopoverMenu } from './popover-menu.tsx';

/** What can be done with one thing. */
export function ActionsMenu({ label, children }: { label: string; children: ReactNode }) {
  return (
    <PopoverMenu button={(opens) => <IconButton {...opens} icon="more" label={label} />}>
      {children}
    </PopoverMenu>
  );
}
