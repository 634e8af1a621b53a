/** Runs all benchmarks in turn and prints every ratio in one table (`npm run bench -- [NAME …]`). The output of each benchmark goes
 *  to standard error; the table goes to standard output, also as JSON in `.cache/benchmark/ratios.json`. The exit code is 1 when a
 *  benchmark fails or a ratio is below the least that is accepted. */
import { spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { machineLine, type Ratio } from './measure.ts'
import { cache } from './realSite.ts'

/** Each benchmark with the command lines that it is run with. */
const benchmarks: Readonly<Record<string, readonly string[][]>> = {
  harvest: [
    ['harvest.ts', '--site', 'qt'],
    ['harvest.ts', '--site', 'rust', '--runs', '3'],
  ],
  formats: [['formats.ts']],
  checksums: [['checksums.ts']],
  replay: [['replay.ts']],
  index: [['captureIndex.ts']],
  frontier: [['frontier.ts']],
  patterns: [['patterns.ts']],
  start: [['start.ts']],
  memory: [['memory.ts']],
  dedup: [['dedup.ts']],
  order: [['order.ts']],
  delivery: [['delivery.ts']],
  search: [['search.ts']],
  quickOpen: [['quickOpen.ts']],
  access: [['access.ts']],
  scale: [['scale.ts']],
}

/** Runs one benchmark. Returns its ratios and whether it succeeded. */
async function runOne([file = '', ...words]: string[]): Promise<{ ratios: Ratio[]; isGood: boolean }> {
  process.stderr.write(`\n━━ ${[file, ...words].join(' ')}\n`)
  const child = spawn(process.execPath, [join(import.meta.dirname, file), ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const code = new Promise((resolve, reject) => child.on('close', resolve).on('error', reject))
  const ratios: Ratio[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('{"ratio":')) ratios.push((JSON.parse(line) as { ratio: Ratio }).ratio)
    else process.stderr.write(`${line}\n`)
  }
  return { ratios, isGood: (await code) === 0 }
}

/** The table in Markdown, so that it can be copied into a page. */
function tableOf(ratios: readonly Ratio[]): string {
  const number = (value: number) =>
    value.toLocaleString('en-US', { maximumFractionDigits: Math.abs(value) < 10 ? 2 : 0 })
  const goal = (value: number | undefined) => (value === undefined ? '' : `${value} ×`)
  const rows = ratios.map(({ work, peer, theirs, ours, unit, ratio, least, aim }) => [
    ...[work, peer, `${number(theirs)} ${unit}`, `${number(ours)} ${unit}`, `${ratio} ×`, goal(least), goal(aim)],
    isReached({ ratio, least }) ? '' : 'below the least',
  ])
  const head = ['work', 'peer', 'peer’s value', 'Loupe’s value', 'times better', 'least', 'aim', '']
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')
}

function isReached({ ratio, least }: Pick<Ratio, 'ratio' | 'least'>): boolean {
  return least === undefined || ratio >= least
}

async function main(names: string[]): Promise<number> {
  const unknown = names.filter((name) => benchmarks[name] === undefined)
  if (unknown.length > 0) {
    console.error(`npm run bench -- [${Object.keys(benchmarks).join('|')} …]`)
    return 2
  }
  const machine = machineLine()
  const chosen = names.length > 0 ? names : Object.keys(benchmarks)
  const all: Ratio[] = []
  const failed: string[] = []
  for (const words of chosen.flatMap((name) => benchmarks[name] ?? [])) {
    const { ratios, isGood } = await runOne(words)
    all.push(...ratios)
    if (!isGood) failed.push(words.join(' '))
  }
  await mkdir(cache, { recursive: true })
  await writeFile(join(cache, 'ratios.json'), `${JSON.stringify({ machine, ratios: all }, null, 2)}\n`)
  console.log(`${machine}\n\n${tableOf(all)}`)
  if (failed.length > 0) console.log(`\nFailed: ${failed.join(', ')}`)
  return failed.length === 0 && all.every(isReached) ? 0 : 1
}

process.exitCode = await main(process.argv.slice(2))
