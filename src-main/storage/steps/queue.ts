/** Step 15 of the schema: queue. */
export const queueStep = { number: 15, sql: `` }
