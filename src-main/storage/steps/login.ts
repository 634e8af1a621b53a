/** Step 20 of the schema: login. */
export const loginStep = { number: 20, sql: `` }
