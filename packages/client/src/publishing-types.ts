import type * as publishing from '@atrium/contracts/webhooks/publishing';
import type { Static } from 'typebox';

export type ChangeEventNamespaceBody = Static<typeof publishing.ChangeEventNamespaceBody>;
export type EventNamespace = Static<typeof publishing.EventNamespace>;
export type EventToPublish = Static<typeof publishing.EventToPublish>;
export type EventTypeVersions = Static<typeof publishing.EventTypeVersions>;
export type PublishBody = Static<typeof publishing.PublishBody>;
export type PublishResults = Static<typeof publishing.PublishResults>;
export type Published = Static<typeof publishing.Published>;
export type PublishedEvent = Static<typeof publishing.PublishedEvent>;
export type PutEventTypeBody = Static<typeof publishing.PutEventTypeBody>;
