/** Plans in threads of their own: their runs, and the copying of what a version keeps. */
import type { World } from '../world/world.ts'
import type { DeliveryReport, ReplicaPlace, RunProgress } from './delivery.ts'
import type { DeliveryInput, ThreadReport } from './delivery.thread.ts'
import type { KeepingInput } from './keeping.thread.ts'
import type { PlanRunRow } from './plan/planRuns.sql.ts'

interface ThreadSetting {
  world: Pick<World, 'threads'>
  databasePath: string
  /** `<archive>/jobs`. */
  jobsFolder: string
  /** `<archive>/indexes`. */
  indexesFolder: string
  replicas: ReplicaPlace[]
  onReport(plan: string, report: DeliveryReport): void
}

/** Runs a version until it has ended, or the signal is aborted. */
export async function runInThread(
  { world, databasePath, jobsFolder, indexesFolder, replicas, ...setting }: ThreadSetting,
  { plan, name, isOnce }: PlanRunRow,
  { signal, onProgress }: { signal: AbortSignal; onProgress(progress: RunProgress): void },
): Promise<void> {
  await world.threads.run<DeliveryInput, void, ThreadReport>(
    new URL('./delivery.thread.ts', import.meta.url),
    { databasePath, jobsFolder, indexesFolder, replicas, version: plan, isOnce },
    {
      ...{ signal, lasting: true },
      onReport: (report) => (report.kind === 'progress' ? onProgress(report.progress) : setting.onReport(name, report)),
    },
  )
}

/** Copies what a version keeps of the version before. */
export function completeInThread(
  { world, databasePath }: Pick<ThreadSetting, 'world' | 'databasePath'>,
  version: number,
  signal: AbortSignal,
): Promise<void> {
  const module = new URL('./keeping.thread.ts', import.meta.url)
  return world.threads.run<KeepingInput, void>(module, { databasePath, version }, { signal })
}
