import type { ComponentProps, MouseEvent } from 'react';

/** A form whose fields are checked when they are left. */
export function Form(props: ComponentProps<'form'>) {
  // It is no control: it keeps a press on one of its buttons from moving the focus.
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
  return <form noValidate onMouseDown={keepFocus} {...props} />;
}

/**
 * A field that is left shows or loses the error below itself, which moves the button away between the press and the release
 * of the mouse: the click would be lost.
 */
function keepFocus(event: MouseEvent): void {
  if (event.target instanceof Element && event.target.closest('button')) event.preventDefault();
}
