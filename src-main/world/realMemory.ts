/** Garbage collection on request. V8 collects when a thread allocates, so a thread that has come to rest keeps what its last work needed: of a
 *  start, 30 MB of young generation. */
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Memory } from './world.ts'

/** V8's function, which a context has that is made while the flag is set (`GCExtension` of V8). `last-resort`: the young generation shrinks
 *  to its smallest size. */
type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void

let collect: Collect | undefined

export const realMemory: Memory = {
  release(usedBytesMax = Infinity) {
    if (getHeapStatistics().used_heap_size > usedBytesMax) return
    collect ??= collector()
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  },
}

function collector(): Collect {
  setFlagsFromString('--expose-gc')
  const found = runInNewContext('gc') as Collect
  setFlagsFromString('--no-expose-gc')
  return found
}
