/** Queues between the scheduler of harvests and the harvesters: in memory, or a broker through a module of the user. */
import { memoryChannels, type Channels } from '../../harvest/harvest.ts'
import type { PluginKind } from './plugins.ts'

export const channelPlugins: PluginKind<Channels> = {
  setting: 'generation.channels',
  builtIn: { memory: memoryChannels },
  functions: ['send', 'receive', 'waiting', 'close'],
}
