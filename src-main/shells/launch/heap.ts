/** How Node's heap begins in every process that shows or harvests. What V8 collects it by counts the bytes of pages too, which lie
 *  outside of its heap; at its usual size it marks all of it again for every few hundred answers, a third of the processor's time
 *  and most of the longest answers (`bench/README.md`). Beyond that size it grows as it would. The scripts of `package.json` and
 *  `loupe.cjs` say the same. */
export const heapFlag = '--initial-old-space-size=128'
