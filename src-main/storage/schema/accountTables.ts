/** Tables of the accounts of a server and of their sessions. A password and a token are only kept as what they are checked with. */
export const accountTables = `
CREATE TABLE account (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE CHECK (length(name) BETWEEN 1 AND 64), -- never changes: the audit log names it
  roles TEXT NOT NULL,                      -- JSON: an array of roles of contract/calls/caller
  password TEXT NOT NULL,                   -- scrypt with its parameters, as access/accounts/passwords writes it
  added_ms INTEGER NOT NULL,
  password_set_ms INTEGER NOT NULL
);
CREATE TABLE account_session (
  id INTEGER PRIMARY KEY AUTOINCREMENT,     -- no number is used twice: a list may be older than the session
  token_sha256 TEXT NOT NULL UNIQUE,        -- of the token that the client has
  account_id INTEGER NOT NULL REFERENCES account(id) ON DELETE CASCADE,
  address TEXT NOT NULL,                    -- IP address of the client that logged in
  client TEXT NOT NULL,                     -- User-Agent of that client, shortened
  begun_ms INTEGER NOT NULL,
  seen_ms INTEGER NOT NULL                  -- of the last request, at most a minute old
);
CREATE INDEX account_session_by_account ON account_session (account_id);
CREATE INDEX account_session_by_begin ON account_session (begun_ms);
`
