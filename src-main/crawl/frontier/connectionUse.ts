/** How many documents of all jobs use a named connection at once. Kept in memory: after a start nothing is in use. */

/** The use of one connection by one running job. */
export interface ConnectionUse {
  /** Tells whether one more use may begin. */
  hasRoom(): boolean
  begin(): void
  end(): void
  /** Ends all uses of the job: its run is over, whatever interrupted it. */
  leave(): void
}

/** The uses of all connections, by name. */
export interface ConnectionUses {
  /** Joins a connection. `most` is its bound from now on, for the jobs that joined before as well. */
  join(name: string, most: number): ConnectionUse
}

/** Opens the uses; nothing is in use. */
export function connectionUses(): ConnectionUses {
  const all = new Map<string, { most: number; inUse: number }>()
  return {
    join(name, most) {
      const connection = all.get(name) ?? { most, inUse: 0 }
      connection.most = most
      all.set(name, connection)
      let own = 0
      const change = (by: number) => {
        own += by
        connection.inUse += by
      }
      return {
        hasRoom: () => connection.inUse < connection.most,
        begin: () => change(1),
        end: () => change(-1),
        leave: () => change(-own),
      }
    },
  }
}
