import type { Tag } from '@atrium/client';
import { Group, Text } from '@mantine/core';
import { useState } from 'react';
import { ActionsMenu } from '../../ui/controls/actions-menu.tsx';
import { RowLink } from '../../ui/lists/row-link.tsx';
import { PopoverMenuItem } from '../../ui/controls/popover-menu.tsx';
import rows from '../../ui/lists/rows.module.css';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { useTranslation } from '../../texts/texts.tsx';
import { DeleteTagDialog } from './delete-tag-dialog.tsx';
import { RenameTagDialog } from './rename-tag-dialog.tsx';

/** A tag, which leads to its notes. */
export function TagRow({
  workspaceId,
  tag,
  canWrite,
}: {
  workspaceId: string;
  tag: Tag;
  canWrite: boolean;
}) {
  const { tags: texts } = useSignedInText().listing;
  const { locale } = useTranslation();
  const [asking, setAsking] = useState<'rename' | 'delete' | null>(null);
  const { name, noteCount } = tag;
  const count = new Intl.NumberFormat(locale).format(noteCount);
  const dialog = { workspaceId, tag, onClose: () => setAsking(null) };
  return (
    <li className={rows.item}>
      <Group justify="space-between" wrap="nowrap">
        <div>
          <RowLink to="/workspaces/$id" params={{ id: workspaceId }} search={{ tag: name }}>
            {name}
          </RowLink>
          <Text size="sm" c="dimmed">
            {texts.noteCount(count, noteCount === 1)}
          </Text>
        </div>
        {canWrite && (
          <ActionsMenu label={texts.actions(name)}>
            <PopoverMenuItem onClick={() => setAsking('rename')}>{texts.rename}</PopoverMenuItem>
            <PopoverMenuItem isDanger onClick={() => setAsking('delete')}>
              {texts.delete}
            </PopoverMenuItem>
          </ActionsMenu>
        )}
      </Group>
      {asking === 'rename' && <RenameTagDialog {...dialog} />}
      {asking === 'delete' && <DeleteTagDialog {...dialog} count={count} />}
    </li>
  );
}
