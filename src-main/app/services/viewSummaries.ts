/** Views and viewings of the viewer in the form of the contract. */
import { Fault } from '../../contract/calls/faults.ts'
import type { OwnViewing, ViewSummary } from '../../contract/services/viewer.ts'
import type { Selection } from '../../contract/shapes/selection.ts'
import { message } from '../../contract/words/message.ts'
import type { Jobs } from '../../crawl/crawl.ts'
import type { Moment } from '../../indexes/indexes.ts'
import type { Quality } from '../../quality/quality.ts'
import type { OpenView, OwnView, Viewer } from '../../viewer/viewer.ts'

/** Milliseconds of a day. */
export const dayMs = 86_400_000

type JobSeeds = Pick<Jobs, 'known'>

/** What the form of the contract has of jobs and of their overlays. */
export interface SummaryParts {
  jobs: JobSeeds
  quality: Pick<Quality, 'overlays'>
}

/** Converts an open view to the form of the contract. */
export function viewSummaryOf({ jobs, quality: { overlays } }: SummaryParts, view: OpenView): ViewSummary {
  const { isGrowing, filesDone, filesTotal, jobsDone } = view.growth
  const { jobsFound, jobsMissing, quarantined } = view.completeness
  return {
    view: view.view,
    jobs: [...view.jobs],
    files: [...view.files],
    all: view.all,
    overlays: overlays
      .shown([...view.jobs, ...view.overlays])
      .filter(({ job }) => !view.jobs.includes(job))
      .map(({ patches, job, name }) => ({ patches, job, name, isShown: view.overlays.includes(job) })),
    at: momentText(view.moment),
    withinDays: view.withinMs === undefined ? null : view.withinMs / dayMs,
    isExact: view.isExact === true,
    name: view.name,
    captures: view.captures,
    jobsMissing,
    filesMissing: view.filesMissing,
    quarantined: {
      count: quarantined.count,
      first: quarantined.first.map(({ file, offset, reason }) => ({ file, offset: offset ?? null, reason })),
    },
    growth: { isGrowing, filesDone, filesTotal, jobsDone, jobsFound },
    seeds: seedsOf(jobs, view),
    misses: view.misses,
    errors: view.errors,
    isRecording: view.isRecording,
  }
}

/** Converts a separate viewing to the form of the contract, with its credentials. */
export function ownViewingOf(
  parts: SummaryParts,
  { user, password, commandToken, enter, ...view }: OwnView,
): OwnViewing {
  return { ...viewSummaryOf(parts, view), user, password, commandToken, enter }
}

/** Returns the seeds of the selected jobs. A job may have been deleted, and its seeds with it. */
export function seedsOf(jobs: JobSeeds, { jobs: chosen = [] }: Selection): string[] {
  return [...new Set(chosen.flatMap((job) => jobs.known(job)?.seeds ?? []))]
}

/** Parses `newest`, `oldest` or an ISO 8601 time, which means the capture nearest to it. */
export function momentOf(at: string): Moment {
  return at === 'newest' || at === 'oldest' ? { kind: at } : { kind: 'nearest', atMs: Date.parse(at) }
}

/** Formats a moment so that `momentOf` returns it again. */
export function momentText(moment: Moment): string {
  return moment.kind === 'nearest' ? new Date(moment.atMs).toISOString() : moment.kind
}

/** Returns what a viewing shows; '' is the viewing of the interface. Throws `Fault` notFound if there is no such viewing. */
export function shownIn(viewer: Viewer, viewing = ''): OpenView | undefined {
  return viewing === '' ? viewer.current() : ownOf(viewer, viewing)
}

/** Returns a separate viewing by its user name. Throws `Fault` notFound. */
export function ownOf(viewer: Viewer, viewing: string): OwnView {
  const own = viewer.own().find(({ user }) => user === viewing)
  if (!own) throw noViewing(viewing)
  return own
}

export function noViewing(user: string): Fault {
  return new Fault('notFound', message('view.absent', { name: user }))
}

export function nothingViewed(): Fault {
  return new Fault('refused', message('view.nothing'))
}
