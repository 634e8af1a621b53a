/** Labels of the names in the audit log. A name that only another version of Loupe knows, or that was edited, is shown unchanged. */
import { auditActions, auditActors } from '../shapes/choices.ts'
import { shells } from '../calls/caller.ts'
import { message, type Message } from '../words/message.ts'

/** Names an action. */
export function actionMessage(what: string): Message {
  const action = auditActions.find((known) => known === what)
  return action ? message(`audit.what.${action}`) : message('audit.what.unknown', { what })
}

/** Names an actor, which may be a job with its number. */
export function actorMessage(who: string): Message {
  const job = jobOfActor(who)
  if (job !== null) return message('audit.who.theJob', { job })
  const actor = auditActors.find((known) => known === who)
  return actor ? message(`audit.who.${actor}`) : message('text', { text: who })
}

/** Returns the number of the job that is the actor, or null. */
export function jobOfActor(who: string): number | null {
  const job = /^job ([1-9]\d{0,14})$/.exec(who)?.[1]
  return job === undefined ? null : Number(job)
}

/** Names the shell through which an action was requested. */
export function shellMessage(name: string): Message {
  const shell = shells.find((known) => known === name)
  return shell ? message(`audit.shell.${shell}`) : message('text', { text: name })
}
