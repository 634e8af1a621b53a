/** Why the harvest of a domain stopped (NetarchiveSuite, `StopReason`). */

/** In NetarchiveSuite's order. */
export const stopReasons = [
  'DOWNLOAD_COMPLETE',
  /** Limit of the harvest. */
  'OBJECT_LIMIT',
  /** Limit of the harvest. */
  'SIZE_LIMIT',
  /** Limit of the domain's configuration. */
  'CONFIG_SIZE_LIMIT',
  'DOWNLOAD_UNFINISHED',
  /** Limit of the domain's configuration. */
  'CONFIG_OBJECT_LIMIT',
  'TIME_LIMIT',
] as const
export type StopReason = (typeof stopReasons)[number]
