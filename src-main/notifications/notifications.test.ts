/** Notifications on a seeded clock: by rules, combined, repeated after failures, and delivered after a crash. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { message } from '../contract/words/message.ts'
import { openStore, StorageFault, type Store } from '../storage/storage.ts'
import { seededWorld } from '../world/testing/seeded.ts'
import type { Channel, SendResult, Sent } from './model/channel.ts'
import { defaultNotificationSettings, type NotificationSettings } from './model/notificationSettings.ts'
import { openNotifications, type Notifications } from './notifications.ts'

const minuteMs = 60_000
const failing = (isLasting: boolean): SendResult => ({ isSent: false, why: message('notification.test'), isLasting })
const sent: SendResult = { isSent: true, answer: 'ok' }
const damaged = { kind: 'copiesDamaged', message: message('notification.copiesDamaged', { count: 2 }) } as const

interface Opened {
  notifications: Notifications
  store: Store
  sleep(ms: number): Promise<void>
  /** Texts of what arrived, with the channel. */
  arrived: string[]
  /** Whether the disk takes nothing. */
  fill(isFull: boolean): void
}

/** Runs `act` with notifications whose webhook answers as `answers` says, and then takes everything. */
async function withNotifications(
  settings: Partial<NotificationSettings>,
  answers: SendResult[],
  act: (opened: Opened, reopen: () => Promise<Opened>) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'loupe-notifications-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const world = seededWorld({ seed: 1 })
  const arrived: string[] = []
  const taking = (name: string, answer: () => SendResult): Channel => ({
    async send({ id, kind, times }: Sent, recipient) {
      arrived.push(`${name}${recipient && `:${recipient}`} ${id} ${kind} ${times}`)
      return answer()
    },
  })
  let isFull = false
  const refuseFull = () => {
    if (isFull) throw new StorageFault('full', message('notification.test'))
  }
  const open = (): Opened => {
    const whole = openStore(join(folder, 'loupe.db'))
    onTestFinished(() => whole.close())
    const store: Store = {
      ...whole,
      transaction: (act) => (refuseFull(), whole.transaction(act)),
      statement: (sql) => {
        const prepared = whole.statement(sql)
        return { ...prepared, run: (given) => (refuseFull(), prepared.run(given)) }
      },
    }
    const plain = (name: string) => taking(name, () => sent)
    const notifications = openNotifications({
      ...{ store, clock: world.clock, isEngine: true, onChanged: () => undefined },
      settings: () => ({ ...defaultNotificationSettings, ...settings }),
      onBug: (error) => {
        throw error
      },
      channels: {
        ...{ log: plain('log'), desktop: plain('desktop'), email: plain('email'), module: plain('module') },
        webhook: taking('webhook', () => answers.shift() ?? sent),
      },
    })
    return { notifications, store, arrived, fill: (full) => void (isFull = full), sleep: (ms) => world.clock.sleep(ms) }
  }
  await world.run(
    (async () => {
      let opened = open()
      await act(opened, async () => {
        await opened.notifications.close()
        opened = open()
        return opened
      })
      await opened.notifications.close()
    })(),
  )
}

test('a notification goes to the channels that the rules name', () =>
  withNotifications(
    { rules: ['all -> log', 'errors -> email:a@b.example'] },
    [],
    async ({ notifications, sleep, arrived }) => {
      notifications.report(damaged)
      await sleep(1)
      expect(arrived.toSorted()).toEqual(['email:a@b.example 1 copiesDamaged 1', 'log 1 copiesDamaged 1'])
      const { rows, total, unread } = notifications.list({ offset: 0, limit: 10 })
      expect({ total, unread, states: rows[0]?.deliveries.map(({ state }) => state) }).toEqual({
        ...{ total: 1, unread: 1, states: ['delivered', 'delivered'] },
      })
      notifications.markRead(1)
      expect(notifications.list({ unread: true, offset: 0, limit: 10 })).toMatchObject({ total: 0, unread: 0 })
    },
  ))

test('equal ones are combined for a time, and an event is reported once for ever', () =>
  withNotifications({ rules: ['all -> log'], combineMinutes: 60 }, [], async ({ notifications, sleep, arrived }) => {
    const list = () => notifications.list({ offset: 0, limit: 10 }).rows.map(({ id, times }) => [id, times])
    notifications.report(damaged)
    await sleep(59 * minuteMs)
    notifications.report(damaged)
    await sleep(2 * minuteMs)
    notifications.report(damaged)
    expect(list()).toEqual([[2, 1], [1, 2]]) // prettier-ignore
    for (let round = 0; round < 3; round += 1) {
      notifications.report({ ...damaged, key: 'check 7' })
      await sleep(120 * minuteMs)
    }
    expect(list()).toEqual([[3, 1], [2, 1], [1, 2]]) // prettier-ignore
    expect(arrived).toHaveLength(3)
  }))

test('a failed delivery is repeated with growing pauses', () =>
  withNotifications(
    { rules: ['all -> webhook'] },
    [failing(false), failing(false)],
    async ({ notifications, sleep, arrived }) => {
      notifications.report(damaged)
      await sleep(29_000)
      expect(arrived).toHaveLength(1)
      await sleep(2_000)
      expect(arrived).toHaveLength(2)
      await sleep(61_000)
      expect(arrived).toHaveLength(3)
      expect(notifications.list({ offset: 0, limit: 1 }).rows[0]?.deliveries).toEqual([
        { channel: 'webhook', recipient: '', state: 'delivered', attempts: 3, problem: null },
      ])
    },
  ))

test.each([
  ['at once where another attempt would fail too', [failing(true)], 10],
  ['after the last attempt', [failing(false), failing(false)], 2],
])('one is given up %s, and that is a notification', (_name, answers, attemptsMax) =>
  withNotifications(
    { rules: ['copiesDamaged -> webhook', 'undelivered -> log'], attemptsMax },
    [...answers],
    async ({ notifications, sleep, arrived }) => {
      notifications.report(damaged)
      await sleep(10 * minuteMs)
      expect(arrived.at(-1)).toBe('log 2 undelivered 1')
      expect(notifications.list({ kind: 'copiesDamaged', offset: 0, limit: 1 }).rows[0]?.deliveries).toMatchObject([
        { state: 'failed', attempts: answers.length, problem: message('notification.test') },
      ])
    },
  ),
)

test('what was stored and not delivered is delivered by the next engine', () =>
  withNotifications(
    { rules: ['all -> webhook'] },
    [failing(false)],
    async ({ notifications, sleep, arrived }, reopen) => {
      notifications.report(damaged)
      await sleep(1)
      expect(arrived).toHaveLength(1)
      const again = await reopen()
      await again.sleep(minuteMs)
      expect(arrived).toHaveLength(2)
    },
  ))

test('a clock that is set back delays nothing', () =>
  withNotifications(
    { rules: ['all -> webhook'] },
    [failing(false)],
    async ({ notifications, store, sleep, arrived }) => {
      notifications.report(damaged)
      await sleep(1)
      // As if the next attempt had been planned before the clock was set back by a day.
      store.statement(`UPDATE notification_delivery SET next_ms = next_ms + 86400000`).run({})
      await sleep(2 * minuteMs)
      expect(arrived).toHaveLength(2)
    },
  ))

test('what cannot be stored on a full disk goes to the log at once, and what was sent is not sent again', () =>
  withNotifications({ rules: ['all -> log, webhook'] }, [], async ({ notifications, store, sleep, arrived, fill }) => {
    notifications.report(damaged)
    fill(true)
    await sleep(1)
    notifications.report({ ...damaged, key: 'check 8' })
    await sleep(3 * minuteMs)
    expect(arrived).toEqual(['log 1 copiesDamaged 1', 'log 1 copiesDamaged 1'])
    fill(false)
    await sleep(2 * minuteMs)
    expect(arrived.toSorted()).toEqual([...arrived.slice(0, 2), 'webhook 1 copiesDamaged 1'])
    expect(store.statement(`SELECT 1 FROM notification_delivery WHERE next_ms IS NOT NULL`).all({})).toEqual([])
  }))
