/** Translation of environment errors reported by the floors below to the faults of the contract. A bug passes through unchanged. */
import { Unreadable } from '../../viewer/model/unreadable.ts'
import { message, type Message } from '../../contract/words/message.ts'
import { faultCodeOfDisk } from '../../files/disk/diskFaults.ts'
import { Fault } from '../../contract/calls/faults.ts'
import { faultCodeOfStorage, StorageFault } from '../../storage/storage.ts'
import type { Problem } from './signals.ts'
import { DiskFault } from '../../world/world.ts'
import { reasonIn } from '../../archive/files/archiveFault.ts'
import { sentence } from '../../archive/files/sentence.ts'
import { messageOf } from '../../contract/text/messageOf.ts'

/** Runs `act`. Errors of the disk and the storage become a `Fault`; any other error is passed on unchanged. */
export async function faultsTranslated<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    throw translated(error)
  }
}

function translated(error: unknown): unknown {
  if (error instanceof DiskFault) return new Fault(faultCodeOfDisk[error.code], reasonIn(error), { cause: error })
  if (error instanceof StorageFault)
    return new Fault(faultCodeOfStorage[error.code], error.userMessage, { cause: error })
  return error
}

/** Makes the event of a failure that no caller waits for. `failure` says what failed, given the text of the error. */
export function problemOf(error: unknown, of: Problem['of'], failure: (problem: Message) => Message): Problem {
  const known = translated(error)
  const code = known instanceof Fault ? known.code : 'internal'
  return { message: failure(messageIn(known)), code, of, job: null }
}

/** What an error says, as a message. Errors of bugs and of libraries have only a text. */
function messageIn(error: unknown): Message {
  if (error instanceof Fault && error.userMessage) return error.userMessage
  if (error instanceof Unreadable) return error.userMessage
  return message('text', { text: sentence(messageOf(error)) })
}
