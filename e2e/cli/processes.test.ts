/** Most rows of the command line's tests run without a process of their own (`loupeHere`). Here each of their commands runs as a
 *  process too: it prints the same, ends with the same code, and ends by itself. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loupe, loupeHere, type Ended } from '../loupeProcess.ts'
import { harvestedMuseum, harvestOf, type Harvested } from './harvested.ts'

let made: Harvested
beforeAll(async () => {
  made = await harvestedMuseum()
})
afterAll(() => made.close())

/** `FILE` is the content file of job 1, `COPY` its path, `OUT` a path outside of the archive, `COUNT` a number, `HARVEST` a harvest of the museum. */
const rows = [
  '--version',
  'harvest --help',
  'jobs',
  '--json jobs 1',
  '--json jobs 99',
  'no-such-verb',
  'get-file FILE OUT',
  'get-record FILE 0',
  'get-metadata 1',
  'history --report results',
  'history --report results --csv',
  'connector list',
  'credential list',
  'schedule list',
  'settings get harvest.workers',
  'settings set harvest.workers many',
  'preserve missing',
  'preserve checksums',
  'preserve status',
  'preserve audit --verify',
  'preserve repair',
  'batch file-list',
  'tasks',
  'export --jobs 1 --format csv OUT.csv',
  'check COPY',
  'index COPY --sort',
  'records COPY --type response',
  'job edit 1 --max-objects COUNT',
  'upload COPY',
  'recover',
  'import COPY',
  'HARVEST',
]

test.each(rows)('loupe %s', async (words) => {
  const given = (place: 'one' | 'two') => {
    const put = (word: string) =>
      word
        .replace('FILE', made.file)
        .replace('COPY', join(made.archive, 'replicas/ONE', made.file))
        .replace('OUT', join(made.folder, place))
        .replace('COUNT', place === 'one' ? '901' : '902')
    const typed = words === 'HARVEST' ? harvestOf(made.site) : words.split(' ').map(put)
    return ['--archive', made.archive, ...typed]
  }
  expect(comparable(await loupe(...given('one')))).toEqual(comparable(await loupeHere(...given('two'))))
})

/** Removes what differs between two runs of the same command: paths, numbers, checksums, durations and speeds. */
function comparable({ code, stdout, stderr }: Ended) {
  const alike = (text: string) =>
    text
      .replaceAll(join(made.folder, 'two'), join(made.folder, 'one'))
      .replaceAll(/[\d.]+ [kM]?B\/s|[\d.]+ m?s\b/g, 'N')
      .replaceAll(/\b[0-9a-f]{64}\b/g, 'CHECKSUM')
      .replaceAll(/\d+(?:[.,]\d+)*/g, 'N')
      .replaceAll(/ +/g, ' ')
  return { code, stdout: alike(stdout), stderr: alike(stderr) }
}
