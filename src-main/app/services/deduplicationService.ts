/** Service `deduplication` of the contract. */
import type { Loupe } from '../../contract/contract.ts'
import { message, type Message } from '../../contract/words/message.ts'
import type { Indexes, UnresolvedWhy } from '../../indexes/indexes.ts'

interface Parts {
  indexes: Pick<Indexes, 'dedupLedger'>
  /** Aborted when the engine is closed. */
  signal: AbortSignal
}

function reasonOf({ why, contentFile }: { why: UnresolvedWhy; contentFile: string | null }): Message {
  return contentFile === null
    ? message(`dedup.unresolved.${why}`)
    : message('dedup.unresolved.unavailable.file', { file: contentFile })
}

/** Makes the service. */
export function deduplicationService({ indexes, signal }: Parts): Loupe['deduplication'] {
  return {
    async report({ by, jobs }) {
      const { captures, bytes, byJob, byHost, byType, filesMissing } = await indexes.dedupLedger({ jobs, signal })
      const rows = {
        job: byJob.map(({ job, ...saved }) => ({ name: job, ...saved })),
        host: byHost.map(({ host, ...saved }) => ({ name: host, ...saved })),
        type: byType.map(({ mediaType, ...saved }) => ({ name: mediaType, ...saved })),
      }
      return { captures, bytes, rows: rows[by ?? 'job'], filesMissing: [...filesMissing] }
    },
    async references({ file, fileJob, jobs, limit = 200, offset = 0 }) {
      const { references, filesMissing } = await indexes.dedupLedger({ jobs, signal })
      const chosen = references.filter(
        (each) => (file === undefined || each.file === file) && (fileJob === undefined || each.fileJob === fileJob),
      )
      return { rows: chosen.slice(offset, offset + limit), total: chosen.length, filesMissing: [...filesMissing] }
    },
    async verify({ jobs }) {
      const { captures, unresolved, unresolvedTotal: total, filesMissing } = await indexes.dedupLedger({ jobs, signal })
      const rows = unresolved.map(({ timestampMs, why, contentFile, ...of }) => {
        return { ...of, captured: new Date(timestampMs).toISOString(), why: reasonOf({ why, contentFile }) }
      })
      return { resolved: captures, unresolved: { rows, total }, filesMissing: [...filesMissing] }
    },
  }
}
