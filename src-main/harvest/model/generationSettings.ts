/** Settings of this floor, under `generation` in loupe.toml, with NetarchiveSuite's defaults where it has them. */

import { z } from 'zod'
import { choiceSetting, numberSetting, type SettingDeclaration } from '../../contract/services/settings.ts'

/** The numbers, by name. */
const numbers = {
  /** Generated jobs that run at once. */
  jobsAtOnceMax: { min: 1, default: 4, example: 8 },
  /** Time after which a job that receives nothing ends; 0: never (`noResponseTimeout`). */
  noResponseSecondsMax: { unit: 's', min: 0, default: 1_800, example: 600 },
  /** Time after which a job without a request in progress ends; 0: never (`inactivityTimeout`). */
  inactiveSecondsMax: { unit: 's', min: 0, default: 1_800, example: 600 },
  /** Time after which an alias of a domain counts no more. */
  aliasDays: { unit: 'days', min: 1, default: 365, example: 180 },
  /** Ratio to earlier runs, in percent, from which a run of a harvest is abnormally large, and below whose inverse it is small. */
  alarmPercent: { unit: '%', min: 101, default: 200, example: 150 },
  /** Configurations that are read and sorted at once (`domainConfigSubsetSize`). */
  configurationSubsetSize: { min: 1, default: 10_000, example: 5_000 },
  /** Most configurations in a job of a snapshot; 0: unlimited (`fixedDomainCountSnapshot`). */
  snapshotConfigurationsMax: { min: 0, default: 10_000, example: 2_000 },
  /** The same for other harvests with jobs of a fixed count; 0: unlimited (`fixedDomainCountFocused`). */
  focusedConfigurationsMax: { min: 0, default: 0, example: 100 },
  /** Most objects expected of a job with several configurations (`maxTotalSize`). */
  objectsTotalMax: { min: 1, default: 8_000_000, example: 2_000_000 },
  /** Largest ratio between the expectations in a job (`maxRelativeSizeDifference`). */
  relativeSizeDifferenceMax: { unit: 'times', min: 1, default: 100, example: 10 },
  /** Differences between expectations that are always permitted (`minAbsoluteSizeDifference`). */
  absoluteSizeDifferenceMin: { min: 0, default: 2_000, example: 500 },
  /** How much of the way from the best result to the limit a domain is expected to grow: one part in this (`errorFactorPrevResult`). */
  errorFactorPreviousResult: { min: 1, default: 10, example: 20 },
  /** Least bytes per object that are expected after a small harvest (`expectedAverageBytesPerObject`). */
  expectedBytesPerObject: { unit: 'bytes', min: 1, default: 38_000, example: 60_000 },
  /** Objects expected of a domain without limits (`maxDomainSize`). */
  domainObjectsUsual: { min: 1, default: 5_000, example: 10_000 },
} as const satisfies Record<string, Parameters<typeof numberSetting>[1]>

/** The choices, by name. The first value is the default. */
const choices = {
  /** `comparable`: jobs of comparable size. `fixed`: jobs with a fixed number of configurations with equal limits. */
  jobSizes: ['comparable', 'fixed'],
  /** Whether configurations in a job have equal limits of bytes or of objects (`splitByObjectLimit`). */
  splitLimit: ['bytes', 'objects'],
  /** Whether configurations with a limit of 0 are left out (`excludeDomainsWithZeroBudget`). */
  zeroLimits: ['keep', 'leaveOut'],
} as const satisfies Record<string, readonly [string, string]>

/** Which queue the jobs are submitted to: `memory`, or a module with settings of its own. */
interface ChannelSettings {
  channels: string
  channelsSettings: Readonly<Record<string, string>>
}

/** Values of all settings of the floor. */
export type GenerationSettings = ChannelSettings & { [Name in keyof typeof numbers]: number } & {
  [Name in keyof typeof choices]: (typeof choices)[Name][number]
}

/** The declarations. */
export const generationSettings: readonly SettingDeclaration[] = [
  {
    ...{ path: 'generation.channels', kind: 'text', default: 'memory', example: '/etc/loupe/broker.mjs' },
    ...{ shape: z.string().trim().min(1), atStart: true, isOfArchive: true },
  },
  {
    ...{
      path: 'generation.channelsSettings',
      kind: 'map',
      default: {},
      example: { url: 'amqp://broker.library.example' },
    },
    ...{ shape: z.record(z.string(), z.string()), atStart: true, isOfArchive: true },
  },
  ...Object.entries(numbers).map(([name, given]) => numberSetting(`generation.${name}`, given)),
  ...Object.entries(choices).map(([name, values]) =>
    choiceSetting(`generation.${name}`, { choices: values, default: values[0], example: values[1] }),
  ),
]

/** The values where the file has none. */
export const defaultGenerationSettings = Object.fromEntries(
  generationSettings.map(({ path, default: usual }) => [path.slice('generation.'.length), usual]),
) as unknown as GenerationSettings
