/** Runs the tests that take hours (`npm run nightly`), one after the other: in full what `npm test` samples, the
 *  property tests of the job and document tables with ten thousand runs each, samples cut at a thousand places, two hundred thousand
 *  damaged files, five thousand scenarios, and fifty kills of one harvest. Continues after a failure; failures are listed at the end. */
import { execute } from './execute.ts'

/** Property tests of the tables. With twenty times the usual number of runs each takes minutes instead of seconds. */
const testMsMax = 4 * 3_600_000
const ofTables = [
  'src-main/contract/states/jobStates.test.ts',
  'src-main/crawl/loops/finisher.test.ts',
  'src-main/crawl/loops/jobStart.test.ts',
  ...['settle', 'frontier', 'schedule'].map((of) => `src-main/crawl/${of}/`),
]

const steps: { name: string; words: string[]; environment?: Record<string, string> }[] = [
  {
    name: 'Unit tests over the whole of each space',
    words: ['vitest', 'run', `--testTimeout=${testMsMax}`],
    environment: { LOUPE_SAMPLE: 'all' },
  },
  {
    name: 'The tables of jobs and documents, ten thousand runs',
    words: ['vitest', 'run', `--testTimeout=${testMsMax}`, ...ofTables],
    environment: { LOUPE_PROPERTY_RUNS: process.env['LOUPE_PROPERTY_RUNS'] ?? '10000' },
  },
  {
    name: 'Samples of other projects, each cut at a thousand places',
    words: ['vitest', 'run', `--testTimeout=${testMsMax}`, 'src-main/formats/records/corpora.test.ts'],
    environment: { LOUPE_SAMPLE: 'all', LOUPE_CUTS: process.env['LOUPE_CUTS'] ?? '1000' },
  },
  {
    name: 'Pages of all samples of other projects, in a browser',
    words: ['playwright', 'test', '-c', 'e2e/playwright.config.ts', 'corporaPages'],
    environment: { LOUPE_SAMPLE: 'all' },
  },
  {
    name: 'Two hundred thousand damaged archive files',
    words: ['node', '--expose-gc', 'bench/fuzz/fuzz.ts', '--runs', process.env['LOUPE_FUZZ_RUNS'] ?? '200000'],
  },
  { name: 'Five thousand scenarios', words: ['node', 'src-main/simulation/simulate.ts', '--many'] },
  { name: 'Fifty kills of one harvest', words: ['vitest', 'run', '--config', 'e2e/campaigns.config.ts'] },
]

const lines: string[] = []
for (const { name, words, environment } of steps) {
  console.log(`\n━━ ${name}`)
  const began = performance.now()
  const isGood = (await execute(words, environment)) === 0
  if (!isGood) process.exitCode = 1
  lines.push(`${isGood ? '✓' : '✗'} ${name} (${((performance.now() - began) / 60_000).toFixed(1)} min)`)
}
console.log(`\n━━ All\n${lines.join('\n')}`)
