/** Finds what an output lacks, has of an earlier version, or has no longer to have. It looks only at URLs that have changed
 *  (`output_pending`), whichever job has changed them; what it decides without the output is stored at once. */
import { createHash } from 'node:crypto'
import { outputSpecificationShape } from '../../contract/shapes/outputChoice.ts'
import { removalOf, type ScannedDocument } from '../model/document.ts'
import type { Scanner, StepEnvironment } from '../model/steps.ts'
import { captureDocument } from '../scanners/captureScanner.ts'
import { digestOf, hashOf, removedHash, stepFor, type Desired, type Step } from './desired.ts'
import { isTaken, type OpenedOutput } from './openedOutput.ts'
import { outputDocumentStatements, type OwnerRow, type PendingRow, type RecordRow } from './outputDocuments.sql.ts'
import { jobScan } from './scanJobs.ts'

/** URLs that are looked at together: their notes are one transaction. */
const pageUrlsMax = 200
/** Documents on their way beyond which URLs wait to be looked at: more would only be read twice. */
const underWayMax = 2_000

interface OutputScannerSetting {
  environment: StepEnvironment
  opened: OpenedOutput
  output: {
    id: number
    destination: number
    /** What of the output is a part of every version, apart from what its connector says. */
    revision: string
    /** Of the processors. */
    transformationVersion: string
  }
}

interface Look {
  key: Uint8Array
  owner: OwnerRow | undefined
  record: RecordRow | undefined
  desired: Desired
  step: Step
}

/** Opens the scanner of an output. */
export function outputScanner({ environment, opened, output }: OutputScannerSetting): Scanner {
  const { store, world } = environment
  const sql = outputDocumentStatements(store)
  const scanJobs = jobScan(store, output.id)
  const versions = outputVersions(opened, output)

  function look(key: Uint8Array): Look {
    const at = { output: output.id, key }
    const owner = sql.owner.get(at)
    const record = sql.record.get(at)
    const desired = owner ? versions.of(owner) : ({ kind: 'absent' } as const)
    return { key, owner, record, desired, step: stepFor(desired, record) }
  }

  /** Stores what needs no delivery. */
  function note({ key, owner, desired, step }: Look): void {
    const at = { output: output.id, key }
    const nowMs = world.clock.now()
    if (step === 'checked') sql.checked.run({ ...at, job: owner?.job ?? null, nowMs })
    if (step === 'forget') sql.forget.run(at)
    if (step === 'remember' && owner && desired.kind === 'nothing')
      sql.remember.run({ ...at, ...desired.versions, job: owner.job, nowMs })
  }

  function delivered({ id, changes }: PendingRow, { key, owner, record, desired, step }: Look): ScannedDocument[] {
    const at = { output: output.id, key }
    const admitted = (act: (document: number, nowMs: number) => void) => (document: number) => {
      act(document, world.clock.now())
      sql.looked.run({ id, changes })
    }
    if (step === 'send' && owner && desired.kind === 'content') {
      const { job } = owner
      const onAdmitted = admitted((document, nowMs) =>
        sql.sent.run({ ...at, ...desired.versions, document, job, nowMs }),
      )
      return [{ ...documentOf(owner, hashOf(desired.versions)), onAdmitted }]
    }
    if (step !== 'remove' || typeof record?.url !== 'string') return []
    const known = desired.kind === 'nothing' ? { content: 'none' as const, ...desired.versions } : gone
    const onAdmitted = admitted((document, nowMs) => sql.removed.run({ ...at, ...known, document, nowMs }))
    return [{ ...removalOf(record.url, removedHash), onAdmitted }]
  }

  const documentOf = (owner: OwnerRow, hash: string) => captureDocument(owner, environment, { id: owner.url, hash })
  const isFull = () => (sql.underWay.get({ destination: output.destination })?.count ?? 0) >= underWayMax

  function* pages(): Generator<ScannedDocument[]> {
    for (let after = 0; !isFull();) {
      const rows = sql.pending.all({ output: output.id, after, limit: pageUrlsMax })
      const looks = rows.map((row) => ({ row, look: look(row.key) }))
      store.transaction(() => {
        for (const { row, look: each } of looks)
          if (each.step !== 'send' && each.step !== 'remove' && sql.looked.run(row) > 0) note(each)
      })
      yield looks.flatMap(({ row, look: each }) => delivered(row, each))
      after = rows.at(-1)?.id ?? 0
      if (rows.length < pageUrlsMax && !scanJobs()) return
    }
  }

  return {
    async *scan(signal) {
      for (const page of pages()) {
        // Other work of this thread comes in between.
        await world.clock.sleep(0)
        for (const document of page) {
          if (signal.aborted) return
          yield document
        }
      }
    },
    find(id) {
      const { owner, desired } = look(createHash('sha256').update(id).digest())
      const isContent = owner && desired.kind === 'content'
      return Promise.resolve(isContent ? documentOf(owner, hashOf(desired.versions)) : removalOf(id, removedHash))
    },
  }
}

const gone = { content: 'removed', version: null, outputVersion: null, transformationVersion: null } as const

/** Returns what an output should have of a document. */
function outputVersions(opened: OpenedOutput, { revision, transformationVersion }: OutputScannerSetting['output']) {
  /** By the specification: a few jobs share millions of documents. */
  const known = new Map<string, { specification: ReturnType<typeof outputSpecificationShape.parse>; version: string }>()

  function ofSpecification(text: string) {
    const specification = outputSpecificationShape.parse(JSON.parse(text))
    const made = { specification, version: digestOf(`${revision} ${opened.versionOf(specification)}`) }
    if (known.size >= specificationsMax) known.clear()
    known.set(text, made)
    return made
  }

  return {
    of({ url, status, payloadDigest, mediaType, contentBytes, ...owner }: OwnerRow): Desired {
      const { specification, version: outputVersion } =
        known.get(owner.specification) ?? ofSpecification(owner.specification)
      const offered = { url, mediaType: mediaType ?? undefined, bytes: contentBytes ?? undefined }
      const version = `${status} ${payloadDigest} ${mediaType ?? ''}`
      const versions = { version, outputVersion, transformationVersion }
      return { kind: isTaken(opened, specification, offered) ? 'content' : 'nothing', versions }
    },
  }
}

/** Specifications whose versions are kept in memory. */
const specificationsMax = 1_000
