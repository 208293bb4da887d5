import { handleRowKey } from './row-keys.ts';
import classes from './tree.module.css';

/** A row that is no note, but can be reached as one. */
export function TextRow({
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
