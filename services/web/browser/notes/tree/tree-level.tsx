import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { useLevel } from './level.ts';
import { handleRowKey } from './row-keys.ts';
import { TreeItem } from './tree-item.tsx';
import classes from './tree.module.css';

/** The notes below a row, a page at a time. */
export function TreeLevel({
  group,
  workspaceId,
  parentId,
  path,
  canWrite,
}: {
  /** The id of its element. */
  group: string;
  workspaceId: string;
  parentId: string | null;
  path: readonly string[];
  canWrite: boolean;
}) {
  const { tree: texts } = useSignedInText();
  const { data, error, refetch, hasMore, loadMore } = useLevel(workspaceId, parentId);
  const level = path.length + 2;
  return (
    <ul role="group" id={group} className={classes.level}>
      {data?.map((note) => (
        <TreeItem
          key={note.id}
          row={{ id: note.id, title: note.title, workspaceId, note, path, canWrite }}
          hasChildren={note.hasChildren}
        />
      ))}
      {data === undefined && error === null && <li role="none" className={classes.loading} />}
      {data === undefined && error !== null && (
        <TextRow level={level} onClick={() => void refetch()}>
          {texts.failed}
        </TextRow>
      )}
      {hasMore && (
        <TextRow level={level} onClick={loadMore}>
          {texts.more}
        </TextRow>
      )}
    </ul>
  );
}

/** A row that is no note, but can be reached as one. */
function TextRow({
  level,
  onClick,
  children,
}: {
  level: number;
  onClick: () => void;
  children: string;
}) {
  return (
    <li role="none">
      <button
        type="button"
        role="treeitem"
        aria-level={level}
        tabIndex={-1}
        className={classes.text}
        style={{ paddingInlineStart: 24 + 16 * (level - 1) }}
        onClick={onClick}
        onKeyDown={(event) => handleRowKey(event, { setOpen: () => undefined })}
      >
        {children}
      </button>
    </li>
  );
}
