/** Tables of notifications and of their deliveries. */
export const notificationTables = `
CREATE TABLE notification (
  id INTEGER PRIMARY KEY AUTOINCREMENT,     -- never used again: receivers tell a repeated delivery by it
  kind TEXT NOT NULL,                       -- NotificationKind of the contract
  severity TEXT NOT NULL,
  at_ms INTEGER NOT NULL,                   -- when it was first reported
  message TEXT NOT NULL,                    -- JSON: message of the contract
  job_id INTEGER,                           -- stays when the job is deleted
  harvest TEXT,
  source_key TEXT UNIQUE,                   -- names the event, so that it is reported once; null: equal ones are combined
  times INTEGER NOT NULL DEFAULT 1,
  is_read INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX notification_by_message ON notification (kind, message, at_ms);
CREATE TABLE notification_delivery (
  notification_id INTEGER NOT NULL REFERENCES notification(id) ON DELETE CASCADE,
  channel TEXT NOT NULL,
  recipient TEXT NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  next_ms INTEGER,                          -- of the next attempt; null: delivered or given up
  is_delivered INTEGER NOT NULL DEFAULT 0,
  problem TEXT,                             -- JSON: why the last attempt failed
  PRIMARY KEY (notification_id, channel, recipient)
) WITHOUT ROWID;
CREATE INDEX notification_delivery_by_next ON notification_delivery (next_ms) WHERE next_ms IS NOT NULL;
`
