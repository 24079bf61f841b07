// Signs in through an OpenID provider of the operator, which is the only way to sign in on this site, on the provider's
// own pages in a real browser.
import { expect, test } from '@playwright/test'
import { CLIENT, startOpenidProvider } from '@potluck/server/test/wire/openid-provider.ts'
import { startPotluck } from './potluck.ts'

test('the button leads to the provider, and back to what was wanted, signed in', async ({ page }) => {
  const provider = await startOpenidProvider()
  provider.people.kim = { email: 'kim@kite.example', email_verified: true, name: 'Kim Kite' }
  const potluck = await startPotluck({
    ...{ OPENID_ONLY: 'on', OPENID_KITE_ISSUER: provider.issuer, OPENID_KITE_NAME: 'Kite Club' },
    ...{ OPENID_KITE_CLIENT_ID: CLIENT.clientId, OPENID_KITE_CLIENT_SECRET: CLIENT.secret },
  })
  provider.admit(`${potluck.url}/auth/v1/callback`)
  const button = page.getByRole('button', { name: 'Continue with Kite Club' })
  provider.away = true
  await page.goto(`${potluck.url}/signin?redirect=%2Faccount-settings%2Fsecurity`)
  await button.click()
  await expect(page.getByText('Kite Club can’t be reached right now.')).toBeVisible()
  provider.away = false
  await button.click()
  await page.getByPlaceholder('Enter any login').fill('kim')
  await page.getByPlaceholder('and password').fill('any')
  await page.getByRole('button', { name: 'Sign-in' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('article', { name: 'Kite Club' })).toContainText('kim@kite.example')
  expect(page.url()).toBe(`${potluck.url}/account-settings/security`)
  await expect(page.getByText('Change password')).toBeHidden()
  await potluck.close()
  provider.close()
})
