/** The contract's `archive`: replicas, files, bit preservation. */
import type { Archive } from '../archive/archive.ts'
import type { Preservation } from '../archive/preservation.ts'
import type { Loupe } from '../contract/contract.ts'
import type { Signals } from './signals.ts'

interface Parts {
  archive: Archive
  preservation: Preservation
  signals: Signals
}

export function archiveService({ archive, preservation, signals }: Parts): Loupe['archive'] {
  return {
    replicas: () => archive.replicas(),
    files: async ({ offset = 0, limit = 200, ...query }) => archive.files({ ...query, offset, limit }),
    check: (request) => preservation.check(request),
    stopCheck: ({ check }) => preservation.stop(check),
    resumeCheck: ({ check }) => preservation.resume(check),
    checks: async () => preservation.checks(),
    findings: async ({ check }) => preservation.findings(check),
    checkChanged: (onPayload) => preservation.onChange(onPayload),
    changed(onPayload) {
      const tell = () => onPayload({})
      const ends = [
        archive.onChange(tell),
        // What a job stores is stored in another thread, with an archive of its own.
        signals.onJob((summary) => (summary.ended === null ? undefined : tell())),
      ]
      return () => ends.forEach((end) => end())
    },
  }
}
