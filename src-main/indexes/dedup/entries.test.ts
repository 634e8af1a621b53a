import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  entriesPerKeyMax,
  entryAt,
  entryBytes,
  putEntry,
  sortedEntries,
  type DedupEntry,
  type DedupOrder,
} from './entries.ts'

/** Few hashes, some of them with the same first 32 bits, so that all comparisons occur. */
const hashes = fc.constantFrom(0n, 1n, 2n ** 32n, 2n ** 32n + 1n, 2n ** 64n - 1n, 2n ** 64n - 2n, 2n ** 63n)
const entries = fc.array(
  fc.record({
    urlHash: hashes,
    payloadHash: hashes,
    timestampMs: fc.nat({ max: 3 }).map((far) => far * 2 ** 44),
    file: fc.constantFrom(0, 1, 2 ** 32 - 1),
    offset: fc.constantFrom(0, 1, 2 ** 48 - 1),
  }),
  { maxLength: 200 },
)

test.each<DedupOrder>(['url', 'payload'])('entries are sorted by %s, and of each key the newest stay', (order) => {
  fc.assert(
    fc.property(entries, (given) => {
      const bytes = Buffer.alloc(given.length * entryBytes)
      for (const [at, entry] of given.entries()) putEntry(bytes, at * entryBytes, entry)
      const sorted = sortedEntries(bytes, order)
      const read = Array.from({ length: sorted.length / entryBytes }, (_, at) => entryAt(sorted, at * entryBytes))
      const keyOf = ({ urlHash, payloadHash }: DedupEntry) => (order === 'url' ? urlHash : payloadHash)
      const byKey = [...Map.groupBy(given, keyOf)].toSorted(([one], [other]) => (one < other ? -1 : 1))
      expect(read.map((entry) => [keyOf(entry), entry.timestampMs])).toEqual(
        byKey.flatMap(([key, same]) =>
          same
            .map(({ timestampMs }) => timestampMs)
            .toSorted((one, other) => other - one)
            .slice(0, entriesPerKeyMax)
            .map((timestampMs) => [key, timestampMs]),
        ),
      )
      for (const entry of read) expect(given).toContainEqual(entry)
    }),
  )
})
