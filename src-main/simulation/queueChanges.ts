/** Applies changes of the queue of a running job through the calls that the shells use. */
import { Fault } from '../contract/calls/faults.ts'
import type { LiveControl } from '../crawl/crawl.ts'
import type { Change } from './plan.ts'

/** Returns false when the job has no queue now. */
export async function applyChange(live: LiveControl, job: number, change: Change): Promise<boolean> {
  try {
    await make(live, job, change)
    return true
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'refused') throw error
    return false
  }
}

async function make(live: LiveControl, job: number, change: Change): Promise<void> {
  const given = { job, isTrial: false }
  switch (change.kind) {
    case 'reject':
      await live.reject({ ...given, pattern: change.pattern })
      return
    case 'unreject': {
      const { rules } = await live.show({ job })
      const rule = rules.find(({ pattern }) => pattern === change.pattern)
      if (rule) await live.unreject({ job, rule: rule.rule })
      return
    }
    case 'drop':
      await live.drop({ ...given, of: change.of })
      return
    case 'lift':
      await live.lift({ ...given, of: change.of, to: change.to })
      return
    case 'priority':
      live.priority({ job, priority: change.priority })
      return
    case 'budget': {
      const { domain, objects, bytes } = change
      await live.budgets({ ...given, budgets: [{ domain, objects, bytes }] })
    }
  }
}
