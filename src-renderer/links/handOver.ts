/** Uploads a file to the engine of a server shell, because a browser does not reveal the path of a file. It is sent in pieces, so that a
 *  refusal is noticed after one piece, memory holds one piece, and progress is what the engine has written. */
import { Fault } from '../../src-main/contract/calls/faults.ts'
import { opened } from '../../src-main/contract/calls/service.ts'
import { reach, replyIn } from './http.ts'
import { authorizationOf } from './token.ts'

/** Well below the server's limit for one piece. At disk speed a piece takes a few tenths of a second, so progress moves and a stop works at
 *  once. */
export const pieceBytes = 16 * 1024 * 1024

export interface HandOver {
  /** Resolves with the path under which the engine has the file. Rejects with `Fault`; `stopped` when `signal` was aborted. */
  give(file: File, how: { signal: AbortSignal; onProgress: (bytesDone: number) => void }): Promise<string>
  /** Removes uploaded files that are no longer wanted. */
  takeBack(name: string): Promise<void>
}

export interface HandOverOptions {
  origin: string
  token: string
  fetch?: typeof fetch
}

export function handOverTo({ origin, token, fetch = globalThis.fetch }: HandOverOptions): HandOver {
  const authorization = authorizationOf(token)
  const addressOf = (name: string) => `${origin}/incoming/${encodeURIComponent(name)}`

  async function ask(name: string, request: RequestInit): Promise<unknown> {
    const response = await reach(name, () => fetch(addressOf(name), request))
    return opened(replyIn(await response.text(), response.status))
  }

  async function give(file: File, { signal, onProgress }: Parameters<HandOver['give']>[1]): Promise<string> {
    for (let from = 0; from < file.size; from += pieceBytes) {
      const to = Math.min(from + pieceBytes, file.size)
      if (signal.aborted) throw stopped(file)
      const headers = { ...authorization, 'content-range': `bytes ${from}-${to - 1}/${file.size}` }
      const answer = await ask(file.name, { method: 'PUT', headers, body: file.slice(from, to), signal }).catch(
        (error: unknown) => {
          throw signal.aborted ? stopped(file) : error
        },
      )
      onProgress(to)
      if (hasPath(answer)) return answer.path
    }
    throw new Fault('refused', `${file.name} has not a single byte: there is nothing to import.`)
  }

  return {
    give,
    takeBack: async (name) => void (await ask(name, { method: 'DELETE', headers: authorization })),
  }
}

function hasPath(answer: unknown): answer is { path: string } {
  return typeof answer === 'object' && answer !== null && 'path' in answer && typeof answer.path === 'string'
}

function stopped(file: File): Fault {
  return new Fault('stopped', `${file.name} was not handed over: stopped.`)
}
