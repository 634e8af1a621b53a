/** A process that delivers 10,000 documents to four destinations is killed fifty times with kill -9. Most kills are triggered by a number of
 *  further documents that arrived, independent of the speed of the machine. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { deliverWithKills } from './killedDelivery.ts'

const killsCount = 50
const seed = Number(process.env['LOUPE_SEED'] ?? 1)

test(`seed ${seed}: after fifty kills, each destination has what it promises`, { timeout: 3_600_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'loupe-delivery-kills-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const outcome = await deliverWithKills(folder, { documentsCount: 10_000, killsCount, seed })
  console.log(JSON.stringify(outcome))
  expect(outcome.afterArrivals).toBe((killsCount * 4) / 5)
  // Kills that interrupt no request would say nothing about what may be lost.
  expect(outcome.unknown).toBeGreaterThan(0)
})
