/** Tables of page audits: what they were asked for, their pages, and the WARC files that keep the results. */
export const pageAuditTables = `
CREATE TABLE page_audit (                   -- its list of pages is made once
  task_id INTEGER PRIMARY KEY REFERENCES task(id) ON DELETE CASCADE,
  job_id INTEGER NOT NULL REFERENCES job(id) ON DELETE CASCADE,
  request TEXT NOT NULL,                    -- JSON, pageAuditRequest of contract/services/pageAudits
  is_listed INTEGER NOT NULL DEFAULT 0,     -- its pages are in page_audit_page
  left_out INTEGER NOT NULL DEFAULT 0,      -- pages that were not considered, because an index lists only so many
  is_restored INTEGER NOT NULL DEFAULT 0    -- 1: its results were read from files of the job
);
CREATE INDEX page_audit_by_job ON page_audit (job_id, task_id);

CREATE TABLE page_audit_page (
  id INTEGER PRIMARY KEY,
  audit_id INTEGER NOT NULL REFERENCES page_audit(task_id) ON DELETE CASCADE,
  url TEXT NOT NULL,
  state TEXT NOT NULL,                      -- auditedPageStates
  failure TEXT,                             -- auditFailures of contract/services/pageAudits
  visited_ms INTEGER,
  status INTEGER,
  title TEXT NOT NULL DEFAULT '',
  risk REAL NOT NULL DEFAULT 0,             -- 0 to 100
  good INTEGER NOT NULL DEFAULT 0,          -- resources
  bad INTEGER NOT NULL DEFAULT 0,
  missing INTEGER NOT NULL DEFAULT 0,
  console_errors INTEGER NOT NULL DEFAULT 0,
  text_characters INTEGER NOT NULL DEFAULT 0,
  pixel_difference REAL,                    -- 0 to 1; null: not compared
  text_difference REAL,
  not_compared TEXT,                        -- NotCompared of contract/services/pageAudits
  is_loaded INTEGER NOT NULL DEFAULT 0,
  is_cut INTEGER NOT NULL DEFAULT 0,
  details TEXT NOT NULL DEFAULT '{}',       -- JSON: lists of resources and messages, bounded
  kept TEXT NOT NULL DEFAULT '{}',          -- JSON: pictures and texts by name, each with the offset of its record in the file, or null
  file TEXT                                 -- the WARC file that keeps them; null: none, or they still are in the working folder
);
CREATE INDEX page_audit_page_by_state ON page_audit_page (audit_id, state);
CREATE INDEX page_audit_page_by_risk ON page_audit_page (audit_id, risk);
CREATE INDEX page_audit_page_by_url ON page_audit_page (url) WHERE state = 'DONE';
`
