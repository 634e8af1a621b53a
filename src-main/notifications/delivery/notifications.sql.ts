/** SQL statements about notifications and their deliveries. */
import type { NotificationKind, NotificationSeverity } from '../../contract/services/notifications.ts'
import type { Store } from '../../storage/storage.ts'
import type { Message } from '../../contract/words/message.ts'
import type { Sent } from '../model/channel.ts'
import type { Destination } from '../model/rules.ts'

/** A stored notification. */
export interface NotificationDbRow {
  id: number
  kind: NotificationKind
  severity: NotificationSeverity
  atMs: number
  message: string
  job: number | null
  harvest: string | null
  times: number
  isRead: number
}

/** A stored delivery. */
export interface DeliveryDbRow extends Destination {
  id: number
  attempts: number
  nextMs: number | null
  isDelivered: number
  problem: string | null
}

interface Filter {
  kind: NotificationKind | null
  severity: NotificationSeverity | null
  unread: number
}

const columns = `id, kind, severity, at_ms AS atMs, message, job_id AS job, harvest, times, is_read AS isRead`
const deliveryColumns = `notification_id AS id, channel, recipient, attempts, next_ms AS nextMs, is_delivered AS isDelivered, problem`
const filter = `(@kind IS NULL OR kind = @kind) AND (@severity IS NULL OR severity = @severity) AND (@unread = 0 OR is_read = 0)`

/** Prepares the statements. */
export function notificationStatements(store: Store) {
  return {
    /** Adds nothing where the event has been reported already. */
    add: store.statement<
      Omit<NotificationDbRow, 'id' | 'times' | 'isRead'> & { sourceKey: string | null },
      { id: number }
    >(
      `INSERT INTO notification (kind, severity, at_ms, message, job_id, harvest, source_key)
       VALUES (@kind, @severity, @atMs, @message, @job, @harvest, @sourceKey)
       ON CONFLICT (source_key) DO NOTHING RETURNING id`,
    ),
    /** Counts an equal notification. Uses notification_by_message. */
    combine: store.statement<
      Pick<NotificationDbRow, 'kind' | 'message' | 'job'> & { sinceMs: number; untilMs: number },
      { id: number }
    >(
      `UPDATE notification SET times = times + 1, is_read = 0 WHERE id = (
         SELECT id FROM notification WHERE kind = @kind AND message = @message AND at_ms BETWEEN @sinceMs AND @untilMs
           AND job_id IS @job AND source_key IS NULL ORDER BY at_ms DESC LIMIT 1) RETURNING id`,
    ),
    addDelivery: store.statement<Destination & { id: number; nextMs: number }>(
      `INSERT INTO notification_delivery (notification_id, channel, recipient, next_ms)
       VALUES (@id, @channel, @recipient, @nextMs)`,
    ),
    one: store.statement<{ id: number }, NotificationDbRow>(`SELECT ${columns} FROM notification WHERE id = @id`),
    deliveries: store.statement<{ id: number }, DeliveryDbRow>(
      `SELECT ${deliveryColumns} FROM notification_delivery WHERE notification_id = @id ORDER BY channel, recipient`,
    ),
    list: store.statement<Filter & { offset: number; limit: number }, NotificationDbRow>(
      `SELECT ${columns} FROM notification WHERE ${filter} ORDER BY id DESC LIMIT @limit OFFSET @offset`,
    ),
    total: store.statement<Filter, { total: number }>(`SELECT COUNT(*) AS total FROM notification WHERE ${filter}`),
    markRead: store.statement<{ upTo: number }>(
      `UPDATE notification SET is_read = 1 WHERE id <= @upTo AND is_read = 0`,
    ),
    /** The first delivery that is due. A time beyond the longest pause was made before the clock was set back. */
    due: store.statement<{ nowMs: number; latestMs: number }, DeliveryDbRow>(
      `SELECT ${deliveryColumns} FROM notification_delivery
       WHERE next_ms <= @nowMs OR next_ms > @latestMs ORDER BY next_ms LIMIT 1`,
    ),
    next: store.statement<Record<string, never>, { nextMs: number | null }>(
      `SELECT MIN(next_ms) AS nextMs FROM notification_delivery WHERE next_ms IS NOT NULL`,
    ),
    waiting: store.statement<Record<string, never>, { total: number }>(
      `SELECT COUNT(*) AS total FROM notification_delivery WHERE next_ms IS NOT NULL`,
    ),
    settle: store.statement<
      Destination & { id: number; nextMs: number | null; isDelivered: number; problem: string | null }
    >(
      `UPDATE notification_delivery SET attempts = attempts + 1, next_ms = @nextMs, is_delivered = @isDelivered, problem = @problem
       WHERE notification_id = @id AND channel = @channel AND recipient = @recipient`,
    ),
    /** Removes the oldest notifications that nothing waits for. */
    prune: store.statement<{ keep: number }>(
      `DELETE FROM notification WHERE id <= (SELECT id FROM notification ORDER BY id DESC LIMIT 1 OFFSET @keep)
         AND NOT EXISTS (SELECT 1 FROM notification_delivery WHERE notification_id = notification.id AND next_ms IS NOT NULL)`,
    ),
  }
}

/** Returns what a channel sends of a stored notification. */
export function sentOf({ atMs, message: text, isRead: _, ...row }: NotificationDbRow): Sent {
  return { ...row, at: new Date(atMs).toISOString(), message: JSON.parse(text) as Message }
}
