/** Names of everything that can occur in a scenario, so that a test can check that a range of scenarios covers all of it. */
import { checksumReplica, replicas } from './evidence.ts'
import type { Scenario } from './scenario.ts'

const ofSites = {
  pages: ['none', 'busy', 'hangsUp', 'torn', 'stalls', 'slow', 'garbage', 'liesOfLength'],
  hosts: ['none', 'refuse', 'unreachable', 'noConnection', 'noAnswer', 'reset'],
  framings: ['length', 'chunked', 'close'],
  logins: ['basic', 'digest', 'form'],
}
/** How a harvest runs, as `drawHarvestOptions` chooses it. */
const courses = [
  'once',
  'limited',
  'timed',
  'again',
  'again, minimal',
  'WINDOWBEGIN',
  'WINDOWINSIDE',
  'always',
  'always, expiring',
]
/** Interruptions: of power, of the engine, by users, and of disks and the database. */
const blows = [
  'cut',
  'closed',
  'pause',
  'abort',
  'disk full',
  'disk failed',
  'disk denied',
  'disk absent',
  'every replica absent',
  'database restored',
]
/** Jumps of the clocks, by direction and by the moment at which they happen. */
const clocks = [
  'clock on',
  'clock back',
  'suspend',
  'clocks jump at some moment',
  'clocks jump in the middle of a call',
  'clocks jump while nothing runs',
  'limit of time met',
]
const changes = ['reject', 'unreject', 'drop', 'lift', 'priority', 'budget', 'budget given back']

/** All names. A range of scenarios is complete when each of them occurs. */
export const everyEvent: readonly string[] = [
  ...ofSites.pages.map((kind) => `page ${kind}`),
  ...ofSites.hosts.map((trouble) => `host ${trouble}`),
  ...ofSites.framings.map((framing) => `answers ${framing}`),
  ...ofSites.logins.map((kind) => `login ${kind}`),
  ...courses,
  ...blows,
  ...clocks,
  ...changes,
]

/** Returns the names of the events of a scenario, each once. Leaves out planned events that the harvest did not reach, as
 *  far as the result shows it. */
export function eventsIn({
  site,
  options,
  plan,
  machines,
  stopReasons,
}: Pick<Scenario, 'site' | 'options' | 'plan' | 'machines' | 'stopReasons'>): string[] {
  const found = [
    ...site.hosts.flatMap(({ trouble, framing, members, pages }) => [
      `host ${trouble}`,
      `answers ${framing}`,
      ...(members ? [`login ${members.kind}`] : []),
      ...[...pages.values()].map(({ fault }) => `page ${fault.kind}`),
    ]),
    ...courseOf(options),
    ...(plan.cutsAfterCalls.length > 0 && machines > 1 ? ['cut'] : []),
    ...(plan.closedAtMs.length > 0 ? ['closed'] : []),
    ...plan.userActions.map(({ action }) => action),
    ...plan.jumps.flatMap(({ when, kind, byMs }) => [
      kind === 'suspend' ? kind : byMs > 0 ? 'clock on' : 'clock back',
      `clocks jump ${'atMs' in when ? 'at some moment' : 'call' in when ? 'in the middle of a call' : 'while nothing runs'}`,
    ]),
    ...(stopReasons.has('TIME_LIMIT') ? ['limit of time met'] : []),
    ...plan.faults.map(({ what }) => ('failure' in what ? `disk ${what.failure.code}` : 'disk full')),
    ...(plan.faults.some(isOfEveryReplica) ? ['every replica absent'] : []),
    ...(plan.restored && machines > plan.restored.restoredAt ? ['database restored'] : []),
    ...plan.changes.map(({ change }) =>
      change.kind === 'budget' && change.objects === null && change.bytes === null ? 'budget given back' : change.kind,
    ),
  ]
  return [...new Set(found)]
}

/** True for a fault that makes all replicas absent at the same time. */
function isOfEveryReplica({ what }: Scenario['plan']['faults'][number]): boolean {
  return (
    'failure' in what &&
    what.failure.code === 'absent' &&
    [...replicas, checksumReplica].every(({ folder }) => what.failure.path.test(`${folder}/a`))
  )
}

function courseOf({ maxObjects, maxSeconds, furtherRuns, schedule, continuous }: Scenario['options']): string[] {
  if (schedule) return [schedule.startMethod]
  if (continuous) return ['always', ...(continuous.recheck.expirySeconds === null ? [] : ['always, expiring'])]
  const runs = furtherRuns.map((how) => (how === 'start' ? 'again' : 'again, minimal'))
  const limits = [...(maxObjects === undefined ? [] : ['limited']), ...(maxSeconds === undefined ? [] : ['timed'])]
  return [...limits, ...(runs.length > 0 ? runs : ['once'])]
}
