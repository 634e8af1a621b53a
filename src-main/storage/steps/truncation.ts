/** Step 30 of the schema: what of an answer is its content, and why an answer that was kept is not whole. */
export const truncationStep = {
  number: 30,
  sql: `
ALTER TABLE document ADD COLUMN content_bytes INTEGER;          -- of bytes: without the HTTP header, as received
ALTER TABLE document ADD COLUMN truncated TEXT                  -- null: the answer is whole
  CHECK (truncated IN ('length', 'time', 'disconnect', 'framing', 'unspecified'));
UPDATE document SET truncated = substr(detail, 12), detail = NULL
WHERE outcome = 'fetched' AND detail IN ('truncated: length', 'truncated: time', 'truncated: disconnect', 'truncated: unspecified');
CREATE INDEX document_truncated ON document (job_id, truncated) WHERE truncated IS NOT NULL AND outcome = 'fetched';
ALTER TABLE removed_document ADD COLUMN content_bytes INTEGER;
ALTER TABLE removed_document ADD COLUMN truncated TEXT;
`,
}
