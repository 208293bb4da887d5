import { Modal, Text, TextInput, UnstyledButton } from '@mantine/core';
import { type NavigateOptions, useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useId, useState } from 'react';
import { useSignedInText } from '../texts/signed-in-texts.tsx';
import { DESTINATIONS } from './navigation.ts';
import classes from './palette.module.css';

/** A field and the pages whose names contain what is typed; arrows choose, Enter goes there. */
export function PaletteDialog({ onClose }: { onClose: () => void }) {
  const text = useSignedInText();
  const navigate = useNavigate();
  const listId = useId();
  const [query, setQuery] = useState('');
  const [chosen, setChosen] = useState(0);
  const found = DESTINATIONS.map(({ label, ...address }) => ({
    address,
    label: label(text),
  })).filter(({ label }) => label.toLowerCase().includes(query.trim().toLowerCase()));
  const current = Math.min(chosen, found.length - 1);
  const go = (address: NavigateOptions | undefined) => {
    if (address === undefined) return;
    onClose();
    void navigate(address);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setChosen((current + step + found.length) % Math.max(found.length, 1));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      go(found[current]?.address);
    }
  };
  return (
    <Modal.Root opened onClose={onClose} yOffset="12vh">
      <Modal.Overlay />
      <Modal.Content aria-label={text.palette.label}>
        <Modal.Body>
          <TextInput
            data-autofocus
            role="combobox"
            aria-label={text.palette.placeholder}
            aria-expanded
            aria-controls={listId}
            aria-activedescendant={found.length > 0 ? `${listId}-${current}` : undefined}
            value={query}
            onChange={(event) => {
              setQuery(event.currentTarget.value);
              setChosen(0);
            }}
            onKeyDown={onKeyDown}
          />
          <div id={listId} role="listbox" aria-label={text.palette.label} className={classes.list}>
            {found.map(({ address, label }, index) => (
              <UnstyledButton
                key={label}
                id={`${listId}-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={index === current}
                className={classes.option}
                onClick={() => go(address)}
              >
                {label}
              </UnstyledButton>
            ))}
          </div>
          {found.length === 0 && (
            <Text size="sm" c="dimmed" role="status">
              {text.palette.nothingFound(query)}
            </Text>
          )}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
