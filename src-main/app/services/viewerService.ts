/** Service `viewer` of the contract: views, viewings, pages, captures and explanations. */
import type { Archive } from '../../archive/store/archive.ts'
import { hasRole, isOfThisMachine, type Caller } from '../../contract/calls/caller.ts'
import { Fault } from '../../contract/calls/faults.ts'
import type { LoupeImplementation } from '../../contract/contract.ts'
import type { ViewAsked } from '../../contract/services/viewer.ts'
import { selectionOf } from '../../contract/shapes/selection.ts'
import { browserAddress } from '../../contract/text/viewerAddresses.ts'
import { message } from '../../contract/words/message.ts'
import type { Jobs } from '../../crawl/crawl.ts'
import { momentAt, type IndexedCapture, type Indexes } from '../../indexes/indexes.ts'
import type { Quality } from '../../quality/quality.ts'
import type { Chosen, OpenView, OwnView, Viewer } from '../../viewer/viewer.ts'
import type { EngineSetting } from '../given/engineSetting.ts'
import type { Browsers } from '../given/separateBrowsers.ts'
import { explanationOf, reasonsOf } from './explanations.ts'
import { checkSelection } from './selecting.ts'
import { viewErrorOf } from './viewFindings.ts'
import { dayMs, momentOf, momentText, noViewing, nothingViewed, ownOf, ownViewingOf, seedsOf, shownIn, viewSummaryOf } from './viewSummaries.ts' // prettier-ignore

interface Parts {
  viewer: Viewer
  jobs: Jobs
  archive: Archive
  indexes: Indexes
  quality: Pick<Quality, 'overlays'>
}

type Service = LoupeImplementation['viewer']

export function viewerService({
  browsers,
  setting,
  ...parts
}: Parts & { browsers: Browsers; setting: Pick<EngineSetting, 'rewrittenAddress'> }): Service {
  return {
    // The port is one of this machine.
    rewritten: async (_, caller) => ({ address: (isOfThisMachine(caller) && setting.rewrittenAddress?.()) || null }),
    ...openingViews(parts),
    ...separateViewings(parts, browsers),
    ...namedViews(parts),
    ...capturesViewed(parts),
    ...answersOf(parts),
  }
}

/** Refuses a selection that cannot be viewed before an index of it is built. */
function chosen(
  parts: Parts,
  { at = 'newest', withinDays, isExact = false, withOverlays = true, ...selection }: ViewAsked,
): Chosen {
  checkSelection(parts, selection, 'viewed')
  const { jobs, all } = selectionOf(selection)
  const moment = momentOf(at)
  if (withinDays !== undefined && moment.kind !== 'nearest')
    throw new Fault('badInput', message('view.daysWithoutTime'))
  return {
    ...{ ...selection, moment, withinMs: withinDays === undefined ? undefined : withinDays * dayMs, isExact },
    overlays: withOverlays && !all ? parts.quality.overlays.over(jobs) : [],
  }
}

/** Returns what a viewing shows. Throws `Fault` refused if it shows nothing. */
function present(viewer: Viewer, viewing?: string): OpenView {
  const view = shownIn(viewer, viewing)
  if (!view) throw nothingViewed()
  return view
}

function openingViews(parts: Parts): Pick<Service, 'open' | 'current' | 'changed' | 'record'> {
  const { viewer, jobs } = parts
  return {
    async open({ untilWhole = false, ...asked }) {
      const opened = await viewer.open(chosen(parts, asked), { atOnce: !untilWhole })
      const url = seedsOf(jobs, asked)[0] ?? (await viewer.firstPage()) ?? null
      return { ...viewSummaryOf(parts, opened), url }
    },
    async current() {
      const view = viewer.current()
      return view ? viewSummaryOf(parts, view) : null
    },
    changed: (onPayload) => viewer.onView((view) => onPayload(viewSummaryOf(parts, view))),
    async record({ isRecording }) {
      viewer.record(isRecording)
      return viewSummaryOf(parts, present(viewer))
    },
  }
}

/** Viewings for other browsers. */
function separateViewings(
  parts: Parts,
  browsers: Browsers,
): Pick<Service, 'openOwn' | 'leave' | 'openBrowser' | 'own'> {
  const { viewer, jobs } = parts
  return {
    async openOwn({ untilWhole = false, url, ...asked }, caller) {
      const choice = chosen(parts, asked)
      const start = browserAddress(url ?? seedsOf(jobs, choice)[0] ?? '')
      return ownViewingOf(parts, await viewer.openOwn(choice, start, { atOnce: !untilWhole, caller }))
    },
    async leave({ user }, caller) {
      if (!isOf(ownOf(viewer, user), caller)) throw noViewing(user)
      if (!viewer.leave(user)) throw noViewing(user)
      await browsers.end(user)
      return {}
    },
    async openBrowser({ user }, caller) {
      const own = ownOf(viewer, user)
      if (!isOf(own, caller)) throw noViewing(user)
      await browsers.begin(own)
      return {}
    },
    own: async (_, caller) =>
      viewer
        .own()
        .filter((own) => isOf(own, caller))
        .map((own) => ownViewingOf(parts, own)),
  }
}

/** Whether a viewing is of an account: whoever has its password sees what the account sees. */
function isOf({ caller: { account } }: OwnView, caller: Caller): boolean {
  return account === caller.account || hasRole(caller, 'administrator')
}

/** Selections that are stored under a name. */
function namedViews(parts: Parts): Pick<Service, 'kept' | 'keep' | 'forget'> {
  const { viewer } = parts
  return {
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
      viewer.keep(present(viewer).view, name)
      return viewSummaryOf(parts, present(viewer))
    },
    async forget({ name }) {
      viewer.forget(name)
      return {}
    },
  }
}

/** Pages and captures in the view. */
function capturesViewed(
  parts: Parts,
): Pick<Service, 'suggest' | 'pages' | 'titlesRead' | 'title' | 'captures' | 'timeline' | 'locate'> {
  const { viewer, indexes } = parts
  return {
    suggest: async ({ text, limit = 20 }) => (await viewer.suggest(text, limit)).map(pageOf),
    async pages({ text = '', offset = 0, limit = 50 }) {
      const listed = await viewer.pages({ text, offset, limit })
      if (!listed) return { total: 0, leftOut: 0, rows: [], titles: { read: 0, total: 0 } }
      return { ...listed, rows: listed.rows.map((row) => ({ ...pageOf(row), title: row.title })) }
    },
    titlesRead: (onPayload) => viewer.onTitlesRead(onPayload),
    title: async ({ url, captured }) => ({ title: await viewer.title({ url, timestampMs: Date.parse(captured) }) }),
    captures: async ({ url, day }) =>
      viewer.captures(url, day === undefined ? undefined : timeRangeOf(day)).map((capture) => ({
        ...pageOf(capture),
        job: capture.job,
      })),
    timeline: async ({ url }) => viewer.timeline(url),
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
  }
}

/** The last answers of the proxy, their errors and their explanations. */
function answersOf(parts: Parts): Pick<Service, 'explain' | 'errors' | 'answers' | 'answered'> {
  const { viewer } = parts
  return {
    async explain({ url, method = 'GET', isPage = false, answer }, caller) {
      const explained = await viewer.explain({ url, method, isPage, answer }, caller)
      if (!explained) throw nothingViewed()
      return explanationOf(explained, await reasonsOf(parts, explained, { url, method }))
    },
    errors: async ({ viewing }) => viewer.errors(present(viewer, viewing).view, viewing).toReversed().map(viewErrorOf),
    answers: async ({ after = 0 }) => viewer.answers(after),
    answered: (onPayload) => viewer.onAnswer(onPayload),
  }
}

/** Returns the time range of a day in UTC. */
function timeRangeOf(day: string): { fromMs: number; toMs: number } {
  const fromMs = Date.parse(day)
  return { fromMs, toMs: fromMs + dayMs - 1 }
}

function pageOf({
  url,
  timestampMs,
  status,
  mediaType,
}: Pick<IndexedCapture, 'url' | 'timestampMs' | 'status' | 'mediaType'>) {
  return { url, captured: new Date(timestampMs).toISOString(), status: status ?? 0, mediaType }
}
