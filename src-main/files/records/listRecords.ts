/** List of all records of one archive file, one line of JSON (`ListedLine`) each. */
import type { RecordRow } from '../../contract/services/records.ts'
import type { Finding } from '../../formats/rules/finding.ts'
import { readRecords } from '../../formats/records/readRecords.ts'
import type { FileWork } from '../work/fileWork.ts'
import { recordParts } from './recordParts.ts'
import { listedRecord } from './recordRow.ts'

/** Which records are listed; all of them without options. */
export interface ListOptions {
  /** Lists only records of this type, in lower case. */
  type?: string
  /** Lists only records whose URL begins with this text. */
  url?: string
}

/** A line of the list: the row of a record, and its file. */
export type ListedLine = { file: string } & RecordRow

/** Result for one file. */
export interface ListSummary {
  /** Number of all records of the file, listed or not. */
  records: number
  rows: number
  /** Record types in the file, listed or not, up to `typesMax`. */
  types: string[]
  findings: number
  errors: number
}

/** Number of types collected. The standard has eight, but a file may contain any. */
const typesMax = 16

/** Lists the records of one file. */
export const listRecords: FileWork<ListOptions, ListSummary> = async ({ file, path, options, emit }) => {
  const summary: ListSummary = { records: 0, rows: 0, types: [], findings: 0, errors: 0 }
  const onFinding = ({ severity }: Finding) => {
    summary.findings += 1
    if (severity === 'error') summary.errors += 1
  }
  for await (const part of recordParts(file, path, onFinding)) {
    for await (const record of readRecords(part.source, { onFinding })) {
      summary.records += 1
      if (!summary.types.includes(record.type) && summary.types.length < typesMax) summary.types.push(record.type)
      if (options.type !== undefined && record.type !== options.type) continue
      if (options.url !== undefined && record.url?.startsWith(options.url) !== true) continue
      const { row, findings } = await listedRecord(record)
      summary.rows += 1
      findings.forEach(onFinding)
      await emit(JSON.stringify({ file: part.path, ...row } satisfies ListedLine))
    }
  }
  return summary
}
