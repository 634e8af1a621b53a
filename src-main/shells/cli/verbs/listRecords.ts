/** The verb `loupe records`: prints a line for each record of archive files as they are read. */
import { listAction } from '../../../files/records/listAction.ts'
import type { ListedLine, ListOptions } from '../../../files/records/listRecords.ts'
import { filesGiven, workOnFiles } from '../session/archiveFiles.ts'
import { boundedNotes } from '../output/boundedNotes.ts'
import type { Command, ExitCode } from '../session/command.ts'
import { headingOf, plainText, type Column } from '../output/output.ts'
import { withTemporaryFolder } from '../input/temporaryFolder.ts'
import { message } from '../../../contract/words/message.ts'
import { textFor } from '../../../contract/words/render.ts'

export async function listRecords(command: Command, paths: readonly string[], wanted: ListOptions): Promise<ExitCode> {
  const { output } = command
  const given = await filesGiven(command, paths)
  const isSeveral = given.files.length > 1
  let headed = ''
  let rows = 0
  const types = new Set<string>()
  let bad = given.unread.length > 0
  const notes = boundedNotes(output, (count) => message('figure.moreFiles', { count }))
  if (!output.json && !isSeveral) await output.part(`${columnLine(titles)}\n`)
  await withTemporaryFolder((spoolFolder) =>
    workOnFiles(command, given, {
      doing: message('cli.doing.records'),
      action: listAction,
      options: wanted,
      spoolFolder,
      onLines: ({ path }, lines) => {
        const head = isSeveral && headed !== path ? `${headed && '\n'}${plainText(path)}\n${columnLine(titles)}\n` : ''
        headed = path
        return output.part(output.json ? lines : head + tableOf(lines))
      },
      onEnd: async ({ path }, outcome) => {
        if (outcome.kind === 'unreadable')
          notes.note(textFor('cli.file.unreadable', { path, problem: outcome.problem }))
        else if (outcome.summary.errors > 0)
          notes.note(textFor('cli.records.file', { path, errors: outcome.summary.errors }))
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
  const which = [
    ...(type === undefined ? [] : [textFor('cli.records.ofType', { type })]),
    ...(url === undefined ? [] : [textFor('cli.records.ofUrl', { url })]),
  ].join(' ')
  return type === undefined || types.has(type) || types.size === 0
    ? textFor('cli.records.noneOf', { which })
    : textFor('cli.records.noneOfOthers', { which, others: [...types].join(', ') })
}

/** Columns of fixed widths that fit nearly every row, so that rows can be printed as they are read. Numbers are aligned to the right. */
const columns: { column: Column; width: number; right?: true }[] = [
  { column: 'offset', width: 11, right: true },
  { column: 'length', width: 10, right: true },
  { column: 'type', width: 10 },
  { column: 'date', width: 20 },
  { column: 'status', width: 6, right: true },
  { column: 'mediaType', width: 24 },
  { column: 'url', width: 0 },
]
const titles = columns.map(({ column }) => headingOf(column))

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
