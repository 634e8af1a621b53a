/** What is asked of the command host and is no command: never looked up in the archive. */
import { commandOf } from '../commands.ts'
import type { Link } from '../question.ts'
import { plainReply } from '../resolvers.ts'

const known = [
  ...[
    '/changeIndex',
    '/startRecordingURIs',
    '/stopRecordingURIs',
    '/clearRecordedURIs',
    '/getRecordedURIs',
    '/getStatus',
  ],
  ...['/enter', '/getFile', '/getRecord', '/getPayload', '/getMetadata', '/certificate'],
  ...['/timegate/URL', '/timemap/link/URL', '/timemap/json/URL', '/memento/TIME/URL', '/cdx'],
]

export const unknownCommand: Link = {
  name: 'unknownCommand',
  passed: () => 'It is no address of the command host.',
  async answer({ url }) {
    const command = commandOf(url)
    return command && plainReply(404, `There is no command ${command.pathname}: ${known.join(', ')} are there.`)
  },
}
