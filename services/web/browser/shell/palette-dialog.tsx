import { Modal, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useLinkEntries } from '../links/use-link-entries.ts';
import { Snippet } from '../notes/search/snippet.tsx';
import { useFavouriteEntries } from '../notes/palette/use-favourite-entries.ts';
import { usePaletteEntries } from '../notes/palette/use-palette-entries.ts';
import type { PaletteEntry } from '../ui/palette-entry.ts';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { useWebhookEntries } from '../webhooks/use-webhook-entries.ts';
import { DESTINATIONS, useAllowed } from './navigation.ts';
import classes from './palette.module.css';
import { useErrorToast } from '../ui/toasts/toasts.tsx';

/**
 * A field, and what fits to what is typed: arrows choose, Enter goes there or does it.
 *
 * @param takeTyped what was typed before the field was there
 */
export function PaletteDialog({
  onClose,
  takeTyped,
}: {
  onClose: () => void;
  takeTyped: () => string;
}) {
  const text = useAllText();
  const showError = useErrorToast();
  const listId = useId();
  const [query, setQuery] = useState('');
  const [chosenKey, setChosenKey] = useState<string>();
  const others = [...useLinkEntries(query), ...useWebhookEntries(query)];
  const found = [
    ...useFavouriteEntries(query),
    ...usePages(query),
    ...usePaletteEntries(query, others),
  ];
  // By its key: what is found later may stand before it.
  const current = Math.max(
    found.findIndex(({ key }) => key === chosenKey),
    0,
  );
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  const run = (entry: PaletteEntry | undefined) => {
    if (entry === undefined) return;
    onClose();
    entry.run().catch(showError);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setChosenKey(found.at((current + step) % found.length)?.key);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      run(found[current]);
    }
  };
  return (
    <Modal.Root opened onClose={onClose} yOffset="12vh" returnFocus={false}>
      <Modal.Overlay />
      <Modal.Content aria-label={text.palette.label}>
        <Modal.Body>
          <TextInput
            data-autofocus
            role="combobox"
            aria-label={text.palette.placeholder}
            placeholder={text.palette.placeholder}
            aria-expanded
            aria-controls={listId}
            aria-activedescendant={found.length > 0 ? `${listId}-${current}` : undefined}
            value={query}
            onChange={(event) => {
              setQuery(event.currentTarget.value);
              setChosenKey(undefined);
            }}
            onFocus={() => setQuery(query + takeTyped())}
            onKeyDown={onKeyDown}
          />
          <div
            ref={list}
            id={listId}
            role="listbox"
            aria-label={text.palette.label}
            className={classes.list}
          >
            {found.map((entry, index) => (
              <UnstyledButton
                key={entry.key}
                id={`${listId}-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={index === current}
                className={classes.option}
                onClick={() => run(entry)}
              >
                {entry.label}{' '}
                {entry.detail !== undefined && (
                  <Text span size="sm" c="dimmed">
                    {entry.detail}
                  </Text>
                )}
                {entry.snippet !== undefined && entry.snippet !== '' && (
                  <Snippet>{entry.snippet}</Snippet>
                )}
              </UnstyledButton>
            ))}
          </div>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

/** The pages whose names contain what is typed. */
function usePages(query: string): PaletteEntry[] {
  const text = useAllText();
  const navigate = useNavigate();
  const pages = useAllowed(DESTINATIONS).map(({ to, search, label }) => ({
    // Two entries may lead to one page.
    key: `${to} ${label(text)}`,
    label: label(text),
    run: () => navigate({ to, ...(search !== undefined && { search }) }),
  }));
  return pages.filter(({ label }) => label.toLowerCase().includes(query.trim().toLowerCase()));
}
