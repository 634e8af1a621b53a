/** The result of a vote, and what to do about it, as a message. Pure functions. */
import { joined } from '../../contract/words/joined.ts'
import { message, type Message } from '../../contract/words/message.ts'
import type { SeenRow } from './copyStatus.sql.ts'
import type { CopyVerdict, Vote } from './vote.ts'

/** The result of the vote on a file that is not lost. */
export function voteMessage({ winner, registered, copies, votes, needed }: Vote): Message {
  if (winner === null) {
    // Without a winner all verdicts are unknown; only reading unread copies can change that.
    const isUnread = copies.some(({ verdict, checksum }) => verdict === 'unknown' && checksum === null)
    return message(isUnread ? 'vote.none.unread' : 'vote.none', { votes, needed })
  }
  const named = (verdict: CopyVerdict) => replicasOf(copies.filter((copy) => copy.verdict === verdict))
  const right = named('right')
  if (registered === 'wrong') return message('vote.other', { replicas: right })
  const others = (['corrupt', 'missing', 'unknown'] as const).flatMap((verdict) => {
    const replicas = named(verdict)
    return replicas === '' ? [] : message(otherCopies[verdict], { replicas })
  })
  const first = right === '' ? message('vote.noneRight') : message('vote.right', { replicas: right })
  return joined([first, ...others])
}

/** Message for a lost file. A vote is of no use here: a known checksum does not restore the bytes. `holders`: replicas of files. */
export function lostMessage({ copies: votes }: Vote, copies: readonly SeenRow[], holders: readonly string[]): Message {
  const damaged = copies.filter(({ replica, preservation }) => holders.includes(replica) && preservation === 'CORRUPT')
  const missing = votes.filter(({ replica, verdict }) => holders.includes(replica) && verdict === 'missing')
  const details = joined([
    ...(damaged.length > 0 ? [message('vote.corrupt', { replicas: replicasOf(damaged) })] : []),
    ...(missing.length > 0 ? [message('vote.missing', { replicas: replicasOf(missing) })] : []),
    ...(damaged.length === 0 ? [message('vote.lost.nothing')] : []),
    message(missing.length > 0 ? 'vote.lost.upload' : 'vote.lost.keep'),
  ])
  return message('vote.lost', { details })
}

const otherCopies = { corrupt: 'vote.corrupt', missing: 'vote.missing', unknown: 'vote.unknown' } as const

function replicasOf(copies: readonly { replica: string }[]): string {
  return copies.map(({ replica }) => replica).join(', ')
}
