/** A channel: takes notifications to people. */
import type { NotificationRow } from '../../contract/services/notifications.ts'
import type { Message } from '../../contract/words/message.ts'

/** What is sent: a notification without the state of its deliveries. */
export type Sent = Omit<NotificationRow, 'deliveries' | 'isRead'>

/** What became of an attempt. */
export type SendResult =
  | { isSent: true; answer: string }
  /** `isLasting`: another attempt would fail too. */
  | { isSent: false; why: Message; isLasting: boolean }

/** A channel. A notification may be sent again after a crash: its `id` is sent along, so that the other side can tell. */
export interface Channel {
  send(notification: Sent, recipient: string, signal: AbortSignal): Promise<SendResult>
}
