/** Assembles the parts of one segment of a job's run: frontier, live controls, output, committer, HTTP client, logins. It
 *  fetches nothing itself. `jobRun.ts` is the only user. */
import { recheckOnce } from '../../contract/shapes/recheck.ts'
import type { HarvestDefinition } from '../../contract/services/definition.ts'
import { outputOf } from '../capture/connectors/registry.ts'
import type { Output, RepositoryConnector } from '../capture/connectors/connector.ts'
import { withPlaces } from '../capture/connectors/sharedOutput.ts'
import { versionsOf } from '../capture/connectors/versions.ts'
import { connectionsOf } from '../capture/fetch/connections.ts'
import { earlierCapture } from '../capture/fetch/earlierCapture.ts'
import { fetchDocument } from '../capture/fetch/fetch.ts'
import type { Fetching } from '../capture/fetch/fetching.ts'
import { spoolIn } from '../capture/fetch/spool.ts'
import { watchOf } from '../capture/fetch/watch.ts'
import { hostsNamedIn } from '../capture/login/namedHosts.ts'
import { openLogins } from '../capture/login/logins.ts'
import type { Bandwidth } from '../frontier/bandwidth.ts'
import { openFrontier } from '../frontier/frontier.ts'
import type { Changed } from '../frontier/counts.ts'
import { placesOf, type Terms } from '../frontier/slotTerms.ts'
import { openLiveRun } from '../live/liveRun.ts'
import { partOf } from '../model/memory.ts'
import { addRedirectedSeed, placesIn } from '../model/scope.ts'
import { inheritanceOf } from '../settle/carried/inheritance.ts'
import { openRange } from '../settle/hops/range.ts'
import type { Result } from '../settle/result.ts'
import { notFailing } from '../settle/interruption.ts'
import { failingReader } from '../settle/settled.sql.ts'
import { committerOf } from './committer.ts'
import { orderedCommit } from '../order/orderedCommit.ts'
import { openOutOfScopeQueue } from './outOfScope.ts'
import type { RunSetting } from './runSetting.ts'
import type { TurnContext } from './turn.ts'

/** The parts of a segment. */
export type OpenRun = ReturnType<typeof openRun>

/** Parts of a segment that `jobRun.ts` supplies. */
export interface RunParts {
  connector: RepositoryConnector
  /** The definition as the connector applies it. */
  definition: HarvestDefinition
  terms: Terms
  jobPriority(): number
  onCommitted(changed: Changed): void
  /** Called with every piece of an answer that arrives. */
  onReceived(): void
  /** Called when a result cannot be written that no turn waits for. */
  onFault(error: unknown): void
}

/** Opens the parts; the caller must call `close` at the end of the segment. */
export function openRun(setting: RunSetting, parts: RunParts) {
  const { connector, definition, terms, jobPriority, onCommitted, onReceived } = parts
  const isOrdered = definition.order === 'scheduled'
  const { store, world, job } = setting
  const range = openRange(store, job, definition)
  const answers = partOf(setting.memory.answers)
  const places = { ...placesOf(terms), jobPriority, isInLine: isOrdered }
  const frontier = openFrontier(store, job, definition.robots, places, setting.memory.known.of(job))
  const live = openLiveRun(setting)
  /** Documents in flight whose host has a limit of bytes per second. */
  const paced = new Map<string, Bandwidth>()
  /** Aborts every request in flight. */
  const abort = new AbortController()
  const output = openOutput(setting, definition)
  const committer = committerOf({
    ...{ store, job, frontier, output, range, live, onCommitted },
    recheck: definition.recheck ?? recheckOnce,
    now: () => world.clock.now(),
    elapsed: () => world.clock.elapsed(),
    onWritten: (result, { counts }) => order?.settled(result, counts.fetched),
    alongside(results) {
      logins.writeDown(results.flatMap(queuedUrls))
      setting.runTime.note()
    },
  })
  const order = isOrdered
    ? orderedCommit({
        ...setting,
        ...{ live, jobPriority, onFault: parts.onFault, workers: terms.workers, write: committer.commit },
        objectsMax: definition.maxObjects ?? Infinity,
        fetched: setting.before.fetched,
        again: (ready) => setting.queue.again(ready),
        onPlaced: () => setting.queue.news(),
        onRobots: (host, { state, text }) =>
          setting.queue.setRobotsOf(job, host, { robotsState: state, robotsText: text }),
      })
    : undefined
  const fetching: Fetching = {
    ...{ world, settings: setting.settings, resolve: definition.resolve, signal: abort.signal },
    connections: connectionsOf(world),
    watch: watchOf(world, abort.signal),
    newSpool: () => spoolIn(world, setting, answers),
    bodies: setting.bodies,
    earlierCapture: (place) => earlierCapture(setting, place),
    ownHosts: hostsNamedIn(definition),
    userAgent: definition.userAgent ?? setting.settings.userAgent,
    pace: (url, bytes) => {
      onReceived()
      return paced.get(url)?.came(bytes, abort.signal)
    },
  }
  const logins = openLogins({
    ...{ login: definition.login, store, job, world },
    credentials: setting.credentials,
    request: (url, referrer, options) => fetchDocument(url, referrer, fetching, options),
    log: setting.log,
  })
  const scope = connector.scopeOf(definition)
  const placesBefore = placesIn(scope)
  for (const url of frontier.redirectedSeeds()) addRedirectedSeed(scope, url)
  const repository = connector.open({
    definition,
    fetching: { ...fetching, ask: logins.fetch, archiveFolders: setting.archiveFolders },
  })
  const context: TurnContext = {
    ...{ fetching, logins, definition, connector, output, scope, frontier, live, range, originals: setting.originals },
    repository,
    versions: versionsOf(store, job),
    inheritance: inheritanceOf(store, job),
    // Only long patience depends on it, and it would be a read of the database for each document.
    failingOf: definition.recheck?.patience === 'long' ? failingReader(store) : () => notFailing,
    giveUp: setting.giveUp,
    log: setting.log,
  }
  const outOfScope = openOutOfScopeQueue({
    ...{ store, job, connector, frontier, live, range, scope, placesBefore },
    nowMs: () => world.clock.now(),
  })
  return {
    ...{ range, frontier, live, paced, abort, committer, order, context, outOfScope, originals: setting.originals },
    /** Resolves when the result is durable. */
    commit: order?.commit ?? committer.commit,
    /** Closes the output and releases connections and memory. Documents that were claimed and not settled are queued again,
     *  whether or not the output can be closed. */
    async close(): Promise<void> {
      abort.abort()
      fetching.connections.closeAll()
      await repository.close?.()
      try {
        await committer.close().finally(() => frontier.release())
      } finally {
        frontier.forget()
        answers.giveAllBack()
      }
    },
  }
}

/** Opens the output; under a named connection, jobs take turns. */
function openOutput(setting: RunSetting, definition: HarvestDefinition): Output {
  const output = outputOf(definition).open(setting)
  const { connections, shared } = setting
  if (!connections.output) return output
  return withPlaces(output, shared.outputs.join(connections.output.name, connections.output.connectionsMax))
}

/** Returns the URLs that a result has added to the queue. */
function queuedUrls(result: Result): string[] {
  return result.kind === 'fetched' ? result.candidates.flatMap(({ url, excluded }) => (excluded ? [] : [url])) : []
}
