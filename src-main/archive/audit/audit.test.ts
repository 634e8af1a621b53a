import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { auditActors, auditActions, type AuditActor, type AuditActionName } from '../../contract/shapes/choices.ts'
import { operatorCaller, shells } from '../../contract/calls/caller.ts'
import { openStore } from '../../storage/storage.ts'
import { seededWorld } from '../../world/testing/seeded.ts'
import type { DiskFault } from '../../world/world.ts'
import { openAuditLog, type AuditAction } from './audit.ts'
import { askedBy } from './auditOrigin.ts'
import { chosenSql, hashOf, type EntryRow } from './audit.sql.ts'
import { openAuditHead } from './auditHead.ts'
import { auditBatchCount } from '../files/limits.ts'

const folder = mkdtempSync(join(tmpdir(), 'loupe-audit-'))
afterAll(() => rmSync(folder, { recursive: true }))
let counter = 0
const newPath = () => join(folder, `${counter++}.db`)
const atOnce = () => Promise.resolve()
const action = (subject: string): AuditAction => ({ who: 'user', what: 'store', subject, became: { bytes: 1 } })

/** A database with `count` entries; `act` bypasses the triggers, as anyone with access to the file could. */
function tampered(count: number, act: (raw: Database.Database) => void) {
  const path = newPath()
  const store = openStore(path)
  const auditLog = openAuditLog(store)
  for (let number = 1; number <= count; number++) auditLog.append(action(`file ${number}`), number * 1000)
  store.close()
  const raw = new Database(path)
  raw.exec('DROP TRIGGER audit_is_not_changed; DROP TRIGGER audit_is_not_removed; DROP TRIGGER audit_goes_on')
  act(raw)
  raw.close()
  const again = openStore(path)
  return { store: again, auditLog: openAuditLog(again) }
}

describe('the chain', () => {
  const swap = `UPDATE audit SET number = 99 WHERE number = 3;
    UPDATE audit SET number = 3 WHERE number = 4; UPDATE audit SET number = 4 WHERE number = 99`
  const contents = ['at_ms', 'who', 'what', 'subject', 'was', 'became'].join(', ')
  const rows: [what: string, sql: string, broken: { number: number; kind: string } | undefined][] = [
    ['nothing', 'SELECT 1', undefined],
    ['an edited subject', `UPDATE audit SET subject = 'other' WHERE number = 3`, { number: 3, kind: 'changed' }],
    ['an edited time', `UPDATE audit SET at_ms = at_ms + 1 WHERE number = 1`, { number: 1, kind: 'changed' }],
    ['a state taken away', `UPDATE audit SET became = NULL WHERE number = 5`, { number: 5, kind: 'changed' }],
    ['text moved to the next column', `UPDATE audit SET who = 'pers', what = 'onstore' WHERE number = 2`, { number: 2, kind: 'changed' }],
    ['an edited hash', `UPDATE audit SET hash = upper(hash) WHERE number = 2`, { number: 2, kind: 'changed' }],
    ['a removed entry', `DELETE FROM audit WHERE number = 3`, { number: 3, kind: 'removed' }],
    ['a removed beginning', `DELETE FROM audit WHERE number = 1`, { number: 1, kind: 'removed' }],
    ['a removed entry, the others moved up', `DELETE FROM audit WHERE number = 3; UPDATE audit SET number = number - 1 WHERE number > 3`, { number: 3, kind: 'changed' }],
    ['a swapped pair', swap, { number: 3, kind: 'changed' }],
    ['swapped contents', `UPDATE audit SET (${contents}) = (SELECT ${contents} FROM audit AS other WHERE other.number = 7 - audit.number) WHERE number IN (3, 4)`, { number: 3, kind: 'changed' }],
  ] // prettier-ignore
  test.each(rows)('%s', async (_, sql, broken) => {
    const { store, auditLog } = tampered(6, (raw) => raw.exec(sql))
    const verdict = await auditLog.verifyChain(atOnce)
    expect(verdict.broken && { number: verdict.broken.number, kind: verdict.broken.kind }).toEqual(broken)
    expect(verdict.entries).toBe(broken === undefined ? 6 : broken.number - 1)
    store.close()
  })

  test('a forged entry with a valid hash breaks the chain at the next entry', async () => {
    const { store, auditLog } = tampered(5, (raw) => {
      const columns = 'number, at_ms AS atMs, who, what, subject, was, became, previous, account, host, shell, hash'
      const third = raw.prepare<[], EntryRow>(`SELECT ${columns} FROM audit WHERE number = 3`).get()
      if (!third) throw new Error('no third entry')
      const hash = hashOf({ ...third, subject: 'forged' })
      raw.prepare(`UPDATE audit SET subject = 'forged', hash = ? WHERE number = 3`).run(hash)
    })
    const { entries, broken } = await auditLog.verifyChain(atOnce)
    expect([entries, broken?.number, broken?.kind]).toEqual([3, 4, 'unlinked'])
    store.close()
  })

  test('any actions, in several batches, verify; a byte changed anywhere is located', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 12 }).filter((value) => !value.includes('\0'))
    const actions = fc.array(fc.record({ who: text, what: fc.constantFrom(...auditActions), subject: text, was: fc.jsonValue(), became: fc.jsonValue() }), { minLength: 1, maxLength: 8 }) // prettier-ignore
    await fc.assert(
      fc.asyncProperty(actions, fc.nat(), async (all, chosen) => {
        const store = openStore(':memory:')
        const auditLog = openAuditLog(store)
        for (const one of all) auditLog.append(one, 1)
        expect(await auditLog.verifyChain(atOnce)).toEqual({ entries: all.length, broken: undefined })
        store.statement<object>('DROP TRIGGER audit_is_not_changed').run({})
        const number = 1 + (chosen % all.length)
        store.statement<{ number: number }>(`UPDATE audit SET subject = subject || ' ' WHERE number = @number`).run({ number }) // prettier-ignore
        expect((await auditLog.verifyChain(atOnce)).broken).toMatchObject({ number, kind: 'changed' })
        store.close()
      }),
      { numRuns: 60 },
    )
  })

  test('other work runs between the batches, and progress is reported', async () => {
    const store = openStore(':memory:')
    const auditLog = openAuditLog(store)
    store.transaction(() => {
      for (let number = 0; number < 2 * auditBatchCount + 1; number++) auditLog.append(action('x'), number)
    })
    const reported: number[] = []
    const verdict = await auditLog.verifyChain((entries) => Promise.resolve(void reported.push(entries)))
    expect([verdict.entries, reported]).toEqual([2 * auditBatchCount + 1, [auditBatchCount, 2 * auditBatchCount]])
    store.close()
  })
})

test('no statement changes, removes, replaces or forges an entry', () => {
  const store = openStore(':memory:')
  const auditLog = openAuditLog(store)
  auditLog.append(action('one'), 1)
  const before = auditLog.page({ offset: 0, limit: 9 })
  const hash = '0'.repeat(64)
  for (const sql of [
    `UPDATE audit SET who = 'nobody'`,
    `DELETE FROM audit`,
    `INSERT OR REPLACE INTO audit VALUES (1, 1, 'a', 'b', 'c', NULL, NULL, '${hash}', '${hash}', NULL, NULL, NULL)`,
    `INSERT INTO audit VALUES (3, 1, 'a', 'b', 'c', NULL, NULL, '${before.rows[0]?.hash}', '${hash}', NULL, NULL, NULL)`,
    `INSERT INTO audit VALUES (2, 1, 'a', 'b', 'c', NULL, NULL, '${hash}', '${hash}', NULL, NULL, NULL)`,
  ])
    expect(() => store.statement<object>(sql).run({})).toThrow(/audit log/)
  expect(auditLog.page({ offset: 0, limit: 9 })).toEqual(before)
  store.close()
})

describe('filtering entries', () => {
  const store = openStore(':memory:')
  const auditLog = openAuditLog(store)
  afterAll(() => store.close())
  const actions: [who: string, what: AuditActionName, subject: string][] = [
    ['job 7', 'store', '7-1.warc'],
    ['job 12', 'store', '12-1.warc'],
    ['upload', 'store', '7-brought.warc'],
    ['user', 'checkBegun', 'check 1'],
    ['user', 'finding', '7-1.warc'],
    ['schedule', 'finding', '12-1.warc'],
    ['recovery', 'checkEnded', 'check 1'],
    ['user', 'repair', '7-1.warc'],
    ['user', 'store', '\u{10ffff}-last.warc'],
  ]
  for (const [who, what, subject] of actions) auditLog.append({ who, what, subject }, 1)

  const rows: [
    why: string,
    filter: { who?: AuditActor; what?: AuditActionName; subject?: string },
    numbers: number[],
  ][] = [
    ['all', {}, [9, 8, 7, 6, 5, 4, 3, 2, 1]],
    ['an action', { what: 'finding' }, [6, 5]],
    ['a user', { who: 'user' }, [9, 8, 5, 4]],
    ['any job', { who: 'job' }, [2, 1]],
    ['a whole name', { subject: '7-1.warc' }, [8, 5, 1]],
    ['the beginning of a name', { subject: '7-' }, [8, 5, 3, 1]],
    ['a beginning that is the last letter of all', { subject: '\u{10ffff}' }, [9]],
    ['all three', { who: 'user', what: 'finding', subject: '7' }, [5]],
    ['any job and an action', { who: 'job', what: 'store', subject: '12-' }, [2]],
    ['nothing', { what: 'restoreFromAttic' }, []],
  ]
  test.each(rows)('%s', (_, filter, numbers) => {
    const { rows: found, total } = auditLog.page({ ...filter, offset: 0, limit: 20 })
    expect([found.map(({ number }) => number), total]).toEqual([numbers, numbers.length])
    const page = auditLog.page({ ...filter, offset: 1, limit: 1 })
    expect([page.rows.map(({ number }) => number), page.total]).toEqual([numbers.slice(1, 2), numbers.length])
  })

  test('any filter gives the same as filtering all entries', () => {
    const filters = fc.record(
      {
        who: fc.constantFrom(...auditActors),
        what: fc.constantFrom(...auditActions),
        subject: fc.constantFrom('7', '7-1.warc', 'check', 'check 1', '12-', 'z'),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(filters, ({ who, what, subject }) => {
        const wanted = actions.flatMap((row, at) => {
          const byWho = who === undefined || row[0] === who || (who === 'job' && row[0].startsWith('job '))
          const isWanted = byWho && (what ?? row[1]) === row[1] && row[2].startsWith(subject ?? '')
          return isWanted ? [at + 1] : []
        })
        const { rows: found } = auditLog.page({ who, what, subject, offset: 0, limit: 20 })
        expect(found.map(({ number }) => number)).toEqual(wanted.toReversed())
      }),
    )
  })

  const plans: [filter: { who?: AuditActor; what?: AuditActionName; subject?: string }, index: RegExp][] = [
    [{ what: 'finding' }, /USING INDEX audit_by_what /],
    [{ who: 'user' }, /USING INDEX audit_by_who /],
    [{ who: 'job' }, /USING INDEX audit_by_who /],
    [{ subject: '7-' }, /USING INDEX audit_by_subject /],
  ]
  test.each(plans)('%o goes by an index', (filter, index) => {
    const given = { who: 'a', what: 'a', subject: 'a', subjectEnd: 'b', offset: 0, limit: 1 }
    const plan = store.statement<object, { detail: string }>(`EXPLAIN QUERY PLAN ${chosenSql(filter)}`).all(given)
    expect(plan.map(({ detail }) => detail).join('; ')).toMatch(index)
  })
})

describe('account, host and shell', () => {
  const user = { account: 'änna', host: 'archive-1', shell: 'window' } as const

  test('actions of a caller name its account and address; all others that of the process', () => {
    const store = openStore(':memory:', { user })
    const auditLog = openAuditLog(store)
    const bea = { account: 'bea', roles: ['curator'], shell: 'window', address: '192.0.2.7' } as const
    askedBy(bea, () => {
      auditLog.append({ ...action('of the caller'), who: 'user' }, 1)
      auditLog.append({ ...action('of a job'), who: 'job 7' }, 2)
    })
    askedBy({ ...bea, address: '' }, () => auditLog.append({ ...action('on this machine'), who: 'user' }, 3))
    const { rows } = auditLog.page({ offset: 0, limit: 9 })
    expect(rows.map(({ origin }) => [origin?.account, origin?.host])).toEqual([
      ['bea', 'archive-1'],
      ['änna', 'archive-1'],
      ['bea', '192.0.2.7'],
    ])
    store.close()
  })

  test('each entry names those of the connection, and the shell of the call in which it is written', async () => {
    const store = openStore(':memory:', { user })
    const auditLog = openAuditLog(store)
    auditLog.append(action('by the engine'), 1)
    await askedBy(operatorCaller('änna', 'commandLine'), async () => {
      auditLog.append(action('during a call'), 2)
      await Promise.resolve()
      auditLog.append(action('later in the call'), 3)
      auditLog.append({ ...action('by the schedule'), who: 'schedule' }, 4)
    })
    auditLog.append(action('by the engine again'), 5)
    const { rows } = auditLog.page({ offset: 0, limit: 9 })
    expect(rows.map(({ origin }) => origin?.shell)).toEqual(['window', 'schedule', 'commandLine', 'commandLine', 'window']) // prettier-ignore
    for (const { origin } of rows) expect(origin).toMatchObject({ account: 'änna', host: 'archive-1' })
    expect(await auditLog.verifyChain(atOnce)).toEqual({ entries: 5, broken: undefined })
    store.close()
  })

  /** Hash of an entry in the earlier eight-field format, spelled out here so that a change of the format fails the test. */
  const eightFieldHash = (fields: readonly (string | number | null)[]) => {
    const netstring = (field: string | number | null) =>
      field === null ? '~,' : `${Buffer.byteLength(String(field))}:${field},`
    return createHash('sha256').update(fields.map(netstring).join('')).digest('hex')
  }

  /** An archive in the earlier format with two entries, opened by a connection of this user. */
  function oldArchive(path: string) {
    openStore(path).close()
    const old = new Database(path)
    const columns = 'number, at_ms, who, what, subject, was, became, previous, hash'
    const add = old.prepare(`INSERT INTO audit (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`)
    let previous = '0'.repeat(64)
    for (const [number, who] of ['user', 'job 7'].entries()) {
      const fields = [number + 1, 5, who, 'store', 'ä.warc', null, '{"bytes":1}', previous]
      previous = eightFieldHash(fields)
      add.run(...fields, previous)
    }
    old.close()
    return openStore(path, { user })
  }

  test('entries of an earlier version stay readable, and the chain over both verifies', async () => {
    const store = oldArchive(newPath())
    const auditLog = openAuditLog(store)
    expect(await auditLog.verifyChain(atOnce)).toEqual({ entries: 2, broken: undefined })
    auditLog.append(action('new'), 9)
    expect(await auditLog.verifyChain(atOnce)).toEqual({ entries: 3, broken: undefined })
    const { rows } = auditLog.page({ offset: 0, limit: 9 })
    expect(rows.map(({ who, subject, origin }) => [who, subject, origin])).toEqual([
      ['user', 'new', user],
      ['job 7', 'ä.warc', null],
      ['user', 'ä.warc', null],
    ])
    store.close()
  })

  const changes: [what: string, sql: string, number: number][] = [
    ['another account', `UPDATE audit SET account = 'bert' WHERE number = 3`, 3],
    ['another host', `UPDATE audit SET host = 'elsewhere' WHERE number = 3`, 3],
    ['another shell', `UPDATE audit SET shell = 'schedule' WHERE number = 3`, 3],
    ['one of the three taken away', `UPDATE audit SET account = NULL WHERE number = 3`, 3],
    ['all three taken away', `UPDATE audit SET account = NULL, host = NULL, shell = NULL WHERE number = 3`, 3],
    ['text moved to the next column', `UPDATE audit SET account = 'än', host = 'naarchive-1' WHERE number = 3`, 3],
    ['all three given to an entry of before', `UPDATE audit SET account = 'bert', host = '', shell = '' WHERE number = 1`, 1],
  ] // prettier-ignore
  test.each(changes)('%s shows', async (_, sql, number) => {
    const path = newPath()
    const store = oldArchive(path)
    openAuditLog(store).append(action('new'), 9)
    store.close()
    const raw = new Database(path)
    raw.exec(`DROP TRIGGER audit_is_not_changed; ${sql}`)
    raw.close()
    const again = openStore(path)
    const auditLog = openAuditLog(again)
    expect((await auditLog.verifyChain(atOnce)).broken).toMatchObject({ number, kind: 'changed' })
    expect(auditLog.page({ offset: 0, limit: 9 }).total).toBe(3)
    again.close()
  })

  test('any names keep the chain intact', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 12 }).filter((value) => !value.includes('\0'))
    const users = fc.record({ account: text, host: text, shell: fc.constantFrom(...shells) })
    await fc.assert(
      fc.asyncProperty(users, async (other) => {
        const store = openStore(':memory:', { user: other })
        const auditLog = openAuditLog(store)
        auditLog.append(action('x'), 1)
        auditLog.append(action('y'), 2)
        expect(await auditLog.verifyChain(atOnce)).toEqual({ entries: 2, broken: undefined })
        expect(auditLog.page({ offset: 0, limit: 1 }).rows[0]?.origin).toEqual(other)
        store.close()
      }),
      { numRuns: 60 },
    )
  })
})

describe('the head file outside the database', () => {
  const path = '/loupe.audit'
  function opened() {
    const world = seededWorld({ seed: 1 })
    const store = openStore(':memory:')
    const auditLog = openAuditLog(store)
    const faults: DiskFault[] = []
    const openHead = () => openAuditHead({ world, auditLog, path, onFault: (fault) => faults.push(fault) })
    return { world, store, auditLog, faults, openHead }
  }
  const cut = ['DROP TRIGGER IF EXISTS audit_is_not_removed', 'DELETE FROM audit WHERE number > 2']

  test('a cut end is detected at once and at every later start, whatever is added since', async () => {
    const { world, store, auditLog, openHead } = opened()
    await world.run(
      (async () => {
        const head = await openHead()
        for (const name of ['a', 'b', 'c', 'd']) auditLog.append(action(name), 1)
        head.note()
        expect(await head.witness()).toEqual({ state: 'agrees', number: 4 })
        for (const sql of cut) store.statement<object>(sql).run({})
        expect((await auditLog.verifyChain(atOnce)).broken).toBeUndefined()
        expect(await head.witness()).toEqual({ state: 'contradicts', number: 4 })
        const later = await openHead()
        for (const name of ['e', 'f', 'g']) auditLog.append(action(name), 2)
        later.note()
        expect(await later.witness()).toEqual({ state: 'contradicts', number: 4 })
        await later.close()
        expect(await (await openHead()).witness()).toEqual({ state: 'contradicts', number: 4 })
      })(),
    )
  })

  test('after a recovery the file of the lost database is kept under another name, and the log has an entry about it', async () => {
    const { world, auditLog, openHead } = opened()
    await world.run(
      (async () => {
        const lost = `entry 9 has the hash ${'a'.repeat(64)}\n`
        await world.disk.write(path, Buffer.from(lost))
        auditLog.append(action('a'), 1)
        const head = await openHead()
        expect(await head.witness()).toEqual({ state: 'contradicts', number: 9 })
        await head.setAside()
        expect(await head.witness()).toEqual({ state: 'agrees', number: 2 })
        const [entry] = auditLog.page({ what: 'auditHeadMade', offset: 0, limit: 1 }).rows
        const { movedTo } = entry!.was as { movedTo: string }
        expect(entry?.was).toMatchObject({ lastEntry: 9 })
        expect(Buffer.from(await world.disk.read(`/${movedTo}`, 1_000)).toString()).toBe(lost)
        await head.setAside()
        expect(auditLog.head()?.number).toBe(2)
        await head.close()
      })(),
    )
  })

  test('after a kill between the entry and the file, the file is older and is updated at the next start', async () => {
    const { world, auditLog, openHead } = opened()
    await world.run(
      (async () => {
        const head = await openHead()
        auditLog.append(action('a'), 1)
        head.note()
        await head.witness()
        auditLog.append(action('b'), 1)
        expect(await head.witness()).toEqual({ state: 'behind', number: 1 })
        expect(await (await openHead()).witness()).toEqual({ state: 'agrees', number: 2 })
      })(),
    )
  })

  test('a removed file is created again, and the log has an entry about it', async () => {
    const { world, auditLog, openHead } = opened()
    await world.run(
      (async () => {
        const head = await openHead()
        expect(auditLog.head()).toBeUndefined()
        auditLog.append(action('a'), 1)
        await head.close()
        await world.disk.remove(path)
        expect(await head.witness()).toEqual({ state: 'absent', number: null })
        expect(await (await openHead()).witness()).toEqual({ state: 'agrees', number: 2 })
        expect(auditLog.page({ offset: 0, limit: 1 }).rows[0]).toMatchObject({ what: 'auditHeadMade', subject: path })
      })(),
    )
  })

  test('a file with other content is left for inspection', async () => {
    const { world, auditLog, openHead } = opened()
    await world.run(
      (async () => {
        auditLog.append(action('a'), 1)
        await world.disk.write(path, Buffer.from('something else'))
        const head = await openHead()
        head.note()
        await head.close()
        expect(await head.witness()).toEqual({ state: 'unreadable', number: null })
        expect(Buffer.from(await world.disk.read(path, 100)).toString()).toBe('something else')
      })(),
    )
  })

  test('a disk that cannot be written stops nothing and is reported', async () => {
    const { world, auditLog, faults } = opened()
    await world.run(
      (async () => {
        const head = await openAuditHead({ world, auditLog, path: '/nowhere/loupe.audit', onFault: (fault) => faults.push(fault) }) // prettier-ignore
        auditLog.append(action('a'), 1)
        head.note()
        await head.close()
        expect(faults.length).toBeGreaterThan(0)
      })(),
    )
  })
})
