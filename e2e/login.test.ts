/** Logging in to a real server: every page of every area is fetched although nonces and sessions expire in
 *  between, no secret is sent to another host, and none is written to WARC files, the log, results of
 *  calls or the database. */

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openEngine, type Engine } from '../src-main/app/engine.ts'
import { harvestDefinition } from '../src-main/contract/services/definition.ts'
import type { DocumentRow } from '../src-main/contract/services/documents.ts'
import type { JobWhole } from '../src-main/contract/services/jobDetails.ts'
import type { Login } from '../src-main/contract/services/login.ts'
import { account, startMembers, type Members, type MembersSetting } from './sites/members.ts'

let folder: string
let engine: Engine

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-login-'))
  engine = await openEngine({ archiveFolder: folder, shell: 'cli', version: '0.0.0', run: true })
  await engine.services.credentials.set({ name: 'members', ...account })
  await engine.services.credentials.set({ name: 'wrong', ...account, password: 'not it' })
})

afterAll(async () => {
  for (const name of ['members', 'wrong']) await engine.services.credentials.remove({ name })
  await engine.close()
  await rm(folder, { recursive: true, force: true })
})

const origin = 'http://members.test'

function loginTo(credential: string, recorded: Login['recorded'] = 'withoutSecrets') {
  return {
    areas: [
      { kind: 'basic' as const, credential, urls: [`${origin}/basic/`] },
      { kind: 'digest' as const, credential, urls: [`${origin}/digest/`] },
      {
        kind: 'form' as const,
        credential,
        urls: [`${origin}/members/`],
        page: `${origin}/login`,
        userField: 'user',
        passwordField: 'pass',
      },
    ],
    recorded,
  }
}

interface Harvested {
  site: Members
  job: JobWhole
  rows: DocumentRow[]
  records: string
}

async function harvested(setting: MembersSetting, login: ReturnType<typeof loginTo>): Promise<Harvested> {
  const site = await startMembers(setting)
  const { resolve } = site
  const definition = harvestDefinition.parse({
    seeds: [`${origin}/`],
    delayMs: 0,
    connectionsPerHost: 4,
    resolve,
    login,
  })
  const { job } = await engine.services.harvests.create(definition)
  const isOver = async () => (await engine.services.jobs.show({ job })).ended !== null
  while (!(await isOver())) await sleep(50)
  await site.close()
  const { rows } = await engine.services.jobs.documents({ job, limit: 1000 })
  const whole = await engine.services.jobs.show({ job })
  return { site, job: whole, rows, records: await recordsOf(whole) }
}

/** Counts sessions in the bytes of the open database and its journals. */
async function sessionsOnDisk(): Promise<Record<string, number>> {
  const counts = ['loupe.db', 'loupe.db-wal', 'loupe.db-shm'].map(async (name) => {
    const bytes = await readFile(join(folder, name))
    return [name, bytes.toString('latin1').match(/SECRETSESSION/g)?.length ?? 0]
  })
  return Object.fromEntries(await Promise.all(counts)) as Record<string, number>
}

async function recordsOf({ files }: JobWhole): Promise<string> {
  const replica = join(folder, 'replicas', 'ONE')
  const all = await Promise.all(files.map(({ name }) => readFile(join(replica, name))))
  return all.map((bytes) => (bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString('latin1')).join('\n')
}

const fetched = (rows: DocumentRow[]) => rows.filter(({ outcome, status }) => outcome === 'fetched' && status === 200)
const basicField = Buffer.from(`${account.user}:${account.password}`).toString('base64')
const password = Buffer.from(account.password).toString('latin1')

/** No secret that would let anyone else log in. */
function expectNoSecret(text: string): void {
  for (const secret of [basicField, password, encodeURIComponent(account.password), 'Xyzzy']) expect(text).not.toContain(secret) // prettier-ignore
}

test.each<[what: string, setting: MembersSetting]>([
  ['urlencoded', { lasts: 5 }],
  ['multipart', { lasts: 4, multipart: true }],
])('every page of every area is had, though sessions end in the middle (%s form)', async (_what, setting) => {
  const { site, job, rows, records } = await harvested(setting, loginTo('members'))
  expect(job).toMatchObject({ status: 'Done', stopReason: 'DOWNLOAD_COMPLETE' })
  const urls = new Set(fetched(rows).map(({ url }) => url))
  const others = rows.filter(({ url, outcome }) => site.urls.includes(url) && outcome !== 'fetched')
  expect(others.map(({ url, outcome, code }) => ({ url, outcome, code }))).toEqual([])
  expect(site.urls.filter((url) => !urls.has(url))).toEqual([])
  // No page of an ended session was taken for a document, and no attempt was counted for it.
  expect(rows.filter(({ url, status }) => url.includes('/members/') && status !== null && status !== 200)).toEqual([])
  expect(rows.filter(({ url, attempts }) => url.includes('/members/') && attempts > 1)).toEqual([])
  expect(site.logins).toBeGreaterThan(1)
  expect(site.refusals).toBe(0)
  expect(rows.find(({ url }) => url.endsWith('/members/logout'))).toMatchObject({
    outcome: 'excluded',
    code: 'endsSession',
  })
  expect(site.heard.filter(({ path }) => path === '/members/logout')).toEqual([])
  // And no one else.
  const elsewhere = site.heard.filter(({ host }) => host.startsWith('pictures.test'))
  expect(elsewhere.length).toBeGreaterThan(10)
  expect(elsewhere.filter(({ authorization, cookie }) => authorization !== undefined || cookie !== undefined)).toEqual(
    [],
  )
  expect(site.heard.filter(({ path, authorization }) => !/^\/(basic|digest)\//.test(path) && authorization !== undefined)).toEqual([]) // prettier-ignore
  // No output contains a secret.
  expectNoSecret(records)
  expect(records).toContain('Authorization: Basic [redacted]')
  expect(records).toContain('Authorization: Digest [redacted]')
  expect(records).toMatch(/Cookie: (?:\w+=\[redacted\](?:; )?)+\r\n/)
  expect(records).not.toMatch(/sid=SECRETSESSION/)
  expect(records).toMatch(/redacted: Authorization of the request/)
  const log = await engine.services.jobs.log({ job: job.job, limit: 1000 })
  expect(log.filter(({ message }) => message.code === 'jobLog.login.in')).not.toEqual([])
  expectNoSecret(JSON.stringify([job, rows, log, await engine.services.credentials.list({})]))
})

test('session cookies of a run are in no file of the database after it has ended', async () => {
  const site = await startMembers({ lasts: 3, pages: 40 })
  const login = loginTo('members')
  const seeds = [`${origin}/`, `${origin}/members/0`]
  const definition = harvestDefinition.parse({ seeds, delayMs: 20, resolve: site.resolve, login })
  const { jobs, harvests } = engine.services
  const { job } = await harvests.create(definition)
  const until = async (isSo: () => Promise<boolean>) => {
    while (!(await isSo())) await sleep(20)
  }
  await until(async () => site.logins > 4)
  await jobs.pause({ job })
  await until(async () => (await jobs.show({ job })).state === 'PAUSED')
  const sum = (counts: Record<string, number>) => Object.values(counts).reduce((all, one) => all + one, 0)
  // Sessions outlive a pause and a kill: until the run ends they are in the journal or, after a checkpoint, in the database.
  expect(sum(await sessionsOnDisk())).toBeGreaterThan(0)
  await jobs.resume({ job })
  await until(async () => (await jobs.show({ job })).ended !== null)
  await site.close()
  await until(async () => sum(await sessionsOnDisk()) === 0)
  // Later writes do not restore the sessions.
  await engine.services.credentials.set({ name: 'wrong', ...account, password: 'not it' })
  expect(await sessionsOnDisk()).toEqual({ 'loupe.db': 0, 'loupe.db-wal': 0, 'loupe.db-shm': 0 })
})

test('a wrong password is tried once in each area, and protected pages fail with that reason', async () => {
  const { site, job, rows } = await harvested({}, loginTo('wrong'))
  expect(job.status).toBe('Done')
  expect(site.refusals).toBe(3)
  expect(site.logins).toBe(0)
  for (const area of ['basic', 'digest', 'members'])
    expect(rows.find(({ url }) => url === `${origin}/${area}/0`)).toMatchObject({
      outcome: 'failed',
      code: 'loginFailed',
    })
  expect(rows.find(({ url }) => url === `${origin}/`)).toMatchObject({ outcome: 'fetched' })
})

test('logins that never work end, and the pages shown without one are kept', async () => {
  const { site, job, rows } = await harvested({ neverIn: true }, loginTo('members'))
  expect(job.status).toBe('Done')
  expect(site.logins).toBeLessThanOrEqual(7)
  expect(rows.find(({ url }) => url === `${origin}/members/0`)).toMatchObject({ outcome: 'fetched', status: 302 })
})

test('the user may have session cookies removed from responses too, or every byte kept', async () => {
  const blanked = await harvested({ pages: 4 }, loginTo('members', 'withoutSessions'))
  expect(blanked.records).not.toContain('SECRETSESSION')
  expect(blanked.records).toMatch(/Set-Cookie: seen=x+; Path=\//i)
  expect(blanked.records).toMatch(/redacted: .*Set-Cookie of the response/)
  const exact = await harvested({ pages: 4 }, loginTo('members', 'exact'))
  expect(exact.records).toContain(basicField)
  expect(exact.records).toMatch(/Cookie: .*sid=SECRETSESSION/)
  const checked = await engine.services.jobs.show({ job: blanked.job.job })
  expect(checked.findings.filter(({ level }) => level === 'error')).toEqual([])
})

test('a missing credential is reported before the job starts', async () => {
  const site = await startMembers()
  const definition = harvestDefinition.parse({ seeds: [`${origin}/`], resolve: site.resolve, login: loginTo('nobody') })
  await expect(engine.services.harvests.create(definition)).rejects.toMatchObject({ code: 'badInput' })
  await site.close()
})

test('after a run nothing in the archive contains its session cookies, and the definition has only the name', async () => {
  const database = Buffer.concat(
    await Promise.all((await readdir(folder)).filter((name) => name.startsWith('loupe.db')).map((name) => readFile(join(folder, name)))), // prettier-ignore
  ).toString('latin1')
  expectNoSecret(database)
  const { credentials, store } = await engine.services.credentials.list({})
  expect(credentials.map(({ name }) => name)).toEqual(['members', 'wrong'])
  expect(store.message.code).toBe(`keyStore.${store.kind}`)
})
