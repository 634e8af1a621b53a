/** Arguments and options of `loupe notifications`. */
import type { Command as Program } from 'commander'
import {
  notificationChannels,
  notificationSeverities,
  type NotificationChannel,
} from '../../../contract/services/notifications.ts'
import { textFor } from '../../../contract/words/render.ts'
import { choiceArgument, choiceOption } from '../input/choices.ts'
import * as word from '../input/optionValues.ts'
import type { Run } from '../session/command.ts'
import type { NotificationFilter } from '../verbs/notifications.ts'

const verbs = () => import('../verbs/notifications.ts')

export function addNotificationVerbs(program: Program, run: Run): void {
  const notifications = program.command('notifications').description(textFor('help.notifications'))
  notifications
    .command('list')
    .description(textFor('help.notifications.list'))
    .addOption(choiceOption('--severity <severity>', textFor('help.notifications.severity'), notificationSeverities))
    .option('--unread', textFor('help.notifications.unread'))
    .option('--limit <n>', textFor('help.notifications.limit'), word.positive)
    .action((filter: NotificationFilter) => run(async (command) => (await verbs()).listNotifications(command, filter)))
  notifications
    .command('read')
    .description(textFor('help.notifications.read'))
    .action(() => run(async (command) => (await verbs()).readNotifications(command)))
  notifications
    .command('test')
    .addArgument(choiceArgument('<channel>', textFor('help.notifications.channel'), notificationChannels))
    .argument('[recipient]', textFor('help.notifications.recipient'))
    .description(textFor('help.notifications.test'))
    .action((channel: NotificationChannel, recipient: string | undefined) =>
      run(async (command) => (await verbs()).testNotification(command, channel, recipient)),
    )
}
