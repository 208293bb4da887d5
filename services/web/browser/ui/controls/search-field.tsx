import { CloseButton, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { Icon } from './icon.tsx';

const PAUSE_MS = 250;

/** A field that finds on Enter or, when it is live, at each pause in typing. */
export function SearchField({
  query,
  isLive = false,
  onFind,
  maxLength,
  label,
  clearLabel,
}: {
  /** What is searched now, which the URL has. */
  query: string;
  isLive?: boolean;
  onFind: (query: string) => void;
  maxLength: number;
  label: string;
  clearLabel: string;
}) {
  const [typed, setTyped] = useState(query);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const found = useRef(query);
  // Going back shows what was searched before, but nothing replaces what is being typed.
  useEffect(() => {
    if (query !== found.current) setTyped(query);
    found.current = query;
  }, [query]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const find = (next: string) => {
    clearTimeout(timer.current);
    found.current = next;
    onFind(next);
  };
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        find(typed.trim());
      }}
    >
      <TextInput
        type="search"
        aria-label={label}
        placeholder={label}
        leftSection={<Icon name="search" />}
        rightSection={
          typed !== '' && (
            <CloseButton
              aria-label={clearLabel}
              onClick={() => {
                clearTimeout(timer.current);
                setTyped('');
                if (query !== '') find('');
              }}
            />
          )
        }
        maxLength={maxLength}
        autoComplete="off"
        value={typed}
        onChange={(event) => {
          const { value } = event.currentTarget;
          setTyped(value);
          clearTimeout(timer.current);
          if (isLive) timer.current = setTimeout(() => find(value.trim()), PAUSE_MS);
        }}
      />
    </form>
  );
}
