import type { Workspace } from '@atrium/client';
import { Group, Text } from '@mantine/core';
import { LIST_ROW, moveInList } from '../../frame/lists/list-keys.ts';
import { TextLink } from '../../frame/controls/links.tsx';
import rows from '../../frame/lists/rows.module.css';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { useTranslation } from '../../texts/texts.tsx';
import { WorkspaceMenu } from './workspace-menu.tsx';

export function WorkspaceRow({ workspace }: { workspace: Workspace }) {
  const { workspaces: texts } = useSignedInText().notes;
  const { locale } = useTranslation();
  const { id, name, description, noteCount } = workspace;
  const count = new Intl.NumberFormat(locale).format(noteCount);
  return (
    <li className={rows.item}>
      <Group justify="space-between" wrap="nowrap">
        <div>
          <TextLink
            to="/workspaces/$id"
            params={{ id }}
            fw={600}
            c="var(--mantine-color-text)"
            onKeyDown={moveInList}
            {...LIST_ROW}
          >
            {name}
          </TextLink>
          {description !== '' && <Text size="sm">{description}</Text>}
          <Text size="sm" c="dimmed">
            {texts.noteCount(count, noteCount === 1)}
          </Text>
        </div>
        <WorkspaceMenu workspace={workspace} />
      </Group>
    </li>
  );
}
