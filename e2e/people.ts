// People's actions, as functions for the browser tests.
import { type BrowserContext, expect, type Page } from '@playwright/test'
import type { Potluck } from './potluck.ts'

/** The newest captured mail to this person. */
export async function mailTo(potluck: Potluck, email: string): Promise<string> {
  return (await potluck.outbox()).find(({ to }) => to === email)?.text ?? ''
}

/** The newest sign-in link mailed to this person. */
async function mailedLink(potluck: Potluck, email: string): Promise<string> {
  const link = /https?:\/\/\S+\/auth-redirect#\S+/
  await expect.poll(() => mailTo(potluck, email), { message: `a link mailed to ${email}` }).toMatch(link)
  return link.exec(await mailTo(potluck, email))?.[0] ?? ''
}

/** Opens the newest sign-in link and presses the button that verifies it. */
export async function openMailedLink(
  page: Page,
  potluck: Potluck,
  email: string,
  press: string,
): Promise<void> {
  await page.goto(await mailedLink(potluck, email))
  await page.getByRole('button', { name: press }).click()
}

export interface Session {
  access_token: string
  refresh_token: string
  user: { id: string }
}

/** Calls the API with a person's session or as a visitor; fails the test on a refusal. */
export async function call<Answer>(
  { url, key }: Potluck,
  path: string,
  body: object,
  { as, method = 'POST' }: { as?: Session; method?: 'POST' | 'PATCH' } = {},
): Promise<Answer> {
  const answer = await fetch(url + path, {
    method,
    headers: {
      apikey: key,
      authorization: `Bearer ${as?.access_token ?? key}`,
      'content-type': 'application/json',
      prefer: 'return=representation',
    },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  expect(answer.ok, `${method} ${path}: ${text}`).toBe(true)
  return text && JSON.parse(text)
}

/** Reads from the API with a person's session; fails the test on a refusal. */
export async function read<Answer>({ url, key }: Potluck, path: string, as: Session): Promise<Answer> {
  const answer = await fetch(url + path, {
    headers: { apikey: key, authorization: `Bearer ${as.access_token}` },
  })
  const text = await answer.text()
  expect(answer.ok, `GET ${path}: ${text}`).toBe(true)
  return JSON.parse(text)
}

/** Signs in by mail without a browser. An unknown email address gets an account, named after the address. */
export async function sessionOf(potluck: Potluck, email: string): Promise<Session> {
  await call(potluck, '/auth/v1/otp', { email, create_user: true, data: { name: email.replace(/@.*/, '') } })
  const carried = new URLSearchParams(new URL(await mailedLink(potluck, email)).hash.slice(1))
  return call(potluck, '/auth/v1/verify', {
    type: carried.get('type'),
    token_hash: carried.get('token_hash'),
  })
}

/** The browser's warning if the app uses the preloaded configuration late, as happens on a busy machine. */
const LATE_CONFIGURATION = /\/config\.json was preloaded using link preload but not used within a few seconds/

/** All console errors of a page; the tests expect none. */
export function complaintsOf(context: BrowserContext): string[] {
  const complaints: string[] = []
  context.on('console', (message) => {
    // Playwright logs this if a test prevents the service worker (see test.ts).
    if (message.text().includes('blocked by Playwright') || LATE_CONFIGURATION.test(message.text())) return
    if (message.type() === 'error' || message.type() === 'warning')
      complaints.push(`${message.text()} (${message.location().url} on ${message.page()?.url()})`)
  })
  context.on('weberror', (error) => complaints.push(error.error().message))
  return complaints
}
