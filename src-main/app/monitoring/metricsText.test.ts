import { expect, test } from 'vitest'
import type { EngineStatus } from '../../contract/services/monitoring.ts'
import { metricsText } from './metricsText.ts'

const status: EngineStatus = {
  ...{ startedAt: '2026-11-26T10:00:00.000Z', uptimeSeconds: 12.5, diskFreeBytes: null, viewings: 2 },
  loops: [{ name: 'stuffer', isRunning: false, passes: 3, failures: 1, began: null, lastMs: 250, problem: null }],
  ...{ jobs: { Done: 4, 'Done, incomplete': 1 }, urlsQueued: 7 },
  channels: { 'a "quoted" \\ name\n': 1 },
  queues: { tasksActive: 0, notificationsWaiting: 6 },
  ...{ memory: { residentBytes: 100, heapBytes: 50 }, database: { bytes: 10, walBytes: 1 } },
}

/** Reads the exposition format strictly: every sample follows the HELP and TYPE of its name. */
function parsed(text: string): Map<string, number> {
  const samples = new Map<string, number>()
  expect(text.endsWith('\n')).toBe(true)
  let name = ''
  for (const line of text.trimEnd().split('\n')) {
    const help = /^# HELP ([a-z_]+) \S.*$/.exec(line)?.[1]
    const type = /^# TYPE ([a-z_]+) (gauge|counter)$/.exec(line)?.[1]
    if (help !== undefined) name = help
    else if (type !== undefined) expect(type).toBe(name)
    else {
      const [, of, labels = '', value] =
        /^([a-z_]+)(\{[a-z]+="(?:[^"\\\n]|\\["\\n])*"\})? (\d+(?:\.\d+)?)$/.exec(line) ?? expect.unreachable(line)
      expect(of).toBe(name)
      samples.set(`${of}${labels}`, Number(value))
    }
  }
  return samples
}

test('has every number with its help and type', () => {
  const samples = parsed(metricsText(status))
  expect(Object.fromEntries(samples)).toMatchObject({
    ...{ loupe_uptime_seconds: 12.5, loupe_urls_queued: 7, loupe_notifications_waiting: 6, loupe_viewings: 2 },
    'loupe_jobs{status="Done, incomplete"}': 1,
    'loupe_channel_jobs{channel="a \\"quoted\\" \\\\ name\\n"}': 1,
    'loupe_loop_failures_total{loop="stuffer"}': 1,
    'loupe_loop_last_seconds{loop="stuffer"}': 0.25,
  })
  expect([...samples.keys()]).not.toContain('loupe_disk_free_bytes')
})
