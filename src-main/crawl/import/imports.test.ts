import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { message, storedMessage } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'
import { openStore } from '../../storage/storage.ts'
import { seededWorld } from '../../world/testing/seeded.ts'
import { openJobs } from '../jobs/jobs.ts'
import { openImports } from './imports.ts'
import { importedFileStatements } from './importedFiles.sql.ts'
import { importedNameStatements } from './importedNames.sql.ts'
import { importFindingStatements } from './importFindings.sql.ts'

test('findings of a file are found by either of its names, as fast when there are many files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'loupe-imports-'))
  const store = openStore(join(folder, 'loupe.db'))
  const job = openJobs(store, seededWorld({ seed: 1 })).createImport(['/in'])
  const files = importedFileStatements(store)
  const sql = importFindingStatements(store)
  const names = importedNameStatements(store)
  const add = (path: string, entry: string, text: string) => {
    const file = files.add.get({ job, path, entry, kind: storedMessage(message('format.warc')), bytes: 1 })?.id ?? 0
    sql.addFinding.run({
      file,
      rule: 'recordTorn',
      severity: 'error',
      message: storedMessage(message('text', { text })),
      record: 1,
      offset: 0,
    })
    sql.addCount.run({ file, rule: 'recordTorn', severity: 'error', count: 1 })
    return file
  }
  const filesCount = 20_000
  store.transaction(() => {
    const odd = add('/in/a!b.wacz', 'archive/x!y.warc', 'odd')
    names.setName.run({ id: odd, name: 'odd.warc', sha256: '', treatment: 'kept' })
    for (let file = 0; file < filesCount; file += 1) add(`/in/${file}.warc`, '', String(file))
  })
  const { findings } = openImports(store)
  const page = { job, offset: 0, limit: 10 }
  const texts = (file?: string) =>
    findings({ ...page, ...(file !== undefined && { file }) }).rows.map(({ message }) => textOf(message))
  expect(texts('odd.warc')).toEqual(['odd'])
  expect(texts('/in/a!b.wacz!archive/x!y.warc')).toEqual(['odd'])
  expect(texts('/in/none.warc')).toEqual([])
  expect(findings({ ...page, job: job + 1, file: 'odd.warc' })).toEqual({ rows: [], total: 0, byRule: [] })
  expect(findings(page)).toMatchObject({
    total: filesCount + 1,
    byRule: [{ rule: 'recordTorn', count: filesCount + 1 }],
  })
  // The report of an import asks for each file. If each query read all files, this would take minutes.
  for (let file = 0; file < filesCount; file += 1) expect(texts(`/in/${file}.warc`)).toEqual([String(file)])
  store.close()
  rmSync(folder, { recursive: true })
})
