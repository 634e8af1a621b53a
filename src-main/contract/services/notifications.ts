/** Notifications: what people are told without having asked, such as failed jobs and damaged copies. */
import { z } from 'zod'
import { call, event } from '../calls/service.ts'
import { count, jobId, messageShape, nothing, page, time } from '../shapes/shapes.ts'
import { message, type Message } from '../words/message.ts'

/** Severities, from the least. */
export const notificationSeverities = ['info', 'warning', 'error'] as const
export type NotificationSeverity = (typeof notificationSeverities)[number]

/** Kinds of notifications with the severity of each. */
export const notificationKinds = {
  /** The jobs of a harvest could not be generated, so it was deactivated. */
  harvestDeactivated: 'error',
  jobFailed: 'error',
  /** A run of a harvest is much smaller or larger than earlier ones. */
  abnormalRun: 'warning',
  copiesDamaged: 'error',
  backupFailed: 'error',
  /** Documents were refused or given up by a destination of a delivery plan, or a scan has failed. */
  deliveryFailed: 'error',
  /** It is not known whether documents have arrived at a destination, and they are not sent again. */
  deliveryUnknown: 'warning',
  /** A fault outside of any call: the disk is full, a thread has failed. */
  problem: 'error',
  /** A channel did not take a notification, and it was given up. */
  undelivered: 'warning',
  /** A user tests a channel. */
  test: 'info',
} as const satisfies Record<string, NotificationSeverity>
export type NotificationKind = keyof typeof notificationKinds
export const notificationKindNames = Object.keys(notificationKinds) as [NotificationKind, ...NotificationKind[]]

/** Returns the few words of a kind. */
export function notificationKindMessage(kind: NotificationKind): Message {
  return message(`notification.kind.${kind}`)
}

/** Ways in which notifications reach people. */
export const notificationChannels = ['log', 'desktop', 'email', 'webhook', 'module'] as const
export type NotificationChannel = (typeof notificationChannels)[number]

const delivery = z.object({
  channel: z.enum(notificationChannels),
  /** Address of an e-mail; '': the channel has one recipient. */
  recipient: z.string(),
  state: z.enum(['waiting', 'delivered', 'failed']),
  attempts: count,
  /** Why the last attempt failed; null: none has. */
  problem: messageShape.nullable(),
})

/** Shape of a notification. */
export const notificationRow = z.object({
  id: z.int().min(1),
  kind: z.enum(notificationKindNames),
  severity: z.enum(notificationSeverities),
  at: time,
  message: messageShape,
  job: jobId.nullable(),
  /** Name of the harvest; null: it concerns none. */
  harvest: z.string().nullable(),
  /** How often it was reported within the interval in which equal ones are combined. */
  times: z.int().min(1),
  isRead: z.boolean(),
  deliveries: z.array(delivery),
})
export type NotificationRow = z.output<typeof notificationRow>

export const notificationCalls = {
  /** Newest first. */
  list: call(
    z.strictObject({
      kind: z.enum(notificationKindNames).optional(),
      severity: z.enum(notificationSeverities).optional(),
      unread: z.boolean().optional(),
      ...page,
    }),
    z.object({ rows: z.array(notificationRow), total: count, unread: count }),
  ),
  /** Marks all notifications up to this one as read. */
  markRead: call(z.strictObject({ upTo: z.int().min(1) }), nothing),
  /** Sends a test through a channel now, and returns what the other side answered. Rejects with `Fault` refused, and why. */
  test: call(
    z.strictObject({ channel: z.enum(notificationChannels), recipient: z.string().default('') }),
    z.object({ answer: z.string() }),
  ),
  /** A rule sends the notification to the desktop. */
  shown: event(notificationRow),
  /** A notification was added, or one of them changed. */
  changed: event(nothing),
} as const
