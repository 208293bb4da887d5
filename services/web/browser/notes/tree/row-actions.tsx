import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { queryKeys } from '../../session/query-keys.ts';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { Icon } from '../../ui/controls/icon.tsx';
import { PopoverMenu, PopoverMenuItem } from '../../ui/controls/popover-menu.tsx';
import { reload } from '../../ui/lists/use-list.ts';
import { useErrorToast } from '../../ui/toasts/toasts.tsx';
import { createNoteIn } from '../list/use-create-note.ts';
import { useNoteActions } from '../list/use-notes.ts';
import type { TreeRow } from './tree-context.ts';
import classes from './tree.module.css';

/** What can be done with a row, at its end. Outside of the tree, which has nothing but rows. */
export function RowActions({
  row,
  top,
  hasMenu,
  onMenu,
  onCreated,
  onMove,
  onDelete,
}: {
  row: TreeRow;
  /** Where the row is, in pixels. */
  top: number;
  hasMenu: boolean;
  onMenu: (isOpen: boolean) => void;
  onCreated: () => void;
  onMove: () => void;
  onDelete: () => void;
}) {
  const { tree: texts } = useSignedInText();
  const create = useCreateInside(row, onCreated);
  const remove = useDelete(row);
  const { title, note } = row;
  return (
    <div className={classes.actions} style={{ top }}>
      <button
        type="button"
        className={`mantine-focus-auto ${classes.action}`}
        aria-label={texts.newInside(title)}
        title={texts.new}
        onClick={() => create.mutate()}
      >
        <Icon name="plus" />
      </button>
      {(note !== undefined || hasMenu) && (
        <PopoverMenu
          opened={hasMenu}
          onToggle={onMenu}
          button={(opens) => (
            <button
              {...opens}
              type="button"
              className={`mantine-focus-auto ${classes.action}`}
              aria-label={texts.actions(title)}
            >
              <Icon name="more" />
            </button>
          )}
        >
          <PopoverMenuItem onClick={() => create.mutate()}>{texts.new}</PopoverMenuItem>
          {note !== undefined && (
            <>
              <PopoverMenuItem onClick={onMove}>{texts.move}</PopoverMenuItem>
              <PopoverMenuItem
                isDanger
                onClick={() => {
                  onDelete();
                  void remove();
                }}
              >
                {texts.delete}
              </PopoverMenuItem>
            </>
          )}
        </PopoverMenu>
      )}
    </div>
  );
}

/** Makes a note below a row, and opens it. */
function useCreateInside({ workspaceId, note }: TreeRow, onCreated: () => void) {
  const { notes } = useSignedInText();
  const showError = useErrorToast();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => createNoteIn(workspaceId, notes.list.untitled, note?.id),
    onSuccess: async ({ id }) => {
      onCreated();
      void reload(queryClient, { queryKey: queryKeys.workspaces.all });
      await navigate({ to: '/notes/$id', params: { id } });
    },
    onError: showError,
  });
}

/** Leaves the page of the note first, which saves what was typed. */
function useDelete({ id, title, workspaceId }: TreeRow) {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const { remove } = useNoteActions();
  return async () => {
    if (pathname.startsWith(`/notes/${id}`)) {
      await navigate({ to: '/workspaces/$id', params: { id: workspaceId } });
    }
    await remove({ id, title });
  };
}
