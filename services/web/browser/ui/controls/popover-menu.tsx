import { Link } from '@tanstack/react-router';
import {
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  useEffect,
  useId,
  useRef,
} from 'react';
import classes from './popover-menu.module.css';

const GAP_PX = 8;
const ITEMS = '[role^=menuitem]';

export interface MenuButtonAttributes {
  id: string;
  popoverTarget: string;
  'aria-haspopup': 'menu';
}

/**
 * A menu: the browser opens it, closes it on Escape and beside it, and gives the focus back. Mantine's has 29 kB of
 * script, compressed, above all to find its place.
 */
export function PopoverMenu({
  button,
  opened = false,
  onToggle,
  children,
}: {
  button: (attributes: MenuButtonAttributes) => ReactElement;
  /** Opens it without its button. */
  opened?: boolean;
  onToggle?: (isOpen: boolean) => void;
  children: ReactNode;
}) {
  const id = useId();
  const buttonId = `${id}-button`;
  const menu = useRef<HTMLDivElement>(null);
  const watching = useRef(new AbortController());
  const placed = useRef<DOMRect>(undefined);
  useEffect(() => {
    if (menu.current === null) return;
    // It has the focus as soon as it shows: `onToggle` comes later, and Escape would go to the sheet until then.
    menu.current.autofocus = true;
    if (opened) menu.current.showPopover();
  }, [opened]);
  return (
    <>
      {button({ id: buttonId, popoverTarget: id, 'aria-haspopup': 'menu' })}
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        aria-labelledby={buttonId}
        tabIndex={-1}
        className={classes.menu}
        // Escape closes the menu alone, not the sheet that it is in.
        data-mantine-stop-propagation
        onBeforeToggle={({ currentTarget }) => {
          placed.current = placeOf(buttonId);
          if (placed.current !== undefined) place(currentTarget, placed.current);
        }}
        onToggle={({ currentTarget, newState }) => {
          const isOpen = newState === 'open';
          onToggle?.(isOpen);
          watching.current.abort();
          if (!isOpen) return;
          // A key may have chosen an item before this event comes.
          if (currentTarget.querySelector(`${ITEMS}:focus`) === null)
            currentTarget.querySelector<HTMLElement>(ITEMS)?.focus();
          // It does not follow its button, whatever around that scrolls.
          watching.current = new AbortController();
          const { signal } = watching.current;
          const hide = () => currentTarget.hidePopover();
          window.addEventListener('resize', hide, { signal });
          // Also told of what had scrolled before the menu was placed.
          const onScroll = () => {
            const now = placeOf(buttonId);
            if (now?.left !== placed.current?.left || now?.top !== placed.current?.top) hide();
          };
          window.addEventListener('scroll', onScroll, { capture: true, signal });
        }}
        onKeyDown={(event) => handleKey(event)}
        onClick={({ currentTarget, target }) => {
          if (!(target instanceof Element) || target.closest(ITEMS) === null) return;
          // Where a click gives a button no focus, as in Safari, there is nothing to give it back to.
          document.getElementById(buttonId)?.focus();
          currentTarget.hidePopover();
        }}
      >
        {children}
      </div>
    </>
  );
}

function placeOf(buttonId: string): DOMRect | undefined {
  return document.getElementById(buttonId)?.getBoundingClientRect();
}

/** Places the menu along its button, on the side where the window has more space. */
function place(menu: HTMLElement, { left, right, top, bottom }: DOMRect): void {
  const { clientWidth, clientHeight } = document.documentElement;
  const isLeft = left + right <= clientWidth;
  const isBelow = top + bottom <= clientHeight;
  menu.style.inset = [
    isBelow ? `${bottom + GAP_PX}px` : 'auto',
    isLeft ? 'auto' : `${clientWidth - right}px`,
    isBelow ? 'auto' : `${clientHeight - top + GAP_PX}px`,
    isLeft ? `${left}px` : 'auto',
  ].join(' ');
  menu.style.maxHeight = `${(isBelow ? clientHeight - bottom : top) - 2 * GAP_PX}px`;
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

/**
 * @param props.isChecked of a choice: whether it is the one that holds
 * @param props.isDanger whether it takes something away
 */
export function PopoverMenuItem({
  icon,
  lang,
  isChecked,
  isDanger = false,
  onClick,
  children,
}: {
  icon?: ReactNode;
  lang?: string;
  isChecked?: boolean;
  isDanger?: boolean;
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
      data-danger={isDanger}
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
