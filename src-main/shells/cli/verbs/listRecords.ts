/** The verb `loupe records`: prints a line for each record of archive files as they are read. */
import { listAction } from '../../../files/records/listAction.ts'
import type { ListedLine, ListOptions } from '../../../files/records/listRecords.ts'
import { filesGiven, workOnFiles } from '../session/archiveFiles.ts'
import { boundedNotes } from '../output/boundedNotes.ts'
import type { Command, ExitCode } from '../session/command.ts'
import { countText, plainText } from '../output/output.ts'
import { withTemporaryFolder } from '../input/temporaryFolder.ts'
import { message } from '../../../contract/words/message.ts'
import { textOf } from '../../../contract/words/render.ts'

export async function listRecords(command: Command, paths: readonly string[], wanted: ListOptions): Promise<ExitCode> {
  const { output } = command
  const given = await filesGiven(command, paths)
  const isSeveral = given.files.length > 1
  let headed = ''
  let rows = 0
  const types = new Set<string>()
  let bad = given.unread.length > 0
  const notes = boundedNotes(output, 'files have errors: "loupe check" says which.')
  if (!output.json && !isSeveral) await output.part(`${columnLine(titles)}\n`)
  await withTemporaryFolder((spoolFolder) =>
    workOnFiles(command, given, {
      doing: 'Reading',
      action: listAction,
      options: wanted,
      spoolFolder,
      onLines: ({ path }, lines) => {
        const head = isSeveral && headed !== path ? `${headed && '\n'}${plainText(path)}\n${columnLine(titles)}\n` : ''
        headed = path
        return output.part(output.json ? lines : head + tableOf(lines))
      },
      onEnd: async ({ path }, outcome) => {
        if (outcome.kind === 'unreadable') notes.note(`${path}: it cannot be read: ${outcome.text}.`)
        else if (outcome.summary.errors > 0)
          notes.note(`${path}: ${countText(outcome.summary.errors, 'error')} in it: "loupe check" says which.`)
        if (outcome.kind === 'done') {
          rows += outcome.summary.rows
          for (const type of outcome.summary.types) types.add(type)
        }
        bad ||= outcome.kind === 'unreadable' || outcome.summary.errors > 0
      },
    }),
  )
  notes.end()
  if (rows === 0 && (wanted.type ?? wanted.url) !== undefined) output.note(nothingText(wanted, types))
  return bad ? 1 : 0
}

/**
 * Explains an empty list. A type outside the standard may still be in a file, so only the types found there show whether it was mistyped.
 */
function nothingText({ type, url }: ListOptions, types: ReadonlySet<string>): string {
  const ofType = type === undefined ? '' : ` of type ${type}`
  const under = url === undefined ? '' : ` whose URL begins with ${url}`
  const others = type === undefined || types.has(type) || types.size === 0 ? '' : `: there are ${[...types].join(', ')}`
  return textOf(message('cli.records.none', { type: ofType, url: under, others }))
}

/** Columns of fixed widths that fit nearly every row, so that rows can be printed as they are read. Numbers are aligned to the right. */
const columns: { title: string; width: number; right?: true }[] = [
  { title: 'Offset', width: 11, right: true },
  { title: 'Length', width: 10, right: true },
  { title: 'Type', width: 10 },
  { title: 'Date', width: 20 },
  { title: 'Status', width: 6, right: true },
  { title: 'Media type', width: 24 },
  { title: 'URL', width: 0 },
]
const titles = columns.map(({ title }) => title)

function tableOf(lines: Uint8Array): string {
  const text = Buffer.from(lines.buffer, lines.byteOffset, lines.length).toString('utf8').trimEnd()
  return `${text.split('\n').map(rowLine).join('\n')}\n`
}

function rowLine(line: string): string {
  const { offset, length, type, date, status, mediaType, url } = JSON.parse(line) as ListedLine
  const cells = [offset, length, type, date ?? '-', status ?? '-', mediaType ?? '-', url ?? '-']
  return columnLine(cells.map((cell) => plainText(String(cell))))
}

function columnLine(cells: readonly string[]): string {
  return columns
    .map(({ width, right }, column) => (right ? cells[column]?.padStart(width) : cells[column]?.padEnd(width)))
    .join('  ')
    .trimEnd()
}
