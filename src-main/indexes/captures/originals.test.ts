import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openIndexes, type CaptureIndex } from '../indexes.ts'
import { createArchive, type ArchiveFixture, type Row } from '../testing/archiveFixture.ts'
import type { Named, Revisited } from './originals.ts'

const url = 'http://a.example/'
const [one, other, absent] = ['sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', 'sha1:BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB', 'sha1:CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC'] // prettier-ignore
const chainLength = 300
const minute = (count: number) => new Date(Date.UTC(2020, 0, 1, 0, count)).toISOString()

const answer = (of: string, at: string, digest: string): Row => ({
  url: of,
  at,
  warcFields: digest === '' ? [] : [['WARC-Payload-Digest', digest]],
})
const revisit = (of: string, at: string, digest: string): Row => ({ ...answer(of, at, digest), type: 'revisit' })

describe('the original of a revisit', () => {
  let made: ArchiveFixture
  let index: CaptureIndex
  beforeAll(async () => {
    made = await createArchive()
    await made.add({
      name: '1-1-a.warc.gz',
      job: 1,
      rows: [
        answer(url, minute(0), one),
        // Each means the one before.
        ...Array.from({ length: chainLength }, (_, number) => revisit(url, minute(number + 1), one)),
        answer('http://b.example/copy', minute(5), one),
        answer('http://a.example/x', minute(0), other),
        revisit('http://a.example/y', minute(0), other),
        answer('http://a.example/z', '2020-01-01T00:00:00.500Z', 'sha256:'.padEnd(59, 'A')),
      ],
    })
    const indexes = await openIndexes({
      folder: join(made.folder, 'indexes'),
      world: made.world,
      archive: made.archive,
      tasks: made.tasks,
    })
    index = await indexes.captureIndexFor({ jobs: [1] })
  })
  afterAll(async () => {
    index.close()
    await made[Symbol.asyncDispose]()
  })

  const check = (
    what: string,
    wanted: Partial<Omit<Revisited, 'atMs'>> & { at?: string },
    named: Named,
    found: string[],
  ) =>
    it(what, () => {
      const { url: of = url, at, payloadDigest = one } = wanted
      const atMs = at === undefined ? undefined : Date.parse(at)
      const originals = index.originals({ url: of, atMs, payloadDigest }, 4)
      expect({ ...originals, found: originals.found.map((each) => each.url) }).toEqual({ named, found })
    })
  const copies = [url, 'http://b.example/copy']

  check('the one that it names, then the same payload of another host', { at: minute(0) }, 'original', copies)
  check('after a chain of 300 revisits, in one lookup', { at: minute(chainLength) }, 'revisit', copies)
  check('the same if only the revisits have a payload digest', { at: minute(9), payloadDigest: '' }, 'revisit', copies)
  check('no moment is named', {}, 'noMoment', copies)
  check('of another host, the nearest is the one there', { url: 'http://b.example/copy', at: minute(5) }, 'original', copies.toReversed()) // prettier-ignore
  check('what it names was never captured', { url: 'http://c.example/', at: minute(0) }, 'nothing', copies)
  check('what it names was captured at another time', { at: '2019-01-01T00:00:00Z' }, 'otherMoment', copies)
  check('its own payload goes before that of the one it names', { url: 'http://a.example/x', at: minute(0) }, 'otherPayload', [...copies, 'http://a.example/x']) // prettier-ignore
  check('digests of two kinds are not comparable', { url: 'http://a.example/z', at: minute(0) }, 'original', ['http://a.example/z', ...copies]) // prettier-ignore
  check('lost', { at: '2019-01-01T00:00:00Z', payloadDigest: absent }, 'otherMoment', [])
  check('lost, with all its URL and date fields', { at: '2019-01-01T00:00:00Z', payloadDigest: '' }, 'otherMoment', [])
  check('the original of a revisit of another address', { url: 'http://a.example/y', at: minute(0), payloadDigest: '' }, 'revisit', ['http://a.example/x']) // prettier-ignore
})
