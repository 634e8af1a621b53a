/** Entry point of the reports. They are made in a separate thread, one after the other and within a time limit, since a report may
 *  read millions of rows. A thread that exceeds the limit is closed, and the next report gets a new one. */
import { oneAtATime } from '../../contract/calls/oneAtATime.ts'
import { historyReports, type HistoryQuery, type HistoryReport } from '../../contract/services/history.ts'
import { message, type Message } from '../../contract/words/message.ts'
import { Fault } from '../../contract/calls/faults.ts'
import type { OwnThread, World } from '../../world/world.ts'
import { reportHeapBytesMax, reportMsMax, reportsWaitingMax, reportStopMsMax } from './limits.ts'
import { reportOrders } from './report.ts'
import type { ReportInput } from './report.thread.ts'

/** Makes reports. */
export interface Reporter {
  /** Makes a report. Throws `Fault`: badInput for an order that the report does not have, refused if it takes too long or too many
   *  reports are waiting. */
  report(query: HistoryQuery): Promise<HistoryReport>
  close(): void
}

const module = new URL('./report.thread.ts', import.meta.url)

/** Opens the reports of a database; the thread is started when it is first needed. */
export function openReporter(world: World, databasePath: string): Reporter {
  let thread: OwnThread | undefined
  let waiting = 0
  let isClosed = false
  const inTurn = oneAtATime()

  async function make(query: HistoryQuery): Promise<HistoryReport> {
    if (isClosed) throw new Fault('stopped', message('engine.shutDown'))
    if (!thread || thread.ended) {
      thread = world.threads.own({ heapBytesMax: reportHeapBytesMax, stopMsMax: reportStopMsMax })
    }
    const mine = thread
    const done = new AbortController()
    const over = world.clock.sleep(reportMsMax, done.signal).then(
      () => {
        mine.close()
        throw new Fault('refused', tooLong(query))
      },
      // The report was made in time.
      () => undefined as never,
    )
    try {
      const made = mine.run<ReportInput, HistoryReport>(module, { databasePath, query })
      // A rejection after the time limit is ignored.
      made.catch(() => undefined)
      return await Promise.race([made, over])
    } finally {
      done.abort()
    }
  }

  return {
    async report(query) {
      refuseOrder(query)
      if (waiting >= reportsWaitingMax) throw new Fault('refused', message('history.busy'))
      waiting += 1
      return inTurn(() => make(query)).finally(() => (waiting -= 1))
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
  const refusal =
    known.length === 0
      ? message('history.noOrder', { report, order })
      : message('history.otherOrder', { report, order, orders: known.join(', ') })
  throw new Fault('badInput', refusal)
}

function tooLong({ report }: HistoryQuery): Message {
  const { filters } = historyReports[report]
  const hasTime = (filters as readonly string[]).includes('time')
  return message(hasTime ? 'history.tooLong.time' : 'history.tooLong', { seconds: reportMsMax / 1000 })
}
