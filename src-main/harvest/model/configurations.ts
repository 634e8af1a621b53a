/** Configurations of domains as they are split into jobs. A limit of null is unlimited. */
import type { StopReason } from './stopReasons.ts'

/** What an earlier job fetched of a configuration. */
export interface PastResult {
  /** End of the job, in milliseconds since 1970 UTC. */
  atMs: number
  objects: number
  bytes: number
  stopReason: StopReason
}

/** Limits per domain. */
export interface Limits {
  objectsMax: number | null
  bytesMax: number | null
}

/** A configuration of a domain. */
export interface SplitConfiguration extends Limits {
  id: number
  domain: string
  name: string
  template: string
  /** Canonical text of its extended fields: only equal ones share a job. */
  attributes: string
  /** Seeds that are no comments. */
  seedsCount: number
  /** Results of earlier jobs, the newest first. */
  history: readonly PastResult[]
}

/** Compares two limits; null is the largest. */
export function compareLimits(a: number | null, b: number | null): number {
  return (a ?? Infinity) - (b ?? Infinity) || 0
}

/** Returns the smallest limit; null if all are unlimited. */
export function leastLimit(...limits: (number | null)[]): number | null {
  const least = Math.min(...limits.map((limit) => limit ?? Infinity))
  return least === Infinity ? null : least
}
