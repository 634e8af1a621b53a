/** Runs the tests that take hours (`npm run nightly`), one step after the other: in full what `npm test` samples, the property tests of
 *  the job and document tables with ten thousand runs each, samples cut at a thousand places, two hundred thousand damaged files, five
 *  thousand scenarios, and fifty kills of one harvest. `npm run nightly -- scenarios kills` runs these steps alone, and `--help` lists
 *  them. Continues after a failed step; the last lines name every step with its result, and the exit code is 1 when one failed. */
import { execute } from './execute.ts'
import { chosenSteps, nightlySteps, type NightlyStep } from './nightlySteps.ts'

const choice = chosenSteps(process.argv.slice(2), nightlySteps(process.env))
if ('run' in choice) await runAll(choice.run)
else if ('help' in choice) console.log(choice.help)
else {
  console.error(choice.refusal)
  process.exitCode = 2
}

async function runAll(steps: readonly NightlyStep[]): Promise<void> {
  const lines: string[] = []
  for (const { key, title, words, environment } of steps) {
    console.log(`\n━━ ${key}: ${title}`)
    const began = performance.now()
    const isGood = (await execute(words, environment)) === 0
    if (!isGood) process.exitCode = 1
    const minutes = ((performance.now() - began) / 60_000).toFixed(1)
    lines.push(`${isGood ? '✓' : '✗'} ${key}: ${title} (${minutes} min)`)
  }
  console.log(`\n━━ All\n${lines.join('\n')}`)
}
