/** The verb `loupe completion`: prints a script made from the declared verbs and options. It is printed as it is, also with --json. */
import type { Command as Program } from 'commander'
import { completionScript, type CompletionShell } from '../input/completionScript.ts'
import type { Command, ExitCode } from '../session/command.ts'

export async function printCompletion(
  { output }: Command,
  program: Program,
  shell: CompletionShell,
): Promise<ExitCode> {
  await output.part(completionScript(program, shell))
  return 0
}
