import {
  Alert,
  Button,
  PasswordInput,
  Stack,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { checksOf } from '../../ui/forms/fields.tsx';
import { focusFirstError } from '../../ui/forms/form-errors.tsx';
import { TextLink } from '../../ui/controls/links.tsx';
import { useAllText } from '../../texts/signed-in-texts.tsx';
import classes from '../webhooks.module.css';
import { diagnose, type Finding, isStandardSignature } from './diagnose.ts';

/** Says which part of a delivery does not fit its signature, without sending any of it. */
export function VerificationPage() {
  const text = useAllText();
  const { sections, verification } = text;
  const [findings, setFindings] = useState<Finding[] | null>(null);
  const [isStandard, setStandard] = useState(false);
  const { required } = checksOf(text);
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { body: '', secret: '', signature: '', id: '', timestamp: '' },
    onValuesChange: ({ signature }) => {
      setFindings(null);
      setStandard(isStandardSignature(signature));
    },
    validate: {
      body: required(verification.body),
      secret: required(verification.secret),
      signature: required(verification.signature),
      ...(isStandard && {
        id: required('webhook-id'),
        timestamp: required('webhook-timestamp'),
      }),
    },
  });
  return (
    <Stack gap="lg">
      <Stack gap={4}>
        <TextLink to="/webhooks" size="sm">
          {sections.webhooks}
        </TextLink>
        <Title order={1}>{verification.title}</Title>
        <Text c="dimmed">{verification.explanation}</Text>
      </Stack>
      <form
        noValidate
        className={classes.wideForm}
        onSubmit={form.onSubmit(
          (values) => void diagnose(values).then(setFindings),
          focusFirstError(form),
        )}
      >
        <Stack>
          <Textarea
            key={form.key('body')}
            {...form.getInputProps('body')}
            label={verification.body}
            description={verification.bodyHint}
            classNames={{ input: classes.code ?? '' }}
            autosize
            minRows={6}
            maxRows={20}
            spellCheck={false}
          />
          <PasswordInput
            key={form.key('secret')}
            {...form.getInputProps('secret')}
            label={verification.secret}
            autoComplete="off"
            visibilityToggleButtonProps={{ 'aria-label': verification.showSecret, tabIndex: 0 }}
          />
          <TextInput
            key={form.key('signature')}
            {...form.getInputProps('signature')}
            label={verification.signature}
            description={verification.signatureHint}
            classNames={{ input: classes.code ?? '' }}
            autoComplete="off"
            spellCheck={false}
          />
          {isStandard &&
            (['id', 'timestamp'] as const).map((header) => (
              <TextInput
                key={form.key(header)}
                {...form.getInputProps(header)}
                label={`webhook-${header}`}
                description={verification.headerHint}
                classNames={{ input: classes.code ?? '' }}
                autoComplete="off"
                spellCheck={false}
              />
            ))}
          <Button type="submit" className={classes.submit}>
            {verification.submit}
          </Button>
        </Stack>
      </form>
      <div role="status">{findings !== null && <Findings findings={findings} />}</div>
    </Stack>
  );
}

function Findings({ findings }: { findings: Finding[] }) {
  const { verification } = useAllText();
  if (findings.length === 0) {
    return (
      <Alert color="green" variant="default" title={verification.matches}>
        {verification.matchesHint}
      </Alert>
    );
  }
  return (
    <Alert color="orange" variant="default" title={verification.differs}>
      {findings.map((finding) => (
        <Text key={finding} size="sm">
          {verification.findings[finding]}
        </Text>
      ))}
    </Alert>
  );
}
