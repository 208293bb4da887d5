import type { Workspace } from '@atrium/client';
import { Group, Text } from '@mantine/core';
import { RowLink } from '../../ui/lists/row-link.tsx';
import rows from '../../ui/lists/rows.module.css';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { useTranslation } from '../../texts/texts.tsx';
import { WorkspaceMenu } from '../managing/workspace-menu.tsx';

export function WorkspaceRow({ workspace }: { workspace: Workspace }) {
  const { workspaces: texts } = useSignedInText().notes;
  const { locale } = useTranslation();
  const { id, name, description, noteCount, role } = workspace;
  const count = new Intl.NumberFormat(locale).format(noteCount);
  return (
    <li className={rows.item}>
      <Group justify="space-between" wrap="nowrap">
        <div>
          <RowLink to="/workspaces/$id" params={{ id }}>
            {name}
          </RowLink>
          {description !== '' && <Text size="sm">{description}</Text>}
          <Text size="sm" c="dimmed">
            {texts.noteCount(count, noteCount === 1)}
            {role !== 'owner' && ` · ${texts.sharedWithYou}`}
          </Text>
        </div>
        <WorkspaceMenu workspace={workspace} />
      </Group>
    </li>
  );
}
