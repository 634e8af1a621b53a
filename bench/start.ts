/** Measures how long short commands take, next to a bare Node and to programs of other kinds (`npm run bench:start [-- --runs N]`). All
 *  take turns, and each is run once before it counts. The ratios are those of CPU time, since other work on the machine hardly changes it;
 *  the shortest time of each command is printed too. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { loupeCommand } from './loupeCommand.ts'
import { machineLine, measured, printRatio, ratioOf, spreadOf, type Measured } from './measure.ts'
import { programOfSystem } from './realSite.ts'

const top = join(import.meta.dirname, '..')
const node = 'node -e 0'

/** A command, and for those of Loupe the ratios to a bare Node that correspond to 0.1 s and 0.3 s where Node takes 0.04 s. */
interface Start {
  name: string
  words: string[]
  goals?: { least: number; aim: number }
}

/** The commands that this machine has. Reports those that it lacks. */
async function starts(folder: string): Promise<Start[]> {
  const archive = join(folder, 'archive')
  await measured([...loupeCommand, '--archive', archive, 'init'], { cwd: folder, good: [0] })
  const peers: Start[] = []
  for (const [program, ...words] of [
    ['git', '--version'],
    ['git', '-C', top, 'status', '--short'],
    ['restic', 'version'],
    ['git-annex', 'version'],
  ] as const) {
    const path = await programOfSystem(program)
    if (path === undefined) console.log(`${program} is not installed and was not run: sudo apt-get install ${program}`)
    else peers.push({ name: [program, words.at(words[0] === '-C' ? 2 : 0)].join(' '), words: [path, ...words] })
  }
  return [
    { name: node, words: [process.execPath, '-e', '0'] },
    ...peers,
    { name: 'loupe --version', words: [...loupeCommand, '--version'], goals: { least: 0.4, aim: 0.6 } },
    { name: 'loupe --help', words: [...loupeCommand, '--help'] },
    { name: 'loupe jobs', words: [...loupeCommand, '--archive', archive, 'jobs'], goals: { least: 0.13, aim: 0.2 } },
  ]
}

async function main(folder: string): Promise<number> {
  const runs = Number(parseArgs({ options: { runs: { type: 'string', default: '15' } } }).values.runs)
  if (!Number.isInteger(runs) || runs < 1) {
    console.error('npm run bench:start -- [--runs N]')
    return 2
  }
  console.log(machineLine())
  const done = new Map((await starts(folder)).map((start) => [start, [] as Measured[]]))
  for (let run = 0; run <= runs; run += 1)
    for (const [{ words }, results] of done) {
      const result = await measured(words, { cwd: folder, good: [0] })
      if (run > 0) results.push(result)
    }
  const cpu = (results: Measured[]) => spreadOf(results.map(({ cpuSeconds }) => cpuSeconds)).median
  for (const [{ name }, results] of done) {
    const { min } = spreadOf(results.map(({ seconds }) => seconds))
    console.log(`${name.padEnd(18)} CPU ${cpu(results).toFixed(3)} s, at the least ${min.toFixed(3)} s in all`)
  }
  const theirs = cpu([...done].find(([{ name }]) => name === node)?.[1] ?? [])
  for (const [{ name, goals }, results] of done)
    if (goals)
      printRatio(
        ratioOf({ work: `start, ${name}`, peer: node, theirs, ours: cpu(results), unit: 'CPU s', ...goals }, 'lower'),
      )
  return 0
}

const folder = await mkdtemp(join(tmpdir(), 'loupe-start-'))
try {
  process.exitCode = await main(folder)
} finally {
  await rm(folder, { recursive: true })
}
