/** Makes notifications of what running plans report. A destination may refuse thousands of documents: equal reports within a second are one. */
import { message } from '../../contract/words/message.ts'
import type { DeliveryReport } from '../../delivery/delivery.ts'
import type { Notifications, Report } from '../../notifications/notifications.ts'
import type { Clock } from '../../world/world.ts'

const pauseMs = 1_000

/** Returns the function that takes the reports of plans. */
export function deliveryReports(
  notifications: Pick<Notifications, 'report'>,
  clock: Pick<Clock, 'elapsed'>,
): (plan: string, report: DeliveryReport) => void {
  /** When each kind was reported last, by plan and destination: their number is that of the steps of plans. */
  const reportedMs = new Map<string, number>()
  return (plan, report) => {
    const where = report.kind === 'scanFailed' ? report.scanner : report.destination
    const key = JSON.stringify([report.kind, plan, where])
    const nowMs = clock.elapsed()
    if (nowMs - (reportedMs.get(key) ?? -pauseMs) < pauseMs) return
    reportedMs.set(key, nowMs)
    notifications.report(notificationOf(plan, report))
  }
}

function notificationOf(plan: string, report: DeliveryReport): Report {
  if (report.kind === 'scanFailed') {
    const { scanner, why: problem } = report
    return { kind: 'deliveryFailed', message: message('notification.scanFailed', { plan, scanner, problem }) }
  }
  const values = { plan, destination: report.destination }
  return report.kind === 'failed'
    ? { kind: 'deliveryFailed', message: message('notification.deliveryFailed', values) }
    : { kind: 'deliveryUnknown', message: message('notification.deliveryUnknown', values) }
}
