import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makePages, rowsPerPage } from './pages.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('pages: visible rows are requested once, and again after a refresh; late answers from before it are dropped', async () => {
  const asked: number[] = []
  let total = 1_000
  const pages = makePages(({ offset, limit }) => {
    asked.push(offset)
    const answer = { total, rows: Array.from({ length: limit }, (_, index) => offset + index) }
    return new Promise<typeof answer>((resolve) => setTimeout(() => resolve(answer), 10))
  })
  pages.getState().want(0, 20)
  pages.getState().want(rowsPerPage - 5, rowsPerPage + 15)
  await vi.advanceTimersByTimeAsync(10)
  expect(asked).toEqual([0, rowsPerPage])
  expect(pages.getState().rows.get(rowsPerPage + 3)).toBe(rowsPerPage + 3)
  pages.getState().refresh()
  total = 250
  pages.getState().refresh()
  await vi.advanceTimersByTimeAsync(10)
  expect(asked).toEqual([0, rowsPerPage, 0, rowsPerPage, 0, rowsPerPage])
  expect(pages.getState().total).toBe(250)
})
