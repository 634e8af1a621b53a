/** Settings of this floor, under `generation` in loupe.toml, with NetarchiveSuite's defaults where it has them. */

/** A setting that is a number. */
export interface NumberSetting {
  /** Displayed unit; absent for a count of things that the setting names. */
  unit?: string
  min: number
  default: number
}

/** The numbers, by name. */
export const generationNumbers = {
  /** Generated jobs that run at once. */
  jobsAtOnceMax: { min: 1, default: 4 },
  /** Time after which an alias of a domain counts no more. */
  aliasDays: { unit: 'days', min: 1, default: 365 },
  /** Ratio to earlier runs, in percent, from which a run of a harvest is abnormally large, and below whose inverse it is small. */
  alarmPercent: { unit: '%', min: 101, default: 200 },
  /** Configurations that are read and sorted at once (`domainConfigSubsetSize`). */
  configurationSubsetSize: { min: 1, default: 10_000 },
  /** Most configurations in a job of a snapshot; 0: unlimited (`fixedDomainCountSnapshot`). */
  snapshotConfigurationsMax: { min: 0, default: 10_000 },
  /** The same for other harvests with jobs of a fixed count; 0: unlimited (`fixedDomainCountFocused`). */
  focusedConfigurationsMax: { min: 0, default: 0 },
  /** Most objects expected of a job with several configurations (`maxTotalSize`). */
  objectsTotalMax: { min: 1, default: 8_000_000 },
  /** Largest ratio between the expectations in a job (`maxRelativeSizeDifference`). */
  relativeSizeDifferenceMax: { unit: 'times', min: 1, default: 100 },
  /** Differences between expectations that are always permitted (`minAbsoluteSizeDifference`). */
  absoluteSizeDifferenceMin: { min: 0, default: 2_000 },
  /** How much of the way from the best result to the limit a domain is expected to grow: one part in this (`errorFactorPrevResult`). */
  errorFactorPreviousResult: { min: 1, default: 10 },
  /** Least bytes per object that are expected after a small harvest (`expectedAverageBytesPerObject`). */
  expectedBytesPerObject: { unit: 'bytes', min: 1, default: 38_000 },
  /** Objects expected of a domain without limits (`maxDomainSize`). */
  domainObjectsUsual: { min: 1, default: 5_000 },
} as const satisfies Record<string, NumberSetting>

/** The choices, by name. The first value is the default. */
export const generationChoices = {
  /** `comparable`: jobs of comparable size. `fixed`: jobs with a fixed number of configurations with equal limits. */
  jobSizes: ['comparable', 'fixed'],
  /** Whether configurations in a job have equal limits of bytes or of objects (`splitByObjectLimit`). */
  splitLimit: ['bytes', 'objects'],
  /** Whether configurations with a limit of 0 are left out (`excludeDomainsWithZeroBudget`). */
  zeroLimits: ['keep', 'leaveOut'],
} as const satisfies Record<string, readonly [string, string]>

/** Values of all settings of the floor. */
export type GenerationSettings = { [Name in keyof typeof generationNumbers]: number } & {
  [Name in keyof typeof generationChoices]: (typeof generationChoices)[Name][number]
}

/** The values where the file has none. */
export const defaultGenerationSettings = Object.fromEntries([
  ...Object.entries(generationNumbers).map(([name, row]) => [name, row.default]),
  ...Object.entries(generationChoices).map(([name, [first]]) => [name, first]),
]) as GenerationSettings
