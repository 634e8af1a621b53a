/** Table of searches that users have saved. */
export const searchTables = `
CREATE TABLE saved_search (
  name TEXT PRIMARY KEY COLLATE NOCASE,
  search TEXT NOT NULL                      -- JSON, as the contract has it
) WITHOUT ROWID;
`
