import type { Link } from '@atrium/client';
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Section } from '../ui/page/section.tsx';
import { useToast } from '../ui/toasts/toasts.tsx';
import { editRow, reload } from '../ui/lists/use-list.ts';
import { UnsavedChanges } from '../ui/dialogs/unsaved-changes.tsx';
import { atrium } from '../session/atrium.ts';
import { queryKeys } from '../session/query-keys.ts';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { LinkForm, type LinkValues } from './link-form.tsx';
import linkClasses from './links.module.css';

/** Whether a list, which was asked for so, has only links with a text. */
function isSearch(query: unknown): boolean {
  return typeof query === 'object' && query !== null && 'q' in query;
}

/** Where the link leads and its short name. */
export function EditSection({ link }: { link: Link }) {
  const { links } = useAllText();
  const toast = useToast();
  const queryClient = useQueryClient();
  const [isDirty, setDirty] = useState(false);
  // Not of the link, which is loaded again and again: what is being typed stays.
  const [start, setStart] = useState<LinkValues>({ url: link.url, slug: link.slug });
  const save = async (values: LinkValues) => {
    const saved = await atrium.links.updateLink(link.id, values);
    queryClient.setQueryData(queryKeys.links.one(link.id), saved);
    editRow<Link>(queryClient, { queryKey: queryKeys.links.lists }, saved.id, () => saved);
    // What was searched may no longer find it.
    void reload(queryClient, {
      queryKey: queryKeys.links.all,
      predicate: ({ queryKey: [, area, query] }) =>
        area !== queryKeys.links.lists[1] || isSearch(query),
    });
    setStart({ url: saved.url, slug: saved.slug });
    setDirty(false);
    toast(links.saved);
  };
  return (
    <Section title={links.edit} hint={links.editHint}>
      <UnsavedChanges when={isDirty} />
      <div className={linkClasses.form}>
        <LinkForm
          key={`${start.url} ${start.slug}`}
          initialValues={start}
          savedSlug={start.slug}
          onValuesChange={({ url, slug }) => setDirty(url !== start.url || slug !== start.slug)}
          onSubmit={save}
        >
          {(isPending) => (
            <Button type="submit" loading={isPending} className={linkClasses.submit}>
              {links.save}
            </Button>
          )}
        </LinkForm>
      </div>
    </Section>
  );
}
