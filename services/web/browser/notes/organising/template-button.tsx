import { Button } from '@mantine/core';
import { Suspense, useState } from 'react';
import { queryKeys } from '../../session/query-keys.ts';
import { LatePart } from '../../ui/late/late-page.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { useList } from '../../ui/lists/use-list.ts';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { workspaces } from '../workspaces/workspaces.ts';

const TemplateDialog = lazyPart(async () => (await import('./template-dialog.tsx')).TemplateDialog);

/** Makes a note from a template; not there while the workspace has none. */
export function TemplateButton({ workspaceId }: { workspaceId: string }) {
  const { organising: texts } = useSignedInText();
  const [isOpen, setOpen] = useState(false);
  const templates = useList(queryKeys.workspaces.templates(workspaceId), (query, options) =>
    workspaces.listTemplates(workspaceId, query, options),
  );
  if (templates.data === undefined || templates.data.length === 0) return null;
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {texts.fromTemplate}
      </Button>
      {isOpen && (
        <Suspense fallback={<LatePart />}>
          <TemplateDialog templates={templates} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
