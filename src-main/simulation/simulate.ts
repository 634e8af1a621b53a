/** `npm run simulate -- [SEED] [--many] [--faults] [--seeds N] [--seed S] [--seconds T]`: stories of the whole crawl engine, one a
 *  seed, each with faults of its own; with `--faults` drives of a fault through a deed of the archive. SEED alone is a crawl of
 *  a thousand pages. Without anything else a hundred small ones are told, with `--many` five thousand; `--seed S` begins with
 *  that one, and alone tells it in detail. */
import process from 'node:process'
import { inspect, parseArgs } from 'node:util'
import { realWorld } from '../world/real.ts'
import { tellFault } from './faultStory.ts'
import { tell, type Story } from './story.ts'

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

const { clock } = realWorld()
const large = positionals[0]
const isOne =
  large !== undefined || (values.seed !== undefined && values.seeds === undefined && values.seconds === undefined)
const first = large === undefined ? numberOf('seed', values.seed, 1) : numberOf('seed', large, 1)
const seedsCount = numberOf(
  'seeds',
  values.seeds,
  isOne ? 1 : values.many ? 5_000 : values.seconds === undefined ? 100 : Number.MAX_SAFE_INTEGER,
)
const untilMs = clock.now() + numberOf('seconds', values.seconds, 1e9) * 1_000

let [told, failed, machines, captures, positions] = [0, 0, 0, 0, 0]
for (let seed = first; told < seedsCount && clock.now() < untilMs; seed += 1) {
  if (values.faults) {
    const { title, sentences, ...driven } = await tellFault(seed)
    told += 1
    positions += driven.positions
    if (isOne) print(`${title}: ${driven.positions} positions, ${driven.ends} ends`)
    if (sentences.length === 0) continue
    failed += 1
    print([`seed ${seed}: ${title}`, ...sentences, `again: npm run simulate -- --faults --seed ${seed}`].join('\n  '))
    continue
  }
  const story = await toldOrBroken(seed)
  told += 1
  if ('error' in story) {
    failed += 1
    print(`seed ${seed}: ${inspect(story.error)}\n  again: ${again(seed)}`)
    continue
  }
  machines += story.machines
  captures += story.urls.length
  if (isOne) print(detailsOf(story))
  if (story.complaints.length === 0) continue
  failed += 1
  print([`seed ${seed}:`, ...story.complaints, `again: ${again(seed)}`].join('\n  '))
}
if (values.faults) print(`${told} drives through ${positions} positions; ${failed} went wrong.`)
else print(`${told} stories on ${machines} machines, ${captures} captures; ${failed} went wrong.`)
process.exitCode = failed === 0 ? 0 : 1

async function toldOrBroken(seed: number): Promise<Story | { error: unknown }> {
  try {
    return await tell(seed, large === undefined ? {} : { pagesCount: largePagesCount })
  } catch (error) {
    return { error }
  }
}

function again(seed: number): string {
  return `npm run simulate -- ${large === undefined ? '--seed ' : ''}${seed}`
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
