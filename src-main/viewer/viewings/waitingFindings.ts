/** Findings that wait in memory to be written. Equal findings are merged and counted. Nothing is written here. */
import type { FindingDetail, FindingKey, FindingList, FindingRow } from './views.sql.ts'

/** A finding before it is written. */
export type Finding = FindingKey & FindingDetail

/** A waiting finding, counted since it was last written. */
export interface WaitingFinding {
  finding: Finding
  firstMs: number
  lastMs: number
  times: number
}

/** Findings by their key, oldest first. */
export interface WaitingFindings {
  /** Number of distinct findings. */
  size(): number
  /** Adds a finding, or counts it if it waits already. A new one is dropped if `countMax` others wait. */
  add(finding: Finding, nowMs: number): void
  /** All waiting findings, oldest first. */
  all(): Iterable<WaitingFinding>
  /** Removes all, after they were written. */
  clear(): void
  /** Drops those of one list. */
  dropList(list: FindingList): void
  /** Drops those of all lists of a viewing. */
  dropViewing(viewing: string): void
  /** The rows of a list with the waiting findings added: counted in their row, or after all rows with negative ids, which no row has.
   *  `isMiss`: 1 for missing URLs, 0 for errors. */
  addedTo(rows: readonly FindingRow[], list: FindingList & { isMiss: 0 | 1 }): FindingRow[]
}

/** Makes an empty list for at most `countMax` distinct findings. */
export function waitingFindings(countMax: number): WaitingFindings {
  const waiting = new Map<string, WaitingFinding>()

  function drop(isDropped: (finding: Finding) => boolean): void {
    for (const [key, { finding }] of waiting) if (isDropped(finding)) waiting.delete(key)
  }

  return {
    size: () => waiting.size,
    add(finding, nowMs) {
      const key = keyOf(finding)
      const known = waiting.get(key)
      if (known) waiting.set(key, { ...known, finding, lastMs: nowMs, times: known.times + 1 })
      else if (waiting.size < countMax) waiting.set(key, { finding, firstMs: nowMs, lastMs: nowMs, times: 1 })
    },
    all: () => waiting.values(),
    clear: () => waiting.clear(),
    dropList: (list) => drop((finding) => isOf(finding, list)),
    dropViewing: (viewing) => drop((finding) => finding.viewing === viewing),
    addedTo(rows, list) {
      const written = new Set(rows.map(keyOf))
      const further = [...waiting].filter(
        ([key, { finding }]) =>
          isOf(finding, list) && (finding.kind === 'missing') === (list.isMiss === 1) && !written.has(key),
      )
      return [
        ...rows.map((row) => {
          const again = waiting.get(keyOf(row))
          return again ? { ...row, lastMs: again.lastMs, times: row.times + again.times } : row
        }),
        ...further.map(([, { finding, ...rest }], at) => ({ ...finding, ...rest, id: -1 - at })),
      ]
    },
  }
}

function keyOf({ viewing, view, kind, url, referrer, method }: FindingKey): string {
  return JSON.stringify([viewing, view, kind, url, referrer, method])
}

function isOf(finding: FindingList, list: FindingList): boolean {
  return finding.viewing === list.viewing && finding.view === list.view
}
