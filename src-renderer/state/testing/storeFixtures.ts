/** Services, events and rows that tests of several stores use. Calls and events go through the contract's in-memory link, which checks their
 *  shapes. */
import type { ArchiveStatus } from '../../../src-main/contract/services/archiveStatus.ts'
import { type BackupStatus } from '../../../src-main/contract/services/backups.ts'
import type { CheckSummary } from '../../../src-main/contract/services/checks.ts'
import { contract, type Loupe } from '../../../src-main/contract/contract.ts'
import type { JobSummary } from '../../../src-main/contract/services/jobSummary.ts'
import { Fault } from '../../../src-main/contract/calls/faults.ts'
import { operatorCaller } from '../../../src-main/contract/calls/caller.ts'
import { memoryLink, servicesOver } from '../../../src-main/contract/calls/service.ts'
import { leastRoles } from '../../../src-main/contract/roles.ts'
import type { Answer } from '../../../src-main/contract/services/viewer.ts'
import { message } from '../../../src-main/contract/words/message.ts'

export const backedUp: BackupStatus = {
  ...{ folder: '/backups', reachable: true, everyHours: 24, keepCount: 7, keepDays: 30, last: null, kept: 0, bytes: 0 },
  ...{ next: null, apart: true, current: true, findings: [], running: null },
}

export const now = '2026-11-20T12:00:00Z'

export function event<Payload>() {
  const listeners = new Set<(payload: Payload) => void>()
  return {
    emit: (payload: Payload) => listeners.forEach((listener) => listener(payload)),
    listen: (listener: (payload: Payload) => void) => (listeners.add(listener), () => void listeners.delete(listener)),
    count: () => listeners.size,
  }
}

export const refuse = () => Promise.reject(new Fault('refused', 'not in this test'))

/** Services with only the calls that a test needs. All other calls are refused. */
export function servicesWith(given: { [Service in keyof Loupe]?: Partial<Loupe[Service]> }): Loupe {
  const whole = Object.fromEntries(
    Object.entries(contract).map(([service, members]) => [
      service,
      {
        ...Object.fromEntries(
          Object.entries(members).map(([name, { kind }]) => [name, kind === 'call' ? refuse : () => () => undefined]),
        ),
        ...given[service as keyof Loupe],
      },
    ]),
  ) as unknown as Loupe
  const onBug = (bug: unknown) => {
    throw bug
  }
  return servicesOver(
    contract,
    memoryLink({ contract, services: whole, leastRoles, onBug }, operatorCaller('ada', 'window')),
  )
}

export function job(number: number, changes: Partial<JobSummary> = {}): JobSummary {
  return {
    job: number,
    harvest: `harvest ${number}`,
    kind: 'event',
    isGenerated: false,
    state: 'ACTIVE',
    status: 'Running',
    stopReason: null,
    reason: null,
    reasonCode: null,
    documents: { total: 1, fetched: 0, failed: 0, excluded: 0, duplicate: 0, truncated: 0 },
    progress: { done: 0, total: 1 },
    queued: 1,
    findingCounts: { errors: 0, warnings: 0, notes: 0 },
    bytes: 0,
    seconds: 0,
    documentsPerSecond: 0,
    created: now,
    started: now,
    ended: null,
    seeds: ['http://a.example/'],
    ...changes,
  }
}

export function archiveStatus(changes: Partial<ArchiveStatus> = {}): ArchiveStatus {
  return {
    at: now,
    fine: true,
    overdueDays: 180,
    lost: [],
    lostTotal: 0,
    replicas: [],
    findings: [],
    aging: [],
    votes: [],
    spots: [],
    outside: { waiting: [], waitingTotal: 0, unknown: [], unknownTotal: 0 },
    backup: backedUp,
    ...changes,
  }
}

/** A check of ten files that has just started. */
export function check(changes: Partial<CheckSummary> = {}): CheckSummary {
  return {
    task: 1,
    kind: 'checksums',
    subject: message('check.subject', { replicas: 'ONE' }),
    replicas: ['ONE'],
    files: null,
    sample: null,
    state: 'RUNNING',
    stage: 'checking',
    startedBy: 'user',
    started: now,
    ended: null,
    runningMs: 0,
    filesTotal: 10,
    filesDone: 0,
    bytesTotal: 1_000,
    bytesDone: 0,
    findings: 0,
    figures: {},
    problem: null,
    code: null,
    canStop: true,
    canPause: true,
    canResume: false,
    ...changes,
  }
}

export function answer(id: number, url: string, changes: Partial<Answer> = {}): Answer {
  return {
    id,
    view: 1,
    viewing: '',
    at: now,
    method: 'GET',
    url,
    referrer: '',
    navigation: true,
    found: true,
    status: 200,
    mediaType: 'text/html',
    bytes: 1,
    captured: now,
    job: 1,
    file: null,
    offset: null,
    ...{
      initiator: '',
      resourceType: '',
      by: 'exactCapture',
      capturedUrl: null,
      inexact: [],
      truncated: null,
      isAttachment: false,
    },
    ...changes,
  }
}
