import { EVENT_STREAMS_RATE } from '@atrium/service-kit/event-streams';

/** Far above what a person does and far below what would slow other accounts down. */
export const RATE_LIMITS = {
  writes: { name: 'notes-writes', limit: 1200, windowSeconds: 60 },
  uploads: { name: 'notes-uploads', limit: 120, windowSeconds: 60 },
  exports: { name: 'notes-exports', limit: 10, windowSeconds: 60 },
  imports: { name: 'notes-imports', limit: 10, windowSeconds: 60 },
  searches: { name: 'notes-searches', limit: 600, windowSeconds: 60 },
  /** Each may store the whole text once more. */
  versions: { name: 'notes-versions', limit: 60, windowSeconds: 60 },
  /** Comparing two long texts costs more than reading them. */
  comparisons: { name: 'notes-comparisons', limit: 30, windowSeconds: 60 },
  /** Each may change every note of a workspace. */
  tagChanges: { name: 'notes-tag-changes', limit: 60, windowSeconds: 60 },
  streams: { name: 'notes-streams', ...EVENT_STREAMS_RATE },
  /** By IP address, whatever the note: a password costs a hash. */
  shareOpenings: { name: 'notes-share-openings', limit: 60, windowSeconds: 60 },
  /** By IP address: the token in a link is all that it takes. */
  invitationReadings: { name: 'notes-invitation-readings', limit: 60, windowSeconds: 60 },
  invitations: { name: 'notes-invitations', limit: 60, windowSeconds: 3600 },
};

/** To one email address, whoever sends them: nobody can be flooded with emails. */
export const INVITATIONS_TO_EMAIL = {
  name: 'notes-invitations-to-address',
  limit: 10,
  windowSeconds: 86_400,
};

/** Wrong passwords of one link to a public note; a new link has attempts of its own. */
export const SHARE_PASSWORDS = {
  byIp: { name: 'notes-share-passwords', limit: 10, windowSeconds: 3600 },
  /** From all IP addresses: at this rate eight characters last for centuries. */
  byShare: { name: 'notes-share-passwords-of-note', limit: 1000, windowSeconds: 3600 },
  /** From one site, once the others are used up: who knows the password needs no more. */
  bySite: { name: 'notes-share-passwords-of-site', limit: 2, windowSeconds: 3600 },
};
