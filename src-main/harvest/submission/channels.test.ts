import { memoryChannels } from './channels.ts'
import { channelsConform } from './testing/channelsConformance.ts'

channelsConform(() => Promise.resolve(memoryChannels()))
