/** Step 17 of the schema: hops. */
export const hopsStep = { number: 17, sql: `` }
