import type { ComponentProps, MouseEvent } from 'react';

/** A form whose fields are checked when they are left. */
export function Form(props: ComponentProps<'form'>) {
  return <form noValidate onMouseDown={keepFocus} {...props} />;
}

/**
 * A field that is left shows or loses the error below itself, which moves the button away between the press and the release
 * of the mouse: the click would be lost.
 */
function keepFocus(event: MouseEvent): void {
  if (event.target instanceof Element && event.target.closest('button')) event.preventDefault();
}
