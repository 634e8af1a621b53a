/** Checks of the workflows of the public repository that are possible without running them. */

import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'

const top = join(import.meta.dirname, '..')
const packageFile = z.object({ scripts: z.record(z.string(), z.string()), engines: z.object({ node: z.string() }) })
const { scripts, engines } = packageFile.parse(JSON.parse(readFileSync(join(top, 'package.json'), 'utf8')))

const workflow = z.object({
  name: z.string(),
  on: z.record(z.string(), z.unknown()),
  jobs: z.record(
    z.string(),
    z.object({
      'runs-on': z.string(),
      strategy: z.object({ matrix: z.object({ os: z.array(z.string()) }) }),
      steps: z.array(
        z.strictObject({
          name: z.string().optional(),
          if: z.string().optional(),
          uses: z
            .string()
            .regex(/^actions\/[a-z-]+@v\d+$/)
            .optional(),
          with: z.record(z.string(), z.unknown()).optional(),
          run: z.string().optional(),
        }),
      ),
    }),
  ),
})

const files = globSync('.github/workflows/*.yml', { cwd: top })
const workflows = files.map((file) => workflow.parse(parse(readFileSync(join(top, file), 'utf8'))))
const jobs = workflows.flatMap((each) => Object.values(each.jobs))
const steps = jobs.flatMap((job) => job.steps)

/** What the command lacks, or undefined if it exists. */
function lackOf(command: string): string | undefined {
  const [program = '', ...words] = command.replace(/^xvfb-run --auto-servernum /, '').split(' ')
  if (program === 'npm') {
    if (['ci', 'test'].includes(words[0] ?? '')) return words[0] === 'test' && !scripts['test'] ? 'test' : undefined
    return words[0] === 'run' && scripts[words[1] ?? ''] ? undefined : command
  }
  if (program === 'npx') return existsSync(join(top, 'node_modules/.bin', words[0] ?? '')) ? undefined : command
  if (program === 'node') return existsSync(join(top, words[0] ?? '')) ? undefined : command
  return program === 'sudo' ? undefined : command
}

test('each workflow runs on Linux, macOS and Windows', () => {
  expect(files.length).toBeGreaterThan(0)
  for (const { strategy } of jobs)
    expect(strategy.matrix.os).toEqual(['ubuntu-latest', 'macos-latest', 'windows-latest'])
})

test('each step runs an existing command or uses an action', () => {
  const commands = steps.flatMap(({ run }) => run ?? [])
  expect(commands.flatMap((command) => lackOf(command) ?? [])).toEqual([])
  expect(commands).toEqual(expect.arrayContaining(['npm ci', 'npm test']))
  expect(steps.filter(({ run, uses }) => (run === undefined) === (uses === undefined))).toEqual([])
})

test('a missing command is found', () => {
  for (const command of ['npm run gone', 'npx gone', 'node gone.js', 'make', 'npm install'])
    expect(lackOf(command)).toBe(command)
})

test('they run the Node version of package.json', () => {
  const versions = steps.filter(({ uses }) => uses?.startsWith('actions/setup-node')).map((step) => step.with)
  expect(versions).toHaveLength(jobs.length)
  for (const version of versions) expect(engines.node).toBe(`>=${String(version?.['node-version'])}`)
})
