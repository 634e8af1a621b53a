import { expect, test } from 'vitest'
import { seededWorld } from '../../../world/testing/seeded.ts'
import type { OwnThread, World } from '../../../world/world.ts'
import { bodyLinks, type BodyLinksInput } from '../fetch/bodyLinks.ts'
import { recordMembers, type MembersInput } from '../records/recordMembers.ts'
import { openBodyWork } from './bodyWork.ts'

const head = Buffer.from('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n')
const block = [Buffer.concat([head, Buffer.from('<a href="/1">1</a><img src="2.png"><a href="/1">again</a>')])]

const page: BodyLinksInput = {
  ...{ url: 'http://a.test/', mediaType: 'text/html', charset: undefined, isSitemap: false },
  ...{ block, headBytes: head.length },
}
const sitemap: BodyLinksInput = {
  ...page,
  ...{ mediaType: 'application/xml', isSitemap: true },
  block: [Buffer.concat([head, Buffer.from('<urlset><url><loc>http://a.test/3</loc></url></urlset>')])],
}
const header = {
  id: '1',
  dateMs: 0,
  fields: [['WARC-Target-URI', 'http://a.test/']] as const,
  contentType: 'text/plain',
}
const records: MembersInput = {
  main: { ...header, type: 'response', payload: { offset: head.length }, block, level: 6 },
  others: [{ ...header, type: 'request', block: [Buffer.from('GET / HTTP/1.1\r\n\r\n')] }],
}

/** A seeded world that notes how many tasks each message to its threads has, and which threads were opened. */
function watchedWorld() {
  const seeded = seededWorld({ seed: 1 })
  const messages: number[] = []
  const threads: OwnThread[] = []
  const world: World = {
    ...seeded,
    threads: {
      ...seeded.threads,
      own(limits) {
        const thread = seeded.threads.own(limits)
        const watched: OwnThread = {
          get ended() {
            return thread.ended
          },
          run(module, input, options) {
            messages.push((input as unknown[]).length)
            return thread.run(module, input, options)
          },
          close: () => thread.close(),
        }
        threads.push(watched)
        return watched
      },
    },
  }
  return { world, run: seeded.run, messages, threads }
}

test('links and records are what this thread would make of the body', async () => {
  const { world, run } = watchedWorld()
  const work = openBodyWork(world)
  expect(await run(work.links(page))).toEqual(bodyLinks(page))
  expect(await run(work.links(page))).toEqual([
    { url: 'http://a.test/1', kind: 'navigation' },
    { url: 'http://a.test/2.png', kind: 'embed' },
  ])
  expect(await run(work.links(sitemap))).toEqual([{ url: 'http://a.test/3', kind: 'navigation' }])
  const made = await run(work.members(records))
  const expected = recordMembers(records)
  expect(Buffer.concat(made.main).equals(Buffer.concat(expected.main))).toBe(true)
  expect(Buffer.concat(made.others).equals(Buffer.concat(expected.others))).toBe(true)
  expect(made).toMatchObject({ isRevisit: false, payloadDigest: expected.payloadDigest })
})

test('a payload with the digest of an earlier capture becomes a revisit with the header alone', async () => {
  const { world, run } = watchedWorld()
  const { payloadDigest = '' } = recordMembers(records)
  const revisit = { header: { ...header, type: 'revisit' as const }, blockBytes: head.length, isAlone: true }
  const work = openBodyWork(world)
  const same = await run(work.members({ ...records, revisit: { ...revisit, payloadDigest } }))
  expect(same.isRevisit).toBe(true)
  const alone = recordMembers({ main: { ...revisit.header, block: [head], level: 6 }, others: [] })
  expect(Buffer.concat(same.main).equals(Buffer.concat(alone.main))).toBe(true)
  const other = await run(work.members({ ...records, revisit: { ...revisit, payloadDigest: 'sha1:OTHER' } }))
  expect(other.isRevisit).toBe(false)
})

test('tasks of one turn share a message, and tasks that arrive meanwhile share the next', async () => {
  const { world, run, messages } = watchedWorld()
  const work = openBodyWork(world)
  const first = [work.links(page), work.members(records)]
  await run(Promise.all(first).then(() => Promise.all([work.links(page), work.links(page), work.links(page)])))
  expect(messages).toEqual([2, 3])
})

test('a task that fails rejects, and the next tasks run in a new thread if the thread has ended', async () => {
  const { world, run, threads } = watchedWorld()
  const work = openBodyWork(world)
  const forged = {
    ...records,
    others: [{ ...header, type: 'request' as const, fields: [['A', 'b\r\nc']] as const, block: [] }],
  }
  await expect(run(work.members(forged))).rejects.toThrow('may not hold line ends')
  expect(await run(work.links(page))).toHaveLength(2)
  expect(threads).toHaveLength(1)
  threads[0]?.close()
  expect(await run(work.links(page))).toHaveLength(2)
  expect(threads).toHaveLength(2)
})

test('the thread ends when the last job has left', async () => {
  const { world, run, threads } = watchedWorld()
  const work = openBodyWork(world)
  const leaves = [work.join(), work.join()]
  expect(threads).toHaveLength(0)
  await run(work.links(page))
  leaves[0]?.()
  expect(threads[0]?.ended).toBe(false)
  leaves[1]?.()
  expect(threads[0]?.ended).toBe(true)
})
