/** Scans committed captures of jobs. A document is a URL of a job, so that a changed capture is the same document with another content; its
 *  hash is the payload digest, and nothing is read to compare it. */
import { hash } from 'node:crypto'
import { z } from 'zod'
import { jobId } from '../../contract/shapes/shapes.ts'
import { scannedDocument, type Document } from '../model/document.ts'
import { scannerKind, type StepEnvironment } from '../model/steps.ts'
import { captureScanStatements, type CaptureRow } from './captures.sql.ts'
import { recordContent } from './recordContent.ts'

/** Captures that are read from the database at a time. */
const pageCapturesMax = 500

export const captureScanner = scannerKind({
  settings: z.strictObject({ jobs: z.array(jobId).min(1).max(10_000) }),
  open: ({ jobs }, environment) => {
    const sql = captureScanStatements(environment.store)
    return {
      async *scan(signal) {
        for (const job of [...new Set(jobs)])
          for (let after = 0; !signal.aborted;) {
            const rows = sql.page.all({ job, after, limit: pageCapturesMax })
            for (const row of rows) yield documentOf(row, environment)
            after = rows.at(-1)?.id ?? 0
            if (rows.length < pageCapturesMax) break
          }
      },
      find(id) {
        const [, job = '', url = ''] = /^(\d+) (.*)$/s.exec(id) ?? []
        const row = sql.one.get({ job: Number(job), key: hash('sha256', url, 'buffer') })
        return Promise.resolve(row && documentOf(row, environment))
      },
    }
  },
})

function documentOf(row: CaptureRow, environment: StepEnvironment): Document {
  const { job, url, status, payloadDigest } = row
  return captureDocument(row, environment, { id: `${job} ${url}`, hash: `${status} ${payloadDigest}` })
}

/** Makes the document of a capture. */
export function captureDocument(
  row: CaptureRow,
  { openFile }: Pick<StepEnvironment, 'openFile'>,
  { id, hash: of }: { id: string; hash: string },
): Document {
  const { job, url, status, payloadDigest, capturedMs, file, offset } = row
  return scannedDocument({
    id,
    hash: of,
    fields: {
      url: [url],
      job: [String(job)],
      status: [String(status)],
      mediaType: [row.mediaType ?? ''].filter((type) => type !== ''),
      time: [new Date(capturedMs).toISOString()],
      payloadDigest: [payloadDigest],
      file: [file],
      offset: [String(offset)],
    },
    content: recordContent(() => openFile(file, job), { file, offset }),
  })
}
