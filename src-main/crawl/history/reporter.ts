/** Entry point of the reports. They are made in a separate thread, one after the other and within a time limit, since a report may
 *  read millions of rows. A thread that exceeds the limit is closed, and the next report gets a new one. */
import { oneAtATime } from '../../contract/calls/oneAtATime.ts'
import { historyReports, type HistoryQuery, type HistoryReport } from '../../contract/services/history.ts'
import type { LinkGraph, LinkGraphQuery } from '../../contract/services/linkGraph.ts'
import { message, type Message } from '../../contract/words/message.ts'
import { Fault } from '../../contract/calls/faults.ts'
import type { OwnThread, World } from '../../world/world.ts'
import type { LinkGraphInput } from './linkGraph.thread.ts'
import { reportHeapBytesMax, reportMsMax, reportsWaitingMax, reportStopMsMax } from './limits.ts'
import { reportOrders } from './report.ts'
import type { ReportInput } from './report.thread.ts'

/** Makes reports. */
export interface Reporter {
  /** Makes a report. Throws `Fault`: badInput for an order that the report does not have, refused if it takes too long or too many
   *  reports are waiting. */
  report(query: HistoryQuery): Promise<HistoryReport>
  /** Counts the links between the hosts of a job. Throws `Fault` refused as `report` does. */
  linkGraph(query: LinkGraphQuery): Promise<LinkGraph>
  close(): void
}

/** What one thread makes after the other. */
interface Wanted<Input> {
  module: URL
  input: Input
  /** What is said when it takes longer than `reportMsMax`. */
  tooLong: Message
}

/** Opens the reports of a database; the thread is started when it is first needed. */
export function openReporter(world: World, databasePath: string): Reporter {
  let thread: OwnThread | undefined
  let waiting = 0
  let isClosed = false
  const inTurn = oneAtATime()

  async function make<Input, Made>({ module, input, tooLong: late }: Wanted<Input>): Promise<Made> {
    if (isClosed) throw new Fault('stopped', message('engine.shutDown'))
    if (!thread || thread.ended) {
      thread = world.threads.own({ heapBytesMax: reportHeapBytesMax, stopMsMax: reportStopMsMax })
    }
    const mine = thread
    const done = new AbortController()
    const over = world.clock.sleep(reportMsMax, done.signal).then(
      () => {
        mine.close()
        throw new Fault('refused', late)
      },
      // The report was made in time.
      () => undefined as never,
    )
    try {
      const made = mine.run<Input, Made>(module, input)
      // A rejection after the time limit is ignored.
      made.catch(() => undefined)
      return await Promise.race([made, over])
    } finally {
      done.abort()
    }
  }

  async function madeInTurn<Input, Made>(wanted: Wanted<Input>): Promise<Made> {
    if (waiting >= reportsWaitingMax) throw new Fault('refused', message('history.busy'))
    waiting += 1
    return inTurn(() => make<Input, Made>(wanted)).finally(() => (waiting -= 1))
  }

  return {
    async report(query) {
      refuseOrder(query)
      const module = new URL('./report.thread.ts', import.meta.url)
      return madeInTurn<ReportInput, HistoryReport>({
        ...{ module, input: { databasePath, query }, tooLong: tooLong(query) },
      })
    },
    async linkGraph(query) {
      const module = new URL('./linkGraph.thread.ts', import.meta.url)
      const late = message('history.linkGraph.tooLong', { seconds: reportMsMax / 1000 })
      return madeInTurn<LinkGraphInput, LinkGraph>({ module, input: { databasePath, query }, tooLong: late })
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
