/** Lengths at which the engine cuts its lists (`archive/files/limits.ts`; a test compares them). A list of this length may be incomplete. */
export const listedMax = { findings: 10_000, attic: 1_000, actionsOnFile: 100 }
