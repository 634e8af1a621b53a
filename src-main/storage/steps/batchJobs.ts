/** Step 39 of the schema: a batch run may be over the files of several jobs. */
export const batchJobsStep = {
  number: 39,
  sql: `
UPDATE batch_run SET request = json_remove(json_insert(request, '$.jobs', json_array(json_extract(request, '$.job'))), '$.job')
WHERE json_extract(request, '$.job') IS NOT NULL;
`,
}
