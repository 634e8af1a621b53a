/** The end of a job waits for its outputs to be told, for a bounded time, and reports what has become of it. */
import { expect, test } from 'vitest'
import { textOf } from '../../contract/words/render.ts'
import type { Message } from '../../contract/words/message.ts'
import { openJobEnds } from '../../delivery/jobOutputs.ts'
import { outputFixture } from '../../delivery/testing/outputFixture.ts'
import { openStore } from '../../storage/storage.ts'
import { seededWorld } from '../../world/testing/seeded.ts'
import { outputsToldMsMax } from '../model/limits.ts'
import type { Engine } from './engine.ts'
import { announceEnd, outputsTold } from './outputsTold.ts'

function opened() {
  const store = openStore(':memory:')
  const world = seededWorld({ seed: 1 })
  const fixture = outputFixture(store, () => 1)
  for (const name of ['one', 'two']) fixture.addOutput(name, `/${name}`)
  fixture.addJob(1, [{ output: 'one' }, { output: 'two' }])
  fixture.addJob(2, [])
  const lines: string[] = []
  const engine = {
    ...{ ends: openJobEnds(store), world, rowOf: () => ({ run: 1 }) },
    log: (_job: number, level: string, line: Message) => void lines.push(`${level}: ${textOf(line)}`),
  } as unknown as Engine
  const notices = (set: string, name: string) =>
    store
      .statement<object>(`UPDATE output_notice SET ${set} WHERE output_id = (SELECT id FROM output WHERE name = @name)`)
      .run({ name })
  /** Returns how long it waited. */
  const told = async (job: number, signal = new AbortController().signal) => {
    const end = announceEnd(engine, job, 'completed')
    const beganMs = world.clock.elapsed()
    await outputsTold(engine, end, signal)
    return world.clock.elapsed() - beganMs
  }
  return { world, lines, notices, told }
}

const failed = `state = 'FAILED', message = '{"code":"output.noFolder","values":{"folder":"/two"}}'`

test('a job without outputs waits for nothing', async () => {
  const { world, told, lines } = opened()
  expect(await world.run(told(2))).toBe(0)
  expect(lines).toEqual([])
})

test('a job waits until each output was told, and a failure is in its log', async () => {
  const { world, told, notices, lines } = opened()
  const waited = told(1)
  const answer = async () => {
    await world.clock.sleep(5_000)
    notices(`state = 'DONE'`, 'one')
    await world.clock.sleep(5_000)
    notices(failed, 'two')
  }
  const [ms] = await world.run(Promise.all([waited, answer()]))
  expect(ms).toBeGreaterThanOrEqual(10_000)
  expect(ms).toBeLessThan(11_000)
  expect(lines).toEqual([
    'warning: The output connection "two" could not be told that the job has ended: The folder /two does not exist.',
  ])
  // Asked again after a kill, it does not tell them a second time.
  expect(await world.run(told(1))).toBe(0)
})

test('a job does not wait for ever, and says which output is late', async () => {
  const { world, told, lines } = opened()
  const ms = await world.run(told(1))
  expect(ms).toBeGreaterThanOrEqual(outputsToldMsMax)
  expect(ms).toBeLessThan(outputsToldMsMax + 1_000)
  expect(lines).toHaveLength(2)
  expect(lines[1]).toMatch(/"two" has not received all documents of the job within 10 minutes: deliveries continue/)
})

test('a stop by a user ends the wait, and nothing is logged', async () => {
  const { world, told, lines } = opened()
  const stop = new AbortController()
  const stopping = world.clock.sleep(2_000).then(() => stop.abort())
  const [ms] = await world.run(Promise.all([told(1, stop.signal), stopping]))
  expect(ms).toBeLessThan(3_000)
  expect(lines).toEqual([])
})
