import type { NoteSummary } from '@atrium/client';
import { Button, Group, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { queryKeys } from '../../session/query-keys.ts';
import { FormError } from '../../ui/forms/form-errors.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { errorText } from '../../ui/error-text.ts';
import { ListEnd } from '../../ui/lists/list-end.tsx';
import { TextLink } from '../../ui/controls/links.tsx';
import rows from '../../ui/lists/rows.module.css';
import { type ListState, reload } from '../../ui/lists/use-list.ts';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { workspaces } from '../workspaces/workspaces.ts';

/** The templates of a workspace: chosen, one becomes a new note. */
export function TemplateDialog({
  templates,
  onClose,
}: {
  templates: ListState<NoteSummary>;
  onClose: () => void;
}) {
  const text = useSignedInText();
  const { organising: texts } = text;
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const create = useMutation({
    mutationFn: (id: string) => workspaces.copyNote(id, {}),
    onSuccess: async ({ id }) => {
      void reload(queryClient, { queryKey: queryKeys.workspaces.all });
      await navigate({ to: '/notes/$id', params: { id } });
    },
  });
  return (
    <Dialog title={texts.templates} onClose={onClose}>
      <Stack>
        <FormError message={create.isError ? errorText(create.error, text) : null} />
        <ul className={rows.list} aria-label={texts.templates}>
          {templates.data?.map(({ id, title }) => (
            <li key={id} className={rows.item}>
              <Group justify="space-between" wrap="nowrap">
                <Button
                  variant="subtle"
                  size="compact-md"
                  ml={-12}
                  loading={create.isPending && create.variables === id}
                  onClick={() => create.mutate(id)}
                >
                  {title}
                </Button>
                <TextLink
                  to="/notes/$id"
                  params={{ id }}
                  size="sm"
                  aria-label={texts.editTemplateOf(title)}
                >
                  {texts.editTemplate}
                </TextLink>
              </Group>
            </li>
          ))}
        </ul>
        {templates.hasMore && <ListEnd list={templates} />}
      </Stack>
    </Dialog>
  );
}
