/** One story in a thread: what comes back is little, and a story that broke is one that went wrong. */
import { inspect } from 'node:util'
import type { Task } from '../world/world.ts'
import { happeningsIn } from './happenings.ts'
import { tell } from './story.ts'

export interface StoryWanted {
  seed: number
}

export interface StoryTold {
  seed: number
  complaints: string[]
  machines: number
  captures: number
  happenings: string[]
}

export const task: Task<StoryWanted, StoryTold> = async (_, { seed }) => {
  try {
    const story = await tell(seed)
    const { complaints, machines, urls } = story
    return { seed, complaints, machines, captures: urls.length, happenings: happeningsIn(story) }
  } catch (error) {
    return { seed, complaints: [inspect(error)], machines: 0, captures: 0, happenings: [] }
  }
}
