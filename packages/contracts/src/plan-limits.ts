const PRO = {
  workspaces: Number.POSITIVE_INFINITY,
  notesPerWorkspace: Number.POSITIVE_INFINITY,
  noteSizeBytes: 512_000,
  /** Members of one workspace besides its owner; pending invitations count. */
  collaborators: 20,
  fileSizeBytes: 100 * 1024 ** 2,
  /** Everything in one owner's workspaces: notes, versions, attachments and reports of imports. */
  storageBytes: 10 * 1024 ** 3,
  /** An archive that is imported. */
  archiveSizeBytes: 1024 ** 3,
  /** How long a version is kept once another one is current. */
  versionDays: 90,
  /** Versions of one note by one author; beyond these, that author's oldest ones go. */
  versionsPerNote: 1000,
  /** Notes of one workspace that its owner has deleted, and as many that its editors have. */
  trashedNotes: 10_000,
  /** An event is delivered to each of them. */
  webhooks: 100,
  applications: 100,
  links: 100_000,
  /** Clicks that are kept, over all links of an account; more are redirected all the same. */
  clicksPerMinute: 10_000,
  clicksPerDay: Number.POSITIVE_INFINITY,
  /** Clicks stored one by one, over all links of an account; older ones only as totals of their days. */
  singleClicks: 5_000_000,
} as const;

/**
 * Limits of each plan; Infinity stands for "unlimited". The pages import them, so this imports nothing.
 * `unlimited` is for those who run Atrium for themselves: nothing is counted, and what one request or one event
 * may take is bounded as in `pro`.
 */
export const PLAN_LIMITS = {
  free: {
    workspaces: 5,
    notesPerWorkspace: 100,
    noteSizeBytes: 51_200,
    collaborators: 3,
    fileSizeBytes: 10 * 1024 ** 2,
    storageBytes: 1024 ** 3,
    archiveSizeBytes: 100 * 1024 ** 2,
    versionDays: 7,
    versionsPerNote: 200,
    trashedNotes: 200,
    webhooks: 10,
    applications: 10,
    links: 1000,
    clicksPerMinute: 1000,
    clicksPerDay: 100_000,
    singleClicks: 100_000,
  },
  pro: PRO,
  unlimited: {
    ...PRO,
    collaborators: Number.POSITIVE_INFINITY,
    storageBytes: Number.POSITIVE_INFINITY,
    links: Number.POSITIVE_INFINITY,
  },
} as const;

/** As responses say it: null for none. */
export const limitOrNull = (limit: number) => (Number.isFinite(limit) ? limit : null);

/** What each plan allows, as a statement takes it: `($1::jsonb ->> plan)::bigint`, which is NULL for no limit. */
export function limitsOf(what: keyof typeof PRO): Record<keyof typeof PLAN_LIMITS, number | null> {
  const { free, pro, unlimited } = PLAN_LIMITS;
  return {
    free: limitOrNull(free[what]),
    pro: limitOrNull(pro[what]),
    unlimited: limitOrNull(unlimited[what]),
  };
}
