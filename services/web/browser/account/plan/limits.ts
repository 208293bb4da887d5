/** Limits of each plan, as the services enforce them. Null stands for "no limit". */
export const PLAN_LIMITS = {
  free: {
    workspaces: 5,
    notesPerWorkspace: 100,
    noteSizeBytes: 51_200,
    collaborators: 3,
    fileSizeBytes: 10_485_760,
    storageBytes: 1_073_741_824,
    archiveSizeBytes: 104_857_600,
    versionDays: 7,
    versionsPerNote: 200,
    trashedNotes: 200,
    webhooks: 10,
  },
  pro: {
    workspaces: null,
    notesPerWorkspace: null,
    noteSizeBytes: 512_000,
    collaborators: 20,
    fileSizeBytes: 104_857_600,
    storageBytes: 10_737_418_240,
    archiveSizeBytes: 1_073_741_824,
    versionDays: 90,
    versionsPerNote: 1000,
    trashedNotes: 10_000,
    webhooks: 100,
  },
} as const;
