/** Step 25 of the schema: which account speaks of a file. A further run may begin while files of the one before wait for a
 *  replica; its account is not to tell of them again. */
export const accountsStep = {
  number: 25,
  sql: `
ALTER TABLE harvest_file ADD COLUMN metadata_name TEXT;  -- of the metadata file whose index has it; null: none yet
UPDATE harvest_file SET metadata_name = (
  SELECT run_metadata.name FROM run_metadata JOIN job ON job.id = run_metadata.job_id AND job.run = run_metadata.run
  WHERE job.id = harvest_file.job_id AND job.state = 'INACTIVE')
WHERE state = 'CLOSED';
`,
}
