/**
 * Rules that say who hears what: `KINDS [in HARVEST] -> CHANNELS`. KINDS is `all`, `errors`, `warnings` (these include errors) or names of
 * kinds, separated by commas; HARVEST a name in which `*` stands for any text; CHANNELS are separated by commas, `email:NAME@HOST` for an
 * e-mail.
 */
import {
  notificationChannels,
  notificationKindNames,
  notificationKinds,
  type NotificationChannel,
  type NotificationKind,
} from '../../contract/services/notifications.ts'
import { message, type Message } from '../../contract/words/message.ts'

/** A recipient of a channel; '' where the channel has only one. */
export interface Destination {
  channel: NotificationChannel
  recipient: string
}

/** A rule as it was read. */
export interface Rule {
  kinds: ReadonlySet<NotificationKind>
  /** Whether the rule is about the harvest of this name; null: it is about everything. */
  isOfHarvest: ((name: string) => boolean) | null
  to: readonly Destination[]
}

/** Reads a rule. Returns the problem where it is none. */
export function readRule(text: string): Rule | { problem: Message } {
  const [, kindsText, harvest, channelsText] = /^\s*(.+?)(?:\s+in\s+(.+?))?\s*->\s*(.+?)\s*$/.exec(text) ?? []
  if (kindsText === undefined || channelsText === undefined)
    return { problem: message('notification.rule.form', { rule: text }) }
  const kinds = new Set<NotificationKind>()
  for (const word of wordsOf(kindsText)) {
    const named = kindsNamed(word)
    if (named.length === 0) {
      const known = notificationKindNames.join(', ')
      return { problem: message('notification.rule.kind', { rule: text, word, known }) }
    }
    for (const kind of named) kinds.add(kind)
  }
  const to: Destination[] = []
  for (const word of wordsOf(channelsText)) {
    const destination = destinationOf(word)
    if (destination === undefined) {
      const known = notificationChannels.join(', ')
      return { problem: message('notification.rule.channel', { rule: text, word, known }) }
    }
    to.push(destination)
  }
  return { kinds, isOfHarvest: harvest === undefined ? null : namesLike(harvest), to }
}

/** Returns the destinations of a notification, each once. */
export function destinationsOf(
  rules: readonly Rule[],
  { kind, harvest }: { kind: NotificationKind; harvest: string | null },
): Destination[] {
  const found = new Map<string, Destination>()
  for (const rule of rules) {
    const isAbout = rule.isOfHarvest === null || (harvest !== null && rule.isOfHarvest(harvest))
    if (rule.kinds.has(kind) && isAbout)
      for (const each of rule.to) found.set(`${each.channel}:${each.recipient}`, each)
  }
  return [...found.values()]
}

function wordsOf(text: string): string[] {
  return text.split(',').map((word) => word.trim())
}

function kindsNamed(word: string): NotificationKind[] {
  if (word === 'all') return [...notificationKindNames]
  if (word === 'errors') return notificationKindNames.filter((kind) => notificationKinds[kind] === 'error')
  if (word === 'warnings') return notificationKindNames.filter((kind) => notificationKinds[kind] !== 'info')
  return notificationKindNames.filter((kind) => kind === word)
}

function destinationOf(word: string): Destination | undefined {
  const [name, ...recipient] = word.split(':')
  const channel = notificationChannels.find((each) => each === name)
  const address = recipient.join(':')
  if (channel === undefined) return undefined
  if (channel === 'email') return /^[^@\s]+@[^@\s]+$/.test(address) ? { channel, recipient: address } : undefined
  return address === '' ? { channel, recipient: '' } : undefined
}

/** `*` stands for any text; letters of either case are equal. Compared part by part, without a pattern. */
function namesLike(pattern: string): (name: string) => boolean {
  const parts = pattern.toLowerCase().split('*')
  const [first = '', ...others] = parts
  const last = others.pop()
  return (name) => {
    const text = name.toLowerCase()
    if (last === undefined) return text === first
    if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false
    let from = first.length
    for (const part of others) {
      const at = text.indexOf(part, from)
      if (at < 0) return false
      from = at + part.length
    }
    return from <= text.length - last.length
  }
}
