/** A process with an engine in which fifty callers ask for indexes of overlapping sets of jobs at once (`node indexCallers.ts ARCHIVE SEED`).
 *  Prints a line of JSON when all have asked, and one for each answer. */
import { openEngine } from '../src-main/app/engine.ts'
import { seededChance } from '../src-main/world/testing/seededChance.ts'

const [archiveFolder = '', seed = '1'] = process.argv.slice(2)
const chance = seededChance(Number(seed))
const callers = 50
const jobsCount = 6

const engine = await openEngine({ archiveFolder, shell: 'cli', version: '0.0.0', run: true })
const print = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`)

async function ask(caller: number): Promise<void> {
  const jobs = Array.from({ length: jobsCount }, (_, at) => at + 1).filter(() => chance.below(2) === 1)
  if (jobs.length === 0) jobs.push(1)
  const kind = chance.below(2) === 0 ? 'captures' : 'dedup'
  const built = await engine.services.indexes.build({ kind, jobs })
  print({ caller, kind, jobs, ...built })
}

const tasks = (await engine.services.tasks.list({ kind: 'index', limit: 1 }))[0]?.task ?? 0
const all = Array.from({ length: callers }, (_, caller) => ask(caller))
print({ asked: callers, tasks })
await Promise.all(all)
print({ done: true })
await engine.close()
