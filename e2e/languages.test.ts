// The site in other languages: who is led to which, what stays so, and whether all of it fits, also from right to left.
import { expect } from '@playwright/test'
import { expectToFit, SMALL } from './pseudo-language.ts'
import { WIDTHS } from './screenshots.ts'
import { test } from './test.ts'

const DEMO = 'demo@potluck.example'
// Others are looked at in the deep tier.
const PAGES = ['/', '/plans', '/create', '/payments', '/account-settings/money']

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

  // Elsewhere their browser prefers English, and the database answers in it.
  const elsewhere = (await open({ as: 'jonas@potluck.example' })).page
  await elsewhere.goto('/my-savings')
  await expect(elsewhere).toHaveURL('/fr/my-savings')
  await elsewhere.goto('/account-settings')
  await elsewhere.getByRole('combobox', { name: 'Langue' }).selectOption('en')
  await expect(elsewhere).toHaveURL('/account-settings')
  const visitor = (await open()).page
  await visitor.goto('/fr')
  await expect(visitor.locator('html')).toHaveAttribute('lang', 'fr')
  for (const language of ['en', 'de', 'fr', 'es', 'it']) {
    const address = `${potluck.url}/${language === 'en' ? '' : language}`
    await expect(visitor.locator(`link[hreflang="${language}"]`)).toHaveAttribute('href', address)
  }
})

test('a language a third longer than English fits a small phone, and one from right to left any', async ({
  open,
}) => {
  const { page } = await open({ as: DEMO, viewport: SMALL })
  await expectToFit(page, PAGES, 'longer')
  for (const viewport of [WIDTHS.phone, WIDTHS.desktop]) {
    const { page: arabic } = await open({ as: DEMO, viewport })
    await expectToFit(arabic, PAGES, 'right to left')
    const home = await arabic.getByRole('banner').getByRole('link').first().boundingBox()
    expect(home?.x).toBeGreaterThan(viewport.width / 2)
  }
})
