/** A process that delivers documents to four destinations is killed with kill -9 a few times. `deliveryKills.campaign.ts` kills it often. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { sampleSeed } from '../src-main/world/testing/sample.ts'
import { deliverWithKills } from './killedDelivery.ts'

const seed = Number(process.env['LOUPE_SEED'] ?? sampleSeed)

test(`seed ${seed}: after three kills, each destination has what it promises`, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'loupe-delivery-kill-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const { afterArrivals } = await deliverWithKills(folder, { documentsCount: 300, killsCount: 3, seed })
  expect(afterArrivals).toBe(3)
})
