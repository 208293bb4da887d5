import { Icon } from '../../ui/controls/icon.tsx';
import classes from './tag-pill.module.css';

/** An item of a list of tags, with a button that removes it. */
export function TagPill({
  tag,
  removeLabel,
  onRemove,
}: {
  tag: string;
  removeLabel: string;
  onRemove: () => void;
}) {
  return (
    <li className={classes.tag}>
      <span className={classes.name}>{tag}</span>
      <button
        type="button"
        className={`mantine-focus-auto ${classes.remove}`}
        aria-label={removeLabel}
        onClick={onRemove}
      >
        <Icon name="close" />
      </button>
    </li>
  );
}
