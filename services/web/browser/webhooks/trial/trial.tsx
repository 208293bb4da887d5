import { Badge, Button, Code, Group, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useAllText } from '../../texts/signed-in-texts.tsx';
import { errorText } from '../../ui/error-text.ts';
import { FormError } from '../../ui/forms/form-errors.tsx';
import { type Received, receiveHere } from './receive-here.ts';
import classes from './trial.module.css';

const SHOWN_MAX = 20;

/** What arrives, as a server would get it, as long as this is shown. */
export function Trial({ onStop }: { onStop: () => void }) {
  const [attempt, setAttempt] = useState(0);
  return <Deliveries key={attempt} onStop={onStop} onAgain={() => setAttempt(attempt + 1)} />;
}

function Deliveries({ onStop, onAgain }: { onStop: () => void; onAgain: () => void }) {
  const text = useAllText();
  const { trial } = text.webhooks;
  const [received, setReceived] = useState<readonly Received[]>([]);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    const stop = new AbortController();
    const follow = async () => {
      for await (const delivery of receiveHere(stop.signal)) {
        // Below what came before, which so stays where it is.
        setReceived((earlier) => [...earlier, delivery].slice(-SHOWN_MAX));
      }
    };
    follow().catch((thrown: unknown) => {
      if (!stop.signal.aborted) setError(thrown);
    });
    return () => stop.abort();
  }, []);
  return (
    <Stack gap="sm">
      <Text size="sm" role="status">
        {received.length === 0 ? trial.waiting : trial.received(received.length)}
      </Text>
      <ul className={classes.list}>
        {received.map((delivery) => (
          <Delivery key={delivery.id} {...delivery} />
        ))}
      </ul>
      <FormError message={error === null ? null : errorText(error, text)} />
      <Group gap="xs">
        {error !== null && (
          <Button size="xs" onClick={onAgain}>
            {text.errors.tryAgain}
          </Button>
        )}
        <Button size="xs" variant="default" onClick={onStop}>
          {trial.stop}
        </Button>
      </Group>
    </Stack>
  );
}

function Delivery({ event, body, isVerified }: Received) {
  const { trial } = useAllText().webhooks;
  return (
    <li>
      <Group gap="xs" mb={4}>
        <Text size="sm" fw={500}>
          {event}
        </Text>
        <Badge variant="dot" color={isVerified ? 'green' : 'red'}>
          {isVerified ? trial.verified : trial.wrong}
        </Badge>
      </Group>
      <Code block className={classes.body} aria-label={event} tabIndex={0}>
        {JSON.stringify(JSON.parse(body), null, 2)}
      </Code>
    </li>
  );
}
