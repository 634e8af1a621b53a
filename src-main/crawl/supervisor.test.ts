/** The supervisor with arbitrary loops, and the consistency of its table with the state tables. */
import { message } from '../contract/words/message.ts'
import { textOf } from '../contract/words/render.ts'
import { expect, test } from 'vitest'
import { documentStates } from '../contract/states/documentStates.ts'
import { jobStates } from '../contract/states/jobStates.ts'
import { defaultCrawlSettings } from './model/limits.ts'
import { openEngine, type EngineSetting, type Loop } from './loops/engine.ts'
import { crawlListFixture } from './settle/testing/crawlListFixture.ts'
import { everyLoop, supervise } from './supervisor.ts'

function trial() {
  const list = crawlListFixture()
  const { world, store } = list
  const stop = new AbortController()
  const problems: { atMs: number; text: string; job: number | null }[] = []
  const setting: EngineSetting = {
    store,
    world,
    // Nothing is stored here.
    archive: {} as EngineSetting['archive'],
    folder: '/jobs',
    incomingFolder: '/incoming',
    quarantineFolder: '/quarantine',
    sequenceMark: { note: async () => undefined, close: async () => undefined },
    settings: defaultCrawlSettings,
    credentials: { secretOf: async () => ({ why: message('credential.missing', { name: 'a' }) }) },
    software: 'test',
    signal: stop.signal,
    onChanged: () => undefined,
    onImported: () => undefined,
    onProblem: ({ message, job }) => void problems.push({ atMs: world.clock.elapsed(), text: textOf(message), job }),
  }
  /** So long a life of the engine, with these loops. */
  const live = (loops: readonly Loop[], ms: number) =>
    world.run(
      Promise.all([
        supervise(
          setting,
          loops.map((loop) => () => loop),
        ),
        world.clock.sleep(ms).then(() => stop.abort()),
      ]),
    )
  return { world, list, setting, problems, live }
}

test('a failing loop starts again after increasing delays and reports it; the others continue', async () => {
  const { problems, live } = trial()
  let passes = 0
  const fails: Loop = {
    name: 'fails',
    pass: () => {
      throw new Error('a bug')
    },
  }
  await live([fails, { name: 'goes on', pass: () => void (passes += 1) }], 120_000)
  const rests = problems.slice(1).map(({ atMs }, index) => (atMs - (problems[index]?.atMs ?? 0)) / 1000)
  // The announced delay, plus at most one round.
  const doubled = [1, 2, 4, 8, 16, 32]
  expect(rests.map(Math.floor)).toEqual(doubled)
  expect(problems.map(({ text }) => text)).toEqual(
    [...doubled, 60].map((seconds) => `The loop "fails" failed and restarts in ${seconds} s: a bug`),
  )
  expect(problems.every(({ job }) => job === null)).toBe(true)
  expect(passes).toBeGreaterThan(200)
})

test('a loop that has recovered gets the short delay again', async () => {
  const { problems, live } = trial()
  let passes = 0
  const pass = async () => {
    passes += 1
    // Fails three times, and again much later.
    if (passes <= 3 || passes === 100) throw new Error('of the moment')
  }
  await live([{ name: 'fails', pass }], 120_000)
  expect(problems.map(({ text }) => /in (\d+) s/.exec(text)?.[1])).toEqual(['1', '2', '4', '1'])
})

test('each clock change during the work of a loop is noticed without disturbing it', async () => {
  const { world, list, live } = trial()
  const hourMs = 3_600_000
  const dueMs = world.clock.now() + 2 * hourMs
  list.add({ url: 'a', state: 'PENDING', dueMs })
  let [passes, hasEnded] = [0, false]
  const pass = async () => {
    passes += 1
    if (passes > 1) return
    world.setClock(-9 * hourMs)
    await world.clock.sleep(5_000)
    world.setClock(-hourMs)
    await world.clock.sleep(5_000)
    hasEnded = true
  }
  await live([{ name: 'has a long pass', pass }], 20_000)
  expect(hasEnded).toBe(true)
  expect(list.column('due_ms')).toEqual({ a: dueMs - 10 * hourMs })
})

test('only loops, users and recovery move jobs and documents between states', () => {
  const engine = openEngine(trial().setting)
  const owners = new Set([...everyLoop.map((open) => open(engine).name), 'user', 'recovery'])
  for (const table of [jobStates, documentStates])
    expect(
      table.moves.filter(({ owner }) => !owners.has(owner)).map((move) => `${table.name}: ${JSON.stringify(move)}`),
    ).toEqual([])
})
