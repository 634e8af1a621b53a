/** Arguments of `loupe completion`. */
import { Argument, type Command as Program } from 'commander'
import type { Run } from '../session/command.ts'
import { completionShells, type CompletionShell } from '../input/completionScript.ts'

export function addCompletionVerb(program: Program, run: Run): void {
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'the shell').choices(completionShells))
    .description('print the script with which a shell completes the words of loupe')
    .addHelpText(
      'after',
      `
bash: loupe completion bash > ~/.local/share/bash-completion/completions/loupe
zsh:  loupe completion zsh > a file called _loupe in a folder of $fpath
fish: loupe completion fish > ~/.config/fish/completions/loupe.fish`,
    )
    .action((shell: CompletionShell) =>
      run(async (command) => (await import('../verbs/completion.ts')).printCompletion(command, program, shell)),
    )
}
