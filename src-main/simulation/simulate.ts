/** `npm run simulate -- [SEED] [--many] [--faults] [--seeds N] [--seed S] [--seconds T]`: runs scenarios of the whole crawl engine, one
 *  per seed; with `--faults`, faults in actions of the archive. SEED alone is a crawl of a thousand pages. Otherwise a hundred small scenarios
 *  run on all cores, five thousand with `--many`. `--seed S` starts with that one, and alone prints it in detail. */
import process from 'node:process'
import { inspect, parseArgs } from 'node:util'
import { realWorld } from '../world/real.ts'
import { runFaultScenario } from './faultScenario.ts'
import { runScenario, type Scenario } from './scenario.ts'
import { runMany } from './runMany.ts'

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
/** Size of the site with SEED alone. */
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
/** Interval of progress lines. */
const progressMs = 10_000

const failedSeeds = values.faults ? await runFaultScenarios() : isOne ? await runOne() : await runAll()
process.exitCode = failedSeeds.length === 0 ? 0 : 1

/** Runs faults in actions of the archive one after the other; returns the seeds that failed. */
async function runFaultScenarios(): Promise<number[]> {
  const failed: number[] = []
  let [done, positions] = [0, 0]
  for (let seed = first; done < seedsCount && clock.elapsed() < untilMs; seed += 1) {
    const { title, sentences, ...counts } = await runFaultScenario(seed)
    done += 1
    positions += counts.positions
    if (isOne) print(`${title}: ${counts.positions} positions, ${counts.ends} ends`)
    if (sentences.length === 0) continue
    failed.push(seed)
    print([`seed ${seed}: ${title}`, ...sentences, `again: npm run simulate -- --faults --seed ${seed}`].join('\n  '))
  }
  print(`${done} faults at ${positions} positions; ${failedText(failed)}.`)
  return failed
}

/** Runs one scenario and prints its details. */
async function runOne(): Promise<number[]> {
  const scenario = await runScenario(first, large === undefined ? {} : { pagesCount: largePagesCount })
  print(detailsOf(scenario))
  const { violations, machines, urls } = scenario
  const failed = violations.length > 0 ? [first] : []
  for (const violation of violations) print(violation)
  print(`A scenario on ${machines} machines, ${urls.length} captures; ${failedText(failed)}.`)
  return failed
}

/** Runs a range of scenarios on all cores, with progress; returns the seeds that failed. */
async function runAll(): Promise<number[]> {
  const failed: number[] = []
  let [done, machines, captures, printedMs] = [0, 0, 0, clock.elapsed()]
  const sum = () => `${done} scenarios on ${machines} machines, ${captures} captures; ${failedText(failed)}`
  await runMany(world, { first, count: seedsCount, untilMs }, (scenario) => {
    done += 1
    machines += scenario.machines
    captures += scenario.captures
    if (scenario.violations.length > 0) {
      failed.push(scenario.seed)
      print(
        [`seed ${scenario.seed}:`, ...scenario.violations, `again: npm run simulate -- --seed ${scenario.seed}`].join(
          '\n  ',
        ),
      )
    }
    if (clock.elapsed() - printedMs < progressMs) return
    printedMs = clock.elapsed()
    print(`${sum()} so far`)
  })
  print(`${sum()}.`)
  return failed
}

function failedText(seeds: readonly number[]): string {
  return seeds.length === 0 ? 'none failed' : `${seeds.length} failed: ${seeds.toSorted((a, b) => a - b).join(', ')}`
}

function detailsOf({ site, options, plan, log, urls }: Scenario): string {
  const hosts = site.hosts.map(({ pages, ...host }) => ({
    ...host,
    pages: [...pages].map(([path, { fault, status }]) => `${path} ${status} ${JSON.stringify(fault)}`),
  }))
  return [
    inspect({ seeds: site.seeds, scope: site.scope, options, plan, hosts }, { depth: 6, breakLength: 140 }),
    ...log,
    ...urls,
  ].join('\n')
}

/** Parses an option; ends the program with exit code 2 for anything but a whole number. */
function numberOf(name: string, text: string | undefined, usual: number): number {
  if (text === undefined) return usual
  if (/^\d+$/.test(text)) return Number(text)
  print(`--${name} takes a whole number, not "${text}"`)
  return process.exit(2)
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
