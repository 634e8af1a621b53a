/** The task with which `conformance.test.ts` checks every implementation of threads. Not part of the product. */
import { DiskFault, NetworkFault, type TaskContext } from '../world.ts'

/** The behaviour that the task is to show. */
export interface Trial {
  action:
    | 'echo'
    | 'diskFault'
    | 'networkFault'
    | 'error'
    | 'text'
    | 'untilAborted'
    | 'countTo'
    | 'unclonable'
    | 'die'
    | 'readAbsent'
    | 'remember'
    | 'fill'
    | 'spin'
    | 'throwLater'
    | 'print'
    | 'elapsed'
  value: string | number
}

const remembered: unknown[] = []

export async function task(
  { world, report, signal, takePrinted }: TaskContext<number>,
  { action, value }: Trial,
): Promise<unknown> {
  switch (action) {
    case 'echo':
      await world.clock.sleep(1)
      return { value, bytes: new Uint8Array([1, 2, 3]), when: new Date(0), map: new Map([[1, undefined]]) }
    case 'diskFault':
      throw new DiskFault('full', String(value), { cause: new TypeError('the cause', { cause: 'the root' }) })
    case 'networkFault':
      throw new NetworkFault('reset', String(value))
    case 'error':
      throw Object.assign(new RangeError(String(value)), { code: 'E_TRIAL', at: ['a', 1], unclonable: () => undefined })
    case 'text':
      // oxlint-disable-next-line typescript/only-throw-error -- JavaScript lets anything be thrown, and this must cross too
      throw value
    case 'unclonable':
      return () => value
    case 'untilAborted':
      report(0)
      await world.clock.sleep(3_600_000, signal)
      return 'not aborted'
    case 'countTo':
      for (let count = 1; count <= Number(value); count++) report(count)
      return value
    case 'readAbsent':
      return world.disk.read(String(value), 1)
    case 'remember':
      remembered.push(value)
      return [...remembered]
    case 'fill':
      for (;;) remembered.push(Array.from({ length: 100_000 }, () => value))
    case 'spin':
      report(0)
      for (;;);
    case 'print': {
      const before = takePrinted()
      console.log('%s', value)
      console.error('and %s', value)
      await new Promise<void>((resolve) => process.stdout.write(Buffer.from('bytes'), () => resolve()))
      return [before, takePrinted(), takePrinted()]
    }
    case 'elapsed':
      return world.clock.elapsed()
    case 'throwLater':
      setTimeout(() => {
        throw new Error(String(value))
      })
      return value
    case 'die':
      process.exit(Number(value))
  }
}
