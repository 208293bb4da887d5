import { Menu } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useCreateNoteHere } from '../notes/list/use-create-note.ts';
import { useSignedInText } from '../texts/signed-in-texts.tsx';
import { Icon } from '../ui/controls/icon.tsx';

/** What can be made from every page. Its child is the button that opens it. */
export function NewMenu({
  position = 'bottom-start',
  children,
}: {
  position?: 'bottom-start' | 'top';
  children: ReactNode;
}) {
  const { newOf } = useSignedInText().shell;
  const navigate = useNavigate();
  const { create } = useCreateNoteHere();
  return (
    <Menu position={position} width={200}>
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Icon name="note" />} onClick={create}>
          {newOf.note}
        </Menu.Item>
        <Menu.Item
          leftSection={<Icon name="link" />}
          onClick={() => void navigate({ to: '/links', search: { new: true } })}
        >
          {newOf.link}
        </Menu.Item>
        <Menu.Item
          leftSection={<Icon name="webhook" />}
          onClick={() => void navigate({ to: '/webhooks', search: { new: true } })}
        >
          {newOf.webhook}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
