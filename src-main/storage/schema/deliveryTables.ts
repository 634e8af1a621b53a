/** Tables of delivery plans: their versions, the documents that were scanned, and the status of each document at each destination. */

/** Appends the current status to the events. */
const appendEvent = `
  INSERT INTO delivery_event (status_id, state, at_ms, message) VALUES (NEW.id, NEW.state, NEW.changed_ms, NEW.message);`

const countIn = `
  INSERT INTO delivery_count (destination_id, state, documents) VALUES (NEW.destination_id, NEW.state, 1)
    ON CONFLICT DO UPDATE SET documents = documents + 1;`
const countOut = `
  UPDATE delivery_count SET documents = documents - 1 WHERE destination_id = OLD.destination_id AND state = OLD.state;`

export const deliveryTables = `
CREATE TABLE delivery_plan (                -- a version of a plan
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL COLLATE NOCASE,
  version INTEGER NOT NULL CHECK (version >= 1),
  plan TEXT NOT NULL,                       -- JSON, shape DeliveryPlan of the contract
  toml TEXT NOT NULL,                       -- as it was written, with its comments; '' for the plan of an output connection
  created_ms INTEGER NOT NULL,
  keeping TEXT,                             -- JSON: the statuses that are being copied from the version before; null: none, or all are copied
  output_id INTEGER REFERENCES output(id) ON DELETE CASCADE -- output connection whose plan it is; null: a plan of users
);
CREATE UNIQUE INDEX delivery_plan_by_name ON delivery_plan (name, version) WHERE output_id IS NULL;
CREATE UNIQUE INDEX delivery_plan_by_output ON delivery_plan (output_id) WHERE output_id IS NOT NULL;
CREATE TABLE delivery_run (                 -- a version that runs, or does so as soon as there is an engine with a place for it
  plan_id INTEGER PRIMARY KEY REFERENCES delivery_plan(id) ON DELETE CASCADE,
  is_once INTEGER NOT NULL CHECK (is_once IN (0, 1)), -- 1: until every document is settled, whatever the intervals of the scanners
  started_ms INTEGER NOT NULL
);
CREATE TABLE delivery_scanner (             -- a scanner of a version: two may scan the same documents
  id INTEGER PRIMARY KEY,
  plan_id INTEGER NOT NULL REFERENCES delivery_plan(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  UNIQUE (plan_id, name)
);
CREATE TABLE delivery_destination (         -- a destination that documents of a scanner may reach
  id INTEGER PRIMARY KEY,
  scanner_id INTEGER NOT NULL REFERENCES delivery_scanner(id) ON DELETE CASCADE,
  name TEXT NOT NULL,                       -- name of its step, with the branches where two of them lead to it
  UNIQUE (scanner_id, name)
);
CREATE TABLE delivery_document (            -- a document of a scanner, or a part that a step made of one
  id INTEGER PRIMARY KEY,
  scanner_id INTEGER NOT NULL REFERENCES delivery_scanner(id) ON DELETE CASCADE,
  key TEXT NOT NULL,                        -- identifies the document for its scanner over time
  parent_id INTEGER REFERENCES delivery_document(id) ON DELETE CASCADE, -- document that it is a part of
  original_id INTEGER REFERENCES delivery_document(id) ON DELETE CASCADE, -- scanned document above it; null: it was scanned
  hash TEXT NOT NULL,                       -- of its content; of a part: of the original's key, the parent's hash and its number
  UNIQUE (scanner_id, key)
);
CREATE INDEX delivery_document_by_parent ON delivery_document (parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX delivery_document_by_original ON delivery_document (original_id) WHERE original_id IS NOT NULL;

CREATE TABLE delivery_status (              -- current status of a document at a destination
  id INTEGER PRIMARY KEY,
  document_id INTEGER NOT NULL REFERENCES delivery_document(id) ON DELETE CASCADE,
  destination_id INTEGER NOT NULL REFERENCES delivery_destination(id) ON DELETE CASCADE,
  state TEXT NOT NULL,                      -- deliveryStates
  changed_ms INTEGER NOT NULL,
  message TEXT,                             -- a stored message: why
  UNIQUE (document_id, destination_id)
);
-- What is stranded, and what has failed.
CREATE INDEX delivery_status_by_state ON delivery_status (destination_id, state, document_id);

CREATE TABLE delivery_count (               -- documents of a destination in each status: there may be millions, and people look often
  destination_id INTEGER NOT NULL REFERENCES delivery_destination(id) ON DELETE CASCADE,
  state TEXT NOT NULL,
  documents INTEGER NOT NULL,
  PRIMARY KEY (destination_id, state)
) WITHOUT ROWID;

CREATE TABLE delivery_event (               -- every status that a document had at a destination; only appended
  id INTEGER PRIMARY KEY,
  status_id INTEGER NOT NULL REFERENCES delivery_status(id) ON DELETE CASCADE,
  state TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  message TEXT
);
CREATE INDEX delivery_event_by_status ON delivery_event (status_id, id);

-- Triggers append the events and count the documents, so that no statement can change a status without that.
CREATE TRIGGER delivery_status_is_added AFTER INSERT ON delivery_status BEGIN${appendEvent}${countIn}
END;
CREATE TRIGGER delivery_status_is_changed AFTER UPDATE OF state ON delivery_status
BEGIN${appendEvent}${countOut}${countIn}
END;
CREATE TRIGGER delivery_status_is_removed AFTER DELETE ON delivery_status BEGIN${countOut}
END;
CREATE TRIGGER delivery_event_is_not_changed BEFORE UPDATE ON delivery_event
  BEGIN SELECT RAISE(ABORT, 'events of deliveries cannot be changed'); END;
-- Compaction removes earlier events; the current status keeps its event.
CREATE TRIGGER delivery_event_is_current BEFORE DELETE ON delivery_event
  WHEN EXISTS (SELECT 1 FROM delivery_status WHERE id = OLD.status_id)
    AND NOT EXISTS (SELECT 1 FROM delivery_event AS later WHERE later.status_id = OLD.status_id AND later.id > OLD.id)
  BEGIN SELECT RAISE(ABORT, 'the event of a current status cannot be removed'); END;
`
