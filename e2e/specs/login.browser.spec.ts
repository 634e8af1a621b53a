/** Logging in from the harvest form: a credential is stored, a harvest is set to use it, and the pages that need the login are in the
 *  archive. Includes keyboard operation and axe. */
import { expect, test, type Page } from '@playwright/test'
import { account, startMembers } from '../sites/members.ts'
import { expectAccessible, openJobTab, openLoupe, openPart, type OpenedLoupe } from './openedLoupe.ts'

test.describe.configure({ mode: 'serial' })

let site: Awaited<ReturnType<typeof startMembers>>
let loupe: OpenedLoupe
let page: Page

test.beforeAll(async () => {
  site = await startMembers({ pages: 4 })
  loupe = await openLoupe('login')
  page = loupe.page
})

test.afterAll(async () => {
  await loupe.close()
  await site.close()
})

test('the form asks for the fields of a login and reports a missing one at its field', async () => {
  await page.getByRole('button', { name: 'New harvest' }).click()
  await page.getByRole('textbox', { name: 'Seeds' }).fill(`${site.origin}/members/0`)
  await openPart(page, 'Politeness')
  await page.getByRole('textbox', { name: 'Delay (ms)' }).fill('0')
  await openPart(page, 'Patterns, user agent and DNS')
  await page.getByRole('textbox', { name: 'Hosts file' }).fill(
    Object.entries(site.resolve)
      .map((pair) => pair.join(' '))
      .join('\n'),
  )
  await openPart(page, 'Login')
  await expect(page.getByRole('textbox', { name: 'Login page' })).toBeHidden()
  await page.getByRole('button', { name: 'Add login' }).press('Enter')
  await page.getByRole('button', { name: 'Start harvest' }).click()
  await expect(page.getByRole('textbox', { name: 'Credential name' })).toBeFocused()
  await expect(page.getByText('This field is required.')).toHaveCount(1)
  await expectAccessible(page)
})

test('a credential is stored by keyboard alone, and its password is shown nowhere', async () => {
  await page.getByRole('textbox', { name: 'Credential name' }).fill('members')
  await page.keyboard.press('Tab')
  await page.keyboard.type(account.user)
  await page.keyboard.press('Tab')
  await page.keyboard.type(account.password)
  await page.getByRole('button', { name: 'Save credential' }).press('Enter')
  await expect(page.getByRole('combobox', { name: 'Credential' })).toHaveValue('members')
  await expect(page.getByText(account.password)).toHaveCount(0)
  await expectAccessible(page)
})

test('an error in a second login or in collapsed fields is found and shown', async () => {
  await page.getByRole('button', { name: 'Add another login' }).click()
  const second = page.getByRole('group', { name: 'Login 2', exact: true })
  await second.getByRole('radio', { name: 'HTTP digest authentication' }).check()
  await second.getByRole('combobox', { name: 'Credential' }).click()
  await page.getByRole('option', { name: 'members' }).click()
  await second.getByRole('textbox', { name: 'Protected pages' }).fill('https://elsewhere.example/')
  await openPart(page, 'More options for login 2')
  await second.getByRole('checkbox', { name: 'Accept untrusted certificates' }).check()
  await page.getByRole('radio', { name: 'Also remove session cookies from responses' }).check()
  const first = page.getByRole('group', { name: 'Login 1', exact: true })
  await openPart(page, 'More options for login 1')
  await first.getByRole('textbox', { name: 'The form may submit to' }).fill('sso')
  await first.getByRole('textbox', { name: 'Other form fields' }).fill('remember=yes')
  await expectAccessible(page)
  await page.getByRole('textbox', { name: 'Protected pages' }).first().fill(`${site.origin}/members/`)
  await page.getByRole('textbox', { name: 'Login page' }).fill(`${site.origin}/login`)
  await page.getByRole('textbox', { name: 'User name field' }).fill('user')
  await page.getByRole('textbox', { name: 'Password field' }).fill('pass')
  await page.locator('summary', { hasText: 'More options for login 1' }).press('Enter')
  await expect(first.getByRole('textbox', { name: 'Other form fields' })).toBeHidden()
  await page.getByRole('button', { name: 'Start harvest' }).click()
  await expect(first.getByRole('textbox', { name: 'The form may submit to' })).toBeFocused()
  await first.getByRole('textbox', { name: 'The form may submit to' }).fill('')
})

test('the harvest logs in, and its page names the credential but not the password', async () => {
  await page.getByRole('button', { name: 'Start harvest' }).click()
  await expect(page.getByRole('heading', { level: 1, name: /^Job 1: / })).toBeVisible()
  await openJobTab(page, 'Log')
  await expect(page.getByRole('list', { name: 'Log' })).toContainText('All files are stored in all replicas.')
  await expect(page.getByRole('list', { name: 'Log' })).toContainText(`Logged in to ${site.origin}/login.`)
  await openJobTab(page, 'Definition and schedule')
  await expect(page.getByText(`HTML form for ${site.origin}/members/ as “members”`)).toBeVisible()
  expect(site.logins).toBeGreaterThan(0)
  await expect(page.locator('body')).not.toContainText(/Xyzzy|Doe/)
  await expectAccessible(page)
})
