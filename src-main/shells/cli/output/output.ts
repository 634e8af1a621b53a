/** Output of the command line: results on standard output, everything about progress and problems on standard error. */
import type { AuditEntry } from '../../../contract/services/audit.ts'
import { shellMessage } from '../../../contract/services/auditLabels.ts'
import { bytesMessage, durationMessage } from '../../../contract/text/quantities.ts'
import type { MessageCode } from '../../../contract/words/message.ts'
import { textFor, textOf, withTexts } from '../../../contract/words/render.ts'
import { styleText } from 'node:util'
import type { Problem } from './problem.ts'

/** Output functions of a command. */
export interface Output {
  /** Prints one JSON document, or the text. */
  result(value: unknown, text: () => string): void
  /** Whether `--json` was given, for results that are printed part by part. */
  readonly json: boolean
  /** Prints a part of a result that is too large to be held as a whole. Resolves when standard output accepts more. */
  part(bytes: string | Uint8Array): Promise<void>
  /** Colours a text where standard output is a terminal that supports it. */
  paint(colour: Colour, text: string): string
  /** Prints information in addition to the result on standard error. Names in it cannot control the terminal. */
  note(text: string): void
  /**
   * Prints how the command failed: a line on standard error, and with `--json` also a document on standard output. If standard output
   * already has a result, it remains the only one there.
   */
  failure(problem: Problem): void
  /** Prints a line that is overwritten in place on a terminal. Prints nothing elsewhere. */
  progress(text: string): void
}

export type Colour = 'red' | 'yellow' | 'green' | 'bold' | 'dim'

interface Streams {
  stdout: NodeJS.WriteStream
  stderr: NodeJS.WriteStream
  /** Called when a result is printed: an error may have to be reported before the command line is parsed. */
  json: () => boolean
}

export function outputOf({ stdout, stderr, json }: Streams): Output {
  let progressShown = false
  let isResultWritten = false
  const clear = () => {
    if (progressShown) stderr.write('\r\x1b[K')
    progressShown = false
  }
  const note = (text: string) => {
    clear()
    stderr.write(`${text.split('\n').map(plainText).join('\n')}\n`)
  }
  return {
    result(value, text) {
      clear()
      isResultWritten = true
      stdout.write(json() ? `${JSON.stringify(withTexts(value))}\n` : `${text()}\n`)
    },
    get json() {
      return json()
    },
    async part(bytes) {
      clear()
      isResultWritten = true
      if (!stdout.write(bytes)) await new Promise<void>((resolve) => stdout.once('drain', resolve))
    },
    paint: (colour, text) => styleText(colour, text, { stream: stdout }),
    note,
    failure({ line, code }) {
      note(line)
      if (json() && !isResultWritten) stdout.write(`${JSON.stringify({ error: { code, message: line } })}\n`)
      isResultWritten = true
    },
    progress(text) {
      if (!stderr.isTTY) return
      stderr.write(`\r\x1b[K${text.slice(0, (stderr.columns || 80) - 1)}`)
      progressShown = true
    },
  }
}

type ColumnCode = Extract<MessageCode, `column.${string}`>
/** The name of a column, as in the words of this language. After `>`, it is aligned to the right, as numbers are. */
export type Column = ColumnCode extends `column.${infer Name}` ? Name | `>${Name}` : never
/** The cells of a table, row by row. */
export type Cells = readonly (readonly (string | number)[])[]

/** Formats a table with columns as wide as their widest cell. A cell may be the name of a file from an unknown source. */
export function table(columns: readonly Column[], cells: Cells): string {
  return dataTable(
    columns.map((column) => `${column.startsWith('>') ? '>' : ''}${headingOf(column)}`),
    cells,
  )
}

/** The heading of a column. */
export function headingOf(column: Column): string {
  return textFor(`column.${column.replace(/^>/, '')}` as ColumnCode)
}

/** Formats a table whose headings are the names of data. */
export function dataTable(header: readonly string[], cells: Cells): string {
  const rows = cells.map((row) => row.map((cell) => plainText(String(cell))))
  const columns = header.map((name, column) => {
    const title = name.replace(/^>/, '')
    const width = Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length))
    return { title, pad: (cell: string) => (name.startsWith('>') ? cell.padStart(width) : cell.padEnd(width)) }
  })
  const line = (row: string[]) =>
    columns
      .map(({ pad }, column) => pad(row[column] ?? ''))
      .join('  ')
      .trimEnd()
  return [line(columns.map(({ title }) => title)), ...rows.map(line)].join('\n')
}

export function bytesText(bytes: number): string {
  return textOf(bytesMessage(bytes))
}

export function durationText(seconds: number): string {
  return textOf(durationMessage(seconds))
}

/** Formats a time to the second, in UTC, as the archive's own names and records do. */
export function momentText(iso: string | null, absent: string): string {
  return iso === null ? absent : `${iso.slice(0, 19).replace('T', ' ')}Z`
}

/** Formats the origin of an audit entry; empty for one written by an earlier Loupe. */
export function originText({ origin }: Pick<AuditEntry, 'origin'>): string {
  if (origin === null) return ''
  const { account, host, shell } = origin
  return plainText(textFor('cli.audit.origin', { account, host, shell: shellMessage(shell) }))
}

/** Escapes control characters and direction marks: a name from an archived page must not control the terminal. */
export function plainText(text: string): string {
  return text.replace(
    // oxlint-disable-next-line no-control-regex
    /[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
