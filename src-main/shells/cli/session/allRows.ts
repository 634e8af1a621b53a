/** All rows of a list that the engine gives in pages. */

/** Rows of one answer: the maximum of the contract. */
export const pageRows = 1_000

/** One answer of a list. */
interface Page<Row> {
  rows: readonly Row[]
  /** Rows of the whole list. */
  total: number
}

/** Asks page by page. Returns the last answer, with the rows of all. */
export async function allRows<Row, Answer extends Page<Row>>(
  ask: (page: { offset: number; limit: number }) => Promise<Answer & Page<Row>>,
): Promise<Answer & { rows: Row[] }> {
  const rows: Row[] = []
  for (;;) {
    const page = await ask({ offset: rows.length, limit: pageRows })
    rows.push(...page.rows)
    if (page.rows.length === 0 || rows.length >= page.total) return { ...page, rows }
  }
}
