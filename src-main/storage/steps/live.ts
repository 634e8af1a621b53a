/** Step 22 of the schema: live. */
export const liveStep = { number: 22, sql: `` }
