/** Step 37 of the schema: checks, exports and batch runs that ended with something to look at say so by their state. Those of before are
 *  moved to it. The triggers that keep the moves of a state know none out of DONE; they are made again when the database is opened. */
export const endsWithFindingsStep = {
  number: 37,
  sql: `
DROP TRIGGER IF EXISTS preservation_check_state_moves;
DROP TRIGGER IF EXISTS export_state_moves;
DROP TRIGGER IF EXISTS batch_run_state_moves;
UPDATE preservation_check SET state = 'DONE_WITH_FINDINGS' WHERE state = 'DONE' AND findings > 0;
UPDATE export SET state = 'DONE_INCOMPLETE' WHERE state = 'DONE' AND is_complete = 0;
UPDATE batch_run SET state = 'DONE_WITH_FAILURES' WHERE state = 'DONE' AND failed > 0;
`,
}
