/** Answers requests to the command host that are not commands. They are never looked up in the archive. */
import { commandOf } from '../model/commandHost.ts'
import { type CommandLink } from './commands.ts'
import type { Link } from '../viewings/question.ts'
import { plainReply } from '../model/reply.ts'

export function unknownCommand(known: readonly CommandLink[]): Link {
  const paths = known.flatMap((link) => link.paths).join(', ')
  return {
    name: 'unknownCommand',
    whyPassed: () => 'Not a request to the command host.',
    async answer({ url }) {
      const command = commandOf(url)
      return command && plainReply(404, `There is no command ${command.pathname}. Commands: ${paths}.`)
    },
  }
}
