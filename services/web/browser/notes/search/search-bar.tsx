import { CloseButton, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { Icon } from '../../frame/icon.tsx';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import type { Search } from './search.ts';

const PAUSE_MS = 250;
const QUERY_LENGTH_MAX = 1000;

/** Where notes are searched. The address has what is searched, on the page with the results while one types. */
export function SearchBar({
  search: { q, workspace },
  isLive = false,
}: {
  search: Search;
  isLive?: boolean;
}) {
  const { search: texts } = useSignedInText().notes;
  const navigate = useNavigate();
  const [typed, setTyped] = useState(q);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const found = useRef(q);
  // Going back shows what was searched before, but nothing replaces what is being typed.
  useEffect(() => {
    if (q !== found.current) setTyped(q);
    found.current = q;
  }, [q]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const find = (query: string) => {
    clearTimeout(timer.current);
    found.current = query;
    const search = query === '' ? {} : { q: query, ...(workspace !== undefined && { workspace }) };
    void navigate({ to: '/notes', search, replace: q !== '', resetScroll: false });
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
        aria-label={texts.label}
        placeholder={texts.label}
        leftSection={<Icon name="search" />}
        rightSection={
          typed !== '' && (
            <CloseButton
              aria-label={texts.clear}
              onClick={() => {
                setTyped('');
                if (q !== '') find('');
              }}
            />
          )
        }
        maxLength={QUERY_LENGTH_MAX}
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
