import { Link, useLocation } from '@tanstack/react-router';
import { useSignedInText } from '../texts/signed-in-texts.tsx';
import { Icon } from '../ui/controls/icon.tsx';
import type { SECTIONS } from './navigation.ts';

/** To a section of the pages; it is marked on all of its pages. */
export function NavigationLink({
  entry: { to, icon, label, below = [] },
  className,
}: {
  entry: (typeof SECTIONS)[number];
  className: string | undefined;
}) {
  const text = useSignedInText();
  const { pathname } = useLocation();
  const isBelow = below.some((path) => pathname.startsWith(path));
  return (
    <Link
      to={to}
      className={className}
      activeOptions={{ exact: to === '/', includeSearch: false }}
      {...(isBelow && { 'data-status': 'active' })}
    >
      <Icon name={icon} />
      {label(text)}
    </Link>
  );
}
