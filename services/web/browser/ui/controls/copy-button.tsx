import { useText } from '../../texts/texts.tsx';
import { useCopy } from './use-copy.ts';
import classes from './copy-button.module.css';

/**
 * Copies a value and says so. `label` names what is copied where "Copy" alone is not clear.
 *
 * @param value a function where it changes without being shown anew
 */
export function CopyButton({ value, label }: { value: string | (() => string); label?: string }) {
  const text = useText();
  const { copied, copy } = useCopy();
  return (
    <button
      type="button"
      className={`mantine-focus-auto ${classes.button}`}
      onClick={() => void copy(typeof value === 'string' ? value : value())}
      {...(label !== undefined && !copied && { 'aria-label': label })}
    >
      {copied ? text.frame.copied : text.frame.copy}
    </button>
  );
}
