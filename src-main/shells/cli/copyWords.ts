/** What to do next about what was found of copies, and the names of states. With --json the machine's own words stay. */

/** The next step for each kind of thing that is wrong. */
export function nextSteps({
  bad,
  surplus,
  notStored,
}: {
  bad: number
  surplus: number
  notStored: string[]
}): string[] {
  return [
    ...(bad > 0 ? ['Next: "loupe preserve repair" brings back what is missing or wrong, from a good copy.'] : []),
    ...(surplus > 0
      ? [
          'What is not in the catalogue is left alone: look at it, then "loupe upload" it from a copy elsewhere, or move it out of the replica.',
        ]
      : []),
    ...notStored.map((replica) => `Next: "loupe preserve repair --replica ${replica}" stores there what it lacks.`),
  ]
}

/** As the screens say it; a state of another Loupe stays as it is. */
export function badgeOf(table: { rows: Readonly<Record<string, { badge: string }>> }, state: string): string {
  return table.rows[state]?.badge.toLowerCase() ?? state
}
