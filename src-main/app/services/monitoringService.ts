/** Service `monitoring` of the contract: the state of the running engine. Everything is read when it is asked for. */
import type { Loupe } from '../../contract/contract.ts'
import type { EngineLogLine, EngineStatus, LoopState } from '../../contract/services/monitoring.ts'
import type { Jobs } from '../../crawl/crawl.ts'
import type { Harvests } from '../../harvest/harvest.ts'
import type { Notifications } from '../../notifications/notifications.ts'
import type { Tasks } from '../../tasks/tasks.ts'
import type { Viewer } from '../../viewer/viewer.ts'
import { DiskFault, type World } from '../../world/world.ts'
import { metricsText } from '../monitoring/metricsText.ts'
import type { Problem, Signals } from '../signals/signals.ts'

interface MonitoringParts {
  world: World
  archiveFolder: string
  databasePath: string
  jobs: Pick<Jobs, 'list' | 'latestLog'>
  tasks: Pick<Tasks, 'list'>
  viewer: Pick<Viewer, 'own' | 'current'>
  harvests: Pick<Harvests, 'waiting'>
  notifications: Pick<Notifications, 'waiting'>
  signals: Pick<Signals, 'onProblem'>
  /** The loops of all threads. */
  loops: () => LoopState[]
}

/** Problems that are kept for the log. */
const problemsMax = 200

export function monitoringService(parts: MonitoringParts): Loupe['monitoring'] {
  const { world, signals, jobs } = parts
  const startedMs = world.clock.now()
  const startedElapsedMs = world.clock.elapsed()
  const problems: EngineLogLine[] = []
  signals.onProblem(({ at, message, job }: Problem & { at: string }) => {
    problems.unshift({ at, level: 'error', message, job })
    problems.length = Math.min(problems.length, problemsMax)
  })

  async function status(): Promise<EngineStatus> {
    const listed = jobs.list()
    const byStatus: EngineStatus['jobs'] = {}
    for (const job of listed) byStatus[job.status] = (byStatus[job.status] ?? 0) + 1
    const { heapUsed, rss } = process.memoryUsage()
    return {
      startedAt: new Date(startedMs).toISOString(),
      uptimeSeconds: (world.clock.elapsed() - startedElapsedMs) / 1000,
      loops: parts.loops(),
      jobs: byStatus,
      urlsQueued: listed.reduce((sum, { queued }) => sum + queued, 0),
      channels: await parts.harvests.waiting(),
      queues: {
        tasksActive: parts.tasks.list({ limit: 1_000 }).filter(({ ended }) => ended === null).length,
        notificationsWaiting: parts.notifications.waiting(),
      },
      memory: { residentBytes: rss, heapBytes: heapUsed },
      database: { bytes: await bytesOf(parts.databasePath), walBytes: await bytesOf(`${parts.databasePath}-wal`) },
      diskFreeBytes: await freeBytes(),
      viewings: parts.viewer.own().length + (parts.viewer.current() === undefined ? 0 : 1),
    }
  }

  async function bytesOf(path: string): Promise<number> {
    return (await world.disk.stat(path))?.bytes ?? 0
  }

  /** Null where the system does not say. */
  async function freeBytes(): Promise<number | null> {
    try {
      return await world.disk.freeBytes(parts.archiveFolder)
    } catch (error) {
      if (!(error instanceof DiskFault)) throw error
      return null
    }
  }

  return {
    status,
    log: async ({ limit = 200 }) =>
      [...problems, ...jobs.latestLog(limit)].toSorted((one, other) => other.at.localeCompare(one.at)).slice(0, limit),
    metrics: async () => ({ text: metricsText(await status()) }),
  }
}
