/** Entrance of the crawl floor: jobs as users see them, and the engine that works on them in its own thread. */
import { sleepUnlessAborted } from '../world/sleepUnlessAborted.ts'
import { message } from '../contract/words/message.ts'
import type { World } from '../world/world.ts'
import type { CrawlEnd, CrawlInput, CrawlReport } from './crawl.thread.ts'
import { messageOf } from '../contract/text/messageOf.ts'

export type { CrawlReport } from './crawl.thread.ts'
export { refuseUnusableModule } from './capture/connectors/moduleCheck.ts'
export { openConnectors, type Connectors, type Moved } from './capture/connectors/installed.ts'
export { openConnections } from './connections/connections.ts'
export { checkConnection } from './connections/connectionCheck.ts'
export { refuseUnusable } from './connections/namedConnections.ts'
export { refuseAbsentOutputs } from '../delivery/jobOutputs.ts'
export { openDefinitions, type Definitions } from './definition/definitions.ts'
export { openReporter, type Reporter } from './history/reporter.ts'
export { openImports, type Imports } from './import/imports.ts'
export { importTasks } from './import/importTask.ts'
export { jobHolding } from './ownership/jobHolding.ts'
export { openLiveWeb, type LiveRequest, type LiveWeb } from './liveWeb/liveWeb.ts'
export { openLiveControl, type LiveControl } from './live/control.ts'
export { openIndexRequests } from './dedup/indexRequests.ts'
export { type JobAction } from './jobs/jobActions.ts'
export { openJobs, type Jobs } from './jobs/jobs.ts'
export { sessionTables } from './capture/login/cookies.sql.ts'
export { openCredentials, type Credentials } from './capture/login/credentials.ts'
export { defaultCrawlSettings, type CrawlSettings } from './model/limits.ts'
export { nameStatements } from './model/fileNames.sql.ts'
export { crawlSettings } from './model/crawlSettings.ts'
export { moveAside, quarantineFolderFor } from './ownership/quarantine.ts'
export { databaseAge } from './ownership/sequenceMark.ts'
export { openRecovery, type Recovery } from './recover/recovery.ts'
export { filesOutside } from './ownership/filesOutside.ts'
export { openSchedules, type Schedules } from './schedule/schedules.ts'

/** Pause before an engine that ended with an error is started again, as after a kill. */
const restartMs = 5_000

/** Runs the engine until the signal is aborted, or until another engine has taken the archive over, which is reported; resolves when all its
 *  work has ended safely. An engine that fails is reported and started again. */
export async function runCrawl(
  world: World,
  input: CrawlInput,
  { signal, onReport }: { signal: AbortSignal; onReport: (report: CrawlReport) => void },
): Promise<void> {
  const module = new URL('./crawl.thread.ts', import.meta.url)
  while (!signal.aborted) {
    try {
      const options = { signal, onReport, lasting: true }
      const end = await world.threads.run<CrawlInput, CrawlEnd, CrawlReport>(module, input, options)
      if (end === 'replaced') return
    } catch (error) {
      if (signal.aborted) return
      const crashed = message('engine.crashed', { problem: messageOf(error) })
      onReport({ kind: 'problem', message: crashed, code: 'internal', job: null })
      await sleepUnlessAborted(world.clock, restartMs, signal)
    }
  }
}
