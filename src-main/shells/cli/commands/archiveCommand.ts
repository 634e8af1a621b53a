/** Arguments and options of `loupe init`, `loupe serve` and `loupe settings`. */
import type { Command as Program } from 'commander'
import { textFor } from '../../../contract/words/render.ts'
import * as word from '../input/optionValues.ts'
import type { Run } from '../session/command.ts'
import type { ServeVerbOptions } from '../verbs/serve.ts'

export function addArchiveVerbs(program: Program, run: Run): void {
  program
    .command('init')
    .description(textFor('help.init'))
    .action(() => run(async (command) => (await import('../verbs/init.ts')).initArchive(command)))
  program
    .command('serve')
    .description(textFor('help.serve'))
    .option('--port <n>', textFor('help.serve.port'), word.port)
    .option('--open', textFor('help.serve.open'))
    .option('--host <address>', textFor('help.serve.host'))
    .option('--public-port <n>', textFor('help.serve.publicPort'), word.port)
    .option('--name <host>', textFor('help.serve.name'), word.several)
    .option('--tls-certificate <file>', textFor('help.serve.certificate'))
    .option('--tls-key <file>', textFor('help.serve.key'))
    .option('--trusted-proxy-secret-file <file>', textFor('help.serve.proxySecret'))
    .option('--account-header <name>', textFor('help.serve.accountHeader'))
    .option('--oidc-issuer <url>', textFor('help.serve.oidcIssuer'))
    .option('--oidc-client-id <id>', textFor('help.serve.oidcClientId'))
    .option('--oidc-client-secret-file <file>', textFor('help.serve.oidcSecret'))
    .option('--oidc-name <name>', textFor('help.serve.oidcName'))
    .option('--oidc-claim <claim>', textFor('help.serve.oidcClaim'))
    .option('--insecure-http', textFor('help.serve.insecure'))
    .action((options: ServeVerbOptions) =>
      run(async (command) => (await import('../verbs/serve.ts')).serveArchive(command, options)),
    )
}

export function addSettingsVerbs(program: Program, run: Run): void {
  const settings = program.command('settings').description(textFor('help.settings'))
  settings
    .command('list')
    .description(textFor('help.settings.list'))
    .action(() => run(async (command) => (await import('../verbs/settings.ts')).listSettings(command)))
  settings
    .command('get')
    .argument('<path>', textFor('help.settings.path'))
    .description(textFor('help.settings.get'))
    .action((path: string) => run(async (command) => (await import('../verbs/settings.ts')).getSetting(command, path)))
  settings
    .command('set')
    .argument('<path>', textFor('help.settings.path'))
    .argument('<value>', textFor('help.settings.value'))
    .description(textFor('help.settings.set'))
    .option('--user', textFor('help.settings.user'))
    .action((path: string, value: string, { user = false }: { user?: boolean }) =>
      run(async (command) =>
        (await import('../verbs/settings.ts')).setSetting(command, {
          path,
          text: value,
          level: user ? 'user' : 'archive',
        }),
      ),
    )
  settings
    .command('check')
    .argument('[file]', textFor('help.settings.file'))
    .description(textFor('help.settings.check'))
    .action((file: string | undefined) =>
      run(async (command) => {
        const { checkSettings, checkSettingsFile } = await import('../verbs/settings.ts')
        return file === undefined ? checkSettings(command) : checkSettingsFile(command, file)
      }),
    )
}
