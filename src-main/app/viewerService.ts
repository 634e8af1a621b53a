/** The contract's `viewer` and `missing`: the proxy's viewings, and what the jobs know of each address it could not answer. */
import type { Loupe } from '../contract/contract.ts'
import { Fault } from '../contract/faults.ts'
import { browserAddress } from '../contract/fileAddresses.ts'
import type { Explanation, OwnViewing, ViewAsked, ViewSummary } from '../contract/viewer.ts'
import type { Jobs } from '../crawl/crawl.ts'
import type { Browsers } from './browserBeside.ts'
import { momentAt, type IndexedCapture, type Indexes, type Moment } from '../indexes/indexes.ts'
import { parameterRules } from '../viewer/fuzzyRules.ts'
import type { Chosen, Explained, FindingRow, Located, OpenView, OwnView, Viewer } from '../viewer/viewer.ts'
import { whyMissing } from './whyMissing.ts'

interface Parts {
  viewer: Viewer
  jobs: Jobs
  indexes: Indexes
}

const dayMs = 86_400_000

/** What a viewing shows; '' is the interface's. */
function shownIn(viewer: Viewer, viewing = ''): OpenView | undefined {
  return viewing === '' ? viewer.current() : ownOf(viewer, viewing)
}

function ownOf(viewer: Viewer, viewing: string): OwnView {
  const own = viewer.own().find(({ user }) => user === viewing)
  if (!own) throw noViewing(viewing)
  return own
}

const noViewing = (user: string) => new Fault('notFound', `There is no viewing of the name ${user}.`)

const nothingViewed = () => new Fault('refused', 'Nothing is being viewed: choose jobs first.')

export function viewerService({ viewer, browsers, jobs, indexes }: Parts & { browsers: Browsers }): Loupe['viewer'] {
  const summaryOf = (view: OpenView): ViewSummary => ({
    view: view.view,
    jobs: [...view.jobs],
    at: momentText(view.moment),
    withinDays: view.withinMs === undefined ? null : view.withinMs / dayMs,
    isExact: view.isExact === true,
    name: view.name,
    captures: view.captures,
    jobsMissing: view.completeness.jobsMissing,
    filesMissing: view.filesMissing,
    quarantined: quarantinedOf(view.completeness),
    growth: growthOf(view),
    seeds: seedsOf(view.jobs),
    misses: view.misses,
    errors: view.errors,
    isRecording: view.isRecording,
  })
  const openingOf = (untilWhole = false) => ({ atOnce: !untilWhole })
  const ownSummaryOf = ({ user, password, enter, ...view }: OwnView): OwnViewing => ({
    ...summaryOf(view),
    ...{ user, password, enter },
  })
  /** A command of the proxy may choose jobs that there are not, or no longer. */
  const seedsOf = (chosen: readonly number[]) => [...new Set(chosen.flatMap((job) => jobs.known(job)?.seeds ?? []))]
  const present = (viewing?: string): OpenView => {
    const view = shownIn(viewer, viewing)
    if (!view) throw nothingViewed()
    return view
  }

  /** What cannot be viewed is refused before an index is made of it. */
  function chosen({ jobs: asked, at = 'newest', withinDays, isExact = false }: ViewAsked): Chosen {
    for (const job of asked) {
      const { ended, status } = jobs.summary(job)
      if (ended === null)
        throw new Fault('refused', `Job ${job} cannot be viewed yet: it is "${status}"; it can when it has ended.`)
    }
    const moment = momentOf(at)
    if (withinDays !== undefined && moment.kind !== 'nearest')
      throw new Fault('badInput', 'A limit in days needs a moment that they are counted from: say which with "at".')
    return { jobs: asked, moment, withinMs: withinDays === undefined ? undefined : withinDays * dayMs, isExact }
  }

  return {
    async open({ untilWhole, ...asked }) {
      const summary = summaryOf(await viewer.open(chosen(asked), openingOf(untilWhole)))
      return { ...summary, url: summary.seeds[0] ?? null }
    },
    async openOwn({ untilWhole, url, ...asked }) {
      const choice = chosen(asked)
      const begin = browserAddress(url ?? seedsOf(choice.jobs)[0] ?? '')
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
      viewer.kept().map(({ name, jobs: kept, moment, withinMs, isExact = false }) => ({
        name,
        jobs: [...kept],
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
    async locate({ jobs: asked, url, at }) {
      const index = await indexes.captureIndexFor(asked)
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
      const { jobs: viewed } = explained.view
      const asked = explained.isMissing ? viewed : []
      const reasons = asked.map(async (job) => {
        const [text = ''] = await whyMissing({ jobs, indexes }, [job], [{ url, method }])
        return { job, text }
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
          why: row.detail ?? `The server answered ${row.status}, and that is what was archived.`,
        })),
    answers: async ({ after = 0 }) => viewer.answers(after),
    answered: (onPayload) => viewer.onAnswer(onPayload),
  }
}

function growthOf({ growth, completeness }: OpenView): ViewSummary['growth'] {
  const { isGrowing, filesDone, filesTotal, jobsDone } = growth
  return { isGrowing, filesDone, filesTotal, jobsDone, jobsFound: completeness.jobsFound }
}

/** Of a day in UTC. */
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
  const { view, candidates, inexact, revisitHops, elsewhere, archived, sent, ...rest } = explained
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
    archived: archived && messageOf(archived),
    sent: messageOf(sent),
    elsewhere: elsewhere.map(rowOf),
  }
}

function messageOf({ status, reason, fields }: Explained['sent']): Explanation['sent'] {
  return { status, reason, fields: fields.map(([name, value]) => [name, value]) }
}

function rowOf({ url, timestampMs, job, filename, offset, status, recordType }: Located) {
  const captured = new Date(timestampMs).toISOString()
  return { url, captured, job, file: filename, offset, status: status ?? null, recordType }
}

function meaningOf(rule: string): string {
  const ofParameter = parameterRules.find(({ name }) => name === rule)
  if (ofParameter) return `The addresses differ in ${ofParameter.meaning}.`
  return rule === 'stream' ? 'What is played does not depend on its query.' : 'A file does not depend on its query.'
}

export function missingService({ viewer, jobs, indexes }: Parts): Loupe['missing'] {
  function viewOf({ view, viewing }: { view?: number | undefined; viewing?: string | undefined }) {
    const shown = shownIn(viewer, viewing)
    return view ?? shown?.view
  }
  return {
    async list(asked) {
      const view = viewOf(asked)
      if (view === undefined) return []
      const rows = viewer.misses(view, asked.viewing)
      const [first] = rows
      // Of one view, so of the same jobs.
      const viewed = first ? (JSON.parse(first.jobs) as number[]) : []
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
