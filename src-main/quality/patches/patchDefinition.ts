/** The definition of a patch job: that of the job that it patches, for the missing URLs and what they need. Pure. */
import type { HarvestDefinition } from '../../contract/services/definition.ts'
import { scheduleShape } from '../../contract/services/schedule.ts'
import { message } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'
import { matcherOf, patternOf, readPattern } from '../../patterns/pattern.ts'

/** What a user chooses for a patch job. */
export interface PatchOptions {
  /** Absent or false: as the job that it patches. */
  ignoreRobots?: boolean | undefined
  /** The job waits until it is started. */
  later?: boolean | undefined
}

/** A schedule by which nothing starts: the job waits for its user. */
const waiting = scheduleShape.parse({ startMethod: 'DISABLE', records: [{ hours: [0] }] })

/** Returns the definition. Rules and distances that would keep the missing URLs out are left away, all others stay: patterns that match
 *  none of them still keep out what their pages embed. The URLs come from the Web, wherever those of the job came from. */
export function patchDefinition(
  { job, definition }: { job: number; definition: HarvestDefinition },
  urls: readonly string[],
  { ignoreRobots = false, later = false }: PatchOptions,
): HarvestDefinition {
  const { maxHops: _, hops: __, recheck: ___, schedule: ____, connectors, ...kept } = definition
  return {
    ...kept,
    seeds: [...urls],
    name: textOf(message('patch.name', { job })),
    scope: 'page',
    include: [],
    exclude: sparing(definition.exclude, urls),
    ...(definition.domains && {
      domains: Object.fromEntries(
        Object.entries(definition.domains).map(([domain, { exclude }]) => [
          domain,
          { exclude: sparing(exclude, urls) },
        ]),
      ),
    }),
    ...(ignoreRobots && { robots: 'ignore' }),
    ...(connectors && { connectors: fromWeb(connectors) }),
    ...(later && { schedule: waiting }),
  }
}

/** Patterns that match none of the URLs. One that an earlier Loupe accepted may be invalid today, and is left away. */
function sparing(patterns: readonly string[], urls: readonly string[]): string[] {
  return patterns.filter((written) => {
    if ('problem' in readPattern(written)) return false
    const matcher = matcherOf([patternOf(written)])
    return urls.every((url) => matcher.first(url) === undefined)
  })
}

type Connectors = NonNullable<HarvestDefinition['connectors']>

function fromWeb({ repository, repositoryConnection, ...output }: Connectors): Connectors {
  if (repository.connector !== 'web') return { ...output, repository: { connector: 'web' } }
  return { ...output, repository, ...(repositoryConnection !== undefined && { repositoryConnection }) }
}
