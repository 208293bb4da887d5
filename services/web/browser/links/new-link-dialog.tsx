import type { Link } from '@atrium/client';
import { Button, Group } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { useToast } from '../ui/toasts/toasts.tsx';
import { reload } from '../ui/lists/use-list.ts';
import { atrium } from '../session/atrium.ts';
import { queryKeys } from '../session/query-keys.ts';
import { useUser } from '../session/user.ts';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { dropDraft, keepDraft, readDraft } from './draft.ts';
import { LinkForm, type LinkValues } from './link-form.tsx';

/** Makes a link and goes to its page. What was typed is kept until then, unless it is cancelled. */
export function NewLinkDialog({ onClose }: { onClose: () => void }) {
  const text = useAllText();
  const { links } = text;
  const toast = useToast();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { id: accountId } = useUser();
  const [draft] = useState(() => readDraft(accountId));
  const create = ({ url, slug }: LinkValues) =>
    atrium.links.createLink(slug === '' ? { url } : { url, slug });
  const show = async (link: Link) => {
    dropDraft(accountId);
    queryClient.setQueryData(queryKeys.links.one(link.id), link);
    void reload(queryClient, { queryKey: queryKeys.links.all });
    toast(links.created(link.slug));
    // Going back leads to the list, not to the form.
    await navigate({ to: '/links/$id', params: { id: link.id }, replace: true });
  };
  const cancel = () => {
    dropDraft(accountId);
    onClose();
  };
  return (
    <Dialog title={links.new} onClose={onClose}>
      <LinkForm
        initialValues={draft}
        onValuesChange={(values) => keepDraft(accountId, values)}
        send={create}
        onSaved={show}
      >
        {(isPending) => (
          <Group justify="flex-end">
            <Button variant="default" onClick={cancel}>
              {text.proof.cancel}
            </Button>
            <Button type="submit" loading={isPending}>
              {links.create}
            </Button>
          </Group>
        )}
      </LinkForm>
    </Dialog>
  );
}
