/** The status of the engine as text for Prometheus (exposition format 0.0.4). Pure. */
import { textFor } from '../../contract/words/render.ts'
import type { EngineStatus } from '../../contract/services/monitoring.ts'

type Labels = Readonly<Record<string, string>>

interface Metric {
  name: string
  help: string
  type: 'gauge' | 'counter'
  values: readonly { labels?: Labels; value: number }[]
}

/** Returns the text, with a line feed at its end. */
export function metricsText(status: EngineStatus): string {
  return metricsOf(status).map(textOf).join('')
}

function textOf({ name, help, type, values }: Metric): string {
  const lines = values.map(({ labels = {}, value }) => `${name}${labelsText(labels)} ${value}`)
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines].map((line) => `${line}\n`).join('')
}

/** Backslash, quotation mark and line feed are escaped in values. */
function labelsText(labels: Labels): string {
  const parts = Object.entries(labels).map(
    ([name, value]) => `${name}="${value.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`,
  )
  return parts.length === 0 ? '' : `{${parts.join(',')}}`
}

function metricsOf(status: EngineStatus): Metric[] {
  const { loops, jobs, urlsQueued, channels, queues, memory, database, diskFreeBytes, uptimeSeconds, viewings } = status
  const gauge = (name: string, help: string, value: number): Metric => ({
    name,
    help,
    type: 'gauge',
    values: [{ value }],
  })
  const by = (label: string, counts: Readonly<Record<string, number | undefined>>) =>
    Object.entries(counts).map(([name, value = 0]) => ({ labels: { [label]: name }, value }))
  const ofLoops = (valueOf: (loop: EngineStatus['loops'][number]) => number) =>
    loops.map((loop) => ({ labels: { loop: loop.name }, value: valueOf(loop) }))
  return [
    gauge('loupe_uptime_seconds', textFor('metric.uptimeSeconds'), uptimeSeconds),
    { name: 'loupe_jobs', help: textFor('metric.jobs'), type: 'gauge', values: by('status', jobs) },
    gauge('loupe_urls_queued', textFor('metric.urlsQueued'), urlsQueued),
    {
      ...{ name: 'loupe_channel_jobs', help: textFor('metric.channelJobs'), type: 'gauge' },
      values: by('channel', channels),
    },
    gauge('loupe_tasks_active', textFor('metric.tasksActive'), queues.tasksActive),
    gauge('loupe_notifications_waiting', textFor('metric.notificationsWaiting'), queues.notificationsWaiting),
    gauge('loupe_resident_memory_bytes', textFor('metric.residentMemoryBytes'), memory.residentBytes),
    gauge('loupe_heap_bytes', textFor('metric.heapBytes'), memory.heapBytes),
    gauge('loupe_database_bytes', textFor('metric.databaseBytes'), database.bytes),
    gauge('loupe_database_wal_bytes', textFor('metric.databaseWalBytes'), database.walBytes),
    ...(diskFreeBytes === null ? [] : [gauge('loupe_disk_free_bytes', textFor('metric.diskFreeBytes'), diskFreeBytes)]),
    gauge('loupe_viewings', textFor('metric.viewings'), viewings),
    { name: 'loupe_loop_passes_total', help: textFor('metric.loopPassesTotal'), type: 'counter', values: ofLoops(({ passes }) => passes) },
    { name: 'loupe_loop_failures_total', help: textFor('metric.loopFailuresTotal'), type: 'counter', values: ofLoops(({ failures }) => failures) },
    { name: 'loupe_loop_last_seconds', help: textFor('metric.loopLastSeconds'), type: 'gauge', values: ofLoops(({ lastMs }) => (lastMs ?? 0) / 1000) },
  ] // prettier-ignore
}
