import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { channelsConform } from '../../harvest/submission/testing/channelsConformance.ts'
import { realDisk } from '../../world/realDisk.ts'
import { channelPlugins } from './channelPlugins.ts'
import { choosePlugin } from './plugins.ts'

const archiveFolder = mkdtempSync(join(tmpdir(), 'loupe-plugins-'))
afterAll(() => rmSync(archiveFolder, { recursive: true }))
const chosen = (name: string, settings = {}) =>
  choosePlugin(channelPlugins, { name, settings, archiveFolder, disk: realDisk })

/** Channels in one list, as a user may write them. */
writeFileSync(
  join(archiveFolder, 'queue.mjs'),
  `export default function open({ broker }) {
     if (broker !== 'here') throw new Error('no broker at ' + broker)
     const jobs = []
     return {
       send: async (channel, job) => void jobs.push({ channel, job }),
       async receive(channels) {
         for (const channel of channels) {
           const at = jobs.findIndex((each) => each.channel === channel)
           if (at < 0) continue
           const [{ job }] = jobs.splice(at, 1)
           return { job, acknowledge: async () => {}, putBack: async () => void jobs.unshift({ channel, job }) }
         }
       },
       waiting: async (channel) => jobs.filter((each) => each.channel === channel).length,
       close: async () => {},
     }
   }`,
)
writeFileSync(join(archiveFolder, 'empty.mjs'), 'export const a = 1')
writeFileSync(join(archiveFolder, 'part.mjs'), 'export default () => ({ send() {} })')

describe('channels of a module of the user', () => {
  channelsConform(() => chosen('queue.mjs', { broker: 'here' }))
})

test.each<[string, object, RegExp]>([
  ['memroy', {}, /generation\.channels: there is no "memroy"\. Known: memory/],
  ['none.mjs', {}, /generation\.channels: none\.mjs cannot be used: .*none\.mjs/],
  ['empty.mjs', {}, /no default export/],
  ['part.mjs', {}, /what it returns has no function receive/],
  ['queue.mjs', { broker: 'far' }, /no broker at far/],
])('%s with %j is refused', async (name, settings, why) => {
  await expect(chosen(name, settings)).rejects.toThrow(why)
})
