/** Sends what is due, one delivery after the other, and notes what became of it. */
import type { NotificationChannel, NotificationKind } from '../../contract/services/notifications.ts'
import type { Message } from '../../contract/words/message.ts'
import { StorageFault, type Store } from '../../storage/storage.ts'
import { sleepUnlessAborted } from '../../world/sleepUnlessAborted.ts'
import type { Clock } from '../../world/world.ts'
import type { Channel, SendResult } from '../model/channel.ts'
import type { NotificationSettings } from '../model/notificationSettings.ts'
import { notificationStatements, sentOf, type DeliveryDbRow } from './notifications.sql.ts'

interface DeliverySetting {
  store: Store
  clock: Clock
  settings: () => Pick<NotificationSettings, 'attemptsMax'>
  channels: Readonly<Record<NotificationChannel, Channel>>
  onChanged(): void
  /** Called when a delivery was given up. */
  onLost(lost: { kind: NotificationKind; channel: NotificationChannel; why: Message }): void
}

/** The loop. */
export interface DeliveryLoop {
  /** Looks for what is due at once. */
  ring(): void
  /** Resolves when it has ended. */
  run(signal: AbortSignal): Promise<void>
}

/** Pause after the first failed attempt; doubled for each further one. */
const retryMs = 30_000
/** Longest pause between two attempts. */
const retryMsMax = 3_600_000
/** How long the loop sleeps when nothing is due: another process may have stored a notification. */
const lookMsMax = 60_000

/** Opens the loop; it sends nothing until `run`. */
export function deliveryLoop({ store, clock, settings, channels, onChanged, onLost }: DeliverySetting): DeliveryLoop {
  const sql = notificationStatements(store)
  /** What was sent and could not be noted, because the disk was full: it is not sent again. */
  const unsettled = new Map<string, SendResult>()
  let ring = new AbortController()

  async function deliver(due: DeliveryDbRow, signal: AbortSignal): Promise<void> {
    const row = sql.one.get({ id: due.id })
    if (!row) return
    const { channel, recipient, id } = due
    const key = `${id} ${channel} ${recipient}`
    const result = unsettled.get(key) ?? (await channels[channel].send(sentOf(row), recipient, signal))
    if (signal.aborted && !result.isSent) return
    unsettled.set(key, result)
    const attempts = due.attempts + 1
    const isOver = result.isSent || result.isLasting || attempts >= settings().attemptsMax
    const nextMs = isOver ? null : clock.now() + Math.min(retryMsMax, retryMs * 2 ** due.attempts)
    const problem = result.isSent ? null : JSON.stringify(result.why)
    sql.settle.run({ id, channel, recipient, nextMs, isDelivered: Number(result.isSent), problem })
    unsettled.delete(key)
    onChanged()
    if (isOver && !result.isSent) onLost({ kind: row.kind, channel, why: result.why })
  }

  return {
    ring: () => ring.abort(),
    async run(signal) {
      while (!signal.aborted) {
        ring = new AbortController()
        const nowMs = clock.now()
        const due = sql.due.get({ nowMs, latestMs: nowMs + retryMsMax })
        if (due && !(await isNoted(deliver(due, signal)))) await sleepUnlessAborted(clock, lookMsMax, signal)
        if (due) continue
        const next = sql.next.get({})?.nextMs ?? Infinity
        const sleepMs = Math.max(1, Math.min(lookMsMax, next - nowMs))
        await sleepUnlessAborted(clock, sleepMs, AbortSignal.any([signal, ring.signal]))
      }
    },
  }
}

/** Whether what became of a delivery could be stored. */
async function isNoted(delivering: Promise<void>): Promise<boolean> {
  try {
    await delivering
    return true
  } catch (error) {
    if (!(error instanceof StorageFault)) throw error
    return false
  }
}
