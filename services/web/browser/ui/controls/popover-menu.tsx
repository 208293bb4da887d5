import { Link } from '@tanstack/react-router';
import { type KeyboardEvent, type ReactElement, type ReactNode, useId } from 'react';
import classes from './popover-menu.module.css';

const GAP_PX = 8;
const ITEMS = '[role^=menuitem]';

/**
 * A menu in the frame of every page: the browser opens it, closes it on Escape and beside it, and gives the focus
 * back. Mantine's has 29 kB of script, compressed, above all to find its place.
 */
export function PopoverMenu({
  button,
  above = false,
  children,
}: {
  /** What opens it. */
  button: (attributes: {
    id: string;
    popoverTarget: string;
    'aria-haspopup': 'menu';
  }) => ReactElement;
  /** Whether it stands above its button. */
  above?: boolean;
  children: ReactNode;
}) {
  const id = useId();
  const buttonId = `${id}-button`;
  return (
    <>
      {button({ id: buttonId, popoverTarget: id, 'aria-haspopup': 'menu' })}
      <div
        id={id}
        popover="auto"
        role="menu"
        aria-labelledby={buttonId}
        tabIndex={-1}
        className={classes.menu}
        // Escape closes the menu alone, not the sheet that it is in.
        data-mantine-stop-propagation
        onBeforeToggle={({ currentTarget }) => place(currentTarget, above)}
        onToggle={({ currentTarget, newState }) => {
          if (newState === 'closed') return;
          currentTarget.querySelector<HTMLElement>(ITEMS)?.focus();
          window.addEventListener('resize', () => currentTarget.hidePopover(), { once: true });
        }}
        onKeyDown={(event) => handleKey(event)}
        onClick={({ currentTarget, target }) => {
          if (target instanceof Element && target.closest(ITEMS) !== null)
            currentTarget.hidePopover();
        }}
      >
        {children}
      </div>
    </>
  );
}

/** At the left edge of its button, and within the window. */
function place(menu: HTMLElement, above: boolean): void {
  const button = document.querySelector(`[popovertarget="${menu.id}"]`);
  if (button === null) return;
  const { left, top, bottom } = button.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  menu.style.left = `min(${left}px, ${clientWidth - GAP_PX}px - 220px)`;
  if (above) menu.style.bottom = `${clientHeight - top + GAP_PX}px`;
  else menu.style.top = `${bottom + GAP_PX}px`;
  menu.style.maxHeight = `${(above ? top : clientHeight - bottom) - 2 * GAP_PX}px`;
}

/** As the APG has it: https://www.w3.org/WAI/ARIA/apg/patterns/menubar/ */
function handleKey(event: KeyboardEvent<HTMLElement>): void {
  const { currentTarget, key } = event;
  const items = [...currentTarget.querySelectorAll<HTMLElement>(ITEMS)];
  const at = items.findIndex((item) => item === document.activeElement);
  const next: Record<string, number> = {
    ArrowDown: at + 1,
    ArrowUp: at < 0 ? -1 : at - 1,
    Home: 0,
    End: -1,
  };
  // The button has the focus again, and Tab goes on from there.
  if (key === 'Tab') currentTarget.hidePopover();
  if (next[key] === undefined) return;
  event.preventDefault();
  items.at(next[key] % items.length)?.focus();
}

/** @param props.isChecked of a choice: whether it is the one that holds */
export function PopoverMenuItem({
  icon,
  lang,
  isChecked,
  onClick,
  children,
}: {
  icon?: ReactNode;
  lang?: string;
  isChecked?: boolean;
  onClick: () => void;
  children: ReactNode;
}) {
  const isChoice = isChecked !== undefined;
  return (
    <button
      type="button"
      role={isChoice ? 'menuitemradio' : 'menuitem'}
      {...(isChoice && { 'aria-checked': isChecked })}
      lang={lang}
      tabIndex={-1}
      className={`mantine-focus-auto ${classes.item}`}
      data-mantine-stop-propagation
      onClick={onClick}
    >
      {(isChoice || icon !== undefined) && <span className={classes.sign}>{icon}</span>}
      {children}
    </button>
  );
}

export function PopoverMenuLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link
      to={to}
      role="menuitem"
      tabIndex={-1}
      className={`mantine-focus-auto ${classes.item}`}
      data-mantine-stop-propagation
    >
      {children}
    </Link>
  );
}

/** Choices of which one holds. */
export function PopoverMenuChoices({ label, children }: { label: string; children: ReactNode }) {
  const id = useId();
  return (
    <div role="group" aria-labelledby={id} className={classes.group}>
      <div id={id} className={classes.label}>
        {label}
      </div>
      {children}
    </div>
  );
}
