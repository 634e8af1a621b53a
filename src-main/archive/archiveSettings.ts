/** Settings of this floor: replicas, checks and backups. */
import { z } from 'zod'
import { refusedAs } from '../contract/calls/refusedValue.ts'
import { numberSetting, choiceSetting, type SettingDeclaration } from '../contract/services/settings.ts'
import { sharedWithChoices } from '../contract/shapes/choices.ts'
import { message } from '../contract/words/message.ts'
import { defaultArchiveLimits } from './files/limits.ts'
import { declarable, declarableRequirements } from './report/ndsa.ts'

const replicaFolders = z.record(
  z.string().refine(
    (text) => /^[A-Za-z0-9_-]{1,40}$/.test(text),
    refusedAs((field) => message('value.replicaName', { field })),
  ),
  z.string().min(1),
)

/** Settings of modules that keep replicas, by the name of the replica and that of the setting. */
const replicaSettingsShape = z.record(
  z.string().refine(
    (text) => /^[A-Za-z0-9_-]{1,40}\..+$/.test(text),
    refusedAs((field) => message('value.replicaSetting', { field })),
  ),
  z.string(),
)

const replicas: SettingDeclaration[] = [
  {
    ...{ path: 'replicas', kind: 'map', atStart: true, isOfArchive: true },
    default: { ONE: 'replicas/ONE', TWO: 'replicas/TWO' },
    example: { ONE: 'replicas/ONE', BACKUP: '/mnt/backup/replica' },
    shape: replicaFolders.refine(
      (folders) => Object.keys(folders).length > 0,
      refusedAs((field) => message('value.entries.least', { field, least: 1 })),
    ),
  },
  {
    ...{ path: 'checksumReplicas', kind: 'map', atStart: true, isOfArchive: true },
    ...{ default: {}, example: { SUMS: '/mnt/other/sums' }, shape: replicaFolders },
  },
  {
    ...{ path: 'replicaSettings', kind: 'map', default: {}, atStart: true, isOfArchive: true },
    ...{ example: { 'CLOUD.url': 'https://store.example.org/loupe/' }, shape: replicaSettingsShape },
  },
]

const preservation = (name: string, given: Parameters<typeof numberSetting>[1]) =>
  numberSetting(`preservation.${name}`, given)

const checks: SettingDeclaration[] = [
  {
    ...{ path: 'places', kind: 'map', default: {}, atStart: false, isOfArchive: true },
    ...{ example: { ONE: 'Aarhus, server room' }, shape: z.record(z.string(), z.string().trim().min(1)) },
  },
  // Twice the interval of the schedule: one check may be skipped, because the machine was off, before a copy counts as overdue.
  preservation('overdueDays', { unit: 'days', min: 1, default: 180, example: 365 }),
  preservation('missingEveryDays', { unit: 'days', min: 0, default: 7, example: 1 }),
  preservation('checksumsEveryDays', { unit: 'days', min: 0, default: 90, example: 30 }),
  preservation('checksumsSample', { unit: 'files', min: 0, default: 0, example: 1_000 }),
  preservation('spotsEveryDays', { unit: 'days', min: 0, default: 30, example: 7 }),
  preservation('spotFiles', { unit: 'files', min: 1, default: 10, example: 50 }),
  preservation('bytesPerSecondMax', {
    ...{ unit: 'bytes/s', min: 0, atStart: true, example: 100_000_000 },
    default: defaultArchiveLimits.checkBytesPerSecondMax,
  }),
  preservation('quietBytesPerSecondMax', {
    ...{ unit: 'bytes/s', min: 0, atStart: true, example: 10_000_000 },
    default: defaultArchiveLimits.quietBytesPerSecondMax,
  }),
  {
    ...{ path: 'preservation.declared', kind: 'list', default: [], atStart: false, isOfArchive: true },
    ...{ example: ['virusChecked'], shape: z.array(z.enum(declarable)) },
    ...{ choices: declarable, choiceMeanings: declarableRequirements },
  },
]

const backups: SettingDeclaration[] = [
  {
    ...{ path: 'backup.folder', kind: 'text', default: 'backups', example: '/mnt/backup/loupe' },
    ...{ shape: z.string().trim().min(1), atStart: false, isOfArchive: true },
  },
  numberSetting('backup.everyHours', { unit: 'hours', min: 0, default: 24, example: 6 }),
  numberSetting('backup.keepCount', { unit: 'backups', min: 1, default: 7, example: 14 }),
  numberSetting('backup.keepDays', { unit: 'days', min: 0, default: 30, example: 90 }),
]

/** The declarations. */
export const archiveSettings: readonly SettingDeclaration[] = [
  ...replicas,
  ...checks,
  ...backups,
  {
    ...choiceSetting('archive.sharedWith', { choices: sharedWithChoices, default: 'nobody', example: 'group' }),
    ...{ atStart: true, isOfArchive: true },
  },
]
