/** Service `archive` of the contract: replicas, files, bit preservation. */
import type { Archive } from '../../archive/store/archive.ts'
import type { Preservation } from '../../archive/check/preservation.ts'
import { giversOf } from '../../archive/store/reading.ts'
import { reportCsv } from '../../archive/report/reportCsv.ts'
import { reportHtml } from '../../archive/report/reportHtml.ts'
import type { AffectedFile, FileHistory } from '../../contract/services/archivedFiles.ts'
import type { PreservationReport } from '../../contract/services/archiveStatus.ts'
import type { Loupe } from '../../contract/contract.ts'
import { isEndedRepair } from '../../contract/states/repairStates.ts'
import { Fault } from '../../contract/calls/faults.ts'
import type { Recovery } from '../../crawl/crawl.ts'
import type { Indexes } from '../../indexes/indexes.ts'
import type { Tasks } from '../../tasks/tasks.ts'
import type { PreservationServices } from './preservationParts.ts'
import type { Signals } from '../signals/signals.ts'
import { unlessEnded } from '../signals/unlessEnded.ts'
import { message } from '../../contract/words/message.ts'
import { sleepUnlessAborted } from '../../world/sleepUnlessAborted.ts'
import type { World } from '../../world/world.ts'

interface Parts {
  archive: Archive
  preservation: Preservation
  around: PreservationServices
  recovery: Recovery
  indexes: Indexes
  tasks: Pick<Tasks, 'onChange'>
  world: Pick<World, 'clock'>
  signals: Signals
  /** Aborted when the engine ends. */
  signal: AbortSignal
}

/** Time limit for finding what is lost with a file; after it the answer is marked as a lower bound. */
const affectedMsMax = 20_000

/** Number of domains that are listed for one file; the others are counted. */
const domainsReportedMax = 100

/** The preservation report in each of its file formats. */
const texts: Record<'json' | 'csv' | 'html', { mediaType: string; of: (report: PreservationReport) => string }> = {
  json: { mediaType: 'application/json', of: (report) => `${JSON.stringify(report, null, 2)}\n` },
  csv: { mediaType: 'text/csv', of: reportCsv },
  html: { mediaType: 'text/html', of: reportHtml },
}

/** Makes the service. Long actions reject with `Fault` stopped when the engine ends. */
export function archiveService(parts: Parts): Loupe['archive'] {
  const { archive, preservation, around, recovery, signals, signal } = parts
  const { auditLog, spotChecks, reporting, repairs } = around
  return {
    replicas: () => archive.replicas(),
    files: async ({ offset = 0, limit = 200, ...query }) =>
      archive.files({ ...query, believed: around.believed(), offset, limit }),
    surplus: async () => archive.unregistered.files(),
    recover: async () => recovery.start(),
    recovery: async () => recovery.show(),
    stopRecovery: () => recovery.stop(),
    recoveryChanged: (onPayload) =>
      recovery.onChange((summary) => {
        onPayload(summary)
        for (const job of summary.jobs) signals.report({ kind: 'changed', job })
      }),
    check: (request) => preservation.check(request),
    checkEstimate: (request) => preservation.estimate(request),
    checks: async () => preservation.checks(),
    findings: async ({ check }) => preservation.findings(check),
    status: () => reporting.status(),
    async report({ format = 'json' }) {
      const data = await reporting.report()
      const { mediaType, of } = texts[format]
      return { data, name: `preservation-${data.at.slice(0, 10)}.${format}`, mediaType, text: of(data) }
    },
    auditLog: async ({ offset = 0, limit = 200, ...filter }) => auditLog.page({ ...filter, offset, limit }),
    verifyAudit: () => reporting.verifyAudit(),
    auditVerifying: (onPayload) => reporting.onVerifying(onPayload),
    spotCheck: ({ files = 10 }) => spotChecks.run({ files, by: 'user' }),
    affected: ({ name }) => unlessEnded(affected(parts, name), signal, message('call.stopped.unchanged')),
    repairable: async ({ replica, files }) =>
      repairs.withSources(
        files === undefined ? repairs.repairable({ replica }) : await repairs.repairableNamed({ replica, files }),
      ),
    repairPlan: (copy) => unlessEnded(repairs.plan(copy, signal), signal, message('call.stopped.unchanged')),
    repair: (order) => unlessEnded(repairs.repair(order, signal), signal, message('call.stopped.repair')),
    repairChanged: (onPayload) => repairs.onChange(onPayload),
    repairs: async () => repairs.known(),
    attic: async () => repairs.attic.entries(),
    checkAttic: ({ id }) => repairs.attic.check(id),
    file: async ({ name }) => fileHistory(parts, name),
    history: async () => archive.places.map(({ name }) => ({ replica: name, events: around.events.last(name) })),
    restoreFromAttic: (order) =>
      unlessEnded(repairs.attic.restore({ ...order, who: 'user' }, signal), signal, message('call.stopped.restore')),
    changed(onPayload) {
      const emit = () => onPayload({})
      const ends = [
        archive.onChange(emit),
        repairs.onChange(({ state }) => (isEndedRepair(state) ? emit() : undefined)),
        parts.tasks.onChange(({ kind, ended }) => (kind === 'spot' && ended !== null ? emit() : undefined)),
        recovery.onChange(({ state }) => (state === 'RUNNING' ? undefined : emit())),
        around.backups.onChange(({ running }) => (running === null ? emit() : undefined)),
        // The list of unknown files is made at the start, beside the first answers to a window.
        signals.onSettled(emit),
        // Files of a job are stored in another thread, which has its own archive object.
        signals.onJob((summary) => (summary.ended === null ? undefined : emit())),
      ]
      return () => ends.forEach((end) => end())
    },
  }
}

/** Collects what is known of a file: its copies, the vote on them, and their history. Throws `Fault` notFound. */
function fileHistory({ archive, around }: Parts, name: string): FileHistory {
  const file = archive.file(name)
  const vote = around.copyStatus.voteOn(name)
  if (!file || !vote) throw new Fault('notFound', message('file.absent', { name }))
  return {
    file,
    vote,
    observations: around.observations.ofFile(name),
    attic: around.repairs.attic.entriesOf(name),
    audit: around.auditLog.ofFile(name),
  }
}

/** Captures in other records whose content is in the file. Null: the index of the archive cannot be made, or not within `affectedMsMax`;
 *  then its build continues. */
async function referringTo({ indexes, world, signal }: Parts, name: string): Promise<AffectedFile['referredBy']> {
  const enough = new AbortController()
  const late = sleepUnlessAborted(world.clock, affectedMsMax, enough.signal).then(() => null)
  const made = indexes
    .dedupLedger({ signal })
    .then(({ references }) =>
      references.flatMap(({ file, job, captures, onlyHere }) => (file === name ? [{ job, captures, onlyHere }] : [])),
    )
    .catch((error: unknown) => {
      if (error instanceof Fault) return null
      throw error
    })
  try {
    return await Promise.race([made, late])
  } finally {
    enough.abort()
  }
}

/** Finds the captures that are lost if a file has no good copy left. `content` is null where the file has no
 *  captures or its index cannot be read. Throws `Fault` notFound. */
async function affected(parts: Parts, name: string) {
  const { archive, around, indexes, signal } = parts
  const file = archive.file(name)
  const vote = around.copyStatus.voteOn(name)
  if (!file || !vote) throw new Fault('notFound', message('file.absent', { name }))
  const goodIn = giversOf(archive.places, file)
  const { job, bytes } = file
  const facts = { name, job, bytes, vote, goodIn }
  // The metadata of a job describes its captures and contains none.
  if (file.kind === 'metadata') return { ...facts, content: null, referredBy: [] }
  const [content, referredBy] = await Promise.all([
    indexes.affectedBy({ name, job }, { msMax: affectedMsMax, signal }),
    referringTo(parts, name),
  ])
  if (!content) return { ...facts, content: null, referredBy }
  const { isComplete, domains, ...counts } = content
  const listed = domains.slice(0, domainsReportedMax)
  return { ...facts, content: { ...counts, domains: listed, complete: isComplete }, referredBy }
}
