import type { Comparison, Version, VersionSummary } from '@atrium/contracts/notes/versions';
import { compareTexts } from './diff.ts';
import type { VersionRecord, VersionSummaryRecord } from './store.ts';

export function summarizeVersion(version: VersionSummaryRecord): VersionSummary {
  const { id, noteId, title, name, authorId, createdAt, supersededAt } = version;
  const isCurrent = supersededAt === null;
  return { id, noteId, title, name, authorId, createdAt: createdAt.toISOString(), isCurrent };
}

export function representVersion(version: VersionRecord): Version {
  return { ...summarizeVersion(version), content: version.content, tags: version.tags };
}

export function compareVersions(from: VersionRecord, to: VersionRecord): Comparison {
  return {
    from: summarizeVersion(from),
    to: summarizeVersion(to),
    title: compareTexts(from.title, to.title),
    content: compareTexts(from.content, to.content),
    tags: {
      removed: from.tags.filter((tag) => !to.tags.includes(tag)),
      added: to.tags.filter((tag) => !from.tags.includes(tag)),
    },
  };
}
