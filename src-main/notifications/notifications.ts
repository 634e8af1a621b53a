/**
 * Entrance of the floor: notifications are stored first and delivered by a loop, so that one is delivered at least once whatever happens
 * between. Nothing that reports one waits for its delivery.
 */
import {
  notificationKinds,
  type NotificationChannel,
  type NotificationKind,
  type NotificationRow,
  type NotificationSeverity,
} from '../contract/services/notifications.ts'
import { message, type Message } from '../contract/words/message.ts'
import { StorageFault, type Store } from '../storage/storage.ts'
import type { Clock } from '../world/world.ts'
import { deliveryLoop } from './delivery/deliveryLoop.ts'
import {
  notificationStatements,
  sentOf,
  type DeliveryDbRow,
  type NotificationDbRow,
} from './delivery/notifications.sql.ts'
import type { Channel, SendResult, Sent } from './model/channel.ts'
import { destinationsOf, readRule, type Rule } from './model/rules.ts'
import type { NotificationSettings } from './model/notificationSettings.ts'

export { emailChannel } from './channels/email.ts'
export { userModuleChannel } from './channels/userModule.ts'
export { webhookChannel } from './channels/webhook.ts'
export type { Channel, Sent } from './model/channel.ts'
export { notificationSettings, type NotificationSettings } from './model/notificationSettings.ts'

/** What is reported. */
export interface Report {
  kind: NotificationKind
  message: Message
  job?: number | null
  /** Name of the harvest that it concerns. */
  harvest?: string | null
  /** Names the event: one with the same key is reported once, for ever. Absent: equal ones are combined for a time. */
  key?: string
}

export interface NotificationQuery {
  kind?: NotificationKind | undefined
  severity?: NotificationSeverity | undefined
  unread?: boolean | undefined
  offset: number
  limit: number
}

/** The notifications of an archive. */
export interface Notifications {
  report(report: Report): void
  list(query: NotificationQuery): { rows: NotificationRow[]; total: number; unread: number }
  markRead(upTo: number): void
  /** Sends a test now, past the rules and without storing it. */
  test(channel: NotificationChannel, recipient: string): Promise<SendResult>
  /** Number of deliveries that are due or repeated later. */
  waiting(): number
  close(): Promise<void>
}

interface NotificationsSetting {
  store: Store
  clock: Clock
  /** Read whenever they are needed. */
  settings: () => NotificationSettings
  channels: Readonly<Record<NotificationChannel, Channel>>
  /** Called when a notification was added or changed. */
  onChanged(): void
  /** Called with what a delivery throws that is no fault of its channel. */
  onBug(error: unknown): void
  /** Whether this process is the engine of the archive; another one only stores what it reports. */
  isEngine: boolean
}

/** Notifications that are kept. */
const keptMax = 10_000

export function openNotifications(setting: NotificationsSetting): Notifications {
  const { store, clock, settings, channels, onChanged, isEngine } = setting
  const sql = notificationStatements(store)
  const stop = new AbortController()

  function rulesNow(): Rule[] {
    return settings().rules.flatMap((text) => {
      const rule = readRule(text)
      return 'problem' in rule ? [] : rule
    })
  }

  function stored(report: Report): boolean {
    const { kind, message: text, job = null, harvest = null, key: sourceKey = null } = report
    const atMs = clock.now()
    const values = { kind, message: JSON.stringify(text), job }
    if (sourceKey === null) {
      const sinceMs = atMs - settings().combineMinutes * 60_000
      if (sql.combine.get({ ...values, sinceMs, untilMs: atMs })) return true
    }
    const added = sql.add.get({ ...values, severity: notificationKinds[kind], atMs, harvest, sourceKey })
    if (!added) return false
    for (const to of destinationsOf(rulesNow(), { kind, harvest }))
      sql.addDelivery.run({ id: added.id, ...to, nextMs: atMs })
    sql.prune.run({ keep: keptMax })
    return true
  }

  /** Sends at once, to where that needs no repetition, what cannot be stored: a full disk is among what is reported. */
  function sendUnstored({ kind, message: text, job = null, harvest = null }: Report): void {
    const severity = notificationKinds[kind]
    const sent: Sent = { id: 1, kind, severity, at: new Date(clock.now()).toISOString(), message: text, job, harvest, times: 1 } // prettier-ignore
    for (const { channel, recipient } of destinationsOf(rulesNow(), { kind, harvest }))
      if (channel === 'log' || channel === 'desktop')
        channels[channel].send(sent, recipient, stop.signal).catch(setting.onBug)
  }

  function report(given: Report): void {
    const isAdded = orUnstored(
      () => store.transaction(() => stored(given)),
      () => sendUnstored(given),
    )
    if (!isAdded) return
    onChanged()
    loop.ring()
  }

  // One about a lost notification that is lost itself ends here.
  const loop = deliveryLoop({
    ...{ store, clock, settings, channels, onChanged },
    onLost: ({ kind, channel, why: problem }) => {
      if (kind === 'undelivered') return
      report({ kind: 'undelivered', message: message('notification.undelivered', { channel, problem }) })
    },
  })
  const looping = isEngine ? loop.run(stop.signal).catch(setting.onBug) : Promise.resolve()
  return {
    report,
    list({ kind = null, severity = null, unread = false, ...page }) {
      const filter = { kind, severity, unread: Number(unread) }
      return {
        rows: sql.list.all({ ...filter, ...page }).map((row) => shown(row, sql.deliveries.all({ id: row.id }))),
        total: sql.total.get(filter)?.total ?? 0,
        unread: sql.total.get({ kind: null, severity: null, unread: 1 })?.total ?? 0,
      }
    },
    markRead(upTo) {
      sql.markRead.run({ upTo })
      onChanged()
    },
    test: (channel, recipient) => channels[channel].send(testOf(clock.now()), recipient, stop.signal),
    waiting: () => sql.waiting.get({})?.total ?? 0,
    async close() {
      stop.abort()
      await looping
    },
  }
}

/** Returns the result of `write`, or undefined after `otherwise` where the database takes nothing. */
function orUnstored<Result>(write: () => Result, otherwise: () => void): Result | undefined {
  try {
    return write()
  } catch (error) {
    if (!(error instanceof StorageFault)) throw error
    otherwise()
    return undefined
  }
}

function testOf(nowMs: number): Sent {
  const text = message('notification.test')
  const at = new Date(nowMs).toISOString()
  return { id: 1, kind: 'test', severity: 'info', at, message: text, job: null, harvest: null, times: 1 }
}

function shown(row: NotificationDbRow, deliveries: readonly DeliveryDbRow[]): NotificationRow {
  return {
    ...{ ...sentOf(row), isRead: row.isRead === 1 },
    deliveries: deliveries.map(({ channel, recipient, attempts, nextMs, isDelivered, problem }) => ({
      ...{ channel, recipient, attempts },
      state: isDelivered === 1 ? 'delivered' : nextMs === null ? 'failed' : 'waiting',
      problem: problem === null ? null : (JSON.parse(problem) as Message),
    })),
  }
}
