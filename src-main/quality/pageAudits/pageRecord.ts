/** The record of an audited page in a quality file: JSON, with the URI `urn:loupe:page-audit:<url>`. It follows the records of the page's pictures and
 *  text. Each visit writes a record, and the latest is valid. */
import { z } from 'zod'
import {
  auditedListMax,
  auditFailures,
  notComparedReasons,
  type AuditFailure,
  type PageAuditRequest,
} from '../../contract/services/pageAudits.ts'
import { jsonOf } from '../../formats/bytes/json.ts'
import type { QualityRecord } from '../records/writeQualityFile.ts'
import type { PageLists, RestoredRow, VisitedRow } from './pageAudits.sql.ts'
import { fullRisk } from './risk.ts'

const prefix = 'urn:loupe:page-audit:'
const count = z.int().min(0)
const part = z.number().min(0).max(1).nullable()
const resources = z
  .array(z.object({ url: z.string(), type: z.string(), method: z.string(), status: z.int().nullable() }))
  .max(auditedListMax)
const page = { version: z.literal(1), url: z.string(), visited: z.iso.datetime() }
const failedShape = z.object({ ...page, failure: z.enum(auditFailures) })
const visitedShape = z.object({
  ...page,
  /** The URL that the browser showed at last. */
  shown: z.string(),
  ...{ title: z.string(), status: z.int().nullable(), risk: z.number().min(0).max(fullRisk) },
  ...{ good: count, bad: count, missing: count, consoleErrors: count, textCharacters: count },
  ...{ isLoaded: z.boolean(), isCut: z.boolean() },
  /** A job by its number in the archive that wrote the record; null: it was not to be compared. */
  comparedWith: z.union([z.int().min(1), z.enum(['crawlTime', 'live'])]).nullable(),
  ...{ pixelDifference: part, textDifference: part, notCompared: z.enum(notComparedReasons).nullable() },
  ...{ missingResources: resources, badResources: resources, consoleMessages: z.array(z.string()).max(auditedListMax) },
})

/** URI of the record of a page. */
export function pageRecordUri(url: string): string {
  return `${prefix}${url}`
}

/** Whether records with this URI are about audited pages. */
export function isPageRecordUri(uri: string): boolean {
  return uri.startsWith(prefix)
}

/** What the record of a visited page is made from. */
export interface RecordedVisit {
  url: string
  shown: string
  row: Omit<VisitedRow, 'kept'>
  comparedWith: PageAuditRequest['compareWith']
}

/** Makes the content of the record of a visited page. */
export function visitedPageRecord({ url, shown, row, comparedWith }: RecordedVisit): Uint8Array {
  const { id: _, details, visitedMs, isLoaded, isCut, ...figures } = row
  return content<z.input<typeof visitedShape>>({
    ...{ version: 1, url, shown, visited: new Date(visitedMs).toISOString(), ...figures },
    ...{ isLoaded: isLoaded === 1, isCut: isCut === 1, comparedWith: comparedWith ?? null },
    ...(JSON.parse(details) as PageLists),
  })
}

/** Makes the content of the record of a page that could not be audited. */
export function failedPageRecord(url: string, failure: AuditFailure, visitedMs: number): Uint8Array {
  const visited = new Date(visitedMs).toISOString()
  return content<z.input<typeof failedShape>>({ version: 1, url, visited, failure })
}

function content<Body>(body: Body): Uint8Array {
  return Buffer.from(JSON.stringify(body), 'utf8')
}

/** A page as a record has it. */
export type RecordedPage = Omit<RestoredRow, 'audit' | 'kept' | 'file'>

const noFigures = {
  ...{ title: '', status: null, good: 0, bad: 0, missing: 0, consoleErrors: 0, textCharacters: 0 },
  ...{ pixelDifference: null, textDifference: null, notCompared: null, isLoaded: 0, isCut: 0, details: '{}' },
} as const

/** Reads a record; undefined if it is not one of an audited page. */
export function recordedPage({ uri, body }: Pick<QualityRecord, 'uri' | 'body'>): RecordedPage | undefined {
  if (!isPageRecordUri(uri)) return undefined
  const { data } = z.union([visitedShape, failedShape]).safeParse(jsonOf(Buffer.from(body).toString('utf8')))
  if (!data) return undefined
  const { url } = data
  const visitedMs = Date.parse(data.visited)
  if ('failure' in data) return { ...noFigures, url, state: 'FAILED', failure: data.failure, risk: fullRisk, visitedMs }
  const { version: _, visited: __, shown: ___, comparedWith: ____, isLoaded, isCut, ...rest } = data
  const { missingResources, badResources, consoleMessages, ...figures } = rest
  const lists: PageLists = { missingResources, badResources, consoleMessages }
  return {
    ...{ ...figures, state: 'DONE', failure: null, visitedMs },
    ...{ isLoaded: Number(isLoaded), isCut: Number(isCut), details: JSON.stringify(lists) },
  }
}
