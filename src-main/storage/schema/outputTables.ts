/** Tables of output connections: connectors of the user, the connections, the jobs that deliver through them, what each output has, what of
 *  it has to be looked at, and the notices that a job has ended. Triggers note every change of a document where it happens, so that no
 *  statement can forget to. */
import { isOneOf } from './stateIn.ts'

/** States of documents that were never captured, or left the harvest: what is left of an earlier capture does not count. */
const outsideStates = ['PENDING', 'ACTIVE', 'ACTIVENEEDRESCAN', 'HOPCOUNTREMOVED'] as const

/** Whether the job considers the document its own, and delivers its capture. */
export const isOfJob = (row: string) =>
  `(NOT ${isOneOf(outsideStates, `${row}.state`)} AND ${row}.outcome IS NOT 'excluded')`

/** Notes that a URL has to be looked at, for every output of the job. */
const note = (job: string, key: string) => `
  INSERT INTO output_pending (output_id, url_key) SELECT output_id, ${key} FROM job_output WHERE job_id = ${job}
    ON CONFLICT (output_id, url_key) DO UPDATE SET changes = changes + 1;`

const noteCaptured = (row: 'NEW' | 'OLD') => `
  INSERT INTO output_pending (output_id, url_key)
    SELECT output_id, url_key FROM document JOIN job_output ON job_output.job_id = document.job_id WHERE document.id = ${row}.document_id
    ON CONFLICT (output_id, url_key) DO UPDATE SET changes = changes + 1;`

/** Notes that all documents of a job have to be looked at. */
const scan = (output: string, job: string) => `
  INSERT INTO output_scan (output_id, job_id) VALUES (${output}, ${job})
    ON CONFLICT DO UPDATE SET after_document = 0, after_record = 0;`

const chosen = `json_each(harvest.outputs) AS chosen JOIN output ON output.name = json_extract(chosen.value, '$.output')`

/** Makes the outputs of the jobs those that their definition names. */
const follow = (harvests: string, jobs: string) => `
  INSERT INTO job_output (job_id, output_id, specification)
    SELECT job.id, output.id, json_remove(chosen.value, '$.output')
    FROM harvest JOIN job ON job.harvest_id = harvest.id JOIN ${chosen}
    WHERE harvest.outputs IS NOT NULL AND ${harvests} AND ${jobs}
    ON CONFLICT (job_id, output_id) DO UPDATE SET specification = excluded.specification
      WHERE specification <> excluded.specification;`

const countIn = `
  INSERT INTO output_count (output_id, job_id, content, state, documents) VALUES (NEW.output_id, NEW.job_id, NEW.content, NEW.state, 1)
    ON CONFLICT DO UPDATE SET documents = documents + 1;`
const countOut = `
  UPDATE output_count SET documents = documents - 1
    WHERE output_id = OLD.output_id AND job_id = OLD.job_id AND content = OLD.content AND state = OLD.state;`

const assessAll = (connector: string) => `
  UPDATE job SET is_assessed = 0 WHERE id IN
    (SELECT job_id FROM job_output JOIN output ON output.id = output_id WHERE output.connector = ${connector});`
const scanAll = (where: string) => `
  INSERT INTO output_scan (output_id, job_id)
    SELECT output_id, job_id FROM job_output JOIN output ON output.id = output_id WHERE ${where}
    ON CONFLICT DO UPDATE SET after_document = 0, after_record = 0;`

export const outputTables = `
CREATE TABLE output_connector (             -- a connector of the user
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  module TEXT NOT NULL,                     -- absolute path
  version TEXT,                             -- as the module declared it when it was installed last; null: it never was
  state TEXT NOT NULL,                      -- outputConnectorStates
  problem TEXT                              -- a stored message: why it could not be installed or deinstalled
);
CREATE TABLE output (                       -- an output connection
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE, -- never changes: definitions name it
  description TEXT NOT NULL,
  settings TEXT NOT NULL,                   -- JSON, shape OutputSettings of the contract
  steps TEXT NOT NULL,                      -- JSON: processors that documents go through
  requests_max INTEGER NOT NULL CHECK (requests_max >= 1), -- requests at once
  reingests INTEGER NOT NULL DEFAULT 0,     -- times that someone asked to send everything again; part of every version
  revision INTEGER NOT NULL DEFAULT 0,      -- incremented by each change: a run that sees a new number begins again
  problem TEXT,                             -- a stored message: why it does not run; null: it does
  -- Name of the connector of the user; null: one that Loupe has.
  connector TEXT COLLATE NOCASE
    GENERATED ALWAYS AS (CASE json_extract(settings, '$.connector') WHEN 'module' THEN json_extract(settings, '$.name') END) VIRTUAL
);
-- Copied out of the definition, so that the harvests with outputs are found without parsing every definition.
ALTER TABLE harvest ADD COLUMN outputs TEXT GENERATED ALWAYS AS (json_extract(definition, '$.outputs')) VIRTUAL;
CREATE INDEX harvest_with_outputs ON harvest (id) WHERE outputs IS NOT NULL;
CREATE TABLE job_output (                   -- an output that the definition of a job names; kept by triggers
  job_id INTEGER NOT NULL REFERENCES job(id) ON DELETE CASCADE,
  output_id INTEGER NOT NULL REFERENCES output(id),
  specification TEXT NOT NULL,              -- JSON, shape OutputSpecification of the contract
  PRIMARY KEY (job_id, output_id)
) WITHOUT ROWID;
CREATE INDEX job_output_by_output ON job_output (output_id, job_id);

CREATE TABLE output_document (              -- what is known of a URL at an output
  id INTEGER PRIMARY KEY,
  output_id INTEGER NOT NULL REFERENCES output(id) ON DELETE CASCADE,
  url_key BLOB NOT NULL,                    -- SHA-256 of the canonical URL
  document_id INTEGER REFERENCES delivery_document(id) ON DELETE SET NULL, -- its deliveries; null: it was never sent
  job_id INTEGER NOT NULL,                  -- job whose document it is, or was last
  content TEXT NOT NULL CHECK (content IN ('sent', 'none', 'removed')), -- none: its version is known, and the output does not take it
  state TEXT NOT NULL,                      -- deliveryStates, of the last delivery; '': it was never sent
  version TEXT,                             -- of the document; null: it was removed
  output_version TEXT,                      -- what the connector makes of settings and specification
  transformation_version TEXT,              -- of the processors between
  first_ms INTEGER NOT NULL,                -- time of the first delivery
  last_ms INTEGER NOT NULL,                 -- of the last
  checked_ms INTEGER NOT NULL,              -- when it was last looked at
  change_count INTEGER NOT NULL,            -- deliveries, with the first
  UNIQUE (output_id, url_key)
);
CREATE INDEX output_document_by_job ON output_document (output_id, job_id, id);
CREATE UNIQUE INDEX output_document_by_delivery ON output_document (document_id) WHERE document_id IS NOT NULL;

CREATE TABLE output_count (                 -- documents of an output by job, content and state: people look often
  output_id INTEGER NOT NULL REFERENCES output(id) ON DELETE CASCADE,
  job_id INTEGER NOT NULL,
  content TEXT NOT NULL,
  state TEXT NOT NULL,
  documents INTEGER NOT NULL,
  PRIMARY KEY (output_id, job_id, content, state)
) WITHOUT ROWID;
CREATE TRIGGER output_document_is_added AFTER INSERT ON output_document BEGIN${countIn}
END;
CREATE TRIGGER output_document_is_changed AFTER UPDATE OF job_id, content, state ON output_document BEGIN${countOut}${countIn}
END;
CREATE TRIGGER output_document_is_removed AFTER DELETE ON output_document BEGIN${countOut}
END;
CREATE TRIGGER output_document_follows_delivery AFTER UPDATE OF state ON delivery_status BEGIN
  UPDATE output_document SET state = NEW.state WHERE document_id = NEW.document_id;
END;

CREATE TABLE output_pending (               -- a URL that has to be looked at; ids grow, so that a notice knows what came before it
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  output_id INTEGER NOT NULL REFERENCES output(id) ON DELETE CASCADE,
  url_key BLOB NOT NULL,
  changes INTEGER NOT NULL DEFAULT 1,       -- a look that saw another number leaves the row
  UNIQUE (output_id, url_key)
);
CREATE INDEX output_pending_by_id ON output_pending (output_id, id);
CREATE TABLE output_scan (                  -- a job whose documents all have to be looked at, in pages
  output_id INTEGER NOT NULL REFERENCES output(id) ON DELETE CASCADE,
  job_id INTEGER NOT NULL,
  after_document INTEGER NOT NULL DEFAULT 0, -- those of the job up to this id were noted
  after_record INTEGER NOT NULL DEFAULT 0,  -- those of output_document up to this id were
  PRIMARY KEY (output_id, job_id)
) WITHOUT ROWID;

CREATE TABLE output_notice (                -- an output has to be told that a job has ended
  id INTEGER PRIMARY KEY,
  output_id INTEGER NOT NULL REFERENCES output(id) ON DELETE CASCADE,
  job_id INTEGER NOT NULL,
  run INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('completed', 'deleted')),
  state TEXT NOT NULL,                      -- outputNoticeStates
  pending_id INTEGER NOT NULL,              -- what was noted up to this id comes before it
  attempts INTEGER NOT NULL DEFAULT 0,
  due_ms INTEGER NOT NULL,
  message TEXT,                             -- a stored message: why the last attempt failed
  UNIQUE (output_id, job_id, run, kind)
);
CREATE INDEX output_notice_waiting ON output_notice (output_id, id) WHERE state = 'WAITING';
CREATE INDEX output_notice_by_job ON output_notice (job_id, id);

-- Outputs of jobs. One that was lost with the database counts again as soon as there is an output of this name.
CREATE TRIGGER output_is_added AFTER INSERT ON output BEGIN${follow('output.id = NEW.id', 'true')}
END;
CREATE TRIGGER job_output_is_new AFTER INSERT ON job BEGIN${follow('harvest.id = NEW.harvest_id', 'job.id = NEW.id')}
END;
CREATE TRIGGER job_output_follows AFTER UPDATE OF definition ON harvest BEGIN
  DELETE FROM job_output WHERE job_id IN (SELECT id FROM job WHERE harvest_id = NEW.id) AND output_id NOT IN
    (SELECT output.id FROM json_each(NEW.outputs) AS chosen JOIN output ON output.name = json_extract(chosen.value, '$.output'));${follow('harvest.id = NEW.id', 'true')}
END;
CREATE TRIGGER job_output_is_added AFTER INSERT ON job_output BEGIN${scan('NEW.output_id', 'NEW.job_id')}
END;
CREATE TRIGGER job_output_is_changed AFTER UPDATE OF specification ON job_output BEGIN${scan('NEW.output_id', 'NEW.job_id')}
END;
CREATE TRIGGER job_output_is_removed AFTER DELETE ON job_output BEGIN${scan('OLD.output_id', 'OLD.job_id')}
END;
CREATE TRIGGER output_is_changed AFTER UPDATE OF settings, steps, reingests ON output BEGIN
  UPDATE job SET is_assessed = 0 WHERE id IN (SELECT job_id FROM job_output WHERE output_id = NEW.id);${scanAll('output.id = NEW.id')}
END;
CREATE TRIGGER output_connector_is_moved AFTER UPDATE OF state ON output_connector BEGIN${assessAll('NEW.name')}
END;
CREATE TRIGGER output_connector_is_added AFTER INSERT ON output_connector BEGIN${assessAll('NEW.name')}
END;
CREATE TRIGGER output_connector_is_removed AFTER DELETE ON output_connector BEGIN${assessAll('OLD.name')}
END;
CREATE TRIGGER output_connector_has_version AFTER UPDATE OF version ON output_connector WHEN NEW.version IS NOT OLD.version BEGIN
  UPDATE output SET revision = revision + 1 WHERE connector = NEW.name;${scanAll('output.connector = NEW.name')}
END;

-- Changes of documents.
CREATE TRIGGER output_document_leaves AFTER DELETE ON document
WHEN EXISTS (SELECT 1 FROM job_output WHERE job_id = OLD.job_id) BEGIN${note('OLD.job_id', 'OLD.url_key')}
END;
CREATE TRIGGER output_document_counts AFTER UPDATE OF state, outcome ON document
WHEN ${isOfJob('NEW')} <> ${isOfJob('OLD')} AND EXISTS (SELECT 1 FROM job_output WHERE job_id = NEW.job_id)
BEGIN${note('NEW.job_id', 'NEW.url_key')}
END;
CREATE TRIGGER output_capture_is_lost AFTER DELETE ON capture WHEN EXISTS (SELECT 1 FROM job_output) BEGIN${noteCaptured('OLD')}
END;
CREATE TRIGGER output_capture_is_added AFTER INSERT ON capture WHEN EXISTS (SELECT 1 FROM job_output) BEGIN${noteCaptured('NEW')}
END;
CREATE TRIGGER output_capture_is_changed AFTER UPDATE ON capture WHEN EXISTS (SELECT 1 FROM job_output) BEGIN${noteCaptured('NEW')}
END;
`
