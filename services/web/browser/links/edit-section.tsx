import type { Link } from '@atrium/client';
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Section } from '../ui/page/section.tsx';
import { useToast } from '../ui/toasts/toasts.tsx';
import { editRow, reload } from '../ui/lists/use-list.ts';
import { UnsavedChanges } from '../ui/dialogs/unsaved-changes.tsx';
import { atrium } from '../session/atrium.ts';
import { queryKeys } from '../session/query-keys.ts';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { LinkForm } from './link-form.tsx';
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
  const show = (saved: Link) => {
    queryClient.setQueryData(queryKeys.links.one(link.id), saved);
    editRow<Link>(queryClient, { queryKey: queryKeys.links.lists }, saved.id, () => saved);
    // What was searched may no longer find it.
    void reload(queryClient, {
      queryKey: queryKeys.links.all,
      predicate: ({ queryKey: [, area, query] }) =>
        area !== queryKeys.links.lists[1] || isSearch(query),
    });
    toast(links.saved);
  };
  return (
    <Section title={links.edit} hint={links.editHint}>
      <div className={linkClasses.form}>
        <LinkForm
          initialValues={{ url: link.url, slug: link.slug }}
          savedSlug={link.slug}
          send={async ({ url, slug }, isDirty) => {
            // The other one may have changed elsewhere in the meantime.
            const change = { ...(isDirty('url') && { url }), ...(isDirty('slug') && { slug }) };
            if (Object.keys(change).length === 0) return link;
            return atrium.links.updateLink(link.id, change);
          }}
          onSaved={show}
        >
          {(isPending, isDirty) => (
            <>
              <UnsavedChanges when={isDirty && !isPending} />
              <Button type="submit" loading={isPending} className={linkClasses.submit}>
                {links.save}
              </Button>
            </>
          )}
        </LinkForm>
      </div>
    </Section>
  );
}
