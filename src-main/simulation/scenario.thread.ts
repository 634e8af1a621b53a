/** Runs one scenario in a thread and returns a summary. A scenario that throws counts as violated. */
import { inspect } from 'node:util'
import type { Task } from '../world/world.ts'
import { eventsIn } from './coverage.ts'
import { runScenario } from './scenario.ts'

/** The request to the thread. */
export interface ScenarioRequest {
  seed: number
}

/** What the parent needs of a scenario; everything else is lost with the thread and is reproduced by the seed. */
export interface ScenarioResult {
  seed: number
  violations: string[]
  machines: number
  captures: number
  events: string[]
}

/** Runs the scenario. Never rejects: an error becomes a violation. */
export const task: Task<ScenarioRequest, ScenarioResult> = async (_, { seed }) => {
  try {
    const scenario = await runScenario(seed)
    const { violations, machines, urls } = scenario
    return { seed, violations, machines, captures: urls.length, events: eventsIn(scenario) }
  } catch (error) {
    return { seed, violations: [inspect(error)], machines: 0, captures: 0, events: [] }
  }
}
