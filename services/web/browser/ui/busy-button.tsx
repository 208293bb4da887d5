import type { ComponentProps } from 'react';

interface BusyButtonProps extends ComponentProps<'button'> {
  'data-loading'?: boolean;
}

/**
 * What a button is made of. While it loads it does nothing but stays enabled, since a disabled button
 * loses the focus.
 */
export function BusyButton({ type = 'button', disabled, onClick, ...props }: BusyButtonProps) {
  const isBusy = props['data-loading'] === true;
  return (
    <button
      {...props}
      type={type}
      disabled={disabled === true && !isBusy}
      aria-disabled={isBusy || props['aria-disabled']}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
    />
  );
}
