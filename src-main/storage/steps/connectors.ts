/** Step 19 of the schema: connectors. */
export const connectorsStep = { number: 19, sql: `` }
