import type { CreateSubscriptionBody } from '@atrium/client';
import type { AllTexts } from '../texts/signed-in-texts.tsx';

export const KINDS = ['http', 'amqp', 'redis', 'sqs', 's3'] as const;
export type Kind = (typeof KINDS)[number];

/** What is entered for any kind of destination; those of another kind stay empty. */
export const NO_DESTINATION = {
  exchange: '',
  routingKey: '',
  stream: '',
  maxLength: '',
  region: '',
  messageGroupId: '',
  prefix: '',
  user: '',
  password: '',
};
export type DestinationValues = typeof NO_DESTINATION;
type DestinationField = keyof DestinationValues;

interface KindFields {
  required: readonly DestinationField[];
  optional: readonly DestinationField[];
}

/** In the order in which they are shown, required ones first. */
export const KIND_FIELDS: Readonly<Record<Kind, KindFields>> = {
  http: { required: [], optional: [] },
  amqp: { required: ['user', 'password'], optional: ['exchange', 'routingKey'] },
  redis: { required: ['stream'], optional: ['maxLength', 'user', 'password'] },
  sqs: { required: ['region', 'user', 'password'], optional: ['messageGroupId'] },
  s3: { required: ['region', 'user', 'password'], optional: ['prefix'] },
};

/** By the names of the fields in a form: those that the kind needs and that are empty. */
export function missingFields(kind: Kind, values: DestinationValues, text: AllTexts) {
  const { fields } = text.webhooks.destination;
  const missing = KIND_FIELDS[kind].required.filter((name) => values[name].trim() === '');
  return Object.fromEntries(
    missing.map((name) => [`destination.${name}`, text.fields.required(fields[name])]),
  );
}

/** What the service takes. */
export function toDestination(
  kind: Kind,
  values: DestinationValues,
): NonNullable<CreateSubscriptionBody['destination']> {
  const given = (name: DestinationField) => {
    const value = values[name].trim();
    return value === '' ? {} : { [name]: value };
  };
  const region = values.region.trim();
  const login = { username: values.user.trim(), password: values.password };
  const key = { accessKeyId: values.user.trim(), secretAccessKey: values.password.trim() };
  switch (kind) {
    case 'http':
      return { kind };
    case 'amqp': {
      const [exchange, routingKey] = [values.exchange.trim(), values.routingKey.trim()];
      return { kind, exchange, routingKey, credentials: login };
    }
    case 'redis':
      return {
        kind,
        stream: values.stream.trim(),
        ...(values.maxLength.trim() !== '' && { maxLength: Number(values.maxLength) }),
        ...(values.password !== '' && {
          credentials: { ...login, username: login.username || 'default' },
        }),
      };
    case 'sqs':
      return { kind, region, ...given('messageGroupId'), credentials: key };
    case 's3':
      return { kind, region, ...given('prefix'), credentials: key };
  }
}
