/** Option of Node with the initial size, in MiB, of the old part of its heap, for every process that views or
 *  harvests. V8 schedules collections by the bytes of pages too, although they are outside its heap; at the
 *  default size it marks the whole heap again for every few hundred answers, which takes a third of the
 *  processor's time and causes most of the longest answers (`bench/reports/replay.md`). Above this size the heap grows as
 *  usual. The scripts of `package.json` and `loupe.cjs` use the same value. */

export const heapFlag = '--initial-old-space-size=128'
