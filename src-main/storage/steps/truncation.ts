/** Step 36 of the schema: what of an answer is its content, and why an answer that was kept is not whole; of imported files how many
 *  captures are not whole, and why. Of imports of before, the reasons were not kept. */
export const truncationStep = {
  number: 36,
  sql: `
ALTER TABLE document ADD COLUMN content_bytes INTEGER;          -- of bytes: without the HTTP header, as received
ALTER TABLE document ADD COLUMN truncated TEXT                  -- null: the answer is whole
  CHECK (truncated IN ('length', 'time', 'disconnect', 'framing', 'unspecified'));
UPDATE document SET truncated = substr(detail, 12), detail = NULL
WHERE outcome = 'fetched' AND detail IN ('truncated: length', 'truncated: time', 'truncated: disconnect', 'truncated: unspecified');
CREATE INDEX document_truncated ON document (job_id, truncated) WHERE truncated IS NOT NULL AND outcome = 'fetched';
ALTER TABLE removed_document ADD COLUMN content_bytes INTEGER;
ALTER TABLE removed_document ADD COLUMN truncated TEXT;
CREATE TABLE imported_truncation (          -- captures of imported files that are not whole
  job_id INTEGER NOT NULL REFERENCES job(id),
  reason TEXT NOT NULL CHECK (reason IN ('length', 'time', 'disconnect', 'framing', 'unspecified')),
  file_id INTEGER NOT NULL REFERENCES imported_file(id),
  captures INTEGER NOT NULL,
  PRIMARY KEY (job_id, reason, file_id)
) WITHOUT ROWID;
INSERT INTO imported_truncation (job_id, reason, file_id, captures)
SELECT job_id, 'unspecified', imported_file.id, count FROM imported_finding_count JOIN imported_file ON imported_file.id = file_id
WHERE rule = 'recordTruncated';
CREATE INDEX imported_file_with_errors ON imported_file (job_id) WHERE errors > 0;
`,
}
