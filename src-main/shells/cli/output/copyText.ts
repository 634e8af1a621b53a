/** What to do next about what was found of copies, and the names of states. With --json the machine's own words stay. */

/** The next step for each kind of thing that is wrong. */
export function nextSteps({
  bad,
  surplus,
  notStored,
  waitingTotal = 0,
  unknownTotal = 0,
}: {
  bad: number
  surplus: number
  notStored: string[]
  waitingTotal?: number
  unknownTotal?: number
}): string[] {
  return [
    ...(bad > 0 ? ['Next: "loupe preserve repair" brings back what is missing or wrong, from a good copy.'] : []),
    ...(surplus > 0
      ? [
          'Next: "loupe recover" brings files that are not in the catalogue into it. Loupe does not touch them otherwise: move out of the replica what does not belong there.',
        ]
      : []),
    ...(unknownTotal > 0
      ? ['Next: "loupe recover" brings files that the database does not know into the archive.']
      : []),
    ...(waitingTotal > 0
      ? [
          'Next: files of jobs that are in no replica are stored at the next start of Loupe, once every replica is there.',
        ]
      : []),
    ...notStored.map((replica) => `Next: "loupe preserve repair --replica ${replica}" stores there what it lacks.`),
  ]
}

/** As the screens say it; a state of another Loupe stays as it is. */
export function badgeOf(table: { rows: Readonly<Record<string, { badge: string }>> }, state: string): string {
  return table.rows[state]?.badge.toLowerCase() ?? state
}
