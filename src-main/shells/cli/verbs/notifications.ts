/** The verbs `loupe notifications list|read|test`. */
import {
  notificationKindMessage,
  type NotificationChannel,
  type NotificationRow,
  type NotificationSeverity,
} from '../../../contract/services/notifications.ts'
import { textFor, textOf } from '../../../contract/words/render.ts'
import { momentText, table } from '../output/output.ts'
import type { Command, ExitCode } from '../session/command.ts'

export interface NotificationFilter {
  severity?: NotificationSeverity
  unread?: true
  limit?: number
}

/** Rows that are listed unless the option says otherwise. */
const rowsUsual = 50

/** Lists notifications, the newest first: exit code 1 if errors are unread. */
export async function listNotifications(command: Command, filter: NotificationFilter): Promise<ExitCode> {
  const { limit = rowsUsual, ...query } = filter
  return command.withSession('looks', async ({ services }) => {
    const { rows, total } = await services.notifications.list({ ...query, offset: 0, limit })
    command.output.result(rows, () => (rows.length === 0 ? textFor('cli.notifications.none') : rowsTable(rows)))
    if (total > rows.length) command.output.note(textFor('cli.domains.more', { shown: rows.length, total }))
    return rows.some(({ severity, isRead }) => severity === 'error' && !isRead) ? 1 : 0
  })
}

function rowsTable(rows: readonly NotificationRow[]): string {
  return table(
    ['time', 'kind', '>times', 'to', 'problem'],
    rows.map((row) => [
      ...[momentText(row.at, ''), textOf(notificationKindMessage(row.kind)), row.times],
      row.deliveries.map(({ channel, state }) => textFor(`cli.notifications.${state}`, { channel })).join(', '),
      textOf(row.message),
    ]),
  )
}

/** Marks all notifications as read, up to the newest one. */
export async function readNotifications(command: Command): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const { rows, unread } = await services.notifications.list({ offset: 0, limit: 1 })
    const upTo = rows[0]?.id
    if (upTo !== undefined) await services.notifications.markRead({ upTo })
    command.output.result({ read: unread }, () => textFor('cli.notifications.read', { read: unread }))
    return 0
  })
}

export async function testNotification(
  command: Command,
  channel: NotificationChannel,
  recipient: string | undefined,
): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const result = await services.notifications.test({ channel, ...(recipient !== undefined && { recipient }) })
    command.output.result(result, () => textFor('cli.notifications.tested', { channel, answer: result.answer }))
    return 0
  })
}
