/** The record of a verdict in a quality file: JSON, with the URI `urn:loupe:verdict:<url>`. Each change writes a record, and the latest is valid. A
 *  record without a URL is about the whole job. */
import { z } from 'zod'
import { verdictValues } from '../../contract/services/verdicts.ts'
import { jsonOf } from '../../formats/bytes/json.ts'
import type { QualityRecord } from '../records/writeQualityFile.ts'
import type { VerdictRow } from './verdicts.sql.ts'

const prefix = 'urn:loupe:verdict:'
const shape = z.object({
  version: z.literal(1),
  url: z.string(),
  /** Null: taken back. */
  verdict: z.enum(verdictValues).nullable(),
  note: z.string(),
  author: z.string(),
  judged: z.iso.datetime(),
})

/** Whether records with this URI are verdicts. */
export function isVerdictUri(uri: string): boolean {
  return uri.startsWith(prefix)
}

/** Makes the record of a verdict. */
export function verdictRecord({ url, verdict, note, author, judgedMs }: VerdictRow): QualityRecord {
  const judged = new Date(judgedMs).toISOString()
  const body: z.input<typeof shape> = { version: 1, url, verdict, note, author, judged }
  return {
    ...{ uri: `${prefix}${url}`, type: 'metadata', contentType: 'application/json', atMs: judgedMs },
    body: Buffer.from(JSON.stringify(body)),
  }
}

/** Reads a record; undefined if it is no verdict. */
export function verdictIn({ uri, body }: Pick<QualityRecord, 'uri' | 'body'>): Omit<VerdictRow, 'job'> | undefined {
  if (!isVerdictUri(uri)) return undefined
  const { data } = shape.safeParse(jsonOf(Buffer.from(body).toString('utf8')))
  if (!data) return undefined
  const { url, verdict, note, author, judged } = data
  return { url, verdict, note, author, judgedMs: Date.parse(judged) }
}
