import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { withUnseenValues } from './unseenValues.ts'

describe('values hidden from the planner', () => {
  it('replaces every parameter', () => {
    expect(withUnseenValues('SELECT a FROM t WHERE b = @b AND c > ? ORDER BY d LIMIT @limit')).toBe(
      'SELECT a FROM t WHERE b = +@b AND c > +? ORDER BY d LIMIT +@limit',
    )
  })

  it('leaves quotes and comments unchanged', () => {
    const sql = `SELECT "a?" FROM t -- who?\n WHERE b < '@x' || 'it''s ?' /* @y\n? */`
    expect(withUnseenValues(sql)).toBe(sql)
  })

  it('keeps types, order and the use of an index', () => {
    const database = new Database(':memory:')
    database.exec('CREATE TABLE t (a TEXT, b INTEGER); CREATE INDEX t_a ON t (a, b)')
    const run = (sql: string) => database.prepare<unknown[], Record<string, unknown>>(withUnseenValues(sql))
    for (const b of [3, 1, 2]) run('INSERT INTO t VALUES (?, ?)').run('x', b)
    const sql = 'SELECT typeof(a) AS a, typeof(b) AS type, b FROM t WHERE a = ? AND b >= ? ORDER BY b DESC LIMIT ?'
    expect(run(sql).all('x', 2, 5)).toEqual([
      { a: 'text', type: 'integer', b: 3 },
      { a: 'text', type: 'integer', b: 2 },
    ])
    expect(run(`EXPLAIN QUERY PLAN ${sql}`).all('x', 2, 5)).toMatchObject([
      { detail: 'SEARCH t USING COVERING INDEX t_a (a=? AND b>?)' },
    ])
  })
})
