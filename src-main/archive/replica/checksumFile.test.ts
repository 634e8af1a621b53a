import { expect, test } from 'vitest'
import { seededWorld } from '../../world/testing/seeded.ts'
import type { Disk } from '../../world/world.ts'
import { checksumFile } from './checksumFile.ts'
import { lineOf } from './checksumLines.ts'

const lineAt = (number: number) => lineOf({ name: `${number}.warc`, sha256: number.toString(16).padStart(64, '0') })
const lines = Array.from({ length: 2_000 }, (_, number) => lineAt(number))

/** The same disk, counting written bytes. */
function counted(disk: Disk): { disk: Disk; appends: () => number } {
  let appends = 0
  return {
    appends: () => appends,
    disk: {
      ...disk,
      async openWrite(path, how) {
        const file = await disk.openWrite(path, how)
        return {
          get position() {
            return file.position
          },
          append(chunks) {
            appends += 1
            return file.append(chunks)
          },
          truncate: (length) => file.truncate(length),
          sync: () => file.sync(),
          close: () => file.close(),
        }
      },
    },
  }
}

test.each([0, 1_000, 1_999])('removes line %i of many in a few writes and leaves all others unchanged', (number) => {
  const world = seededWorld({ seed: 1 })
  return world.run(
    (async () => {
      const { disk, appends } = counted(world.disk)
      await disk.makeFolder('/sums')
      await disk.write('/sums/SHA256SUMS', Buffer.from(lines.join('')))
      await checksumFile(disk, '/sums').setAside(`${number}.warc`)
      const left = Buffer.from(await disk.read('/sums/SHA256SUMS', 1_000_000)).toString()
      expect(left).toBe(lines.filter((_, index) => index !== number).join(''))
      expect(appends()).toBeLessThan(10)
    })(),
  )
})

test.each([1, 599, 601, 200_000])('keeps all %i bytes of a truncated last line', (length) => {
  const world = seededWorld({ seed: 1 })
  return world.run(
    (async () => {
      const { disk } = world
      const torn = 'x'.repeat(length)
      await disk.makeFolder('/sums')
      await disk.write('/sums/SHA256SUMS', Buffer.from(`${lineAt(1)}${torn}`))
      await checksumFile(disk, '/sums').append({ name: 'new.warc', sha256: 'f'.repeat(64) })
      const kept = Buffer.from(await disk.read('/sums/SHA256SUMS.wrong', 1_000_000)).toString()
      expect(kept).toBe(`${torn}\n`)
    })(),
  )
})
