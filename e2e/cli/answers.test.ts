/** The results of the command line for a real archive: the exit code, one line for an error, and with --json one document of the
 *  documented shape. */
import { createHash } from 'node:crypto'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { initArchive, loupeHere } from '../loupeProcess.ts'
import { harvestedMuseum, type Harvested } from './harvested.ts'

let made: Harvested

beforeAll(async () => {
  made = await harvestedMuseum()
})
afterAll(() => made.close())

/** Runs one command line. `FILE` is the content file of job 1, `OUT` a path outside of the archive. */
function ask(words: string) {
  const put = (word: string) => word.replace('FILE', made.file).replace('OUT', join(made.folder, 'out'))
  return loupeHere('--archive', made.archive, ...words.split(' ').filter(Boolean).map(put))
}

const count = z.int().min(0)
const time = z.iso.datetime()
const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const documents = z.strictObject({
  total: count,
  fetched: count,
  failed: count,
  excluded: count,
  duplicate: count,
  truncated: count,
})
const jobRow = z.strictObject({
  job: z.int().min(1),
  state: z.string(),
  status: z.string(),
  stopReason: z.string().nullable(),
  harvest: z.string(),
  documents,
  progress: z.strictObject({ done: count, total: count }),
  queued: count,
  findingCounts: z.strictObject({ errors: count, warnings: count, notes: count }),
  bytes: count,
  seconds: z.number().min(0),
  started: time.nullable(),
  ended: time.nullable(),
})
/** A message, with its text added for readers of JSON. */
const withText = z.object({ code: z.string(), text: z.string() })
const scheduled = z.object({ job: z.literal(1), words: z.array(withText), doing: withText })
const settingRow = z.object({
  path: z.string(),
  value: z.unknown(),
  default: z.unknown(),
  source: z.enum(['default', 'user', 'archive']),
  example: z.unknown(),
  isOfArchive: z.boolean(),
  meaning: z.string().min(1),
})
const check = z.object({
  task: z.int(),
  state: z.literal('DONE'),
  filesTotal: z.literal(4),
  filesDone: z.literal(4),
  findings: z.array(z.unknown()).length(0),
})

describe('--json prints one document and nothing else', () => {
  const rows: [words: string, shape: z.ZodType][] = [
    [
      'jobs',
      z
        .array(
          jobRow.extend({
            status: z.literal('Done'),
            stopReason: z.literal('DOWNLOAD_COMPLETE'),
            queued: z.literal(0),
          }),
        )
        .length(1),
    ],
    ['jobs --state Done', z.array(jobRow).length(1)],
    ['jobs --state PAUSED', z.array(jobRow).length(0)],
    ['jobs 1', jobRow.loose().extend({ definition: z.object({}), hosts: z.array(z.object({})) })],
    ['get-file FILE OUT', z.strictObject({ name: z.string(), bytes: count, sha256, replica: z.literal('ONE') })],
    [
      'get-file FILE OUT --replica TWO',
      z.strictObject({ name: z.string(), bytes: count, sha256, replica: z.literal('TWO') }),
    ],
    [
      'growth --by status --domain museum.test --cumulative',
      z.strictObject({
        ...{ captures: count.min(1), bytes: count.min(1) },
        groups: z.array(z.strictObject({ name: z.string(), captures: count, bytes: count })).min(1),
        rows: z
          .array(z.strictObject({ period: z.string().regex(/^\d{4}-\d\d$/), amounts: z.array(z.object({})) }))
          .min(1),
        filesMissing: z.array(z.unknown()).length(0),
      }),
    ],
    [
      'job links 1',
      z.strictObject({
        ...{ job: z.literal(1), links: z.literal('first'), edgesLeftOut: z.literal(0) },
        nodes: z.array(z.strictObject({ host: z.string(), urls: count.min(1) })).min(1),
        edges: z.array(z.strictObject({ source: z.string(), target: z.string(), links: count.min(1) })).min(1),
      }),
    ],
    [
      'missing list 1',
      z.strictObject({ misses: z.array(z.unknown()).length(0), rules: z.array(z.unknown()).length(0) }),
    ],
    ['missing groups 1 --by path', z.array(z.unknown()).length(0)],
    [
      'missing ignore 1 /tracker/',
      z.strictObject({ rule: z.literal(1), job: z.literal(1), pattern: z.literal('/tracker/'), misses: z.literal(0), created: time }), // prettier-ignore
    ],
    ['missing list 1,1', z.object({ rules: z.array(z.object({ pattern: z.literal('/tracker/') })).length(1) })],
    ['missing ignore 1 --remove 1', z.strictObject({ misses: z.literal(0) })],
    ['missing note 1 none', z.strictObject({ misses: z.literal(0) })],
    ['verdict store 1', z.strictObject({ file: z.null() })],
    [
      'verdict list 1 --verdict bad',
      z.strictObject({
        verdicts: z.array(z.unknown()).length(0),
        progress: z.looseObject({ bad: z.literal(0), audited: z.null(), ofJob: z.null(), unstored: z.literal(0) }),
      }),
    ],
    ['overlays list 1', z.array(z.unknown()).length(0)],
    ['missing add 1 https://a.example/late.png --page https://a.example/', z.strictObject({ misses: z.literal(1) })],
    ['missing ignore 1 late', z.object({ misses: z.literal(1) })],
    ['tasks', z.array(z.object({ task: count, state: z.string(), subject: z.object({ text: z.string() }) }))],
    ['schedule list', z.array(scheduled.extend({ schedule: z.null() })).length(1)],
    [
      'schedule set 1 --days-of-week mon,thu --hours 2 --time-zone Europe/Berlin --duration-minutes 180 --minimal',
      scheduled.extend({
        words: z.tuple([
          withText.extend({
            text: z.literal('every Monday and Thursday at 02:00 for 3 hours, Europe/Berlin, only what is new'),
          }),
        ]),
        next: z.array(z.object({ begin: time, end: time, minimal: z.literal(true) })).length(10),
      }),
    ],
    [
      'schedule set 1 --minutes 30 --add --start inside',
      scheduled.extend({ words: z.array(withText).length(2), schedule: z.object({ startMethod: z.literal('WINDOWINSIDE') }) }), // prettier-ignore
    ],
    [
      'schedule next 1 --count 3',
      z.strictObject({ job: z.literal(1), words: z.array(withText).length(2), doing: withText, runs: z.array(z.object({ begin: time })).length(3) }), // prettier-ignore
    ],
    ['schedule set 1 --start off', scheduled.extend({ next: z.array(z.unknown()).length(0) })],
    ['schedule clear 1', scheduled.extend({ schedule: z.null(), words: z.array(z.unknown()).length(0) })],
    ['preserve missing', check],
    ['preserve checksums', check],
    [
      'preserve status',
      z.object({
        fine: z.literal(true),
        replicas: z
          .array(z.object({ reachable: z.literal(true), neverChecked: z.literal(0), overdue: z.literal(0) }))
          .length(2),
        votes: z.array(z.unknown()).length(0),
      }),
    ],
    [
      'preserve spot --files 2',
      z.object({
        ended: time,
        files: z.array(z.object({ salt: z.string().regex(/^[0-9a-f]{64}$/), verdict: z.literal('agree') })).length(2),
      }),
    ],
    [
      'preserve report',
      z.object({ fine: z.literal(true), levels: z.array(z.object({ area: z.string(), level: count })).length(3) }),
    ],
    [
      'preserve history',
      z.strictObject({
        replicas: z
          .array(
            z.object({ events: z.array(z.object({ state: z.literal('done'), findings: z.literal(0) })).length(3) }),
          )
          .length(2),
      }),
    ],
    [
      'preserve file FILE',
      z.object({ observations: z.array(z.object({ first: time, last: time, times: count.min(1) })).min(2), attic: z.array(z.unknown()).length(0) }), // prettier-ignore
    ],
    ['preserve audit', z.strictObject({ rows: z.array(z.object({ hash: sha256 })).min(4), total: count.min(4) })],
    ['preserve audit --verify', z.object({ whole: z.literal(true), broken: z.null(), head: sha256 })],
    [
      'preserve affected FILE',
      z.object({ goodIn: z.array(z.string()).length(2), content: z.object({ captures: count.min(1) }) }),
    ],
    [
      'preserve checksums --replica TWO --files warc$ --sample 1',
      check.extend({ filesTotal: z.literal(1), filesDone: z.literal(1) }),
    ],
    ['settings list', z.array(settingRow).min(10)],
    ['settings get harvest.workers', z.array(settingRow.extend({ value: z.literal(8) })).length(1)],
    ['settings set harvest.workers 3', z.array(settingRow.extend({ value: z.literal(3) })).length(1)],
    ['settings check', z.array(settingRow).min(10)],
  ]
  test.each(rows)('%s', async (words, shape) => {
    const { code, stdout, stderr } = await ask(`--json ${words}`)
    expect(code, stderr).toBe(0)
    expect(stdout.endsWith('\n')).toBe(true)
    shape.parse(JSON.parse(stdout))
  })

  test('harvest', () => {
    const { code, stdout } = made.printed
    expect(code).toBe(0)
    const files = z.array(z.strictObject({ name: z.string(), bytes: count, sha256 })).length(2)
    z.strictObject({
      job: z.literal(1),
      state: z.literal('INACTIVE'),
      stopReason: z.literal('DOWNLOAD_COMPLETE'),
      documents,
      bytes: count.min(1),
      seconds: z.number().positive(),
      files,
      findings: z.array(z.unknown()).length(0),
      progress: z.strictObject({ done: count.min(1), total: count.min(1) }),
      answers: z.record(z.string(), count),
      fileBytes: count.min(1),
      findingCounts: z.record(z.string(), count),
    }).parse(JSON.parse(stdout))
  })
})

describe('an error is one line and an exit code', () => {
  const rows: [words: string, code: number, line: RegExp][] = [
    ['harvst http://museum.test/', 2, /"harvst".* harvest\?/],
    ['frobnicate', 2, /"frobnicate".*--help/],
    ['frobnicate --help', 2, /"frobnicate".*--help/],
    ['help frobnicate', 2, /"frobnicate".*--help/],
    ['job puase --help', 2, /"puase".* pause\?/],
    ['jobs --stat Done', 2, /--stat: .* --state\?/],
    ['jobs 1 2', 2, /Too many arguments/],
    ['jobs one', 2, /"one" is not the number of a job/],
    ['jobs 99', 3, /There is no job 99/],
    ['jobs --state Don', 2, /"Don".*"Done"/],
    ['job puase 1', 2, /"puase".* pause\?/],
    ['job pause 1', 4, /Job 1 cannot be paused because.*Done.*Running/],
    ['job pause 99', 3, /There is no job 99/],
    ['schedule set 1', 2, /Give a time/],
    ['schedule set 1 --hours 24', 2, /--hours.*"24" is not between 0 and 23/],
    ['schedule set 1 --hours 2 --time-zone Mars/Olympus', 2, /^--time-zone must be a time zone such as Europe\/Berlin/],
    ['schedule set 99 --hours 2', 3, /There is no job 99/],
    ['harvest', 2, /url/],
    ['harvest ht!tp://', 2, /"ht!tp:\/\/" is not a URL/],
    ['harvest ftp://museum.test/', 2, /"ftp:\/\/museum.test\/" is not a URL/],
    ['harvest mailto:a@museum.test', 2, /is not a URL/],
    ['harvest http://museum.test/ --scope hots', 2, /"hots".*host/],
    ['harvest http://museum.test/ --workers many', 2, /"many".*--workers.*whole number/],
    ['harvest http://museum.test/ --workers 0', 2, /--workers.*at least 1/],
    ['harvest http://museum.test/ --workers 1000', 2, /--workers/],
    ['harvest http://museum.test/ --include (', 2, /--include.*never closed/],
    ['harvest http://museum.test/ --resolve museum', 2, /--resolve.*example\.org=/],
    ['view', 2, /Select jobs \(--jobs 1,2\), files \(--file NAME\) or everything \(--all\)/],
    ['view --all --jobs 1', 2, /--all.*--jobs/],
    ['view --file no.warc', 3, /no file named no\.warc/],
    ['growth --jobs 99', 3, /The archive has no files of job 99/],
    ['growth --period week', 2, /"week".*--period|--period.*"week"/],
    ['job links 99', 3, /There is no job 99/],
    ['--json job links 1 --format gexf', 2, /--json prints data, so --format gexf cannot be printed with it/],
    ['missing list 99', 3, /There is no job 99/],
    ['missing list 1 --state opne', 2, /"opne".*--state|--state.*"opne"/],
    ['missing add 1 mailto:a@a.example', 2, /mailto:a@a.example is not a URL with http or https/],
    ['missing ignore 1', 2, /Give either a regular expression, or --remove/],
    ['missing ignore 1 (', 2, /never closed/],
    ['missing ignore 1 --remove 9', 3, /There is no ignore rule 9/],
    ['missing harvest 1 urn:a', 2, /urn:a/],
    ['missing harvest 99 http://lacking.test/', 4, /No harvest job is in the view/],
    ['verdict set 1 good nonsense', 2, /nonsense is not a URL/],
    ['verdict set 1 fine', 2, /good, minor, bad, unusable, none/],
    ['verdict list 99', 3, /There is no job 99/],
    ['overlays off 1 2', 3, /Job 2 is no overlay of job 1/],
    ['overlays rename 1 2', 2, /name/],
    ['missing patch 1', 4, /None of these URLs can be patched/],
    ['export --format csv OUT.csv', 2, /Select jobs/],
    ['export --jobs 99 --format csv OUT.csv', 3, /There is no job 99, and the archive has no files/],
    ['export --file no.warc --format csv OUT.csv', 3, /no file named no\.warc/],
    ['harvest http://museum.test/ --max-bytes 2XB', 2, /"2XB".*--max-bytes.*2GB/],
    ['harvest http://museum.test/ --max-bytes 0MB', 2, /--max-bytes.*at least 1/],
    ['harvest http://museum.test/ --max-seconds 1.5', 2, /"1.5".*--max-seconds.*2h/],
    ['harvest http://museum.test/ --login no-such.json', 3, /no file no-such\.json/],
    ['harvest http://museum.test/ --schedule no-such.json', 3, /no file no-such\.json/],
    ['harvest http://museum.test/ --login /etc', 4, /\/etc cannot be read: illegal operation on a directory/],
    ['job edit 1 --definition no-such.json', 3, /no file no-such\.json/],
    ['tasks stop 77', 3, /There is no task 77/],
    ['batch checksums --job 77', 3, /There is no job 77/],
    ['batch checksums --jobs 1,77', 3, /There is no job 77/],
    ['batch checksum', 3, /nearest of those is "checksums"/],
    ['batch no-such.mjs', 3, /no file .*no-such\.mjs/],
    ['history --job 99', 3, /There is no job 99/],
    ['history --jobs 1,99 --report documents', 3, /There is no job 99/],
    ['connector install no-such', 3, /no connector "no-such"/],
    ['credential remove no-such', 3, /no credential "no-such"/],
    ['preserve affected no-such', 3, /no file named no-such/],
    ['preserve attic restore 5', 3, /no entry 5/],
    ['completion csh', 2, /"csh".*bash, zsh, fish/],
    ['view --jobs 1,x', 2, /"1,x".*--jobs/],
    ['view --jobs 99', 3, /There is no job 99/],
    ['view --jobs 1 --port 70000', 2, /65535/],
    ['view --jobs 1 --at yesterday', 2, /"yesterday".*--at/],
    ['get-file no-such.warc OUT', 3, /no file named no-such\.warc/],
    ['get-file FILE OUT --replica THREE', 3, /no replica THREE/],
    ['get-file FILE /dev/null/out', 4, /\/dev\/null\/out cannot be written/],
    ['get-record FILE', 2, /offset/],
    ['get-record FILE 0x10', 2, /"0x10".*whole number/],
    ['get-record FILE 5', 3, /No record begins at offset 5/],
    ['get-record no-such.warc 0', 3, /no file no-such\.warc/],
    ['get-record --jobs 1 http://museum.test/never', 3, /no capture of http:\/\/museum\.test\/never in job 1/],
    ['get-record --jobs 99 http://museum.test/', 3, /There is no job 99/],
    ['get-record --file no.warc http://museum.test/', 3, /no file named no\.warc/],
    ['get-metadata 10', 3, /There is no job 10/],
    [
      'job delete 1',
      4,
      /Delete job 1 \(museum\.test\), its URL list and its log\? Archived files are kept\. Standard input is not a terminal.*--yes/,
    ],
    ['job delete 10 --yes', 3, /There is no job 10/],
    ['preserve status --replica OEN', 3, /"OEN".*"ONE"/],
    ['preserve checksums --replica OEN', 3, /"OEN".*"ONE"/],
    ['preserve checksums --files (', 2, /--files.*never closed/],
    ['--json preserve report --format csv', 2, /--json prints data, so --format csv cannot be printed with it/],
    ['settings get harvest.workrs', 2, /"harvest\.workrs".*"harvest\.workers"/],
    ['settings set harvest.workrs 3', 2, /"harvest\.workrs".*"harvest\.workers"/],
    ['settings set harvest.workers many', 2, /^harvest\.workers must be a whole number\. Its value is "many"/],
    ['settings set harvest.workers 0', 2, /harvest\.workers must be at least 1/],
    ['settings set replicas ONE', 2, /replicas is a map.*JSON/],
  ]
  test.each(rows)('%s', async (words, code, line) => {
    const ended = await ask(words)
    // With --json the error is a document, too.
    expect(ended).toMatchObject(words.startsWith('--json') ? { code } : { code, stdout: '' })
    expect(ended.stderr.trimEnd().split('\n')).toEqual([expect.stringMatching(line)])
  })

  const failures: [words: string, code: number, error: { code: string; message: RegExp }][] = [
    ['jobs 99', 3, { code: 'notFound', message: /^There is no job 99\.$/ }],
    ['job pause 1', 4, { code: 'refused', message: /^Job 1 cannot be paused/ }],
    ['frobnicate', 2, { code: 'badInput', message: /"frobnicate"/ }],
    ['job', 2, { code: 'badInput', message: /command is missing.*--help/ }],
    ['frobnicate --help', 2, { code: 'badInput', message: /"frobnicate"/ }],
    ['jobs --stat Done', 2, { code: 'badInput', message: /option --stat: did you mean --state\?/ }],
    ['harvest http://museum.test/ --workers many', 2, { code: 'badInput', message: /"many"/ }],
    ['harvest http://museum.test/ --login no-such.json', 3, { code: 'notFound', message: /no-such\.json/ }],
    ['get-record FILE 5', 3, { code: 'notFound', message: /No record begins at offset 5/ }],
    ['preserve report --format csv', 2, { code: 'badInput', message: /--format csv/ }],
  ]
  test.each(failures)('--json %s prints one document', async (words, code, { code: name, message }) => {
    for (const asked of [`--json ${words}`, `${words} --json`]) {
      const ended = await ask(asked)
      expect(ended.code).toBe(code)
      expect(ended.stdout.endsWith('}\n')).toBe(true)
      const { error } = z.strictObject({ error: z.strictObject({ code: z.string(), message: z.string() }) }).parse(JSON.parse(ended.stdout)) // prettier-ignore
      expect(error).toEqual({ code: name, message: expect.stringMatching(message) as string })
      expect(ended.stderr).toBe(`${error.message}\n`)
    }
  })

  test('help of every verb shows the options that all verbs have', async () => {
    for (const words of ['jobs', 'job pause', 'preserve repair', 'settings set', 'completion']) {
      const { code, stdout } = await ask(`${words} --help`)
      expect(code).toBe(0)
      for (const option of ['--archive <dir>', '--json', '--debug']) expect(stdout).toContain(option)
    }
  })

  test('growth as CSV has the numbers of the table', async () => {
    const { code, stdout } = await ask('growth --period day --csv')
    expect(code).toBe(0)
    const [head, line] = stdout.split('\r\n')
    expect(head).toBe('period,group,captures,bytes')
    const [day = '', group, captures] = (line ?? '').split(',')
    expect([day, group]).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\d$/), 'all'])
    expect((await ask('growth --period day')).stdout).toMatch(new RegExp(`${day} +all +${captures} `))
  })

  test('links of a job as a table, as CSV, and for programs that draw graphs', async () => {
    const [asTable, asCsv, graphMl, gexf] = await Promise.all(
      ['', '--format csv', '--format graphml', '--format gexf'].map((more) => ask(`job links 1 ${more}`)),
    )
    const [, [, source = '', target = '', links = ''] = []] = [
      ...(asCsv?.stdout ?? '').matchAll(/^(.*),(.*),(.*)\r$/gm),
    ]
    expect(Number(links)).toBeGreaterThan(0)
    expect(asTable?.stdout).toMatch(new RegExp(`^${source} +${target} +${links}$`, 'm'))
    expect(graphMl?.stdout).toContain(`<data key="weight">${links}</data>`)
    expect(gexf?.stdout).toContain(`weight="${links}"`)
  })

  test('--job and --jobs are the same', async () => {
    for (const words of ['history --report hosts', 'batch file-list'])
      for (const option of ['--job 1', '--jobs 1', '--job=1']) {
        const { code, stdout, stderr } = await ask(`${words} ${option}`)
        expect([code, stdout], stderr).toEqual([0, expect.stringContaining(words.startsWith('batch') ? made.file : 'museum.test')]) // prettier-ignore
      }
    expect((await ask('view --job 1,x')).stderr).toMatch(/"1,x".*--jobs/)
  })

  test('--debug adds the stack', async () => {
    const { stderr } = await ask('--debug jobs 99')
    expect(stderr).toMatch(/^There is no job 99\.\n.*\n +at /)
  })
})

test('an unreachable seed is a finding, and the harvest is kept', async () => {
  const words = ['harvest', 'http://closed.test/', '--delay-ms', '0', '--resolve', 'closed.test=127.0.0.1:1']
  const archive = await initArchive(join(made.folder, 'unreachable'))
  const { code, stdout } = await loupeHere('--archive', archive, '--json', ...words)
  expect(code).toBe(1)
  expect(JSON.parse(stdout)).toMatchObject({
    state: 'INACTIVE',
    documents: { fetched: 0 },
    files: [{ name: '1-metadata-1.warc' }],
    findings: [{ level: 'error', message: { text: 'Nothing was fetched.' } }, { level: 'warning' }],
  })
  const shown = await loupeHere('--archive', archive, '--json', 'jobs', '1')
  expect(JSON.parse(shown.stdout)).toMatchObject({ status: 'Empty' })
})

describe('bytes', () => {
  test('get-file gives the file as it is in the replica, and nothing else', async () => {
    const folder = join(made.folder, 'fetched')
    await ask(`get-file FILE ${folder}/`)
    expect(await readdir(folder)).toEqual([made.file])
    expect(await digest(join(folder, made.file))).toBe(await digest(join(made.archive, 'replicas/ONE', made.file)))
  })

  test('get-file overwrites only the same file', async () => {
    const folder = join(made.folder, 'taken')
    await ask(`get-file FILE ${folder}/`)
    expect((await ask(`get-file FILE ${folder}/`)).code).toBe(0)
    await writeFile(join(folder, made.file), 'mine')
    const { code, stderr } = await ask(`get-file FILE ${folder}/`)
    expect([code, stderr]).toEqual([4, expect.stringMatching(/exists and is another file/)])
    expect(await readFile(join(folder, made.file), 'utf8')).toBe('mine')
    expect(await readdir(folder)).toEqual([made.file])
  })

  test('get-file gives no name to a copy whose checksum is wrong', async () => {
    const copy = join(made.archive, 'replicas/TWO', made.file)
    const whole = await readFile(copy)
    const damaged = Buffer.from(whole)
    damaged[damaged.length >> 1] = (damaged[damaged.length >> 1] ?? 0) ^ 1
    await writeFile(copy, damaged)
    const folder = join(made.folder, 'wrong')
    const { code, stderr } = await ask(`get-file FILE ${folder}/ --replica TWO`)
    await writeFile(copy, whole)
    expect(code).toBe(5)
    expect(stderr).toMatch(/has the checksum [0-9a-f]{64} in replica TWO and not/)
    expect(await readdir(folder)).toEqual([])
  })

  test('get-file skips a damaged copy, also one that no check has found yet', async () => {
    const folder = join(made.folder, 'second')
    const path = join(made.archive, 'replicas/ONE', made.file)
    const bytes = await readFile(path)
    const wrong = Buffer.from(bytes)
    wrong[100] = (wrong[100] ?? 0) ^ 1
    await writeFile(path, wrong)
    try {
      const { code, stdout, stderr } = await ask(`--json get-file FILE ${folder}/`)
      expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ name: made.file, replica: 'TWO' })])
      expect(stderr).toMatch(/has the checksum [0-9a-f]{64} in replica ONE and not [0-9a-f]{64}/)
      expect((await readFile(join(folder, made.file))).equals(bytes)).toBe(true)
      expect(await readdir(folder)).toEqual([made.file])
    } finally {
      await writeFile(path, bytes)
    }
  })
  test('get-record prints the record as it was written', async () => {
    const { stdout } = await ask('get-record FILE 0')
    const whole = gunzipSync(await readFile(join(made.archive, 'replicas/ONE', made.file))).toString()
    expect(stdout).toMatch(/^WARC\/1\.1\r\nWARC-Type: warcinfo\r\n/)
    expect(whole.startsWith(stdout)).toBe(true)
    expect(stdout.endsWith('\r\n\r\n')).toBe(true)
    expect((await ask(`get-record ${join(made.archive, 'replicas/TWO', made.file)} 0`)).stdout).toBe(stdout)
  })

  test('get-record finds the capture of a URL', async () => {
    const { code, stdout } = await ask('get-record --jobs 1 http://museum.test/ --at 20200101000000')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^WARC\/1\.1\r\nWARC-Type: response\r\n/)
    expect(stdout).toContain('WARC-Target-URI: http://museum.test/\r\n')
  })

  test('get-metadata prints the records of exactly that job', async () => {
    const { stdout } = await ask('get-metadata 1')
    expect(stdout).toBe(await readFile(join(made.archive, 'replicas/ONE/1-metadata-1.warc'), 'utf8'))
  })
})

test('read-only verbs do not change the database', async () => {
  const path = join(made.archive, 'loupe.db')
  const before = [await digest(path), (await stat(path)).mtimeMs]
  await ask('jobs')
  expect([await digest(path), (await stat(path)).mtimeMs]).toEqual(before)
})

async function digest(path: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex')
}
