import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { misses, made, viewer, offsets, ask, withArchivedSite, nearest } from './testing/archivedSite.ts'

withArchivedSite()
beforeAll(async () => void (await viewer.open(nearest([1]))))

describe('the command host', () => {
  const command = (path: string, options?: Parameters<typeof ask>[1]) =>
    ask(`http://${viewer.commandHost}${path}`, options)
  const file = '1-1-20240229-00000-loupe.warc.gz'
  const commands =
    '/enter, /changeIndex, /addMissing, /harvestNow, /startRecordingURIs, /stopRecordingURIs, /clearRecordedURIs, /getRecordedURIs, /getStatus, /getFile, /getRecord, /getPayload, /getMetadata, /cdx, /certificate, /timegate/URL, /timemap/link/URL, /timemap/json/URL, /timemap/link/PAGE/URL, /timemap/json/PAGE/URL, /memento/TIME/URL'
  const stored = (name: string) => readFile(join(made.folder, 'one', name))

  const check = (path: string, status: number, sentence: string) =>
    it(`${path} is ${status}: ${sentence}`, async () => {
      const got = await command(path)
      expect([got.status, got.body.toString()]).toEqual([status, `${sentence}\n`])
    })
  check('/getFile', 400, 'The parameter arcFile is missing.')
  check('/getFile?arcFile=', 400, 'The parameter arcFile is empty.')
  check('/getFile?arcFile=%20%20', 400, 'The parameter arcFile is empty.')
  check('/getFile?arcFile=a&arcFile=b', 400, 'The parameter arcFile was given 2 times. Give it once.')
  check('/getFile?arcFile=a&x=1', 400, '/getFile has no parameter x. Its parameters: arcFile, replica.')
  check('/getStatus?x=1', 400, '/getStatus has no parameter x. Its parameters: format, locale.')
  check('/getRecord?arcFile=a', 400, 'The parameter arcOffset is missing.')
  for (const offset of ['x', '-1', '1e3', '0x10', '1.5'])
    check(`/getRecord?arcFile=a&arcOffset=${offset}`, 400, `The parameter arcOffset must be a number: ${offset}.`)
  check('/getMetadata?jobID=one', 400, 'The parameter jobID must be a number: one.')
  check('/getMetadata?jobID=2', 404, 'The archive has no metadata of job 2.')
  check(`/getRecord?arcFile=${file}&arcOffset=1`, 404, `No record begins at offset 1 in ${file}.`)
  check(`/getRecord?arcFile=${file}&arcOffset=999999999`, 404, `No record begins at offset 999999999 in ${file}.`)
  check('/toString', 404, `There is no command /toString. Commands: ${commands}.`)
  check('/', 404, `There is no command /. Commands: ${commands}.`)

  for (const name of [
    '../loupe.db',
    '..%2Floupe.db',
    '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
    '/etc/passwd',
    '..\\loupe.db',
    '.loupe-replica',
    'one/../../loupe.db',
    '%00',
    'CON',
    `%0d%0aX: y`,
    "'; DROP TABLE archive_file; --",
  ]) {
    it(`refuses the file name ${name}`, async () => {
      const got = await command(`/getFile?arcFile=${encodeURI(name).replaceAll('%25', '%')}`)
      expect(got.status).toBe(name.trim() === '' ? 400 : 404)
      expect(got.headers).not.toHaveProperty('x')
    })
  }

  it('sends a file or a range of it, under its name', async () => {
    const bytes = await stored(file)
    const whole = await command(`/getFile?arcFile=${file}`)
    expect(whole.body.equals(bytes)).toBe(true)
    expect(whole.headers).toMatchObject({
      'content-disposition': `attachment; filename="${file}"`,
      'content-length': String(bytes.length),
    })
    const part = await command(`/getFile?arcFile=${file}`, { headers: { range: 'bytes=100-199' } })
    expect([part.status, part.headers['content-range'], part.body.equals(bytes.subarray(100, 200))]).toEqual([
      206,
      `bytes 100-199/${bytes.length}`,
      true,
    ])
    expect((await command(`/getFile?arcFile=${file}`, { headers: { range: `bytes=${bytes.length}-` } })).status).toBe(
      416,
    )
    const head = await command(`/getFile?arcFile=${file}`, { method: 'HEAD' })
    expect([head.body.length, head.headers['content-length']]).toEqual([0, String(bytes.length)])
  })

  it('sends a file from the requested replica, and names the replica it came from', async () => {
    const asked = await command(`/getFile?arcFile=${file}&replica=one`)
    expect([asked.headers['x-loupe-replica'], asked.body.equals(await stored(file))]).toEqual(['one', true])
    expect((await command(`/getFile?arcFile=${file}`)).headers['x-loupe-replica']).toBe('one')
    expect((await command(`/getFile?arcFile=${file}&replica=two`)).status).toBe(404)
  })

  it('sends each record decompressed', async () => {
    const bytes = gunzipSync(await stored(file))
    const parts = []
    for (const offset of offsets) parts.push((await command(`/getRecord?arcFile=${file}&arcOffset=${offset}`)).body)
    expect(Buffer.concat(parts).equals(bytes)).toBe(true)
    const { headers } = await command(`/getRecord?arcFile=${file}&arcOffset=0`)
    expect(headers['content-disposition']).toBe('attachment; filename="1-1-20240229-00000-loupe-0.warc"')
  })

  it('sends the metadata of exactly one job', async () => {
    const got = await command('/getMetadata?jobID=1')
    expect(
      got.body.equals(Buffer.concat([await stored('1-metadata-1.warc.gz'), await stored('1-metadata-2.warc.gz')])),
    ).toBe(true)
    expect(got.headers['content-disposition']).toBe('attachment; filename="1-metadata.warc.gz"')
  })

  it('sends its status to the interface only', async () => {
    const own = await command('/getStatus?format=json', { headers: { origin: 'http://127.0.0.1:4711' } })
    expect(JSON.parse(own.body.toString())).toMatchObject({ proxy: 'Loupe', view: { available: [1] } })
    expect(own.headers['access-control-allow-origin']).toBe('http://127.0.0.1:4711')
    const page = await command('/getStatus?format=json', { headers: { origin: 'http://site.example' } })
    expect(page.headers).not.toHaveProperty('access-control-allow-origin')
  })

  it('sends its certificate', async () => {
    const got = await command('/certificate')
    expect(got.body.equals(await readFile(viewer.certificate.path))).toBe(true)
  })

  it('refuses POST for commands that read, and its requests are never recorded as missing', async () => {
    expect((await command('/getFile?arcFile=x', { method: 'POST' })).status).toBe(405)
    expect(misses().filter(({ url }) => url.includes(viewer.commandHost))).toEqual([])
    expect(viewer.answers(0).filter(({ url }) => url.includes(viewer.commandHost))).toEqual([])
  })
})
