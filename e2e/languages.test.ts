// The site in other languages: which language a visitor gets, and when it is stored. languages.deep.test.ts tests that
// pages fit.
import { expect } from '@playwright/test'
import { ENGLISH, languages } from '../web/build/language/languages.ts'
import { test } from './test.ts'

test('people read what their browser prefers, or what they chose, on every device', async ({
  open,
  potluck,
}) => {
  const { page } = await open({ as: 'jonas@potluck.example', locale: 'de-AT' })
  await page.goto('/help?q=fee#top')
  await expect(page).toHaveURL('/de/help?q=fee#top')
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hilfe')
  await page.goto('/account-settings')
  await expect(page).toHaveURL('/de/account-settings')
  await page.getByRole('combobox', { name: 'Sprache' }).selectOption('fr')
  await expect(page).toHaveURL('/fr/account-settings')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Profil')

  // In another browser, which prefers English, the language stored in the database decides.
  const elsewhere = (await open({ as: 'jonas@potluck.example' })).page
  await elsewhere.goto('/my-savings')
  await expect(elsewhere).toHaveURL('/fr/my-savings')
  await elsewhere.goto('/account-settings')
  await elsewhere.getByRole('combobox', { name: 'Langue' }).selectOption('en')
  await expect(elsewhere).toHaveURL('/account-settings')
  const visitor = (await open()).page
  await visitor.goto('/fr')
  await expect(visitor.locator('html')).toHaveAttribute('lang', 'fr')
  for (const language of [ENGLISH, ...languages()]) {
    const address = `${potluck.url}/${language === ENGLISH ? '' : language}`
    await expect(visitor.locator(`link[hreflang="${language}"]`)).toHaveAttribute('href', address)
  }
})
