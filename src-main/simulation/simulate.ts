/** `npm run simulate -- [SEED] [--many] [--faults] [--seeds N] [--seed S] [--seconds T]`: stories of the whole crawl engine, one a
 *  seed, each with faults of its own; with `--faults` drives of a fault through a deed of the archive. SEED alone is a crawl of
 *  a thousand pages. Without anything else a hundred small ones are told on all cores, with `--many` five thousand; `--seed S` begins with
 *  that one, and alone tells it in detail. */
import process from 'node:process'
import { inspect, parseArgs } from 'node:util'
import { realWorld } from '../world/real.ts'
import { tellFault } from './faultStory.ts'
import { tell, type Story } from './story.ts'
import { tellMany } from './tellMany.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    many: { type: 'boolean' },
    faults: { type: 'boolean' },
    seeds: { type: 'string' },
    seed: { type: 'string' },
    seconds: { type: 'string' },
  },
})
/** Of the story that SEED alone tells. */
const largePagesCount = 1_000

const world = realWorld()
const { clock } = world
const large = positionals[0]
const isOne =
  large !== undefined || (values.seed !== undefined && values.seeds === undefined && values.seconds === undefined)
const first = large === undefined ? numberOf('seed', values.seed, 1) : numberOf('seed', large, 1)
const seedsCount = numberOf(
  'seeds',
  values.seeds,
  isOne ? 1 : values.many ? 5_000 : values.seconds === undefined ? 100 : Number.MAX_SAFE_INTEGER,
)
const untilMs = clock.elapsed() + numberOf('seconds', values.seconds, 1e9) * 1_000
/** So often it is said how far it is. */
const progressMs = 10_000

const wrongSeeds = values.faults ? await driveFaults() : isOne ? await tellOne() : await tellAll()
process.exitCode = wrongSeeds.length === 0 ? 0 : 1

async function driveFaults(): Promise<number[]> {
  const wrong: number[] = []
  let [told, positions] = [0, 0]
  for (let seed = first; told < seedsCount && clock.elapsed() < untilMs; seed += 1) {
    const { title, sentences, ...driven } = await tellFault(seed)
    told += 1
    positions += driven.positions
    if (isOne) print(`${title}: ${driven.positions} positions, ${driven.ends} ends`)
    if (sentences.length === 0) continue
    wrong.push(seed)
    print([`seed ${seed}: ${title}`, ...sentences, `again: npm run simulate -- --faults --seed ${seed}`].join('\n  '))
  }
  print(`${told} drives through ${positions} positions; ${wrongText(wrong)}.`)
  return wrong
}

async function tellOne(): Promise<number[]> {
  const story = await tell(first, large === undefined ? {} : { pagesCount: largePagesCount })
  print(detailsOf(story))
  const { complaints, machines, urls } = story
  const wrong = complaints.length > 0 ? [first] : []
  for (const complaint of complaints) print(complaint)
  print(`A story on ${machines} machines, ${urls.length} captures; ${wrongText(wrong)}.`)
  return wrong
}

async function tellAll(): Promise<number[]> {
  const wrong: number[] = []
  let [told, machines, captures, saidMs] = [0, 0, 0, clock.elapsed()]
  const sum = () => `${told} stories on ${machines} machines, ${captures} captures; ${wrongText(wrong)}`
  await tellMany(world, { first, count: seedsCount, untilMs }, (story) => {
    told += 1
    machines += story.machines
    captures += story.captures
    if (story.complaints.length > 0) {
      wrong.push(story.seed)
      print(
        [`seed ${story.seed}:`, ...story.complaints, `again: npm run simulate -- --seed ${story.seed}`].join('\n  '),
      )
    }
    if (clock.elapsed() - saidMs < progressMs) return
    saidMs = clock.elapsed()
    print(`${sum()} so far`)
  })
  print(`${sum()}.`)
  return wrong
}

function wrongText(seeds: readonly number[]): string {
  return seeds.length === 0
    ? 'none went wrong'
    : `${seeds.length} went wrong: ${seeds.toSorted((a, b) => a - b).join(', ')}`
}

function detailsOf({ site, manner, plan, log, urls }: Story): string {
  const hosts = site.hosts.map(({ pages, ...host }) => ({
    ...host,
    pages: [...pages].map(([path, { fault, status }]) => `${path} ${status} ${JSON.stringify(fault)}`),
  }))
  return [
    inspect({ seeds: site.seeds, scope: site.scope, manner, plan, hosts }, { depth: 6, breakLength: 140 }),
    ...log,
    ...urls,
  ].join('\n')
}

function numberOf(name: string, text: string | undefined, usual: number): number {
  if (text === undefined) return usual
  if (/^\d+$/.test(text)) return Number(text)
  print(`--${name} takes a whole number, not "${text}"`)
  return process.exit(2)
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
