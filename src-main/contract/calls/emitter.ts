/** Calls every listener with each payload, in the order in which they subscribed. A listener that throws is a bug and ends the round. */
export interface Emitter<Payload> {
  emit(payload: Payload): void
  /** Subscribes a listener. Returns the function that unsubscribes it. */
  on(listener: (payload: Payload) => void): () => void
}

/** Makes an emitter without listeners. */
export function emitter<Payload = void>(): Emitter<Payload> {
  const listeners = new Set<(payload: Payload) => void>()
  return {
    emit: (payload) => listeners.forEach((listener) => listener(payload)),
    on(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
