/** Step 23 of the schema: what waits, in the order in which it was found. By host it took a page of the disk for nearly each
 *  document that was added, since each of some hundred hosts has its own place in the index: a third of all that a commit
 *  wrote. */
export const waitingStep = {
  number: 23,
  sql: `
DROP INDEX document_waiting;
-- With its host and its state, so that hosts are looked through without looking at documents.
CREATE INDEX document_waiting ON document (job_id, id, host_id, state)
  WHERE state IN ('PENDING', 'PENDINGPURGATORY');
`,
}
