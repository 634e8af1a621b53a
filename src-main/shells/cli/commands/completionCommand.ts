/** Arguments of `loupe completion`. */
import { Argument, type Command as Program } from 'commander'
import { textFor } from '../../../contract/words/render.ts'
import type { Run } from '../session/command.ts'
import { completionShells, type CompletionShell } from '../input/completionScript.ts'

export function addCompletionVerb(program: Program, run: Run): void {
  program
    .command('completion')
    .addArgument(new Argument('<shell>', textFor('help.completion.shell')).choices(completionShells))
    .description(textFor('help.completion'))
    .addHelpText('after', textFor('help.completion.after'))
    .action((shell: CompletionShell) =>
      run(async (command) => (await import('../verbs/completion.ts')).printCompletion(command, program, shell)),
    )
}
