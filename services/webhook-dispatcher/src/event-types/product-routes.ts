import { errorResponses } from '@atrium/contracts/errors';
import { EventType, EventTypeParams } from '@atrium/contracts/webhooks/event-catalogue';
import { EventTypeName } from '@atrium/contracts/events';
import {
  EVENT_TYPES_MAX,
  EventTypeVersions,
  NAMESPACES_MAX,
  PutEventTypeBody,
  SCHEMA_MAX_BYTES,
} from '@atrium/contracts/webhooks/publishing';
import {
  accountOf,
  type Authenticator,
  requireVerifiedEmail,
} from '@atrium/service-kit/authentication';
import { notFound, validationError } from '@atrium/service-kit/http-error';
import { requireAccessToken } from '@atrium/service-kit/protected-routes';
import type { Server } from '@atrium/service-kit/server';
import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Database } from '../database.ts';
import { representEventType } from './catalogue.ts';
import { putEventType } from './put-event-type.ts';
import { objectOf } from './schema.ts';
import { archiveEventType, findEventType, listVersions } from './store.ts';
import type { InTurn } from './turns.ts';

/** Each compiles a schema. */
const PUT_RULE = { name: 'event-types-put', limit: 300, windowSeconds: 60 };

/** A schema and an example, each of which may be indented. */
const PUT_BODY_MAX_BYTES = 4 * SCHEMA_MAX_BYTES;

const NAME_INVALID = 'Name must be parts of lower-case letters, digits, - and _, separated by dots';

/** How a product says which events it publishes. */
export async function productEventTypeRoutes(
  server: Server,
  {
    database,
    authenticator,
    inTurn,
    clockMs,
  }: { database: Database; authenticator: Authenticator; inTurn: InTurn; clockMs: () => number },
): Promise<void> {
  requireAccessToken(server, authenticator);
  const tags = ['Event types'];
  const scope = 'events:publish';

  server.put(
    '/api/event-types/:name',
    {
      bodyLimit: PUT_BODY_MAX_BYTES,
      config: { scope, rateLimit: PUT_RULE },
      preHandler: requireVerifiedEmail,
      schema: {
        tags,
        operationId: 'putEventType',
        summary: 'Register an event type of your product, or change it',
        description:
          'The first part of the name belongs to the account that uses it first. Another schema is another version, ' +
          'which receivers of the version before must be able to read. One that was archived comes back. An account has at ' +
          `most ${NAMESPACES_MAX} first parts of names, with ${EVENT_TYPES_MAX} types each, archived ones too, of 100 versions, ` +
          'and 20 MB of schemas and examples.',
        params: EventTypeParams,
        body: PutEventTypeBody,
        response: {
          200: EventType,
          201: EventType,
          ...errorResponses(
            401,
            422,
            'email-not-verified',
            'namespace-taken',
            'too-many-event-types',
            'schema-incompatible',
            'schema-unusable',
            'event-mismatch',
            'event-too-large',
          ),
        },
      },
    },
    async (request, reply) => {
      const { name } = request.params;
      if (!Value.Check(EventTypeName, name)) throw validationError(NAME_INVALID);
      const { id: accountId } = accountOf(request);
      const change = { name, accountId, body: request.body };
      const origin = { requestId: request.id };
      const { isNew, stored } = await putEventType({ database, inTurn }, origin, change);
      return reply.code(isNew ? 201 : 200).send(representEventType(stored));
    },
  );

  server.post(
    '/api/event-types/:name/archive',
    {
      config: { scope },
      schema: {
        tags,
        operationId: 'archiveEventType',
        summary: 'Publish events of a type no more',
        description:
          'What was published stays, and so do subscriptions. Registering it again takes this back.',
        params: EventTypeParams,
        response: { 204: Type.Null(), ...errorResponses(401, 404) },
      },
    },
    async (request, reply) => {
      const { name } = request.params;
      const now = new Date(clockMs());
      const accountId = accountOf(request).id;
      const isThere = await archiveEventType(database, { name, accountId, now });
      if (!isThere) throw notFound('Event type');
      return reply.code(204).send(null);
    },
  );

  server.get(
    '/api/event-types/:name/versions',
    {
      schema: {
        tags,
        operationId: 'listEventTypeVersions',
        summary: 'List the schemas that an event type of a product has had, newest first',
        params: EventTypeParams,
        response: {
          200: EventTypeVersions,
          ...errorResponses(401, 404),
        },
      },
    },
    async (request) => {
      const { name } = request.params;
      const found = await findEventType(database, { name, accountId: accountOf(request).id });
      if (found === undefined) throw notFound('Event type');
      const versions = await listVersions(database, name);
      return {
        data: versions.map(({ version, schema, createdAt }) => ({
          version,
          schema: objectOf(schema),
          createdAt: createdAt.toISOString(),
        })),
      };
    },
  );
}
