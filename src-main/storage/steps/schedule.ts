/** Step 18 of the schema: schedule. */
export const scheduleStep = { number: 18, sql: `` }
