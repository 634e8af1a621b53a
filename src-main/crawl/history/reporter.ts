/** The door to the reports: each is made in a thread of its own, one after the other, and within a time, since it reads a row of the
 *  database for each of millions of activities. A thread whose time is over is left to its end, and nobody waits for it. */
import { historyReports, type HistoryQuery, type HistoryReport } from '../../contract/services/history.ts'
import { Fault } from '../../contract/calls/faults.ts'
import type { OwnThread, World } from '../../world/world.ts'
import { reportHeapBytesMax, reportMsMax, reportsWaitingMax, reportStopMsMax } from './limits.ts'
import { reportOrders } from './report.ts'
import type { ReportInput } from './report.thread.ts'

export interface Reporter {
  /** Throws `Fault`: badInput for an order that the report does not have, refused when it takes too long. */
  report(query: HistoryQuery): Promise<HistoryReport>
  close(): void
}

const module = new URL('./report.thread.ts', import.meta.url)

export function openReporter(world: World, databasePath: string): Reporter {
  let thread: OwnThread | undefined
  let waiting = 0
  let isClosed = false
  let last: Promise<unknown> = Promise.resolve()

  async function make(query: HistoryQuery): Promise<HistoryReport> {
    if (isClosed) throw new Fault('stopped', 'Loupe is shutting down.')
    if (!thread || thread.ended) {
      thread = world.threads.own({ heapBytesMax: reportHeapBytesMax, stopMsMax: reportStopMsMax })
    }
    const mine = thread
    const done = new AbortController()
    const over = world.clock.sleep(reportMsMax, done.signal).then(
      () => {
        mine.close()
        throw new Fault('refused', tooLongText(query))
      },
      // It was made in time.
      () => undefined as never,
    )
    try {
      const made = mine.run<ReportInput, HistoryReport>(module, { databasePath, query })
      // After its time nobody hears how it ended.
      made.catch(() => undefined)
      return await Promise.race([made, over])
    } finally {
      done.abort()
    }
  }

  return {
    async report(query) {
      refuseOrder(query)
      if (waiting >= reportsWaitingMax)
        throw new Fault('refused', 'Too many reports are running. Wait for one of them to finish.')
      waiting += 1
      const made = last.then(() => make(query)).finally(() => (waiting -= 1))
      // The next one begins however this one ends.
      last = made.catch(() => undefined)
      return made
    },
    close() {
      isClosed = true
      thread?.close()
    },
  }
}

function refuseOrder({ report, order }: HistoryQuery): void {
  const known = reportOrders[report] ?? []
  if (order === undefined || known.includes(order)) return
  const hint = known.length === 0 ? 'it has an order of its own' : `it can be by ${known.join(', ')}`
  throw new Fault('badInput', `The report ${report} cannot be ordered by "${order}": ${hint}.`)
}

function tooLongText({ report }: HistoryQuery): string {
  const { filters } = historyReports[report]
  const narrower = (filters as readonly string[]).includes('time') ? 'a shorter time or fewer jobs' : 'fewer jobs'
  return `The report took longer than ${reportMsMax / 1000} seconds and was cancelled. Choose ${narrower}.`
}
