import { expect, test } from 'vitest'
import { message } from '../contract/words/message.ts'
import { seededWorld } from '../world/testing/seeded.ts'
import { loopMonitor } from './loopMonitor.ts'

test('notes the passes of each loop, and forgets a problem with the next pass that succeeds', () => {
  const world = seededWorld({ seed: 1 })
  return world.run(
    (async () => {
      const monitor = loopMonitor(world.clock)
      const end = monitor.pass('stuffer')
      expect(monitor.list()).toMatchObject([{ name: 'stuffer', isRunning: true, passes: 0, lastMs: null }])
      await world.clock.sleep(20)
      end()
      monitor.pass('feeder')(message('notification.test'))
      const [stuffer, feeder] = monitor.list()
      expect(stuffer).toMatchObject({ isRunning: false, passes: 1, failures: 0, problem: null })
      expect(stuffer?.lastMs).toBeGreaterThanOrEqual(20)
      expect(feeder).toMatchObject({ name: 'feeder', passes: 1, failures: 1, problem: message('notification.test') })
      monitor.pass('feeder')()
      expect(monitor.list()[1]).toMatchObject({ passes: 2, failures: 1, problem: null })
    })(),
  )
})
