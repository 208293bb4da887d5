import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes } from 'react';
import { LIST_ROW, moveInList } from './list-keys.ts';
import rows from './rows.module.css';

/** The link of a row to its page. Plain: the styles of a `TextLink` take longer than the rest of a row. */
export const RowLink = createLink(
  ({ href, children, onKeyDown, ...props }: AnchorHTMLAttributes<HTMLAnchorElement>) => (
    <a
      {...props}
      href={href}
      className={`mantine-focus-auto ${rows.link}`}
      onKeyDown={(event) => {
        onKeyDown?.(event);
        moveInList(event);
      }}
      {...LIST_ROW}
    >
      {children}
    </a>
  ),
);
