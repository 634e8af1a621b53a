/**
 * Services `viewer` and `missing` of the contract: the proxy's viewings, and what the jobs know of each address that it could not answer.
 */
import type { Archive } from '../../archive/store/archive.ts'
import type { Loupe } from '../../contract/contract.ts'
import { Fault } from '../../contract/calls/faults.ts'
import { browserAddress } from '../../contract/text/fileAddresses.ts'
import type { Selection } from '../../contract/shapes/selection.ts'
import type { Explanation, OwnViewing, ViewAsked, ViewSummary } from '../../contract/services/viewer.ts'
import type { Jobs } from '../../crawl/crawl.ts'
import type { Browsers } from '../given/separateBrowsers.ts'
import { momentAt, type IndexedCapture, type Indexes, type Moment } from '../../indexes/indexes.ts'
import { parameterRules } from '../../viewer/links/fuzzyRules.ts'
import type { Chosen, Explained, FindingRow, Located, OpenView, OwnView, Viewer } from '../../viewer/viewer.ts'
import { checkSelection, sourcesOf } from './selecting.ts'
import { whyMissing } from './whyMissing.ts'
import { message } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'

interface Parts {
  viewer: Viewer
  jobs: Jobs
  archive: Archive
  indexes: Indexes
}

const dayMs = 86_400_000

/** Returns what a viewing shows; '' is the interface's own viewing. */
function shownIn(viewer: Viewer, viewing = ''): OpenView | undefined {
  return viewing === '' ? viewer.current() : ownOf(viewer, viewing)
}

function ownOf(viewer: Viewer, viewing: string): OwnView {
  const own = viewer.own().find(({ user }) => user === viewing)
  if (!own) throw noViewing(viewing)
  return own
}

const noViewing = (user: string) => new Fault('notFound', message('view.absent', { name: user }))

const nothingViewed = () => new Fault('refused', message('view.nothing'))

/** Number of jobs up to which each gets its own reason; with more, the reasons are combined. */
const reasonsMax = 20

export function viewerService(parts: Parts & { browsers: Browsers }): Loupe['viewer'] {
  const { viewer, browsers, jobs, indexes } = parts
  const summaryOf = (view: OpenView): ViewSummary => ({
    view: view.view,
    jobs: [...view.jobs],
    files: [...view.files],
    all: view.all,
    at: momentText(view.moment),
    withinDays: view.withinMs === undefined ? null : view.withinMs / dayMs,
    isExact: view.isExact === true,
    name: view.name,
    captures: view.captures,
    jobsMissing: view.completeness.jobsMissing,
    filesMissing: view.filesMissing,
    quarantined: quarantinedOf(view.completeness),
    growth: growthOf(view),
    seeds: seedsOf(view),
    misses: view.misses,
    errors: view.errors,
    isRecording: view.isRecording,
  })
  const openingOf = (untilWhole = false) => ({ atOnce: !untilWhole })
  const ownSummaryOf = ({ user, password, commandToken, enter, ...view }: OwnView): OwnViewing => ({
    ...summaryOf(view),
    ...{ user, password, commandToken, enter },
  })
  /** A job may have been deleted, and its seeds with it. */
  const seedsOf = ({ jobs: chosen = [] }: Selection) => [
    ...new Set(chosen.flatMap((job) => jobs.known(job)?.seeds ?? [])),
  ]
  /** Returns the start page: a seed, or, where none is known, the first page found. */
  const beginningOf = async (selection: Selection) => seedsOf(selection)[0] ?? (await viewer.firstPage())
  const present = (viewing?: string): OpenView => {
    const view = shownIn(viewer, viewing)
    if (!view) throw nothingViewed()
    return view
  }

  /** Refuses a selection that cannot be viewed before an index is made of it. */
  function chosen({ at = 'newest', withinDays, isExact = false, ...selection }: ViewAsked): Chosen {
    checkSelection(parts, selection, 'viewed')
    const moment = momentOf(at)
    if (withinDays !== undefined && moment.kind !== 'nearest')
      throw new Fault('badInput', message('view.daysWithoutTime'))
    return { ...selection, moment, withinMs: withinDays === undefined ? undefined : withinDays * dayMs, isExact }
  }

  return {
    async open({ untilWhole, ...asked }) {
      const summary = summaryOf(await viewer.open(chosen(asked), openingOf(untilWhole)))
      return { ...summary, url: (await beginningOf(asked)) ?? null }
    },
    async openOwn({ untilWhole, url, ...asked }) {
      const choice = chosen(asked)
      const begin = browserAddress(url ?? seedsOf(choice)[0] ?? '')
      return ownSummaryOf(await viewer.openOwn(choice, begin, openingOf(untilWhole)))
    },
    async leave({ user }) {
      if (!viewer.leave(user)) throw noViewing(user)
      await browsers.end(user)
      return {}
    },
    async openBrowser({ user }) {
      await browsers.begin(ownOf(viewer, user))
      return {}
    },
    own: async () => viewer.own().map(ownSummaryOf),
    async current() {
      const view = viewer.current()
      return view ? summaryOf(view) : null
    },
    changed: (onPayload) => viewer.onView((view) => onPayload(summaryOf(view))),
    kept: async () =>
      viewer.kept().map(({ name, jobs: kept, files, all, moment, withinMs, isExact = false }) => ({
        name,
        jobs: [...kept],
        files: [...files],
        all,
        at: momentText(moment),
        ...(withinMs !== undefined && { withinDays: withinMs / dayMs }),
        isExact,
      })),
    async keep({ name }) {
      viewer.keep(present().view, name)
      return summaryOf(present())
    },
    async forget({ name }) {
      viewer.forget(name)
      return {}
    },
    async record({ isRecording }) {
      viewer.record(isRecording)
      return summaryOf(present())
    },
    async locate({ url, at, ...selection }) {
      checkSelection(parts, selection)
      const index = await indexes.captureIndexFor(selection)
      try {
        const found = index.nearest({ url, moment: momentAt(at === undefined ? undefined : Date.parse(at)) })
        return found
          ? { file: found.filename, offset: found.offset, captured: new Date(found.timestampMs).toISOString() }
          : null
      } finally {
        index.close()
      }
    },
    suggest: async ({ text, limit = 20 }) => (await viewer.suggest(text, limit)).map(pageOf),
    async pages({ text = '', offset = 0, limit = 50 }) {
      const listed = await viewer.pages({ text, offset, limit })
      if (!listed) return { total: 0, leftOut: 0, rows: [], titles: { read: 0, total: 0 } }
      return { ...listed, rows: listed.rows.map((row) => ({ ...pageOf(row), title: row.title })) }
    },
    titlesRead: (onPayload) => viewer.onTitlesRead(onPayload),
    title: async ({ url, captured }) => ({ title: await viewer.title({ url, timestampMs: Date.parse(captured) }) }),
    captures: async ({ url, day }) =>
      viewer.captures(url, day === undefined ? undefined : stretchOf(day)).map((capture) => ({
        ...pageOf(capture),
        job: capture.job,
      })),
    timeline: async ({ url }) => viewer.timeline(url),
    async explain({ url, method = 'GET', isPage = false, answer }) {
      const explained = await viewer.explain({ url, method, isPage, answer })
      if (!explained) throw nothingViewed()
      const viewed = explained.isMissing ? sourcesOf(parts, explained.view) : []
      const groups = viewed.length > reasonsMax ? [viewed] : viewed.map((source) => [source])
      const reasons = groups.map(async (sources) => {
        const [text = ''] = await whyMissing({ jobs, indexes }, sources, [{ url, method }])
        return { job: sources.length === 1 ? (sources[0] ?? null) : null, text }
      })
      return explanationOf(explained, await Promise.all(reasons))
    },
    errors: async ({ viewing }) =>
      viewer
        .errors(present(viewing).view, viewing)
        .toReversed()
        .map((row) => ({
          ...findingOf(row),
          kind: row.kind === 'unreadable' ? 'unreadable' : 'archivedError',
          status: row.status,
          file: row.file ?? '',
          offset: row.offset ?? 0,
          why: row.detail ?? textOf(message('view.archivedError', { status: row.status ?? '' })),
        })),
    answers: async ({ after = 0 }) => viewer.answers(after),
    answered: (onPayload) => viewer.onAnswer(onPayload),
  }
}

function growthOf({ growth, completeness }: OpenView): ViewSummary['growth'] {
  const { isGrowing, filesDone, filesTotal, jobsDone } = growth
  return { isGrowing, filesDone, filesTotal, jobsDone, jobsFound: completeness.jobsFound }
}

/** Returns the time range of a day in UTC. */
function stretchOf(day: string): { fromMs: number; toMs: number } {
  const fromMs = Date.parse(day)
  return { fromMs, toMs: fromMs + dayMs - 1 }
}

function quarantinedOf({ quarantined: { count, first } }: OpenView['completeness']): ViewSummary['quarantined'] {
  return { count, first: first.map(({ file, offset, reason }) => ({ file, offset: offset ?? null, reason })) }
}

function pageOf({
  url,
  timestampMs,
  status,
  mediaType,
}: Pick<IndexedCapture, 'url' | 'timestampMs' | 'status' | 'mediaType'>) {
  return { url, captured: new Date(timestampMs).toISOString(), status: status ?? 0, mediaType }
}

function explanationOf(explained: Explained, reasons: Explanation['reasons']): Explanation {
  const { view, candidates, inexact, revisitHops, elsewhere, truncated, archived, sent, ...rest } = explained
  const { steps, url, method, key, answeredBy } = rest
  const { moment } = view
  return {
    ...{ view: view.view, url, method, key, steps, answeredBy, reasons },
    candidates: candidates.map(({ capture, isUsed, why }) => ({
      ...rowOf(capture),
      distanceMs: moment.kind === 'nearest' ? capture.timestampMs - moment.atMs : null,
      ...{ isUsed, why },
    })),
    inexact: inexact.map((rule) => ({ rule, meaning: meaningOf(rule) })),
    revisitHops: revisitHops.map(({ capture, isUsed, why }) => ({ ...rowOf(capture), isUsed, why })),
    truncated,
    archived: archived && httpMessageOf(archived),
    sent: httpMessageOf(sent),
    elsewhere: elsewhere.map(rowOf),
  }
}

function httpMessageOf({ status, reason, fields }: Explained['sent']): Explanation['sent'] {
  return { status, reason, fields: fields.map(([name, value]) => [name, value]) }
}

function rowOf({ url, timestampMs, job, filename, offset, status, recordType }: Located) {
  const captured = new Date(timestampMs).toISOString()
  return { url, captured, job, file: filename, offset, status: status ?? null, recordType }
}

function meaningOf(rule: string): string {
  const ofParameter = parameterRules.find(({ name }) => name === rule)
  if (ofParameter) return textOf(message('view.rule.parameter', { meaning: ofParameter.meaning }))
  return textOf(message(rule === 'stream' ? 'view.rule.stream' : 'view.rule.file'))
}

export function missingService({ viewer, jobs, archive, indexes }: Parts): Loupe['missing'] {
  function viewOf({ view, viewing }: { view?: number | undefined; viewing?: string | undefined }) {
    const shown = shownIn(viewer, viewing)
    return view ?? shown?.view
  }
  return {
    async list(asked) {
      const view = viewOf(asked)
      if (view === undefined) return []
      const rows = viewer.misses(view, asked.viewing)
      const selection = rows.length > 0 ? viewer.selectionOf(view) : undefined
      const viewed = selection ? sourcesOf({ archive }, selection) : []
      const why = await whyMissing({ jobs, indexes }, viewed, rows)
      return rows.map((row, at) => ({ ...findingOf(row), why: why[at] ?? '' }))
    },
    async clear(asked) {
      const view = viewOf(asked)
      return { cleared: view === undefined ? 0 : viewer.clearFindings(view, asked.viewing) }
    },
  }
}

function findingOf({ firstMs, lastMs, ...row }: FindingRow) {
  const { id, view, viewing, url, referrer, initiator, resourceType, method, times } = row
  const [first, last] = [new Date(firstMs).toISOString(), new Date(lastMs).toISOString()]
  return { id, view, viewing, url, referrer, initiator, resourceType, method, times, first, last }
}

function momentOf(at: string): Moment {
  return at === 'newest' || at === 'oldest' ? { kind: at } : { kind: 'nearest', atMs: Date.parse(at) }
}

function momentText(moment: Moment): string {
  return moment.kind === 'nearest' ? new Date(moment.atMs).toISOString() : moment.kind
}
