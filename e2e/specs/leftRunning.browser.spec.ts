/** A test process that is killed leaves no program running, neither its engine nor its browser. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from '@playwright/test'
import { isRunning, ownedProcesses, runVariable } from '../ownedProcesses.ts'

const isNeeded = process.platform !== 'win32'

test('processes that a killed test process has started end', async () => {
  test.skip(!isNeeded, 'Windows ends them by itself')
  const killed = spawn(process.execPath, [join(import.meta.dirname, '../leftRunning.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface(killed.stdout)
  const [line] = (await once(lines, 'line')) as [string]
  const started = JSON.parse(line) as number[]
  const ofIt = () => ownedProcesses(process.env[runVariable] ?? '').filter(({ owner }) => owner === killed.pid)
  expect(started).toHaveLength(2)
  for (const pid of started) expect(ofIt().map((each) => each.pid)).toContain(pid)

  killed.kill('SIGKILL')
  await expect.poll(() => started.filter(isRunning)).toEqual([])
  await expect.poll(ofIt).toEqual([])
})
