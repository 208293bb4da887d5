/** Limits of each plan, as the services enforce them. Null stands for "no limit". */
export const PLAN_LIMITS = {
  free: {
    workspaces: 5,
    notesPerWorkspace: 100,
    noteSizeBytes: 51_200,
    collaborators: 3,
    webhooks: 10,
  },
  pro: {
    workspaces: null,
    notesPerWorkspace: null,
    noteSizeBytes: 512_000,
    collaborators: 20,
    webhooks: 100,
  },
} as const;
