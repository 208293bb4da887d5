import { CopyButton as WithCopy } from '@mantine/core';
import { useText } from '../../texts/texts.tsx';
import classes from './copy-button.module.css';

/** Copies a value and says so. `label` names what is copied where "Copy" alone is not clear. */
export function CopyButton({ value, label }: { value: string; label?: string }) {
  const text = useText();
  return (
    <WithCopy value={value} timeout={2_000}>
      {({ copied, copy }) => (
        <button
          type="button"
          className={`mantine-focus-auto ${classes.button}`}
          onClick={copy}
          {...(label !== undefined && !copied && { 'aria-label': label })}
        >
          {copied ? text.frame.copied : text.frame.copy}
        </button>
      )}
    </WithCopy>
  );
}
