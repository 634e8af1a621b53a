/** Step 14 of the schema: jobs. */
export const jobsStep = { number: 14, sql: `` }
