/** What is shown of the growth: as an address contains it, as it is chosen, and as it is asked of the engine. */
import { growthGroups, type growthPeriods } from '../../../src-main/contract/shapes/choices.ts'
import type { Loupe } from '../../../src-main/contract/contract.ts'
import { stackTones } from '../../parts/stackOf.ts'
import { jobsOf } from '../../state/jobNumbers.ts'

export type GrowthAsked = Parameters<Loupe['growth']['overTime']>[0]
export const growthMeasures = ['captures', 'bytes'] as const
/** `whole`: everything is one group. */
export const growthBys = ['whole', ...growthGroups] as const

export interface GrowthDraft {
  domain: string
  jobs: string
  period: (typeof growthPeriods)[number]
  by: (typeof growthBys)[number]
  measure: (typeof growthMeasures)[number]
  isCumulative: boolean
}

/** The domain and jobs named in the address; a domain is shown as it grows. */
export function draftOf(filter: string): GrowthDraft {
  const parameters = new URLSearchParams(filter)
  const domain = parameters.get('domain') ?? ''
  const jobs = parameters.get('jobs') ?? ''
  return { domain, jobs, period: 'month', by: 'host', measure: 'captures', isCumulative: domain !== '' }
}

/** What the engine is asked; undefined while the jobs are no numbers. `measure` is of the picture only. */
export function askedOf({ domain, jobs: typed, period, by, isCumulative }: GrowthDraft): GrowthAsked | undefined {
  const jobs = jobsOf(typed)
  if (jobs === null) return undefined
  return {
    ...{ jobs, all: jobs.length === 0, period, isCumulative, groupsMax: stackTones.length - 1 },
    ...(domain.trim() !== '' && { domain: domain.trim() }),
    ...(by !== 'whole' && { by }),
  }
}
