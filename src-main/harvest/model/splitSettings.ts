/** Settings of the estimates and of the split into jobs, with NetarchiveSuite's defaults. */

/** How configurations become jobs. */
export interface SplitSettings {
  /** `default`: jobs of comparable size. `fixedCount`: jobs with a fixed number of configurations with equal limits. */
  generator: 'default' | 'fixedCount'
  /** Configurations that are read and sorted at once (`domainConfigSubsetSize`). */
  configurationSubsetSize: number
  /** Most configurations in a job of a snapshot; 0: unlimited (`fixedDomainCountSnapshot`). */
  snapshotConfigurationsMax: number
  /** The same for other harvests with the generator `fixedCount`; 0: unlimited (`fixedDomainCountFocused`). */
  focusedConfigurationsMax: number
  /** Most objects expected of a job with several configurations (`maxTotalSize`). */
  objectsTotalMax: number
  /** Largest ratio between the expectations in a job (`maxRelativeSizeDifference`). */
  relativeSizeDifferenceMax: number
  /** Differences between expectations that are always permitted, in objects (`minAbsoluteSizeDifference`). */
  absoluteSizeDifferenceMin: number
  /** Whether configurations in a job have equal limits of objects instead of bytes (`splitByObjectLimit`). */
  isSplitByObjects: boolean
  /** Whether configurations with a limit of 0 are left out (`excludeDomainsWithZeroBudget`). */
  leavesOutZeroLimits: boolean
  /** How much of the way from the best result to the limit a domain is expected to grow: one part in this (`errorFactorPrevResult`). */
  errorFactorPreviousResult: number
  /** Least bytes per object that are expected after a small harvest (`expectedAverageBytesPerObject`). */
  expectedBytesPerObject: number
  /** Objects expected of a domain without limits (`maxDomainSize`). */
  domainObjectsUsual: number
}

export const defaultSplitSettings: SplitSettings = {
  generator: 'default',
  configurationSubsetSize: 10_000,
  snapshotConfigurationsMax: 10_000,
  focusedConfigurationsMax: 0,
  objectsTotalMax: 8_000_000,
  relativeSizeDifferenceMax: 100,
  absoluteSizeDifferenceMin: 2_000,
  isSplitByObjects: false,
  leavesOutZeroLimits: false,
  errorFactorPreviousResult: 10,
  expectedBytesPerObject: 38_000,
  domainObjectsUsual: 5_000,
}
