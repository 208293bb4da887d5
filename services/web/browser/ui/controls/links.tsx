import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes } from 'react';

type LinkAttributes = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof AnchorProps>;
type ButtonAttributes = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof ButtonProps>;

/** A link of running text to a page of the client. */
export const TextLink = createLink((props: AnchorProps & LinkAttributes) => <Anchor {...props} />);

/** A link to a page of the client that looks like a button. */
export const ButtonLink = createLink((props: ButtonProps & ButtonAttributes) => (
  <Button component="a" {...props} />
));
