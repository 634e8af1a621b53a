/** Answers requests to the command host that are not commands. They are never looked up in the archive. */
import { message } from '../../contract/words/message.ts'
import { commandOf } from '../model/commandHost.ts'
import { type CommandLink } from './commands.ts'
import type { Link } from '../viewings/question.ts'
import { plainReply } from '../model/reply.ts'

/** Makes the last link of the command host. `known`: the commands that its reply lists. */
export function unknownCommand(known: readonly CommandLink[]): Link {
  const paths = known.flatMap((link) => link.paths).join(', ')
  return {
    name: 'unknownCommand',
    whyPassed: () => message('viewer.step.commandHost'),
    async answer({ url }) {
      const command = commandOf(url)
      return command && plainReply(404, message('viewer.command.unknown', { path: command.pathname, commands: paths }))
    },
  }
}
