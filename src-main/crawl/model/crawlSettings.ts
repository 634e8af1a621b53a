/** Settings of this floor, under `harvest` in loupe.toml. */
import { isAbsolute } from 'node:path'
import { z } from 'zod'
import { refusedAs } from '../../contract/calls/refusedValue.ts'
import { message } from '../../contract/words/message.ts'
import { isModuleName } from '../../modules/userModule.ts'
import { userAgentShape } from '../../contract/services/definition.ts'
import { choiceSetting, numberSetting, type SettingDeclaration } from '../../contract/services/settings.ts'
import { payloadDigestKinds, warcVersions } from '../../formats/records/warcWriter.ts'
import { deduplicationIndexes, defaultCrawlSettings, metadataCompressions, revisitRecordChoices } from './limits.ts'
import { memoryBytesMin } from './memory.ts'

/** A name, or the absolute path of a module. */
const indexShape = z
  .string()
  .trim()
  .refine(
    (index) => deduplicationIndexes.some((name) => name === index) || (isModuleName(index) && isAbsolute(index)),
    refusedAs((field) => message('value.index', { field, names: deduplicationIndexes.join(', ') })),
  )

type Name = keyof typeof defaultCrawlSettings

/** Name, unit, least value and example of each number. */
const numbers: readonly [Name, string | undefined, number, number][] = [
  ['workers', undefined, 1, 16],
  ['delayMs', 'ms', 0, 500],
  ['delayFactor', 'times', 0, 5],
  ['delayMsMax', 'ms', 0, 60_000],
  ['connectionsPerHost', undefined, 1, 2],
  ['connectMsMax', 'ms', 1, 10_000],
  ['silenceMsMax', 'ms', 1, 60_000],
  ['responseMsMax', 'ms', 1, 3_600_000],
  ['responseBytesMax', 'bytes', 1, 10_000_000_000],
  ['attemptsMax', undefined, 1, 5],
  ['retryDelayMs', 'ms', 0, 10_000],
  ['fileBytesMax', 'bytes', 1_000, 500_000_000],
  ['freeBytesMin', 'bytes', 0, 5_000_000_000],
  ['memoryBytesMax', 'bytes', memoryBytesMin, 2_000_000_000],
  ['historyDays', 'days', 1, 90],
  ['historyRowsMax', 'rows', 1_000, 10_000_000],
]

/** The declarations. */
export const crawlSettings: readonly SettingDeclaration[] = [
  ...numbers.map(([name, unit, min, example]) =>
    numberSetting(`harvest.${name}`, {
      ...(unit !== undefined && { unit }),
      ...{ min, example, default: Number(defaultCrawlSettings[name]), atStart: true },
    }),
  ),
  {
    ...{ path: 'harvest.userAgent', kind: 'text', default: defaultCrawlSettings.userAgent, atStart: true },
    ...{ example: 'Mozilla/5.0 (compatible; Loupe/0.1; +https://library.example/crawler)', shape: userAgentShape },
  },
  choiceSetting('harvest.warcVersion', {
    ...{ choices: warcVersions, default: defaultCrawlSettings.warcVersion, example: '1.0', atStart: true },
  }),
  choiceSetting('harvest.payloadDigest', {
    ...{ choices: payloadDigestKinds, default: defaultCrawlSettings.payloadDigest, example: 'asStored', atStart: true },
  }),
  choiceSetting('harvest.revisitRecords', {
    ...{
      choices: revisitRecordChoices,
      default: defaultCrawlSettings.revisitRecords,
      example: 'complete',
      atStart: true,
    },
  }),
  choiceSetting('harvest.metadataCompression', {
    ...{
      choices: metadataCompressions,
      default: defaultCrawlSettings.metadataCompression,
      example: 'gzip',
      atStart: true,
    },
  }),
  {
    ...{ path: 'harvest.deduplicationIndex', kind: 'text', default: defaultCrawlSettings.deduplicationIndex },
    ...{ example: '/etc/loupe/cdxServer.mjs', shape: indexShape, atStart: true, isOfArchive: true },
  },
  {
    ...{ path: 'harvest.deduplicationIndexSettings', kind: 'map', default: {} },
    ...{ example: { server: 'http://cdx.library.example/archive' }, shape: z.record(z.string(), z.string()) },
    ...{ atStart: true, isOfArchive: true },
  },
]
