/** The channels against real servers on loopback: a mail server, an HTTP server, and a module of the user in a thread. */
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import tls from 'node:tls'
import { SMTPServer } from 'smtp-server'
import { expect, onTestFinished, test } from 'vitest'
import { message } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'
import { realWorld } from '../../world/real.ts'
import { leafFor, selfSigned } from '../../viewer/certificates/certificates.ts'
import type { SendResult, Sent } from '../model/channel.ts'
import { emailChannel } from './email.ts'
import { userModuleChannel } from './userModule.ts'
import { webhookChannel } from './webhook.ts'

const { signal } = new AbortController()
const notification: Sent = {
  ...{
    id: 7,
    kind: 'copiesDamaged',
    severity: 'error',
    at: '2026-11-26T10:00:00.000Z',
    job: null,
    harvest: null,
    times: 3,
  },
  message: message('notification.copiesDamaged', { count: 2 }),
}
const anna = 'anna@library.example'

/** A certificate authority that only this test knows, and a certificate of it for the mail server. */
const certificateAuthority = await madeCertificateAuthority()
const certified = await madeCertificate()

async function madeCertificateAuthority() {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { keys, pem: await selfSigned(keys, Date.now()) }
}

async function madeCertificate() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const cert = await leafFor({ host: '127.0.0.1', certificateAuthority, publicKey, nowMs: Date.now() })
  return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }), cert }
}

/** Trusts a certificate authority until the end of the test, as NODE_EXTRA_CA_CERTS does from the start of a process. */
function trust(pem: string): void {
  const before = tls.getCACertificates('default')
  tls.setDefaultCACertificates([...before, pem])
  onTestFinished(() => tls.setDefaultCACertificates(before))
}

interface MailServer {
  /** Of its user; absent: no login is needed. */
  password?: string
  /** With a certificate of the test's certificate authority: TLS from the beginning, or offered by STARTTLS. Absent: without TLS. */
  tls?: 'smtps' | 'starttls'
}

/** Starts a mail server that takes mail for Anna. */
async function mailServer({ password, tls }: MailServer = {}) {
  const mails: { from: string; to: string[]; text: string; isSecure: boolean }[] = []
  const server = new SMTPServer({
    ...{ authOptional: password === undefined, logger: false, secure: tls === 'smtps' },
    ...(tls === undefined ? { disabledCommands: ['STARTTLS'] } : certified),
    onAuth: ({ username, password: given }, _session, callback) =>
      given === password ? callback(null, { user: username }) : callback(new Error('Wrong password')),
    onRcptTo: ({ address }, _session, callback) =>
      address === anna ? callback() : callback(Object.assign(new Error('No such user'), { responseCode: 550 })),
    onData(stream, { envelope: { mailFrom, rcptTo }, secure: isSecure }, callback) {
      let text = ''
      stream.on('data', (bytes: Buffer) => (text += bytes.toString()))
      stream.on('end', () => {
        mails.push({ from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address), text, isSecure })
        callback()
      })
    },
  })
  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())))
  const { port } = server.server.address() as AddressInfo
  return { mails, port, url: `${tls === 'smtps' ? 'smtps' : 'smtp'}://127.0.0.1:${port}` }
}

function email(url: string, secret?: { user: string; password: string } | { why: ReturnType<typeof message> }) {
  return emailChannel({
    server: () => (url === '' ? undefined : { url, from: 'loupe@library.example', credential: secret ? 'mail' : '' }),
    secretOf: async () => secret ?? { why: message('notification.test') },
    archive: '/archives/news',
  })
}
const whyNot = (result: SendResult) => (result.isSent ? 'sent' : `${textOf(result.why)} (${result.isLasting ? 'lasting' : 'for now'})`) // prettier-ignore

test('an e-mail arrives with subject, text and an identifier that repeats', async () => {
  const { mails, url } = await mailServer()
  const result = await email(url).send(notification, anna, signal)
  await email(url).send(notification, anna, signal)
  expect(result).toMatchObject({ isSent: true, answer: expect.stringContaining('250') as string })
  const [mail, repeated] = mails
  expect(mail).toMatchObject({ from: 'loupe@library.example', to: [anna] })
  expect(mail?.text).toContain('Subject: Loupe: Damaged or missing copies')
  expect(mail?.text).toContain('A check found 2 copies that need attention.')
  expect(mail?.text).toMatch(/Archive: \/archives\/news\r?\nTime: 2026-11-26 10:00:00 \(UTC\)\r?\nReported 3 times/)
  const identifier = /^Message-ID: (.+?)\r?$/m
  expect(identifier.exec(mail?.text ?? '')?.[1]).toBe(identifier.exec(repeated?.text ?? '')?.[1])
})

test('the login comes from a credential, and a wrong one can be corrected', async () => {
  const { mails, url } = await mailServer({ password: 'secret' })
  expect(whyNot(await email(url, { user: 'loupe', password: 'wrong' }).send(notification, anna, signal))).toMatch(
    /refused it: .*\(for now\)$/,
  )
  expect(whyNot(await email(url, { user: 'loupe', password: 'secret' }).send(notification, anna, signal))).toBe('sent')
  expect(whyNot(await email(url, { why: message('notification.test') }).send(notification, anna, signal))).toMatch(
    /^This is a test.*\(for now\)$/,
  )
  expect(mails).toHaveLength(1)
})

test.each([
  ['an address that the server does not know', 'bert@library.example', /refused it: .*No such user.*\(lasting\)$/],
  ['no address', '', /needs an address.*\(lasting\)$/],
])('%s is refused for good', async (_name, recipient, why) => {
  const { url } = await mailServer()
  expect(whyNot(await email(url).send(notification, recipient, signal))).toMatch(why)
})

test('a mail server that is not there may return, and one that is not set up is named', async () => {
  expect(whyNot(await email('smtp://127.0.0.1:1').send(notification, anna, signal))).toMatch(
    /not be reached.*\(for now\)$/,
  )
  expect(whyNot(await email('').send(notification, anna, signal))).toMatch(/set notifications\.smtp.*\(lasting\)$/)
})

test.each(['smtps', 'starttls'] as const)('with %s, e-mail and password are sent encrypted', async (tls) => {
  trust(certificateAuthority.pem)
  const { mails, url } = await mailServer({ password: 'secret', tls })
  expect(whyNot(await email(url, { user: 'loupe', password: 'secret' }).send(notification, anna, signal))).toBe('sent')
  expect(mails).toMatchObject([{ to: [anna], isSecure: true }])
})

test.each(['smtps', 'starttls'] as const)(
  'with %s, a certificate of an unknown certificate authority is refused',
  async (tls) => {
    const { mails, url } = await mailServer({ tls })
    expect(whyNot(await email(url).send(notification, anna, signal))).toMatch(/certificate.*\(for now\)$/)
    expect(mails).toEqual([])
  },
)

test('a password is not sent to another machine without TLS', async () => {
  const { mails, port } = await mailServer({ password: 'secret' })
  // This address leads to this machine too, but does not say so.
  const sending = email(`smtp://0.0.0.0:${port}`, { user: 'loupe', password: 'secret' })
  expect(whyNot(await sending.send(notification, anna, signal))).toMatch(/could not be encrypted.*\(for now\)$/)
  expect(mails).toEqual([])
})

test('a webhook gets JSON, and its answer decides whether another attempt follows', async () => {
  const bodies: unknown[] = []
  const statuses = [204, 500, 404, 429]
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (bytes: Buffer) => (text += bytes.toString()))
    request.on('end', () => {
      bodies.push([request.headers['idempotency-key'], JSON.parse(text)])
      response.writeHead(statuses.shift() ?? 200).end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  const { clock } = realWorld()
  const channel = webhookChannel({ clock, url: () => url })
  const results = [whyNot(await channel.send(notification, '', signal))]
  for (let at = 0; at < 3; at += 1) results.push(whyNot(await channel.send(notification, '', signal)))
  server.close()
  await once(server, 'close')
  results.push(whyNot(await channel.send(notification, '', signal)))
  results.push(whyNot(await webhookChannel({ clock, url: () => '' }).send(notification, '', signal)))
  expect(bodies[0]).toMatchObject([
    '7',
    { id: 7, kind: 'copiesDamaged', text: expect.stringContaining('2 copies') as string },
  ])
  expect(results.map((result) => result.replace(/^.* /, ''))).toEqual([
    'sent',
    'now)',
    '(lasting)',
    'now)',
    'now)',
    '(lasting)',
  ])
})

test('a module of the user sends in a thread, with settings of its own that it checks', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'loupe-module-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'pager.mjs')
  writeFileSync(
    path,
    `export default ({ number }) => {
       if (!number) throw new Error('number is missing')
       return {
         send({ text, id }) {
           if (number === '0') throw new Error('the line is busy')
           return number + ' ' + id + ' ' + text.slice(0, 7)
         },
       }
     }`,
  )
  const { threads } = realWorld()
  const channel = (file: string, settings = {}) =>
    userModuleChannel({ threads, path: () => file, settings: () => settings }).send(notification, '', signal)
  expect(await channel(path, { number: '+45' })).toEqual({ isSent: true, answer: '+45 7 A check' })
  expect(whyNot(await channel(path))).toMatch(/pager\.mjs cannot be used: number is missing/)
  expect(whyNot(await channel(path, { number: '0' }))).toMatch(/The module failed: the line is busy/)
  expect(whyNot(await channel(join(folder, 'none.mjs')))).toMatch(/none\.mjs cannot be used/)
  writeFileSync(join(folder, 'empty.mjs'), 'export const a = 1')
  expect(whyNot(await channel(join(folder, 'empty.mjs')))).toMatch(/no default export/)
  expect(whyNot(await channel(''))).toMatch(/set notifications\.module/)
})
