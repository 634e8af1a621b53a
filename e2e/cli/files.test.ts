/** `loupe check`, `index` and `records` in processes: their output, its order, and their exit codes. They read files at any place and
 *  neither need nor create an archive. */
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { madeInfo, madeRecord, packed } from '../../src-main/files/testing/recordFixtures.ts'
import { madeZip } from '../../src-main/formats/wacz/testing/zipFixtures.ts'
import { loupeHere, startLoupe } from '../loupeProcess.ts'
import { corporaFolder, hasCorpora } from '../../src-main/formats/testing/corpora.ts'

let folder: string
let archive: string

const id = (url: string): [string, string] => ['WARC-IP-Address', `192.0.2.${url.length % 200}`]
const answer = (url: string, body: string) =>
  madeRecord({
    type: 'response',
    url,
    block: `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n${body}`,
    fields: [id(url)],
  })
const wrongDigest: [string, string] = ['WARC-Payload-Digest', 'sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA']

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-files-'))
  archive = join(folder, 'no-archive')
  await mkdir(join(folder, 'many/deep/er'), { recursive: true })
  const good = packed(madeInfo(), answer('http://b.example/', 'b'), answer('http://a.example/', 'a'))
  await writeFile(join(folder, 'good.warc.gz'), good)
  await writeFile(join(folder, 'many/1.warc.gz'), packed(madeInfo(), answer('http://z.example/', '1')))
  await writeFile(join(folder, 'many/deep/2-known-by-its-bytes'), packed(madeInfo(), answer('http://y.example/', '2')))
  const block = 'HTTP/1.1 200 OK\r\n\r\nx'
  const bad = madeRecord({ type: 'response', url: 'http://x.example/\u001b[2J', block, fields: [wrongDigest] })
  await writeFile(join(folder, 'many/deep/er/3-bad.warc'), Buffer.concat([madeInfo(), bad, Buffer.from('torn')]))
  await writeFile(join(folder, 'many/4-empty.warc'), '')
  await writeFile(join(folder, 'many/readme.txt'), 'no archive file')
  await writeFile(join(folder, 'with-note.warc'), answer('http://n.example/', 'n'))
  await symlink(join(folder, 'many'), join(folder, 'many/deep/round'))
  await mkdir(join(folder, 'packages'))
  const data = { name: 'archive/data.warc.gz', content: good }
  await writeFile(join(folder, 'packages/1-package.zip'), madeZip([data]))
  await writeFile(join(folder, 'packages/2-without-a-name'), madeZip([data]))
  await writeFile(join(folder, 'packages/3-office.docx'), madeZip([{ name: 'word/document.xml', content: '<w/>' }]))
  await writeFile(join(folder, 'packages/4-empty-member.warc.gz'), Buffer.concat([gzipSync(''), good]))
  await writeFile(join(folder, 'packages/5-pictures.zip'), madeZip([{ name: 'archive/a.png', content: 'PNG' }]))
  await mkdir(join(folder, 'crowd'))
  const notes = Buffer.concat([good, gzipSync('')])
  for (let number = 0; number < 130; number++)
    await writeFile(join(folder, `crowd/${String(number).padStart(3, '0')}.warc.gz`), notes)
  await writeFile(join(folder, 'crowd/bad.warc'), Buffer.concat([madeInfo(), bad]))
  await writeFile(join(folder, 'many/5-damaged-beginning.warc'), Buffer.concat([Buffer.from('rubbish\n'), madeInfo()]))
})
afterAll(() => rm(folder, { recursive: true }))

function ask(words: string) {
  const put = (word: string) => word.replace('DIR', folder)
  return loupeHere('--archive', archive, ...words.split(' ').map(put))
}

/** The names of the files in the report. */
const inFolder = [
  '1.warc.gz',
  '4-empty.warc',
  '5-damaged-beginning.warc',
  'deep/2-known-by-its-bytes',
  'deep/er/3-bad.warc',
]

const message = z.strictObject({
  code: z.string().min(1),
  values: z.record(z.string(), z.unknown()).optional(),
  text: z.string().min(1),
})
const finding = z.strictObject({
  file: z.string(),
  record: z.int().min(1).nullable(),
  offset: z.int().min(0).nullable(),
  rule: z.string().min(1),
  severity: z.enum(['error', 'warning', 'note']),
  message,
  clause: z.string().min(1),
  means: message,
})
const report = z.strictObject({
  files: z.array(z.strictObject({ name: z.string(), records: z.int().min(0), findings: z.array(finding) })),
})

describe('check', () => {
  test('--json: every file in order with all its findings, and 1 for errors', async () => {
    const { code, stdout, stderr } = await ask('--json check DIR/many')
    const { files } = report.parse(JSON.parse(stdout))
    expect(files.map(({ name }) => name)).toEqual(inFolder.map((name) => join(folder, 'many', name)))
    expect(files.map(({ records }) => records)).toEqual([2, 0, 1, 2, 2])
    const rules = (index: number) => files[index]?.findings.map(({ rule }) => rule)
    expect(rules(1)).toEqual(['fileEmpty'])
    expect(rules(2)).toContain('noRecord')
    expect(rules(4)).toEqual(expect.arrayContaining(['payloadDigestWrong', 'noRecord']))
    const wrong = files[4]?.findings.find(({ rule }) => rule === 'payloadDigestWrong')
    expect(wrong).toMatchObject({ record: 2, severity: 'error', file: files[4]?.name })
    expect(stderr).toBe('')
    expect(code).toBe(1)
  })
  test('the text output shows type, position, meaning and amount', async () => {
    const { code, stdout } = await ask('check DIR/many')
    expect(code).toBe(1)
    expect(stdout).toMatch(/1\.warc\.gz: .*\(WARC, gzip, 2 records, [\d.]+ k?B\)/)
    expect(stdout).toMatch(/3-bad\.warc: \d+ errors?.*\n {2}error \w+/)
    expect(stdout).toMatch(/ {2}error payloadDigestWrong\n {4}record 2 at \d+: The payload .* — http:\/\/x\.example\//)
    expect(stdout).toMatch(
      /What the findings mean, and what to do:\n[^]*error payloadDigestWrong: 1 time in 1 file \[WARC 1\.1, 5\.9\]\n {2}\w/,
    )
    expect(stdout).toMatch(/\n5 files \(.*3 with errors\), 7 records: \d+ errors.* on \d+ cores? \(.*\/s\)\.\n$/)
    // Control characters in the name of an archived page do not reach the terminal, and output that is not a terminal has no colours.
    expect(stdout).not.toContain('\u001b')
  })
  test('a file with notes only is one line too, and their meanings follow separately', async () => {
    const { code, stdout } = await ask('check DIR/with-note.warc')
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /^\S+with-note\.warc: 1 note \(WARC, 1 record, \d+ B\): warcinfoNotFirst\n\nWhat the findings mean, .*\nnote warcinfoNotFirst: /,
    )
  })
  test('a good file is one line, with exit code 0', async () => {
    const { code, stdout } = await ask('check --severity warning DIR/good.warc.gz')
    expect(stdout.split('\n')[0]).toMatch(/good\.warc\.gz: .*\(WARC, gzip, 3 records/)
    expect(stdout.split('\n').filter(Boolean)).toHaveLength(2)
    expect(code).toBe(0)
  })
  test('in a folder, packages are checked whatever their names, and other ZIP files are not', async () => {
    const { files } = report.parse(JSON.parse((await ask('--json check DIR/packages')).stdout))
    const names = ['1-package.zip', '2-without-a-name', '4-empty-member.warc.gz']
    expect(files.map(({ name, records }) => [name, records])).toEqual(
      names.map((name) => [join(folder, 'packages', name), 3]),
    )
    expect(files[2]?.findings.map(({ rule }) => rule)).toContain('memberEmpty')
  })
  test('of many files the good ones are counted, and every rule is explained once', async () => {
    const { code, stdout } = await ask('check DIR/crowd')
    expect(code).toBe(1)
    const lines = stdout.trimEnd().split('\n')
    expect(lines.length).toBeLessThan(40)
    expect(stdout).toMatch(/crowd\/bad\.warc: \d+ errors?/)
    expect(stdout).toContain('Not listed: 130 good (--all lists every file).\n')
    expect(stdout).toMatch(/\nnote memberEmpty: 130 times in 130 files/)
    expect(lines.at(-1)).toMatch(/^131 files \(130 good, 1 with errors\), 392 records: /)
    const all = (await ask('check --all DIR/crowd')).stdout
    expect(all.match(/^\S+\/crowd\/\d{3}\.warc\.gz: 1 note/gm)).toHaveLength(130)
    expect(all).not.toContain('Not listed')
  })
  test('the output can be filtered; the exit code does not change', async () => {
    const all = report.parse(JSON.parse((await ask('--json check DIR/many')).stdout))
    const of = async (words: string) => {
      const { code, stdout } = await ask(`--json check ${words} DIR/many`)
      expect(code).toBe(1)
      return report.parse(JSON.parse(stdout)).files.flatMap(({ findings }) => findings)
    }
    const everything = all.files.flatMap(({ findings }) => findings)
    expect(await of('--severity error')).toEqual(everything.filter(({ severity }) => severity === 'error'))
    expect(await of('--rule fileEmpty')).toEqual(everything.filter(({ rule }) => rule === 'fileEmpty'))
    expect((await ask('check --all DIR/many')).stdout).toMatch(/^.*3-bad\.warc: error payloadDigestWrong: record 2 at/m)
  })
  test.each([
    ['check', 2, /missing required argument/i],
    ['check DIR/nothing', 3, /no file or folder .*nothing/i],
    ['check DIR/many/deep/er/none.warc', 3, /no file or folder/i],
    ['check --severity eror DIR/many', 2, /did you mean error\?/i],
    ['check --severty error DIR/many', 2, /did you mean --severity\?/i],
    ['check DIR/many --rule fileEmty', 2, /no rule "fileEmty": did you mean fileEmpty\?/i],
    ['chek DIR/many', 2, /did you mean check\?/i],
    ['index --format cdx10 DIR/many', 2, /did you mean cdx11\?/i],
    ['index --records respons DIR/many', 2, /did you mean response\?/i],
  ])('%s: one line, code %i', async (words, code, line) => {
    const answer = await ask(words)
    expect(answer.stderr.trim().split('\n')).toHaveLength(1)
    expect(answer.stderr).toMatch(line)
    expect(answer.code).toBe(code)
  })
  test('a file that is named is always checked', async () => {
    const { code, stdout } = await ask('--json check DIR/many/readme.txt')
    const { files } = report.parse(JSON.parse(stdout))
    expect(files[0]?.findings.map(({ rule }) => rule)).toEqual(['notAnArchive'])
    expect(code).toBe(1)
  })
  test('a folder without archive files is reported', async () => {
    await mkdir(join(folder, 'nothing-here'), { recursive: true })
    const { code, stderr } = await ask('check DIR/nothing-here')
    expect(stderr).toMatch(/no archive file .* in .*nothing-here/)
    expect(code).toBe(3)
  })
})

describe('index', () => {
  const urls = (stdout: string) =>
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => /"url": "([^"]*)"/.exec(line)?.[1] ?? line.slice(0, 5))

  test('lines in the order of files and records, after one line with the canonicaliser', async () => {
    const { code, stdout } = await ask('index DIR/many/deep/2-known-by-its-bytes DIR/good.warc.gz DIR/many/1.warc.gz')
    const order = ['http://y.example/', 'http://b.example/', 'http://a.example/', 'http://z.example/']
    expect(urls(stdout)).toEqual(['!meta', ...order])
    expect(code).toBe(0)
  })
  test('--sort sorts like LC_ALL=C sort', async () => {
    const { stdout } = await ask('index --sort DIR/many/deep/2-known-by-its-bytes DIR/good.warc.gz DIR/many/1.warc.gz')
    const order = ['http://a.example/', 'http://b.example/', 'http://y.example/', 'http://z.example/']
    expect(urls(stdout)).toEqual(['!meta', ...order])
  })
  test.each([
    ['cdx11', ' CDX N b a m s k r M S V g', 11],
    ['cdx9', ' CDX N b a m s k r V g', 9],
  ])('--format %s', async (format, header, columns) => {
    const { stdout } = await ask(`index --format ${format} DIR/good.warc.gz`)
    const [first, ...lines] = stdout.trimEnd().split('\n')
    expect(first).toBe(header)
    expect(lines.map((line) => line.split(' ').length)).toEqual([columns, columns])
  })
  test('more fields of each record, and other record types', async () => {
    const words = 'index --digest-records --records response,warcinfo --fields warc-type DIR/good.warc.gz'
    const { stdout } = await ask(words)
    const lines = stdout.trimEnd().split('\n').slice(1)
    expect(lines).toHaveLength(3)
    expect(lines[0]).toMatch(/^- \d{14} .*"recordDigest": "sha256:[0-9a-f]{64}", "warc-type": "warcinfo"/)
  })
  test('a damaged file is indexed as far as possible, reported in one line, with exit code 1', async () => {
    const { code, stdout, stderr } = await ask('index DIR/many')
    expect(urls(stdout)).toHaveLength(4)
    expect(stderr).toMatch(/3-bad\.warc: 1 capture, 1 error: "loupe check" lists the findings\./)
    expect(code).toBe(1)
  })
})

describe('records', () => {
  const row = z.strictObject({
    file: z.string(),
    number: z.int(),
    offset: z.int(),
    length: z.int(),
    addressable: z.boolean(),
    type: z.string(),
    date: z.string().nullable(),
    status: z.int().nullable(),
    mediaType: z.string().nullable(),
    url: z.string().nullable(),
    findings: z.int(),
  })
  test('--json: one JSON object per line', async () => {
    const { code, stdout } = await ask('--json records DIR/good.warc.gz DIR/many/1.warc.gz')
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((line) => row.parse(JSON.parse(line)))
    expect(rows.map(({ type, url, status }) => [type, url, status])).toEqual([
      ['warcinfo', null, null],
      ['response', 'http://b.example/', 200],
      ['response', 'http://a.example/', 200],
      ['warcinfo', null, null],
      ['response', 'http://z.example/', 200],
    ])
    expect(code).toBe(0)
  })
  test('as text a table, filtered on request', async () => {
    const { stdout } = await ask('records --type Response --url http://b. DIR/good.warc.gz')
    const [head, line, ...more] = stdout.trimEnd().split('\n')
    expect(head).toMatch(/^ +offset +length {2}type +date +status {2}media type +URL$/)
    expect(line).toMatch(/^ +\d+ +\d+ {2}response +\S+ +200 {2}text\/html +http:\/\/b\.example\/$/)
    expect(more).toEqual([])
  })
  test.each([
    ['--type respons', 'There is no record of type respons: there are warcinfo, response.\n'],
    ['--type request --url http://b.', 'There is no record of type request whose URL begins with http://b.: there are'],
    ['--url http://b.example/x', 'There is no record whose URL begins with http://b.example/x.\n'],
  ])('without matching records: %s', async (words, said) => {
    const { code, stderr } = await ask(`records ${words} DIR/good.warc.gz`)
    expect([code, stderr]).toEqual([0, expect.stringContaining(said)])
  })
})

test.skipIf(process.platform === 'win32')('Ctrl-C ends a long one with 130, also within a record', async () => {
  // A record of a terabyte, nearly all of it a hole in the file: the signal arrives before it has been read.
  const endless = join(folder, 'endless.warc')
  const head =
    'WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\nContent-Length: 1000000000000\r\n\r\n'
  await writeFile(endless, head)
  await truncate(endless, 1_000_000_000_000)
  const rows: [words: string[], begun: RegExp][] = [
    [['index', endless], /^!meta/],
    [['--json', 'check', endless], /^\{"files":\[/],
    [['--json', 'check', endless, endless], /^\{"files":\[/],
  ]
  for (const [words, begun] of rows) {
    const started = startLoupe(words)
    await started.line(begun)
    started.child.kill('SIGINT')
    const { code, stderr } = await started.ended
    expect(stderr).toBe('Stopping. Press Ctrl-C again to end at once.\nStopped.\n')
    expect(code).toBe(130)
  }
})

test('none of this created an archive', () => {
  expect(existsSync(archive)).toBe(false)
})

test.skipIf(!hasCorpora())('the files of other projects are checked, and the report ends with 1', async () => {
  const { code, stdout, stderr } = await ask(`check ${corporaFolder}`)
  expect(stderr).toBe('')
  expect(stdout).toMatch(/What the findings mean, and what to do:/)
  expect(stdout).toMatch(/\n\d+ files \(\d+ good, \d+ with warnings, \d+ with errors\), [\d,]+ records: .*\n$/)
  expect(code).toBe(1)
})
