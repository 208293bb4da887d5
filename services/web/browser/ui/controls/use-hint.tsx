import { type ReactNode, Suspense, useState } from 'react';
import { lazyPart } from '../lazy-part.tsx';

/** A tooltip has 20 kB of script, compressed, which comes when the first one shows. */
const Hint = lazyPart(async () => (await import('./hint.tsx')).Hint);

interface Events {
  onPointerEnter: (event: { currentTarget: HTMLElement }) => void;
  onPointerLeave: () => void;
  onFocus: (event: { currentTarget: HTMLElement }) => void;
  onBlur: () => void;
}

/** Shows what a control means or waits for while it is hovered or focused: `events` are the control's. */
export function useHint(label: string): { events: Events; hint: ReactNode; hide: () => void } {
  const [target, setTarget] = useState<HTMLElement | null>(null);
  const show = ({ currentTarget }: { currentTarget: HTMLElement }) => {
    if (currentTarget.matches(':hover, :focus-visible')) setTarget(currentTarget);
  };
  const hide = () => setTarget(null);
  const hint = target !== null && (
    <Suspense>
      <Hint target={target} label={label} />
    </Suspense>
  );
  const events = { onPointerEnter: show, onPointerLeave: hide, onFocus: show, onBlur: hide };
  return { events, hint, hide };
}
