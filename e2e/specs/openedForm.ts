/** Access to a form that is open in a dialog or on a screen, for specs. */
import { expect, type Locator, type Page } from '@playwright/test'

/** The controls of the form and of its question before input is discarded. */
export function openedForm(page: () => Page) {
  const form = (): Locator => page().getByRole('dialog').first()
  const question = (): Locator => page().getByRole('dialog', { name: 'Discard changes?' })
  return {
    form,
    question,
    control: (name: string): Locator => form().locator(`[data-field="${name}"]`),
    /** Leaves the form and discards the input. */
    async discard(): Promise<void> {
      await page().keyboard.press('Escape')
      await question().getByRole('button', { name: 'Discard', exact: true }).click()
      await expect(page().getByRole('dialog')).toHaveCount(0)
    },
    /** Expects that a control has the focus and that it and its error message are visible. `within`: for a form that is not in a
     *  dialog. */
    async expectRefusedAt(name: string, words: string | RegExp, within: Locator = form()): Promise<void> {
      const focused = within.locator(`[data-field="${name}"]:focus, [data-field="${name}"] :focus`)
      await expect(focused).toHaveCount(1)
      await expect(focused).toBeInViewport({ ratio: 1 })
      const error = within.getByText(words)
      await expect(error).toBeVisible()
      await expect(error).toBeInViewport()
    },
  }
}
