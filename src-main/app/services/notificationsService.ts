/** Service `notifications` of the contract, and what the engine reports: failures of jobs, harvests, checks and backups. */
import { emitter } from '../../contract/calls/emitter.ts'
import { Fault } from '../../contract/calls/faults.ts'
import type { Loupe } from '../../contract/contract.ts'
import { notificationKindMessage, type NotificationRow } from '../../contract/services/notifications.ts'
import { isCheckKind } from '../../contract/shapes/taskKinds.ts'
import { message } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'
import type { Backups } from '../../archive/backup/backups.ts'
import type { Credentials } from '../../crawl/crawl.ts'
import {
  emailChannel,
  openNotifications,
  userModuleChannel,
  webhookChannel,
  type Channel,
  type Notifications,
  type NotificationSettings,
  type Sent,
} from '../../notifications/notifications.ts'
import type { Store } from '../../storage/storage.ts'
import type { Tasks } from '../../tasks/tasks.ts'
import type { World } from '../../world/world.ts'
import type { Signals } from '../signals/signals.ts'

interface NotificationParts {
  store: Store
  world: World
  archiveFolder: string
  settings: () => NotificationSettings
  credentials: Pick<Credentials, 'secretOf'>
  signals: Signals
  tasks: Pick<Tasks, 'onChange'>
  backups: Pick<Backups, 'onChange' | 'status'>
  /** Takes lines for the log of the shell. */
  log: (line: string) => void
  onBug(error: unknown): void
  isEngine: boolean
}

/** The notifications with their service. */
export interface OpenedNotifications {
  service: Loupe['notifications']
  notifications: Notifications
  close(): Promise<void>
}

export function openNotificationsService(parts: NotificationParts): OpenedNotifications {
  const { store, world, settings, onBug, isEngine } = parts
  const shown = emitter<NotificationRow>()
  const changes = emitter<Record<string, never>>()
  const notifications = openNotifications({
    ...{ store, clock: world.clock, settings, onBug, isEngine },
    channels: {
      log: { send: async (sent) => (parts.log(lineOf(sent)), delivered) },
      desktop: { send: async (sent) => (shown.emit({ ...sent, isRead: false, deliveries: [] }), delivered) },
      ...distantChannels(parts),
    },
    onChanged: () => changes.emit({}),
  })
  const ends = isEngine ? reportsOf(parts, notifications) : []
  return {
    notifications,
    service: {
      list: async ({ offset = 0, limit = 200, ...query }) => notifications.list({ ...query, offset, limit }),
      async markRead({ upTo }) {
        notifications.markRead(upTo)
        return {}
      },
      async test({ channel, recipient = '' }) {
        const result = await notifications.test(channel, recipient)
        if (!result.isSent) throw new Fault('refused', result.why)
        return { answer: result.answer }
      },
      shown: shown.on,
      changed: changes.on,
    },
    async close() {
      for (const end of ends) end()
      await notifications.close()
    },
  }
}

const delivered = { isSent: true, answer: '' } as const

function lineOf({ kind, message: text, times }: Sent): string {
  const given = { kind: notificationKindMessage(kind), text }
  return textOf(
    times === 1 ? message('notification.log', given) : message('notification.log.times', { ...given, times }),
  )
}

/** Channels to other machines and programs. */
function distantChannels(parts: NotificationParts): Record<'email' | 'webhook' | 'module', Channel> {
  const { world, settings, credentials, archiveFolder } = parts
  return {
    email: emailChannel({
      server: () => {
        const { smtp: url, from, smtpCredential: credential } = settings()
        return url === '' || from === '' ? undefined : { url, from, credential }
      },
      async secretOf(name) {
        const found = await credentials.secretOf(name)
        return 'secret' in found ? found.secret : found
      },
      archive: archiveFolder,
    }),
    webhook: webhookChannel({ clock: world.clock, url: () => settings().webhook }),
    module: userModuleChannel({
      ...{ threads: world.threads, path: () => settings().module, settings: () => settings().moduleSettings },
    }),
  }
}

/** Reports what fails without anyone waiting for it. Harvests report through `notifications` themselves. */
function reportsOf({ signals, tasks, backups, onBug }: NotificationParts, to: Notifications): (() => void)[] {
  return [
    signals.onProblem(({ message: text, job }) => to.report({ kind: 'problem', message: text, job })),
    signals.onJob(({ job, status, ended, reason, harvest }) => {
      if (status !== 'Error' || ended === null) return
      const problem = reason ?? message('text', { text: status })
      const text = message('notification.jobFailed', { job, harvest, problem })
      to.report({ kind: 'jobFailed', message: text, job, harvest, key: `job ${job} ${ended}` })
    }),
    tasks.onChange(({ task, kind, ended, findings, startedBy }) => {
      if (!(isCheckKind(kind) || kind === 'spot') || ended === null || findings === 0) return
      // Whoever starts a check sees what it finds.
      if (startedBy === 'user') return
      const text = message('notification.copiesDamaged', { count: findings })
      to.report({ kind: 'copiesDamaged', message: text, key: `check ${task}` })
    }),
    backups.onChange(({ running }) => {
      if (running !== null) return
      backups.status().then(({ findings }) => {
        const failed = findings.find(({ kind }) => kind === 'failed')
        if (failed) to.report({ kind: 'backupFailed', message: failed.message })
      }, onBug)
    }),
  ]
}
