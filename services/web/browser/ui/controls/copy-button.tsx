import { useClipboard } from '@mantine/hooks';
import { useText } from '../../texts/texts.tsx';
import classes from './copy-button.module.css';

const COPIED_MS = 2_000;

/**
 * Copies a value and says so. `label` names what is copied where "Copy" alone is not clear.
 *
 * @param value a function where it changes without being shown anew
 */
export function CopyButton({ value, label }: { value: string | (() => string); label?: string }) {
  const text = useText();
  const { copied, copy } = useClipboard({ timeout: COPIED_MS });
  return (
    <button
      type="button"
      className={`mantine-focus-auto ${classes.button}`}
      onClick={() => copy(typeof value === 'string' ? value : value())}
      {...(label !== undefined && !copied && { 'aria-label': label })}
    >
      {copied ? text.frame.copied : text.frame.copy}
    </button>
  );
}
