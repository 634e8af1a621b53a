/** What a story is made of, by name: so that a row of stories can be asked whether everything that there is comes in it. */
import type { Story } from './story.ts'

const ofSites = {
  pages: ['none', 'busy', 'hangsUp', 'torn', 'stalls', 'slow', 'garbage', 'liesOfLength'],
  hosts: ['none', 'refuse', 'unreachable', 'noConnection', 'noAnswer', 'reset'],
  framings: ['length', 'chunked', 'close'],
  logins: ['basic', 'digest', 'form'],
}
const courses = [
  'once',
  'limited',
  'again',
  'again, minimal',
  'WINDOWBEGIN',
  'WINDOWINSIDE',
  'always',
  'always, expiring',
]
const blows = ['cut', 'closed', 'pause', 'abort', 'clock on', 'clock back', 'disk full', 'disk failed', 'disk denied']
const changes = ['reject', 'unreject', 'drop', 'lift', 'priority', 'budget', 'budget given back']

export const everyHappening: readonly string[] = [
  ...ofSites.pages.map((kind) => `page ${kind}`),
  ...ofSites.hosts.map((trouble) => `host ${trouble}`),
  ...ofSites.framings.map((framing) => `answers ${framing}`),
  ...ofSites.logins.map((kind) => `login ${kind}`),
  ...courses,
  ...blows,
  ...changes,
]

export function happeningsIn({
  site,
  manner,
  plan,
  machines,
}: Pick<Story, 'site' | 'manner' | 'plan' | 'machines'>): string[] {
  const found = [
    ...site.hosts.flatMap(({ trouble, framing, members, pages }) => [
      `host ${trouble}`,
      `answers ${framing}`,
      ...(members ? [`login ${members.kind}`] : []),
      ...[...pages.values()].map(({ fault }) => `page ${fault.kind}`),
    ]),
    ...courseOf(manner),
    ...(plan.cutsAfterCalls.length > 0 && machines > 1 ? ['cut'] : []),
    ...(plan.closedAtMs.length > 0 ? ['closed'] : []),
    ...plan.wishes.map(({ action }) => action),
    ...plan.clockJumps.map(({ byMs }) => (byMs > 0 ? 'clock on' : 'clock back')),
    ...plan.troubles.map(({ what }) => ('failure' in what ? `disk ${what.failure.code}` : 'disk full')),
    ...plan.changes.map(({ change }) =>
      change.kind === 'budget' && change.objects === null && change.bytes === null ? 'budget given back' : change.kind,
    ),
  ]
  return [...new Set(found)]
}

function courseOf({ maxObjects, furtherRuns, schedule, continuous }: Story['manner']): string[] {
  if (schedule) return [schedule.startMethod]
  if (continuous) return ['always', ...(continuous.recheck.expirySeconds === null ? [] : ['always, expiring'])]
  const runs = furtherRuns.map((how) => (how === 'start' ? 'again' : 'again, minimal'))
  return [...(maxObjects === undefined ? [] : ['limited']), ...(runs.length > 0 ? runs : ['once'])]
}
