/** The values of settings as the parts of the engine take them. */
import { resolve } from 'node:path'
import type { AccessSettings, HiddenCaptures } from '../../access/access.ts'
import type { BackupSettings } from '../../archive/backup/backupStatus.ts'
import type { Rhythm } from '../../archive/check/schedule.ts'
import { folderModeFor } from '../../archive/files/folderPermissions.ts'
import type { ArchiveLimits } from '../../archive/files/limits.ts'
import type { ReplicaKind, ReplicaPlace } from '../../archive/replica/replica.ts'
import type { ReportSettings } from '../../archive/report/reporting.ts'
import type { SettingDeclaration } from '../../contract/services/settings.ts'
import type { SharedWith } from '../../contract/shapes/choices.ts'
import { defaultCrawlSettings, type CrawlSettings } from '../../crawl/crawl.ts'
import { defaultGenerationSettings, type GenerationSettings } from '../../harvest/harvest.ts'
import { isModuleName } from '../../modules/userModule.ts'
import { notificationSettings, type NotificationSettings } from '../../notifications/notifications.ts'
import type { AccessRule } from '../../viewer/viewer.ts'
import { rowOf } from './settingChecks.ts'
import type { Values } from './settingsFile.ts'

/** Settings of bit preservation, by the part that takes them. */
export interface PreservationSettings {
  rhythm: Rhythm
  report: ReportSettings
  limits: Pick<ArchiveLimits, 'checkBytesPerSecondMax' | 'quietBytesPerSecondMax'>
}

/** The map setting that lists the replicas of a kind. */
export const settingOfKind: Record<ReplicaKind, string> = { files: 'replicas', checksums: 'checksumReplicas' }

/** Returns the value in the file, or the default. */
export function valueIn(values: Values, row: SettingDeclaration): unknown {
  return values.has(row.path) ? values.get(row.path) : row.default
}

function valueAt(values: Values, path: string): unknown {
  return valueIn(values, rowOf(path))
}

export function numberIn(values: Values, path: string): number {
  return valueAt(values, path) as number
}

export function sharedWithIn(values: Values): SharedWith {
  return valueAt(values, 'archive.sharedWith') as SharedWith
}

/** Returns the folders by the name of their replica, as they are written in the file, possibly relative to the
 *  archive's folder. */
export function foldersIn(values: Values, kind: ReplicaKind): Record<string, string> {
  return valueAt(values, settingOfKind[kind]) as Record<string, string>
}

/** Returns the replicas with absolute folders: those that hold files, in the order in which they are read, then
 *  those of checksums. A replica of files whose place is a module (`.mjs` or `.js`) has no folder. */
export function replicasIn(values: Values, archiveFolder: string): ReplicaPlace[] {
  const folderMode = folderModeFor(sharedWithIn(values))
  const all = (['files', 'checksums'] as const).flatMap((kind) =>
    Object.entries(foldersIn(values, kind)).map(([name, place]) => ({
      name,
      path: resolve(archiveFolder, place),
      kind,
      isModule: kind === 'files' && isModuleName(place),
    })),
  )
  const archiveFolders = [archiveFolder, ...all.filter(({ isModule }) => !isModule).map(({ path }) => path)]
  return all.map(({ name, path, kind, isModule }) => {
    if (!isModule) return { name, folder: path, kind, folderMode }
    const module = { path, settings: replicaSettingsIn(values, name), archiveFolders }
    return { name, folder: `module:${path}`, kind, module }
  })
}

/** Settings of the module of a replica: those whose names begin with the replica's, without it. */
function replicaSettingsIn(values: Values, replica: string): Record<string, string> {
  const prefix = `${replica}.`
  const all = Object.entries(valueAt(values, 'replicaSettings') as Record<string, string>)
  const own = all.filter(([name]) => name.startsWith(prefix))
  return Object.fromEntries(own.map(([name, value]) => [name.slice(prefix.length), value]))
}

/** Returns the access rules by effect, in the order of their precedence. */
export function accessRulesIn(values: Values): AccessRule[] {
  return (['block', 'exclude', 'allow'] as const).flatMap((effect) =>
    (valueAt(values, `viewer.${effect}`) as string[]).map((surtPrefix) => ({ surtPrefix, effect })),
  )
}

export function accessSettingsIn(values: Values): AccessSettings {
  const number = (name: string) => numberIn(values, `authorities.${name}`)
  const hiddenCaptures = valueAt(values, 'authorities.hiddenCaptures') as HiddenCaptures
  return { workers: number('workers'), mappingWorkers: number('mappingWorkers'), hiddenCaptures }
}

export function crawlSettingsIn(values: Values): CrawlSettings {
  const entries = Object.keys(defaultCrawlSettings).map((name) => [name, valueAt(values, `harvest.${name}`)])
  return Object.fromEntries(entries) as CrawlSettings
}

export function generationSettingsIn(values: Values): GenerationSettings {
  const entries = Object.keys(defaultGenerationSettings).map((name) => [name, valueAt(values, `generation.${name}`)])
  return Object.fromEntries(entries) as GenerationSettings
}

/** Returns the settings of notifications, with an absolute path of the module. */
export function notificationSettingsIn(values: Values, archiveFolder: string): NotificationSettings {
  const entries = notificationSettings.map((row) => [row.path.slice('notifications.'.length), valueIn(values, row)])
  const given = Object.fromEntries(entries) as NotificationSettings
  return { ...given, module: given.module === '' ? '' : resolve(archiveFolder, given.module) }
}

/** Returns the settings of backups, with an absolute folder. */
export function backupSettingsIn(values: Values, archiveFolder: string): BackupSettings {
  return {
    folder: resolve(archiveFolder, valueAt(values, 'backup.folder') as string),
    everyHours: numberIn(values, 'backup.everyHours'),
    keepCount: numberIn(values, 'backup.keepCount'),
    keepDays: numberIn(values, 'backup.keepDays'),
  }
}

export function preservationSettingsIn(values: Values): PreservationSettings {
  const number = (name: string) => numberIn(values, `preservation.${name}`)
  const checksumsDays = number('checksumsEveryDays')
  const checksumsSample = number('checksumsSample')
  return {
    rhythm: {
      missingDays: number('missingEveryDays'),
      checksumsDays,
      checksumsSample,
      spotDays: number('spotsEveryDays'),
      spotFiles: number('spotFiles'),
    },
    report: {
      overdueDays: number('overdueDays'),
      checksumsEveryDays: checksumsDays,
      checksumsSample,
      places: valueAt(values, 'places') as Record<string, string>,
      declared: valueAt(values, 'preservation.declared') as string[],
    },
    limits: {
      checkBytesPerSecondMax: number('bytesPerSecondMax'),
      quietBytesPerSecondMax: number('quietBytesPerSecondMax'),
    },
  }
}
