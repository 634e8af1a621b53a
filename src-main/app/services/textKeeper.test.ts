import { expect, test } from 'vitest'
import { emitter } from '../../contract/calls/emitter.ts'
import { openTextKeeper } from './textKeeper.ts'

const rowOf = (job: number, more = {}) => ({
  ...{ job, captures: 1, awaiting: 0, files: 1, filesBegun: 0, filesOutdated: 0 },
  ...more,
})

/** A keeper over an index with these jobs, of an archive that has others. */
function opened({
  rows = [rowOf(1), rowOf(2)],
  known = [1, 2],
  isEngine = true,
  exists = true,
  fails = 0,
  isStuck = false,
} = {}) {
  const removed = emitter<{ job: number }>()
  const jobs = new Set(known)
  const calls: unknown[] = []
  const bugs: unknown[] = []
  const keeper = openTextKeeper({
    indexes: {
      text: {
        exists: async () => exists,
        status: async () => ({ jobs: rows, contents: rows.length }),
        drop: async (gone) => {
          if (isStuck) await new Promise(() => undefined)
          if (fails-- > 0) throw new Error('of the disk')
          calls.push(['drop', ...gone])
          return { captures: gone.length }
        },
        build: async (outdated) => {
          calls.push(['build', ...outdated])
          return { files: 0, filesMissing: [], documents: 0, unreadable: 0 }
        },
      },
    },
    jobs: { exists: (job) => jobs.has(job) },
    signals: { onRemoved: removed.on },
    ...{ isEngine, ready: Promise.resolve(), onBug: (error: unknown) => bugs.push(error) },
  })
  const remove = (job: number) => {
    jobs.delete(job)
    removed.emit({ job })
  }
  return { keeper, calls, bugs, remove }
}

/** Resolves when all that was begun has ended: no call of these tests waits for anything. */
const settled = () => new Promise((others) => setImmediate(others))

test('at the start, deleted jobs leave, and what an earlier version read or a kill interrupted is read again', async () => {
  const rows = [rowOf(0), rowOf(1), rowOf(2, { filesOutdated: 1 }), rowOf(3, { filesOutdated: 1 }), rowOf(4, { filesBegun: 1 })] // prettier-ignore
  const { calls } = opened({ rows, known: [1, 2, 4] })
  await settled()
  expect(calls).toEqual([
    ['drop', 3],
    ['build', 2, 4],
  ])
})

test('a process without the engine lets deleted jobs leave before its first search only', async () => {
  const { keeper, calls } = opened({ rows: [rowOf(1), rowOf(2, { filesOutdated: 1 })], known: [2], isEngine: false })
  await settled()
  expect(calls).toEqual([])
  await keeper.beforeSearch()
  await keeper.beforeSearch()
  expect(calls).toEqual([['drop', 1]])
})

test('a job that is deleted leaves at once, until the keeper is closed', async () => {
  const { keeper, calls, remove } = opened()
  await settled()
  remove(2)
  await settled()
  expect(calls).toEqual([['drop'], ['drop', 2]])
  keeper.close()
  remove(1)
  await settled()
  expect(calls).toHaveLength(2)
})

test('a search of the engine does not wait for documents that are leaving', async () => {
  const { keeper, calls } = opened({ known: [2], isStuck: true })
  await keeper.beforeSearch()
  expect(calls).toEqual([])
})

test('a failure is reported by the engine, and to the search of another process', async () => {
  const { calls, bugs } = opened({ fails: 1 })
  await settled()
  expect([calls, bugs.length]).toEqual([[], 1])
  await expect(opened({ fails: 1, isEngine: false }).keeper.beforeSearch()).rejects.toThrow('of the disk')
})

test.each([true, false])('without an index nothing is done, in the engine or not: %s', async (isEngine) => {
  const { keeper, calls } = opened({ exists: false, isEngine })
  await keeper.beforeSearch()
  await settled()
  expect(calls).toEqual([])
})
