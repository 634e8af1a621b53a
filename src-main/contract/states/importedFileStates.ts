/** States of a file of an import. Questions about them are columns of the table. */
import { stateTable, type StateRow } from './stateTable.ts'

/** Results of files, as they are counted. `waiting`: the file has none yet. */
export type ImportResult = 'waiting' | 'imported' | 'archived' | 'rejected'

interface ImportedFileRow extends StateRow {
  countedAs: ImportResult
  /** Whether the archive has the bytes of the file, or will have them when the import ends. */
  isInArchive: boolean
}

const rows = {
  WAITING: {
    tone: 'waiting',
    countedAs: 'waiting',
    isInArchive: false,
    on: { begun: { to: 'READING', owner: 'import' }, rejected: { to: 'REJECTED', owner: 'import' } },
  },
  READING: {
    tone: 'running',
    countedAs: 'waiting',
    isInArchive: false,
    on: {
      imported: { to: 'IMPORTED', owner: 'import' },
      foundArchived: { to: 'ARCHIVED', owner: 'import' },
      rejected: { to: 'REJECTED', owner: 'import' },
      interrupted: { to: 'WAITING', owner: 'recovery' },
    },
  },
  IMPORTED: { tone: 'done', countedAs: 'imported', isInArchive: true, on: {} },
  ARCHIVED: { tone: 'idle', countedAs: 'archived', isInArchive: true, on: {} },
  REJECTED: { tone: 'failed', countedAs: 'rejected', isInArchive: false, on: {} },
} as const satisfies Record<string, ImportedFileRow>

export const importedFileStates = stateTable('importedFileStates', 'WAITING', rows)
export type ImportedFileState = (typeof importedFileStates.states)[number]

/** Returns the result as which a file in this state is counted. */
export function importResultOf(state: ImportedFileState): ImportResult {
  return rows[state].countedAs
}

/** Whether the archive has the bytes of a file in this state, or will have them when the import ends. */
export function isInArchive(state: ImportedFileState): boolean {
  return rows[state].isInArchive
}
