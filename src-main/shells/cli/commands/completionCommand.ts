/** Arguments of `loupe completion`. */
import type { Command as Program } from 'commander'
import { textFor } from '../../../contract/words/render.ts'
import type { Run } from '../session/command.ts'
import { completionShells, type CompletionShell } from '../input/completionScript.ts'
import { choiceArgument } from '../input/choices.ts'

export function addCompletionVerb(program: Program, run: Run): void {
  program
    .command('completion')
    .addArgument(choiceArgument('<shell>', textFor('help.completion.shell'), completionShells))
    .description(textFor('help.completion'))
    .addHelpText('after', textFor('help.completion.after'))
    .action((shell: CompletionShell) =>
      run(async (command) => (await import('../verbs/completion.ts')).printCompletion(command, program, shell)),
    )
}
