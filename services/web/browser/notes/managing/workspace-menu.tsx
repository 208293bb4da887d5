import type { Workspace } from '@atrium/client';
import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { serviceUrls } from '../../platform/service-urls.ts';
import { ActionsMenu } from '../../ui/controls/actions-menu.tsx';
import { CopyAsItems } from '../../ui/controls/copy-as.tsx';
import { useCopy } from '../../ui/controls/use-copy.ts';
import { PopoverMenuChoices, PopoverMenuItem } from '../../ui/controls/popover-menu.tsx';
import { LatePart } from '../../ui/late/late-page.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { useErrorToast, useToast } from '../../ui/toasts/toasts.tsx';
import { reload } from '../../ui/lists/use-list.ts';
import { queryKeys } from '../../session/query-keys.ts';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { downloadWorkspace } from '../archives/use-archives.ts';
import { DeleteWorkspaceDialog } from './delete-workspace-dialog.tsx';
import { WorkspaceDialog } from './workspace-dialog.tsx';

const ImportDialog = lazyPart(
  async () => (await import('../archives/import-dialog.tsx')).ImportDialog,
);

/** Export, import for those who may write, rename and delete for the owner. */
export function WorkspaceMenu({
  workspace,
  onDeleted,
}: {
  workspace: Workspace;
  onDeleted?: () => void;
}) {
  const text = useSignedInText();
  const { workspaces: texts } = text.notes;
  const toast = useToast();
  const showError = useErrorToast();
  const { copy } = useCopy();
  const queryClient = useQueryClient();
  const [asking, setAsking] = useState<'import' | 'rename' | 'delete' | null>(null);
  const { id, name, role } = workspace;
  const isOwner = role === 'owner';
  const newNote = { title: text.notes.list.untitled };
  const download = () => {
    toast(text.archives.exporting(name));
    downloadWorkspace(workspace).catch(showError);
  };
  return (
    <>
      <ActionsMenu label={texts.actions(name)}>
        {role !== 'viewer' && (
          <PopoverMenuItem onClick={() => setAsking('import')}>
            {text.archives.import}
          </PopoverMenuItem>
        )}
        <PopoverMenuItem onClick={download}>{text.archives.export}</PopoverMenuItem>
        {isOwner && (
          <PopoverMenuItem onClick={() => setAsking('rename')}>{texts.rename}</PopoverMenuItem>
        )}
        {isOwner && (
          <PopoverMenuItem isDanger onClick={() => setAsking('delete')}>
            {texts.delete}
          </PopoverMenuItem>
        )}
        {role !== 'viewer' && (
          <PopoverMenuChoices label={text.notes.list.new}>
            <CopyAsItems
              method="POST"
              url={`${serviceUrls.notes}/api/workspaces/${id}/notes`}
              body={newNote}
              code={`const note = await atrium.notes.createNote('${id}', ${JSON.stringify(newNote)});`}
              copy={(code) =>
                void copy(code).then((isCopied) => isCopied && toast(text.copyAs.copied))
              }
            />
          </PopoverMenuChoices>
        )}
      </ActionsMenu>
      {asking === 'import' && (
        <Suspense fallback={<LatePart />}>
          <ImportDialog workspace={workspace} onClose={() => setAsking(null)} />
        </Suspense>
      )}
      {asking === 'rename' && (
        <WorkspaceDialog workspace={workspace} onClose={() => setAsking(null)} />
      )}
      {asking === 'delete' && (
        <DeleteWorkspaceDialog
          workspace={workspace}
          onClose={() => setAsking(null)}
          onDeleted={() => {
            toast(texts.deleted(name));
            onDeleted?.();
            void reload(queryClient, { queryKey: queryKeys.workspaces.all });
          }}
        />
      )}
    </>
  );
}
