import { Suspense, useState } from 'react';
import { Icon, type IconName } from './icon.tsx';
import classes from './icon-button.module.css';
import { lazyPart } from '../lazy-part.tsx';
import type { MenuButtonAttributes } from './popover-menu.tsx';

const IconTooltip = lazyPart(async () => (await import('./icon-tooltip.tsx')).IconTooltip);

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
  const [target, setTarget] = useState<HTMLElement | null>(null);
  const show = ({ currentTarget }: { currentTarget: HTMLElement }) => {
    if (currentTarget.matches(':hover, :focus-visible')) setTarget(currentTarget);
  };
  const hide = () => setTarget(null);
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
        onPointerEnter={show}
        onPointerLeave={hide}
        onFocus={show}
        onBlur={hide}
      >
        <Icon name={icon} filled={filled} />
      </button>
      {target !== null && (
        <Suspense>
          <IconTooltip target={target} label={label} />
        </Suspense>
      )}
    </>
  );
}
