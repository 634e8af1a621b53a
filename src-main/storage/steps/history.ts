/** Step 21 of the schema: history. */
export const historyStep = { number: 21, sql: `` }
