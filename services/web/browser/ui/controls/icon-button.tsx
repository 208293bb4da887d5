import { Icon, type IconName } from './icon.tsx';
import classes from './icon-button.module.css';
import type { MenuButtonAttributes } from './popover-menu.tsx';
import { useHint } from './use-hint.tsx';

/** A button with a sign alone; its label also shows on hover and on focus. */
export function IconButton({
  icon,
  label,
  filled = false,
  onClick,
  ...opens
}: {
  icon: IconName;
  label: string;
  filled?: boolean;
  onClick?: () => void;
} & Partial<MenuButtonAttributes>) {
  const { events, hint, hide } = useHint(label);
  return (
    <>
      <button
        type="button"
        className={`mantine-focus-auto ${classes.button}`}
        aria-label={label}
        onClick={() => {
          hide();
          onClick?.();
        }}
        {...opens}
        {...events}
      >
        <Icon name={icon} filled={filled} />
      </button>
      {hint}
    </>
  );
}
