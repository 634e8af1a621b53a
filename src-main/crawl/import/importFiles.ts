/** Imports files into a job, each once (`fileImporter.ts`). The originals are only read. All files are listed in the database before
 *  the first one is begun, so after a kill the import resumes at the file where it was. A file that cannot be imported is rejected
 *  with a reason and does not stop the others. */
import { dirname } from 'node:path'
import { importedFileStates } from '../../contract/states/states.ts'
import { message, storedMessage } from '../../contract/words/message.ts'
import { mover } from '../../storage/guard.ts'
import { jobStatements } from '../model/jobs.sql.ts'
import { importedFileStatements, type ImportedFileRow } from './importedFiles.sql.ts'
import { importResultStatements } from './importResults.sql.ts'
import { importProgress } from './importTask.ts'
import { filesAtOnceMax } from './limits.ts'
import { listed, type ListedFile } from './listing.ts'
import { FileImporter, type ImportSetting } from './fileImporter.ts'

/** Imports the files of a job. Resolves when every file has a result, or the signal is aborted. Rejects if the database
 *  fails. */
export async function importFiles(given: ImportSetting): Promise<void> {
  const { store, job, signal } = given
  const noteProgress = importProgress({ store, clock: given.world.clock }, job)
  const setting: ImportSetting = {
    ...given,
    onMoved(files) {
      noteProgress()
      given.onMoved(files)
    },
  }
  const sql = importedFileStatements(store)
  const move = mover(store, importedFileStates, { table: 'imported_file' })
  const putBack = () => {
    for (const { id } of sql.inState.all({ job, state: 'READING', limit: -1 })) move(id, 'interrupted')
  }
  putBack()
  try {
    await listFiles(setting)
    await importAll(setting)
  } finally {
    putBack()
  }
  if (!signal.aborted) await removeIncoming(setting)
}

async function listFiles(setting: ImportSetting): Promise<void> {
  const { store, job, signal } = setting
  for (const { path } of jobStatements(store).importsOf.all({ job })) {
    if (signal.aborted) return
    addFiles(setting, await listed(setting, path))
  }
}

function addFiles(setting: ImportSetting, files: readonly ListedFile[]): void {
  const { store, job, log, onMoved } = setting
  const sql = importedFileStatements(store)
  const { setRejection } = importResultStatements(store)
  const move = mover(store, importedFileStates, { table: 'imported_file' })
  const added = store.transaction(() =>
    files.flatMap(({ path, kind, bytes, rejected }) => {
      const row = sql.add.get({ job, path, entry: '', kind: storedMessage(kind), bytes })
      if (row && rejected) {
        const { reason, code } = rejected
        move(row.id, 'rejected')
        setRejection.run({ id: row.id, message: storedMessage(reason), code })
        log('error', message('import.rejected', { file: path, reason }))
      }
      return row ? [row.id] : []
    }),
  )
  if (added.length > 0) onMoved(added)
}

/** Imports files in order, at most `filesAtOnceMax` at a time, until none waits. A package adds the files in it. */
async function importAll(setting: ImportSetting): Promise<void> {
  const { store, job, signal } = setting
  const sql = importedFileStatements(store)
  const importer = new FileImporter(setting)
  const inProgress = new Map<number, Promise<void>>()
  let fault: { error: unknown } | undefined
  const begin = (row: ImportedFileRow) => {
    const ended = importer
      .import(row)
      .catch((error: unknown) => {
        fault ??= { error }
      })
      .finally(() => inProgress.delete(row.id))
    inProgress.set(row.id, ended)
  }
  for (;;) {
    const isStopped = signal.aborted || fault !== undefined
    const room = filesAtOnceMax - inProgress.size
    const next = isStopped || room === 0 ? [] : sql.inState.all({ job, state: 'WAITING', limit: room })
    for (const row of next) begin(row)
    if (inProgress.size === 0) break
    await Promise.race(inProgress.values())
  }
  if (fault) throw fault.error
}

/** Removes files that a browser uploaded: they are in the incoming folder for this import alone. */
async function removeIncoming({ store, world, job, incomingFolder }: ImportSetting): Promise<void> {
  for (const { path } of jobStatements(store).importsOf.all({ job })) {
    if (dirname(path) === incomingFolder && (await world.disk.stat(path))) await world.disk.remove(path)
  }
}
