/** Measures which of 200 crawler traps matches each of a million URLs (`npm run bench:patterns -- [--urls N] [--traps N] [--sample N]
 *  [--runs N]`), by Loupe's patterns (RE2 after a search for literals) and by JavaScript's RegExp, which Loupe used before: with the
 *  traps as they are written, and without the `.*` at their ends. JavaScript gets a sample, since all URLs would take an hour. They
 *  take turns; the result is the median of the runs in CPU time, which depends little on the load of the machine. The exit code is 1
 *  when two of them differ, or when Loupe is not the fastest. */
import { parseArgs } from 'node:util'
import { matcherOf, patternOf } from '../src-main/patterns/pattern.ts'
import { machineLine, printRatio, ratioOf, spreadOf } from './measure.ts'
import { foundUrls, trapPatterns } from './traps.ts'

const { values } = parseArgs({
  options: {
    urls: { type: 'string', default: '1000000' },
    traps: { type: 'string', default: '200' },
    sample: { type: 'string', default: '1000' },
    runs: { type: 'string', default: '3' },
  },
})

/** A way of finding the first trap that matches. */
interface Contestant {
  name: string
  urls: readonly string[]
  /** Index of the first trap that matches; -1 when none does. */
  first: (url: string) => number
}

/** Number of matching URLs that are added to the comparison, since hardly any URL is a trap. */
const caughtMax = 300

function contestants(): Contestant[] {
  const traps = trapPatterns(Number(values.traps))
  const urls = foundUrls(Number(values.urls))
  const sample = urls.slice(0, Number(values.sample))
  const matcher = matcherOf(traps.map((trap) => patternOf(trap)))
  const inJavaScript = (patterns: string[]) => {
    const expressions = patterns.map((pattern) => new RegExp(pattern, 'u'))
    return (url: string) => expressions.findIndex((expression) => expression.test(url))
  }
  return [
    { name: 'Loupe', urls, first: (url) => traps.indexOf(matcher.first(url)?.written ?? '') },
    { name: 'JavaScript', urls: sample, first: inJavaScript(traps) },
    {
      name: 'JavaScript without .* at the ends',
      urls: sample,
      first: inJavaScript(traps.map((trap) => trap.replace(/^\.\*|\.\*$/g, ''))),
    },
  ]
}

function main(): number {
  console.log(`${values.urls} URLs, ${values.traps} traps; ${machineLine()}`)
  const all = contestants()
  const sample = all[1]?.urls ?? []
  const caught = (all[0]?.urls ?? []).filter((url) => (all[0]?.first(url) ?? -1) >= 0).slice(0, caughtMax)
  const answers = all.map(({ first }) => [...sample, ...caught].map(first).join(' '))
  console.log(`compared: ${sample.length} URLs as they come, and ${caught.length} that are traps`)
  if (new Set(answers).size > 1) {
    console.error('they do not find the same traps')
    return 1
  }
  const microseconds = all.map((): number[] => [])
  for (let run = 0; run < Number(values.runs); run += 1) {
    for (const [at, { urls, first }] of all.entries()) {
      const started = process.cpuUsage()
      let trapped = 0
      for (const url of urls) if (first(url) >= 0) trapped += 1
      const { user, system } = process.cpuUsage(started)
      microseconds[at]?.push((user + system) / urls.length)
      if (run === 0) console.log(`${all[at]?.name}: ${trapped} of ${urls.length} URLs are traps`)
    }
  }
  const medians = microseconds.map((each) => spreadOf(each).median)
  const [ours = NaN] = medians
  for (const [at, { name }] of all.entries()) {
    const { median, min, max } = spreadOf(microseconds[at] ?? [])
    const million = `${((median * 1_000_000) / 1e6).toFixed(1)} s for a million`
    console.log(
      `${name.padEnd(34)} ${median.toFixed(2).padStart(9)} µs per URL (${min.toFixed(2)}–${max.toFixed(2)}), ${million}; ${(median / ours).toFixed(1)} × Loupe's time`,
    )
  }
  for (const [at, theirs] of medians.entries())
    if (at > 0)
      printRatio(
        ratioOf(
          {
            ...{ work: 'URLs against 200 traps', peer: all[at]?.name ?? '', theirs, ours, unit: 'µs of CPU for a URL' },
            least: 1,
          },
          'lower',
        ),
      )
  console.log(`memory: ${(process.memoryUsage().rss / 2 ** 20).toFixed(0)} MiB with all URLs`)
  return medians.slice(1).every((median) => median > ours) ? 0 : 1
}

process.exitCode = main()
