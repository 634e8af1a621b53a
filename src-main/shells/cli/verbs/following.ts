/** Follows an operation of the engine until it is at rest, or until Ctrl-C. */
import { stopped, type Command } from '../session/command.ts'

/** Interval after which the engine is queried when no event came. Events are hints; only the engine's answer is decisive. */
const lookMs = 500

export interface Followed<Summary> {
  begun: Summary
  isRunning: (summary: Summary) => boolean
  listen: (onPayload: (changed: Summary) => void) => () => void
  isSame: (changed: Summary) => boolean
  look: () => Promise<Summary | undefined>
  stop: () => Promise<Summary>
  progressText: (summary: Summary, seconds: number) => string
}

export async function followed<Summary>(
  { output, signal }: Pick<Command, 'output' | 'signal'>,
  { begun, isRunning, listen, isSame, look, stop, progressText }: Followed<Summary>,
): Promise<Summary> {
  const ctrlC = stopped(signal)
  const beganMs = performance.now()
  let current = begun
  let ring = () => {}
  const unsubscribe = listen((changed) => {
    if (isSame(changed)) ring()
  })
  try {
    while (isRunning(current)) {
      if (signal.aborted) return await stop()
      output.progress(progressText(current, (performance.now() - beganMs) / 1000))
      const { promise, resolve } = Promise.withResolvers<void>()
      ring = resolve
      const timer = setTimeout(resolve, lookMs)
      await Promise.race([promise, ctrlC])
      clearTimeout(timer)
      current = (await look()) ?? current
    }
    return current
  } finally {
    unsubscribe()
  }
}
