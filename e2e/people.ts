// What people do, as verbs.
import { type BrowserContext, expect, type Page } from '@playwright/test'
import type { Potluck } from './potluck.ts'

const PASSWORD = 'Correct-horse-1!'

/** The newest link to this person in the captured mail. */
async function mailedLink(potluck: Potluck, email: string): Promise<string> {
  let link: string | undefined
  await expect
    .poll(
      async () => {
        const mail = (await potluck.outbox()).find(({ to }) => to === email)
        link = /https?:\/\/\S+\/auth\/v1\/verify\S+/.exec(mail?.text ?? '')?.[0]
        return link
      },
      { message: `a link mailed to ${email}` },
    )
    .toBeTruthy()
  return link ?? ''
}

/** Signs up with a password and confirms the address. */
export async function signUp(page: Page, potluck: Potluck, email: string): Promise<void> {
  await page.goto('/signup')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Confirm password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.waitForURL(/\/signin\?success=true/)
  await page.goto(await mailedLink(potluck, email))
  await expect(page.getByRole('button', { name: 'Your menu' })).toBeVisible()
}

/** Begins to use the landing page, and waits for the app that comes then. */
export async function beginUsing(page: Page): Promise<void> {
  await page.mouse.move(100, 100)
  await expect(page.locator('#root:not([data-ahead])')).toBeAttached()
}

/** Asks for a magic link and follows it; an unknown address gets an account. */
export async function signInByLink(page: Page, potluck: Potluck, email: string): Promise<void> {
  await page.goto('/signin')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Email me a sign-in link' }).click()
  await page.goto(await mailedLink(potluck, email))
  await expect(page.getByRole('button', { name: 'Your menu' })).toBeVisible()
}

/** Everything a page complained about; a story with complaints fails. */
export function complaintsOf(context: BrowserContext): string[] {
  const complaints: string[] = []
  context.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      complaints.push(`${message.text()} (${message.page()?.url()})`)
  })
  context.on('weberror', (error) => complaints.push(error.error().message))
  return complaints
}
