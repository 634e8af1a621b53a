/** Lists in text output. Only their first rows are shown. */
import type { FilesOutside } from '../../../contract/services/archivedFiles.ts'
import { plainText } from './output.ts'
import { textFor } from '../../../contract/words/render.ts'

/** Rows shown of a list that may be long; --json has them all. */
export const rowsShownMax = 20

/** Returns the lines of a titled list after an empty line; nothing for a list without rows. */
export function listed<Row>(
  title: string,
  rows: readonly Row[],
  text: (row: Row) => string,
  total: number = rows.length,
): string[] {
  if (rows.length === 0) return []
  const more = total > rowsShownMax ? [textFor('figure.more', { count: total - rowsShownMax })] : []
  return ['', title, ...rows.slice(0, rowsShownMax).map((row) => `  ${text(row)}`), ...more]
}

/** Lists files that are in no replica: files of jobs, and files that the database does not know. */
export function outsideText({ waiting, waitingTotal, unknown, unknownTotal }: FilesOutside): string[] {
  const pathText = ({ path }: { path: string }) => plainText(path)
  return [
    ...listed(textFor('cli.preserve.waiting'), waiting, pathText, waitingTotal),
    ...listed(textFor('cli.preserve.unknown'), unknown, pathText, unknownTotal),
  ]
}
