/** The form for choosing a view as it is filled in, and the request made of it. */
import { isEmpty, selectionOf, type WholeSelection } from '../../../src-main/contract/shapes/selection.ts'
import type { ViewSummary } from '../../../src-main/contract/services/viewer.ts'
import type { Choice } from '../../state/viewState.ts'

export const moments = ['newest', 'oldest', 'nearest'] as const
export type MomentKind = (typeof moments)[number]

export interface ChoiceDraft extends WholeSelection {
  moment: MomentKind
  /** Value of a field for date and time: UTC, without a zone. */
  at: string
  /** Days; an empty text means no limit. */
  within: number | string
  isExact: boolean
  name: string
}

export type ChoiceProblem = 'nothing' | 'moment' | 'within'

/** Input of the contract's `viewer.open`. */
const withinDaysMax = 100_000

/** `newest`: the default selection when nothing is viewed. */
export function draftOf(view: ViewSummary | null, newest: Pick<WholeSelection, 'jobs' | 'all'>): ChoiceDraft {
  if (view === null)
    return { ...newest, files: [], ...{ moment: 'newest', at: '', within: '', isExact: false, name: '' } }
  const { jobs, files, all, at, withinDays, isExact, name } = view
  const moment = at === 'newest' || at === 'oldest' ? at : 'nearest'
  return {
    ...{ jobs, files, all, moment, within: withinDays ?? '', isExact, name: name ?? '' },
    at: moment === 'nearest' ? new Date(at).toISOString().slice(0, 19) : '',
  }
}

export function choiceOf({ jobs, files, all, moment, at, within, isExact, name }: ChoiceDraft): Choice | ChoiceProblem {
  if (isEmpty({ jobs, files, all })) return 'nothing'
  const selection = selectionOf({ jobs, files, all })
  const whatever = {
    jobs: [...selection.jobs],
    files: [...selection.files],
    all,
    isExact,
    ...(name.trim() === '' ? {} : { name: name.trim() }),
  }
  if (moment !== 'nearest') return { ...whatever, at: moment }
  const atMs = Date.parse(`${at}Z`)
  if (Number.isNaN(atMs)) return 'moment'
  const asked = { ...whatever, at: new Date(atMs).toISOString() }
  if (within === '') return asked
  const withinDays = Number(within)
  return withinDays > 0 && withinDays <= withinDaysMax ? { ...asked, withinDays } : 'within'
}
