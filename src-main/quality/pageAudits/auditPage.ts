/** One page: visited, compared, and its result written. Its parts are in the working folder before its row says that it was visited. */
import {
  auditedListMax,
  type FaultyResource,
  type NotCompared,
  type PageAuditRequest,
} from '../../contract/services/pageAudits.ts'
import { matcherOf, patternOf } from '../../patterns/pattern.ts'
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import { auditWidthPx } from '../model/limits.ts'
import type { SeenResource, VisitedPage } from '../model/pageBrowser.ts'
import type { AuditedVisit } from './auditMisses.ts'
import type { ComparisonInput, ComparisonOutput } from './compare.thread.ts'
import type { PageLists, pageAuditStatements, VisitedRow } from './pageAudits.sql.ts'
import { failedPageRecord, visitedPageRecord } from './pageRecord.ts'
import type { Reference } from './references.ts'
import { riskOf } from './risk.ts'
import type { Visiting } from './visiting.ts'
import type { Part, WorkingFiles } from './workingFiles.ts'

interface Parts {
  store: Store
  world: Pick<World, 'clock' | 'threads'>
  sql: ReturnType<typeof pageAuditStatements>
  working: WorkingFiles
  visiting: Visiting
  noteMisses: (visit: AuditedVisit) => void
  /** With what the page is compared, or why with nothing; undefined: it is not to be. */
  referenceFor: (url: string) => Promise<Reference | NotCompared | undefined>
  signal: AbortSignal
}

/** A page that was claimed. */
export interface OpenedPage {
  audit: number
  id: number
  url: string
}

/** Where the parts of a page are: offsets of their records in the file of the page; null as long as they are in the working folder. */
export type KeptParts = Partial<Record<Part, number | null>>

/** Audits the page. Rejects with the reason of the signal, and then the page is still open. */
export async function auditPage(parts: Parts, request: PageAuditRequest, page: OpenedPage): Promise<void> {
  const { sql, world, visiting, referenceFor } = parts
  const found = await referenceFor(page.url)
  const [reference, notCompared] = typeof found === 'object' ? [found, null] : [undefined, found ?? null]
  const visit = await visiting.visit({ job: request.job, url: page.url, widthPx: reference?.widthPx ?? auditWidthPx })
  const visitedMs = world.clock.now()
  if (visit.is === 'failed') {
    await parts.working.write(page, 'pageInfo', failedPageRecord(page.url, visit.failure, visitedMs))
    const kept: KeptParts = { pageInfo: null }
    sql.failed.run({ id: page.id, failure: visit.failure, visitedMs, kept: JSON.stringify(kept) })
    return
  }
  const comparison = await compared(parts, { request, visited: visit.page, url: page.url, reference })
  await record(parts, { request, page, visited: visit.page, comparison, notCompared, visitedMs })
}

async function compared(
  { world, signal }: Parts,
  asked: { request: PageAuditRequest; visited: VisitedPage; url: string; reference: Reference | undefined },
): Promise<ComparisonOutput> {
  const { request, visited, url, reference } = asked
  if (reference?.screenshot === undefined && reference?.text === undefined)
    return { pixelDifference: null, textDifference: null }
  const { screenshot: other, text, isPart } = reference
  const masks = request.masks.filter(({ pattern }) => matcherOf([patternOf(pattern)]).first(url) !== undefined)
  const module = new URL('./compare.thread.ts', import.meta.url)
  const input: ComparisonInput = {
    ...(other && { pictures: { screenshot: visited.screenshot, other, masks, isPart } }),
    ...(text !== undefined && { texts: { text: visited.text, other: text } }),
  }
  return world.threads.run<ComparisonInput, ComparisonOutput>(module, input, { signal })
}

interface Result {
  request: PageAuditRequest
  page: OpenedPage
  visited: VisitedPage
  comparison: ComparisonOutput
  notCompared: NotCompared | null
  visitedMs: number
}

async function record(parts: Parts, result: Result): Promise<void> {
  const { store, sql, working, noteMisses } = parts
  const { page, visited, comparison, visitedMs } = result
  const row = rowOf(result)
  const recorded = { url: page.url, shown: visited.url, row, comparedWith: result.request.compareWith }
  const kept: [Part, Uint8Array][] = [
    ['screenshot', visited.screenshot],
    ['thumbnail', visited.thumbnail],
    ['text', Buffer.from(visited.text, 'utf8')],
    ...(comparison.picture ? [['difference', comparison.picture] as [Part, Uint8Array]] : []),
    ['pageInfo', visitedPageRecord(recorded)],
  ]
  for (const [part, bytes] of kept) await working.write(page, part, bytes)
  store.transaction(() => {
    sql.visited.run({ ...row, kept: JSON.stringify(Object.fromEntries(kept.map(([part]) => [part, null]))) })
    noteMisses({ job: result.request.job, page: page.url, atMs: visitedMs, resources: visited.resources })
  })
}

function rowOf({ page, visited, comparison, notCompared, visitedMs }: Result): Omit<VisitedRow, 'kept'> {
  const { resources, consoleErrors, status, title, text, isLoaded, isCut } = visited
  const found = (wanted: SeenResource['found']) => resources.filter((resource) => resource.found === wanted)
  const [missing, bad] = [found('missing'), found('bad')]
  const figures = {
    ...{ status, missing: missing.length, bad: bad.length, consoleErrors: consoleErrors.length },
    ...{ textCharacters: text.length, pixelDifference: comparison.pixelDifference, isLoaded },
    textDifference: comparison.textDifference,
  }
  const lists: PageLists = {
    missingResources: missing.slice(0, auditedListMax).map(faultyOf),
    badResources: bad.slice(0, auditedListMax).map(faultyOf),
    consoleMessages: consoleErrors.slice(0, auditedListMax),
  }
  return {
    ...{ ...figures, id: page.id, visitedMs, title, notCompared, good: found('good').length, risk: riskOf(figures) },
    ...{ isLoaded: Number(isLoaded), isCut: Number(isCut), details: JSON.stringify(lists) },
  }
}

function faultyOf({ url, type, method, status }: SeenResource): FaultyResource {
  return { url, type, method, status }
}
