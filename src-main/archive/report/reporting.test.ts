import { createHmac } from 'node:crypto'
import { textOf } from '../../contract/words/render.ts'
import { message } from '../../contract/words/message.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AuditProgress } from '../../contract/services/audit.ts'
import { preservationReport, type PreservationReport } from '../../contract/services/archiveStatus.ts'
import type { BackupStatus } from '../../contract/services/backups.ts'
import { openStore } from '../../storage/storage.ts'
import { seededWorld, type SeededWorld } from '../../world/testing/seeded.ts'
import { openArchive } from '../store/archive.ts'
import { openAuditLog } from '../audit/audit.ts'
import { auditBatchCount } from '../files/limits.ts'
import { openAuditHead } from '../audit/auditHead.ts'
import type { CheckOrder } from '../check/preservation.ts'
import { openChecks } from '../testing/openChecks.ts'
import { reportCsv } from './reportCsv.ts'
import { reportHtml } from './reportHtml.ts'
import { openReporting, type ReportSettings } from './reporting.ts'
import { openSpotChecks } from '../check/spotChecks.ts'
import { openCopyStatus } from '../copies/copyStatus.ts'

const dayMs = 86_400_000
const usual: ReportSettings = { overdueDays: 180, checksumsEveryDays: 90, checksumsSample: 0, places: {}, declared: [] }

/** Backups as they stand when all is well, but not apart. */
const backedUp: BackupStatus = {
  ...{ folder: '/backups', reachable: true, everyHours: 24, keepCount: 7, keepDays: 30 },
  last: { name: 'b.db', made: '2026-01-01T00:00:00.000Z', confirmed: '2026-01-01T00:00:00.000Z', bytes: 9 },
  ...{ kept: 1, bytes: 9, next: null, apart: false, current: true, findings: [], running: null },
}

async function opened(
  world: SeededWorld,
  changes: Partial<ReportSettings> = {},
  backup: () => BackupStatus = () => backedUp,
) {
  const store = openStore(':memory:')
  const names = ['ONE', 'TWO']
  const archive = await openArchive({
    store,
    world,
    replicas: names.map((name) => ({ name, folder: `/${name}` })),
    limits: { freeBytesMin: 0, freeBytesToAcceptMin: 0 },
  })
  for (const name of ['1-1.warc', '1-metadata-1.warc']) {
    await world.disk.write(`/local-${name}`, Buffer.from(`content of ${name}`))
    const kind = name.includes('metadata') ? ('metadata' as const) : ('content' as const)
    await archive.store({ path: `/local-${name}`, name, kind, jobId: 1 })
  }
  const { preservation, tasks } = await openChecks({ archive, store, world, onBug: raise })
  const auditLog = openAuditLog(store)
  const auditHead = await openAuditHead({ world, auditLog, path: '/loupe.audit', onFault: raise })
  const spotChecks = await openSpotChecks({ replicas: archive.places, limits: archive.limits, store, tasks, world })
  const reporting = openReporting({
    archive,
    preservation,
    copyStatus: openCopyStatus(store, archive.places),
    spotChecks,
    auditLog,
    auditHead,
    store,
    world,
    settings: () => ({ ...usual, ...changes }),
    backups: { status: () => Promise.resolve(backup()) },
    archiveFolder: '/the <archive>',
    software: 'Loupe/test',
    outside: async () => ({ waiting: [], waitingTotal: 0, unknown: [], unknownTotal: 0 }),
  })
  const checkOf = async (order: CheckOrder) => preservation.ended((await preservation.check(order)).task)
  const check = (kind: 'missing' | 'checksums') => checkOf({ kind })
  return { world, store, reporting, check, checkOf, spotChecks, auditHead }
}

function raise(error: unknown): never {
  throw error
}

function inWorld(
  act: (setting: Awaited<ReturnType<typeof opened>>) => Promise<void>,
  changes?: Partial<ReportSettings>,
) {
  // prettier-ignore
  const world = seededWorld({ seed: 2 })
  return world.run(opened(world, changes).then(act))
}

const levels = ({ levels: all }: PreservationReport) => all.map(({ area, level }) => `${area} ${level}`)

describe('fine is only', () => {
  test('an archive whose copies were recently stored or checked without findings', () =>
    inWorld(async ({ reporting, check, world }) => {
      const firstCheckDue = expect.any(String) as string
      const neverChecked = { neverChecked: 2, overdue: 0, firstCheckDue }
      expect(await reporting.status()).toMatchObject({ fine: true, aging: [], replicas: [neverChecked, neverChecked] })
      await world.clock.sleep(181 * dayMs)
      const overdue = { neverChecked: 2, overdue: 2 }
      expect(await reporting.status()).toMatchObject({ fine: false, replicas: [overdue, overdue] })
      await check('checksums')
      expect(await reporting.status()).toMatchObject({ fine: true, findings: [], aging: [], votes: [], spots: [] })
      await world.clock.sleep(181 * dayMs)
      expect(await reporting.status()).toMatchObject({ fine: false, replicas: [{ overdue: 2 }, { overdue: 2 }] })
    }))

  const rows: [what: string, spoil: (world: SeededWorld) => Promise<unknown>][] = [
    ['not with a damaged copy', async (world) => world.disk.corrupt('/TWO/1-1.warc', 1)],
    ['not with a missing copy', (world) => world.disk.remove('/TWO/1-1.warc')],
    ['not with a replica that cannot be reached', (world) => world.disk.rename('/TWO', '/elsewhere')],
    ['not with an unknown file', (world) => world.disk.write('/TWO/stray.warc', Buffer.from('x'))],
  ]
  test.each(rows)('%s', (_, spoil) =>
    inWorld(async ({ reporting, check, world }) => {
      await check('checksums')
      await spoil(world)
      await check('missing')
      await check('checksums')
      expect((await reporting.status()).fine).toBe(false)
    }),
  )

  test('not after a spot that differs, until the copies were read', () =>
    inWorld(async ({ reporting, check, world, spotChecks }) => {
      await check('checksums')
      world.disk.corrupt('/TWO/1-1.warc', 1)
      await spotChecks.run({ files: 2, by: 'user' })
      const { fine, spots } = await reporting.status()
      expect([fine, spots.map(({ name, verdict }) => `${name} ${verdict}`)]).toEqual([false, ['1-1.warc differ']])
      expect(spots[0]?.answers[0]?.hmac).toBe(createHmac('sha256', spots[0]?.salt ?? '').update('content of 1-1.warc').digest('hex')) // prettier-ignore
      await check('checksums')
      expect(await reporting.status()).toMatchObject({
        fine: false,
        spots: [],
        votes: [{ name: '1-1.warc', registeredVerdict: 'right' }],
      })
    }))
})

describe('backups of the database', () => {
  const finding = {
    kind: 'failed' as const,
    name: null,
    message: message('text', { text: 'No space for a backup in /backups.' }),
  }
  const rows: [what: string, changes: Partial<BackupStatus>, fine: boolean, inventory: string][] = [
    ['apart from the content', { apart: true }, true, 'met'],
    ['next to it', { apart: false }, true, 'notMet'],
    ['it is not known where', { apart: null }, true, 'notMet'],
    ['apart, with files stored since', { apart: true, current: false }, true, 'notMet'],
    ['apart, on an unreachable drive', { apart: true, reachable: false }, true, 'notMet'],
    ['none', { apart: true, last: null }, true, 'notMet'],
    ['failing', { apart: true, findings: [finding] }, false, 'met'],
  ]
  test.each(rows)('%s', (_, changes, fine, inventory) => {
    const world = seededWorld({ seed: 2 })
    const asking = opened(world, {}, () => ({ ...backedUp, ...changes })).then(async ({ reporting, check }) => {
      await check('checksums')
      const report = await reporting.report()
      expect(report.fine).toBe(fine)
      const conditions = report.levels.flatMap(({ conditions: all }) => all)
      for (const id of ['inventoryElsewhere', 'integrityElsewhere'])
        expect(conditions.find((condition) => condition.id === id)?.state).toBe(inventory)
      for (const text of [reportHtml(report), reportCsv(report)]) {
        expect(text.includes(textOf(finding.message))).toBe(!fine)
        expect(text).toContain('/backups')
      }
    })
    return world.run(asking)
  })
})

test('a lost file is listed first by name everywhere', () =>
  inWorld(async ({ reporting, check, world }) => {
    await world.disk.remove('/ONE/1-1.warc')
    world.disk.corrupt('/TWO/1-1.warc', 1)
    await check('checksums')
    const report = await reporting.report()
    expect(report).toMatchObject({ fine: false, lost: [{ name: '1-1.warc', job: 1 }], lostTotal: 1 })
    const html = reportHtml(report)
    expect(html).toContain('1 file is lost: no replica has a good copy')
    expect(html.indexOf('<h2>Lost files')).toBeLessThan(html.indexOf('<h2>Replicas'))
    expect(reportCsv(report)).toMatch(/overall,,,lostFiles,1,1 file is lost: no replica has a good copy\r\n/)
    expect(reportCsv(report)).toMatch(/lost,,1-1.warc,lost,\d+,job 1\r\n/)
  }))

describe('the levels', () => {
  const places = { ONE: 'Aarhus', TWO: 'Odense' }
  const declared = ['stableStorage', 'virusChecked', 'writeBlockers', 'integrityElsewhere', 'inventoryElsewhere']
  test('of an archive that was never checked, and then was', () =>
    inWorld(
      async ({ reporting, check }) => {
        expect(levels(await reporting.report())).toEqual(['storage 1', 'integrity 2', 'metadata 2'])
        await check('checksums')
        expect(levels(await reporting.report())).toEqual(['storage 1', 'integrity 4', 'metadata 2'])
      },
      { places, declared },
    ))
  test('without locations, two locations are not met', () =>
    inWorld(async ({ reporting }) => expect(levels(await reporting.report())[0]).toBe('storage 0'), { declared }))
  test('a sampled schedule is not a fixed interval', () =>
    inWorld(
      async ({ reporting, check }) => {
        await check('checksums')
        expect(levels(await reporting.report())[1]).toBe('integrity 2')
      },
      { places, declared, checksumsSample: 5 },
    ))
  test('damage is listed until it is repaired, and findings require a check', () =>
    inWorld(
      async ({ reporting, check, world }) => {
        await check('checksums')
        await world.disk.remove('/TWO/1-1.warc')
        await check('missing')
        const integrity = (await reporting.report()).levels[1]
        expect(integrity?.level).toBe(3)
        expect(integrity?.next.map(textOf).join()).toMatch(/a checksum check of every replica.*Repair the copies/)
      },
      { places, declared },
    ))
})

describe('a finding requires a check of all checksums of its replica', () => {
  const rows: [what: string, order: CheckOrder, state: string][] = [
    ['of the other replica is not enough', { kind: 'checksums', replica: 'ONE' }, 'notMet'],
    ['of some files is not enough', { kind: 'checksums', files: 'metadata' }, 'notMet'],
    ['of a sample is not enough', { kind: 'checksums', sample: 1 }, 'notMet'],
    ['of the replica itself is enough', { kind: 'checksums', replica: 'TWO' }, 'met'],
  ]
  test.each(rows)('one %s', (_, order, state) =>
    inWorld(async ({ reporting, check, checkOf, world }) => {
      await check('checksums')
      await world.disk.remove('/TWO/1-1.warc')
      await check('missing')
      await world.disk.write('/TWO/1-1.warc', Buffer.from('content of 1-1.warc'))
      await world.clock.sleep(1_000)
      await checkOf(order)
      const [, integrity] = (await reporting.report()).levels
      expect(integrity?.conditions.find(({ id }) => id === 'afterEvents')?.state).toBe(state)
    }),
  )
})

describe('the audit of the audit log', () => {
  test('reports an intact log as intact', () =>
    inWorld(async ({ reporting, auditHead }) => {
      auditHead.note()
      expect(await reporting.verifyAudit()).toMatchObject({ whole: true, broken: null, witness: { state: 'agrees' } })
    }))

  test('tells how far it is, of the entries that there were when it began', () =>
    inWorld(async ({ reporting, store }) => {
      const auditLog = openAuditLog(store)
      const stored = auditLog.head()?.number ?? 0
      const add = () => auditLog.append({ who: 'upload', what: 'store', subject: 'a.warc' }, 1)
      store.transaction(() => {
        for (let number = stored; number < 2 * auditBatchCount + 1; number++) add()
      })
      const told: AuditProgress[] = []
      const end = reporting.onVerifying((how) => {
        told.push(how)
        add()
      })
      const { entries } = await reporting.verifyAudit()
      const entriesTotal = 2 * auditBatchCount + 1
      expect(told).toEqual(
        [auditBatchCount, 2 * auditBatchCount].map((inOrder) => ({ entries: inOrder, entriesTotal })),
      )
      expect(entries).toBe(entriesTotal + 2)
      end()
      await reporting.verifyAudit()
      expect(told).toHaveLength(2)
    }))
  const rows: [what: string, sql: string, text: RegExp][] = [
    ['an edit', `DROP TRIGGER audit_is_not_changed; UPDATE audit SET who = 'x' WHERE number = 1`, /Entry 1 was changed/],
    ['a cut end', `DROP TRIGGER audit_is_not_removed; DELETE FROM audit WHERE number > 1`, /entries at the end were removed/],
  ] // prettier-ignore
  test.each(rows)('%s is found and costs the level', (_, sql, text) =>
    inWorld(
      async ({ reporting, auditHead, store, check }) => {
        await check('checksums')
        await auditHead.close()
        for (const one of sql.split(';')) store.statement<object>(one).run({})
        const { audit, fine, levels: judged } = await reporting.report()
        expect((await reporting.status()).fine).toBe(true)
        expect(fine).toBe(false)
        expect([audit.whole, textOf(audit.message)]).toEqual([false, expect.stringMatching(text)])
        expect(judged[1]?.conditions.find(({ id }) => id === 'checksDocumented')?.state).toBe('notMet')
      },
      { declared: ['virusChecked', 'writeBlockers', 'integrityElsewhere'] },
    ),
  )
})

describe('printed', () => {
  const made = async (act: (report: PreservationReport) => void) =>
    inWorld(async ({ reporting, check, world }) => {
      world.disk.corrupt('/TWO/1-1.warc', 1)
      await world.disk.write('/TWO/stray.warc', Buffer.from('x'))
      await check('missing')
      await check('checksums')
      act(preservationReport.parse(await reporting.report()))
    })

  test('the page names the problems and its creator, and loads and runs nothing', () =>
    made((report) => {
      const page = reportHtml(report)
      for (const said of [
        'wrong checksum',
        'not in the catalogue',
        'stray.warc',
        'Good in ONE. Damaged in TWO.',
        'NDSA level of storage: 0',
        'Loupe/test',
        report.audit.head ?? 'no head',
        'Action needed',
      ])
        // prettier-ignore
        expect(page).toContain(said)
      expect(page).toContain('/the &#60;archive&#62;')
      expect(page).not.toMatch(/<script|<img|<link|src=|href=|url\(/i)
    }))

  test('the table has a row for each thing, and as many cells in each', () =>
    made((report) => {
      const rows = reportCsv(report).trimEnd().split('\r\n')
      expect(rows[0]).toBe('section,replica,subject,item,value,note')
      expect(rows).toContain('replica,TWO,,corrupt,1,')
      expect(rows.filter((row) => row.startsWith('finding,'))).toHaveLength(2)
      expect(rows.filter((row) => row.startsWith('vote,'))).toHaveLength(1)
      expect(rows.filter((row) => row.startsWith('check,'))).toHaveLength(2)
      expect(rows.some((row) => row.startsWith('ndsa,,integrity,3 fixedIntervals,'))).toBe(true)
    }))

  test('the number of further findings counts all, not only those that are listed', async () => {
    await made((report) => {
      const finding = { replica: 'ONE', name: 'a', finding: 'missing' as const, expected: null, found: null, job: null }
      const age = {
        replica: 'ONE',
        name: 'a',
        finding: 'overdue' as const,
        verified: null,
        stored: report.at,
        job: null,
      }
      const counts = { missing: 12_000, corrupt: 345, neverChecked: 0, overdue: 40_002 }
      const replicas = report.replicas.map((row, at) =>
        at === 0 ? { ...row, ...counts } : { ...row, missing: 0, corrupt: 0, neverChecked: 0, overdue: 0 },
      )
      const page = (findings: number, aging: number) =>
        reportHtml({
          ...report,
          replicas,
          findings: Array.from({ length: findings }, () => finding),
          aging: Array.from({ length: aging }, () => age),
          votes: [],
          spots: [],
        })
      expect(page(10_000, 1_000)).toContain('<p>And 11845 more.</p>')
      expect(page(10_000, 1_000)).toContain('<p>And 39502 more.</p>')
      expect(page(501, 0)).toContain('<p>And 1 more.</p>')
    })
  })

  test('any text stays escaped in its place', async () => {
    let base: PreservationReport | undefined
    await made((report) => (base = report))
    if (!base) throw new Error('no report')
    const report = base
    const hostile = fc.oneof(fc.string(), fc.constantFrom('<script>alert(1)</script>', '"><img src=x>', '</td></style>', "' onload='x", '=1+1', 'a"b,c\r\nd')) // prettier-ignore
    const tags = (page: string) => page.match(/<[^>]*>/g)?.length
    const plain = tags(reportHtml(report))
    fc.assert(
      fc.property(hostile, (text) => {
        const said = message('text', { text })
        const findings = report.findings.map((row) => ({ ...row, name: text, found: said, expected: said }))
        const spoiled = {
          ...report,
          archive: text,
          findings,
          votes: report.votes.map((row) => ({ ...row, message: said })),
        }
        expect(tags(reportHtml(spoiled))).toBe(plain)
        const rows = rowsOf(reportCsv(spoiled))
        expect(new Set(rows.map((cells) => cells.length))).toEqual(new Set([6]))
        expect(rows.flat().filter((cell) => /^[=+@]/.test(cell))).toEqual([])
      }),
    )
  })
})

/** Parses CSV as in RFC 4180: a quote inside quotes is doubled. */
function rowsOf(text: string): string[][] {
  const rows: string[][] = [[]]
  for (const [, quoted, plain = '', end = ''] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end !== ',') rows.push([])
  }
  return rows.filter((cells) => cells.length > 0 && cells.join('') !== '')
}
