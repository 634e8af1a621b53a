/** A form that is open in a dialog, or on a screen: what its specs ask of it. */
import { expect, type Locator, type Page } from '@playwright/test'

export function openedForm(page: () => Page) {
  const form = (): Locator => page().getByRole('dialog').first()
  const question = (): Locator => page().getByRole('dialog', { name: 'Discard changes?' })
  return {
    form,
    question,
    control: (name: string): Locator => form().locator(`[data-field="${name}"]`),
    /** Leaves the form with what was typed in it. */
    async discard(): Promise<void> {
      await page().keyboard.press('Escape')
      await question().getByRole('button', { name: 'Discard', exact: true }).click()
      await expect(page().getByRole('dialog')).toHaveCount(0)
    },
    /** The error is of the control, and both are where a person sees them. `within`: a form that is in no dialog. */
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
