/** The calls over HTTP, with a client that is generated from their description: what another program has. */
import { createServer } from 'node:http'
import { expect, test } from '@playwright/test'
import { OpenAPIClientAxios } from 'openapi-client-axios'
import { announcedEngine } from '../../src-main/shells/places/engineFile.ts'
import { listen, type Listening } from '../sites/server.ts'
import { openLoupe, type OpenedLoupe } from './openedLoupe.ts'

let loupe: OpenedLoupe
let server: Listening

test.beforeAll(async () => {
  server = await listen(
    createServer((_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><title>Harbour</title>')
    }),
  )
  loupe = await openLoupe('api')
})
test.afterAll(async () => {
  await loupe.close()
  await server.close()
})

test('a generated client harvests a page, lists its documents, and is told what it does wrong', async () => {
  const engine = await announcedEngine(loupe.archive)
  if (!engine) throw new Error('no engine is announced')
  const headers = { Authorization: `Bearer ${engine.token}` }
  const read = await fetch(`${engine.origin}/api/openapi.json`, { headers })
  const definition = (await read.json()) as ConstructorParameters<typeof OpenAPIClientAxios>[0]['definition']
  const client = await new OpenAPIClientAxios({
    definition,
    axiosConfigDefaults: { headers, validateStatus: () => true },
  }).init()
  const call = async (name: string, input: object) => {
    const answer = await client[name]?.({}, { input })
    return { status: answer?.status, data: answer?.data as { value?: unknown; fault?: { code: string; text: string } } }
  }

  const seed = `http://${server.address}/`
  expect(await call('harvests_create', { seeds: [seed] })).toMatchObject({ status: 200, data: { value: { job: 1 } } })
  const ended = async () => (await call('jobs_show', { job: 1 })).data.value as { ended: string | null }
  await expect.poll(async () => (await ended()).ended).not.toBeNull()
  const { rows } = (await call('jobs_documents', { job: 1, outcome: 'fetched' })).data.value as {
    rows: { url: string; mediaType: string }[]
  }
  expect(rows.find(({ url }) => url === seed)).toMatchObject({ mediaType: 'text/html' })
  expect(await call('jobs_show', { job: 7 })).toMatchObject({ status: 404, data: { fault: { code: 'notFound' } } })
  expect(await call('jobs_show', { job: 'x' })).toMatchObject({ status: 400, data: { fault: { code: 'badInput' } } })
})

test('the description needs the token', async () => {
  const engine = await announcedEngine(loupe.archive)
  expect((await fetch(`${engine?.origin}/api/openapi.json`)).status).toBe(401)
})
