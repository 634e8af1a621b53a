/**
 * Table of every setting of an archive: its path in loupe.toml, its unit, default and shape. `contract/words/settingWords.ts` explains
 * each. Any other key in the file is refused.
 */
import { z } from 'zod'
import { refusedAs } from '../../contract/calls/refusedValue.ts'
import { sharedWithChoices } from '../../contract/shapes/choices.ts'
import { userAgentShape } from '../../contract/services/definition.ts'
import { message } from '../../contract/words/message.ts'
import { defaultArchiveLimits } from '../../archive/files/limits.ts'
import { declarable } from '../../archive/report/ndsa.ts'
import { defaultCrawlSettings, memoryBytesMin } from '../../crawl/crawl.ts'
import { generationChoices, generationNumbers } from '../../harvest/harvest.ts'
import type { AccessEffect } from '../../viewer/viewer.ts'
import { payloadDigestKinds, warcVersions } from '../../formats/records/warcWriter.ts'

/** One setting of the table. */
export interface SettingRow {
  /** Path in the file: `harvest.workers` is the key `workers` in the section `[harvest]`. */
  path: string
  kind: 'text' | 'number' | 'choice' | 'list' | 'map'
  /** Allowed values of a choice. */
  choices?: readonly string[]
  /** Displayed unit of a number; absent for a count of things that the setting names. */
  unit?: string
  /** Value where the file has none. */
  default: unknown
  /** Checks a value, and converts it to the form in which it is used. */
  shape: z.ZodType
  /** Whether the setting is read only when the engine starts, so that a change takes effect at the next start. */
  atStart: boolean
}

const replicaFolders = z.record(
  z.string().refine(
    (text) => /^[A-Za-z0-9_-]{1,40}$/.test(text),
    refusedAs((field) => message('value.replicaName', { field })),
  ),
  z.string().min(1),
)

const whole = (min: number) => z.int().min(min)

function harvestNumber(name: keyof typeof defaultCrawlSettings, unit: string | undefined, min: number): SettingRow {
  return {
    path: `harvest.${name}`,
    kind: 'number',
    ...(unit === undefined ? {} : { unit }),
    default: defaultCrawlSettings[name],
    shape: whole(min),
    atStart: true,
  }
}

function preservationNumber(
  name: string,
  given: { unit?: string; min: number; default: number; atStart?: true },
): SettingRow {
  const { unit, min, default: usual, atStart = false } = given
  const path = `preservation.${name}`
  return { path, kind: 'number', ...(unit && { unit }), default: usual, shape: whole(min), atStart }
}

/** The settings that the harvest floor declares. */
function generationRows(): SettingRow[] {
  const numbers = Object.entries(generationNumbers).map(([name, { min, default: usual, ...row }]) => ({
    ...{ path: `generation.${name}`, kind: 'number' as const, default: usual, ...row },
    ...{ shape: whole(min), atStart: false },
  }))
  const choices = Object.entries(generationChoices).map(([name, values]) => ({
    ...{ path: `generation.${name}`, kind: 'choice' as const, choices: values, default: values[0] },
    ...{ shape: z.enum(values), atStart: false },
  }))
  return [...numbers, ...choices]
}

function backupNumber(name: string, given: { unit: string; min: number; default: number }): SettingRow {
  const { unit, min, default: usual } = given
  return { path: `backup.${name}`, kind: 'number', unit, default: usual, shape: whole(min), atStart: false }
}

/** SURT prefixes: `com,example)/private`, or `com,example` for a host and everything below it. */
function viewerPrefixes(effect: AccessEffect): SettingRow {
  const prefix = z
    .string()
    .trim()
    .toLowerCase()
    .refine(
      (text) => /^[^\s/:(]+(\)\S*)?$/.test(text),
      refusedAs((field) => message('value.surt', { field, example: 'com,example)/private' })),
    )
  return { path: `viewer.${effect}`, kind: 'list', default: [], shape: z.array(prefix), atStart: false }
}

/** The table, in the order in which settings are listed. */
export const settingTable: readonly SettingRow[] = [
  {
    path: 'replicas',
    kind: 'map',
    default: { ONE: 'replicas/ONE', TWO: 'replicas/TWO' },
    shape: replicaFolders.refine(
      (replicas) => Object.keys(replicas).length > 0,
      refusedAs((field) => message('value.entries.least', { field, least: 1 })),
    ),
    atStart: true,
  },
  {
    path: 'checksumReplicas',
    kind: 'map',
    default: {},
    shape: replicaFolders,
    atStart: true,
  },
  harvestNumber('workers', undefined, 1),
  harvestNumber('delayMs', 'ms', 0),
  harvestNumber('delayFactor', 'times', 0),
  harvestNumber('delayMsMax', 'ms', 0),
  harvestNumber('connectionsPerHost', undefined, 1),
  {
    path: 'harvest.userAgent',
    kind: 'text',
    default: defaultCrawlSettings.userAgent,
    shape: userAgentShape,
    atStart: true,
  },
  harvestNumber('connectMsMax', 'ms', 1),
  harvestNumber('silenceMsMax', 'ms', 1),
  harvestNumber('responseMsMax', 'ms', 1),
  harvestNumber('responseBytesMax', 'bytes', 1),
  harvestNumber('attemptsMax', undefined, 1),
  harvestNumber('retryDelayMs', 'ms', 0),
  harvestNumber('fileBytesMax', 'bytes', 1_000),
  {
    path: 'harvest.warcVersion',
    kind: 'choice',
    choices: warcVersions,
    default: defaultCrawlSettings.warcVersion,
    shape: z.enum(warcVersions),
    atStart: true,
  },
  {
    path: 'harvest.payloadDigest',
    kind: 'choice',
    choices: payloadDigestKinds,
    default: defaultCrawlSettings.payloadDigest,
    shape: z.enum(payloadDigestKinds),
    atStart: true,
  },
  harvestNumber('freeBytesMin', 'bytes', 0),
  harvestNumber('memoryBytesMax', 'bytes', memoryBytesMin),
  harvestNumber('historyDays', 'days', 1),
  harvestNumber('historyRowsMax', 'rows', 1_000),
  ...generationRows(),
  {
    path: 'places',
    kind: 'map',
    default: {},
    shape: z.record(z.string(), z.string().trim().min(1)),
    atStart: false,
  },
  // Twice the interval of the schedule: one check may be skipped, because the machine was off, before a copy counts as overdue.
  preservationNumber('overdueDays', {
    unit: 'days',
    min: 1,
    default: 180,
  }),
  preservationNumber('missingEveryDays', {
    unit: 'days',
    min: 0,
    default: 7,
  }),
  preservationNumber('checksumsEveryDays', {
    unit: 'days',
    min: 0,
    default: 90,
  }),
  preservationNumber('checksumsSample', {
    unit: 'files',
    min: 0,
    default: 0,
  }),
  preservationNumber('spotsEveryDays', {
    unit: 'days',
    min: 0,
    default: 30,
  }),
  preservationNumber('spotFiles', {
    unit: 'files',
    min: 1,
    default: 10,
  }),
  preservationNumber('bytesPerSecondMax', {
    unit: 'bytes/s',
    min: 0,
    default: defaultArchiveLimits.checkBytesPerSecondMax,
    atStart: true,
  }),
  preservationNumber('quietBytesPerSecondMax', {
    unit: 'bytes/s',
    min: 0,
    default: defaultArchiveLimits.quietBytesPerSecondMax,
    atStart: true,
  }),
  {
    path: 'preservation.declared',
    kind: 'list',
    default: [],
    shape: z.array(z.enum(declarable)),
    atStart: false,
  },
  {
    path: 'backup.folder',
    kind: 'text',
    default: 'backups',
    shape: z.string().trim().min(1),
    atStart: false,
  },
  backupNumber('everyHours', {
    unit: 'hours',
    min: 0,
    default: 24,
  }),
  backupNumber('keepCount', {
    unit: 'backups',
    min: 1,
    default: 7,
  }),
  backupNumber('keepDays', {
    unit: 'days',
    min: 0,
    default: 30,
  }),
  {
    path: 'viewer.port',
    kind: 'number',
    default: 0,
    shape: whole(0).max(65_535),
    atStart: true,
  },
  {
    path: 'viewer.indexBytesMax',
    kind: 'number',
    unit: 'bytes',
    default: 20_000_000_000,
    shape: whole(0),
    atStart: false,
  },
  {
    path: 'viewer.recordCacheBytesMax',
    kind: 'number',
    unit: 'bytes',
    default: 64_000_000,
    shape: whole(0),
    atStart: false,
  },
  {
    path: 'viewer.captureDistanceHoursMax',
    kind: 'number',
    unit: 'hours',
    default: 24,
    shape: whole(0),
    atStart: false,
  },
  viewerPrefixes('block'),
  viewerPrefixes('exclude'),
  viewerPrefixes('allow'),
  {
    path: 'archive.sharedWith',
    kind: 'choice',
    choices: sharedWithChoices,
    default: 'nobody',
    shape: z.enum(sharedWithChoices),
    atStart: true,
  },
  {
    path: 'server.port',
    kind: 'number',
    default: 0,
    shape: whole(0).max(65_535),
    atStart: true,
  },
]
