import { expect, test } from 'vitest'
import { runProgram } from './realPrograms.ts'

test('arguments that are too long for the system are a fault and not an error of the caller', async () => {
  const words = ['x'.repeat(3_000_000)]
  const ended = runProgram({ name: process.execPath, words, input: '', runMsMax: 60_000 })
  await expect(ended).rejects.toMatchObject({ name: 'ProgramFault', code: 'failed' })
})
