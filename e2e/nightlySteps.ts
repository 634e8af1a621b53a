/** The steps of `npm run nightly`, by key, and the choice of steps on its command line. */

/** A part of the nightly run: one command with its environment. */
export interface NightlyStep {
  /** Names the step on the command line and in the summary. */
  key: string
  /** Describes what the step covers. */
  title: string
  /** The program with its arguments, as `execute` takes them. */
  words: string[]
  environment?: Record<string, string>
}

/** Time limit of a single test: with ten thousand runs a property test takes minutes or, on a slow machine, hours. */
const testMsMax = 4 * 3_600_000
const vitest = ['vitest', 'run', `--testTimeout=${testMsMax}`]

const tableTests = [
  'src-main/contract/states/jobStates.test.ts',
  'src-main/crawl/loops/finisher.test.ts',
  'src-main/crawl/loops/jobStart.test.ts',
  ...['settle', 'frontier', 'schedule'].map((room) => `src-main/crawl/${room}/`),
  ...['plan', 'run', 'outputs'].map((room) => `src-main/delivery/${room}/`),
]

/** Returns all steps, in the order in which they run. LOUPE_PROPERTY_RUNS, LOUPE_CUTS and LOUPE_FUZZ_RUNS of `environment` replace
 *  the usual numbers. */
export function nightlySteps(environment: Readonly<Record<string, string | undefined>>): NightlyStep[] {
  return [
    {
      key: 'units',
      title: 'Unit tests over the whole of each space',
      words: vitest,
      environment: { LOUPE_SAMPLE: 'all' },
    },
    {
      key: 'tables',
      title: 'The tables of jobs, documents and deliveries, ten thousand runs',
      words: [...vitest, ...tableTests],
      environment: { LOUPE_PROPERTY_RUNS: environment['LOUPE_PROPERTY_RUNS'] ?? '10000' },
    },
    {
      key: 'cuts',
      title: 'Samples of other projects, each cut at a thousand places',
      words: [...vitest, 'src-main/formats/records/corpora.test.ts'],
      environment: { LOUPE_SAMPLE: 'all', LOUPE_CUTS: environment['LOUPE_CUTS'] ?? '1000' },
    },
    {
      key: 'pages',
      title: 'Pages of all samples of other projects, in a browser',
      words: ['playwright', 'test', '-c', 'e2e/playwright.config.ts', 'corporaPages'],
      environment: { LOUPE_SAMPLE: 'all' },
    },
    {
      key: 'fuzz',
      title: 'Two hundred thousand damaged archive files',
      words: ['node', '--expose-gc', 'bench/fuzz/fuzz.ts', '--runs', environment['LOUPE_FUZZ_RUNS'] ?? '200000'],
    },
    {
      key: 'scenarios',
      title: 'Five thousand scenarios of the simulation',
      words: ['node', 'src-main/simulation/simulate.ts', '--many'],
    },
    {
      key: 'definitions',
      title: 'Two thousand scenarios of harvest definitions',
      words: [...vitest, 'src-main/simulation/definitions.test.ts'],
      environment: { LOUPE_SAMPLE: 'all', LOUPE_DEFINITION_SEEDS: environment['LOUPE_DEFINITION_SEEDS'] ?? '2000' },
    },
    {
      key: 'kills',
      title: 'Fifty kills of one harvest',
      words: ['vitest', 'run', '--config', 'e2e/campaigns.config.ts', 'killOften'],
    },
    {
      key: 'deliveryKills',
      title: 'Fifty kills while 10,000 documents are delivered, ten minutes on two busy cores',
      words: ['vitest', 'run', '--config', 'e2e/campaigns.config.ts', 'deliveryKills'],
    },
    {
      key: 'auditKills',
      title: 'Audits of 1,000 pages in a browser, one of them killed three times',
      words: ['vitest', 'run', '--config', 'e2e/campaigns.config.ts', 'auditKills'],
    },
  ]
}

/** What a command line asks for: to run steps, to print `help`, or nothing that can be done, with the `refusal` to print. */
export type NightlyChoice = { run: NightlyStep[] } | { help: string } | { refusal: string }

/** Reads the arguments: keys of steps, in any order and all of them when none is given, or `--help`. The chosen steps run in the order
 *  of the table, each once. */
export function chosenSteps(words: readonly string[], steps: readonly NightlyStep[]): NightlyChoice {
  if (words.some((word) => word === '--help' || word === '-h')) return { help: usage(steps) }
  const unknown = words.filter((word) => !steps.some(({ key }) => key === word))
  if (unknown.length > 0)
    return { refusal: `There is no step ${unknown.map((word) => `"${word}"`).join(', ')}.\n\n${usage(steps)}` }
  return { run: words.length === 0 ? [...steps] : steps.filter(({ key }) => words.includes(key)) }
}

function usage(steps: readonly NightlyStep[]): string {
  const width = Math.max(...steps.map(({ key }) => key.length))
  const rows = steps.map(({ key, title }) => `  ${key.padEnd(width)}  ${title}`)
  return ['npm run nightly -- [STEP…]   Without a step, all of them run in this order:', '', ...rows].join('\n')
}
