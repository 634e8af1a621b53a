/** Step 16 of the schema: recrawl. */
export const recrawlStep = { number: 16, sql: `` }
