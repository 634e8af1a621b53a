/** The script that scrolls through a page, window by window, and back to its beginning. It runs in the archived page. */

/** Windows that are scrolled through, and the time in each, in which observers of the scroll position begin to load. */
const scrollsMax = 60
const scrollMs = 60

export const scrollScript = `(async () => {
  for (let at = 0; at < ${scrollsMax}; at++) {
    const y = at * innerHeight
    if (y > document.documentElement.scrollHeight) break
    scrollTo(0, y)
    await new Promise((resolve) => setTimeout(resolve, ${scrollMs}))
  }
  scrollTo(0, 0)
})()`
