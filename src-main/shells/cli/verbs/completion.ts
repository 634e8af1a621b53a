/** `loupe completion`: a script, made of the verbs and options as they are declared. It is printed raw, also with --json. */
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
