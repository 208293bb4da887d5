import { useNavigate } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import { useCreateNoteHere } from '../notes/list/use-create-note.ts';
import { useSignedInText } from '../texts/signed-in-texts.tsx';
import { Icon } from '../ui/controls/icon.tsx';
import { PopoverMenu, PopoverMenuItem } from '../ui/controls/popover-menu.tsx';

/** What can be made from every page. */
export function NewMenu({ button }: Pick<ComponentProps<typeof PopoverMenu>, 'button'>) {
  const { newOf } = useSignedInText().shell;
  const navigate = useNavigate();
  const { create } = useCreateNoteHere();
  return (
    <PopoverMenu button={button}>
      <PopoverMenuItem icon={<Icon name="note" />} onClick={create}>
        {newOf.note}
      </PopoverMenuItem>
      <PopoverMenuItem
        icon={<Icon name="link" />}
        onClick={() => void navigate({ to: '/links', search: { new: true } })}
      >
        {newOf.link}
      </PopoverMenuItem>
      <PopoverMenuItem
        icon={<Icon name="webhook" />}
        onClick={() => void navigate({ to: '/webhooks', search: { new: true } })}
      >
        {newOf.webhook}
      </PopoverMenuItem>
    </PopoverMenu>
  );
}
