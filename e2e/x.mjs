import { chromium } from 'playwright'

const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic'],
})
const base = 'http://localhost:4700'
const out = '/tmp/shots'

import { mkdirSync } from 'node:fs'

mkdirSync(out, { recursive: true })
const ctx = async (width, scheme, locale) => {
  const c = await browser.newContext({ viewport: { width, height: 844 }, colorScheme: scheme, locale })
  const p = await c.newPage()
  p.on(
    'console',
    (m) => ['error', 'warning'].includes(m.type()) && console.log(width, locale, m.text().slice(0, 200)),
  )
  return p
}
const signIn = async (p, email, prefix = '') => {
  await p.goto(`${base}${prefix}/signin`)
  await p.waitForLoadState('networkidle')
  await p.locator('button', { hasText: 'demo@potluck.example' }).first().click()
  await p.locator('input[type=email]').fill(email)
  await p.locator('form button[type=submit]').first().click()
  await p.waitForURL((u) => !/signin/.test(u.pathname), { timeout: 20000 })
}
const shot = async (p, name) => {
  await p.waitForTimeout(700)
  const over = await p.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  if (over > 0) console.log('OVERFLOW', name, over)
  await p.screenshot({ path: `${out}/${name}.png`, fullPage: true })
}
// visitor
const v = await ctx(390, 'light', 'en-GB')
await v.goto(`${base}/plans`)
await v.waitForLoadState('networkidle')
const href = await v.locator('a[href^="/plans/"]').first().getAttribute('href')
await v.goto(base + href)
await v.getByText('Report this plan').waitFor()
await shot(v, 'plan-390')
await v.getByText('Report this plan').click()
await v.getByText('In good faith').waitFor()
await shot(v, 'report-390')
await v.getByLabel('What’s wrong?').selectOption('rights')
await v.getByLabel('What happened?').fill('This plan uses our registered mark in its name.')
await v.getByLabel('Your name').fill('Rights Ltd')
await v.getByLabel('Your email address').fill('rights@mark.example')
await v.getByText('In good faith').click()
await v.getByRole('button', { name: 'Send report' }).click()
await v.getByText('We have your report').waitFor()
await shot(v, 'report-sent-390')
const de = await ctx(390, 'dark', 'de-DE')
await de.goto(`${base}/de/report`)
await de.waitForLoadState('networkidle')
await shot(de, 'report-de-390-dark')
await de.goto(`${base}/de/terms`)
await de.waitForLoadState('networkidle')
await shot(de, 'terms-de')
// staff
const s = await ctx(1280, 'light', 'en-GB')
await signIn(s, 'sofia@potluck.example')
await s.goto(`${base}/admin/cases`)
await s.getByText('Rights Ltd').first().waitFor()
await shot(s, 'cases-1280')
await s.getByRole('button', { name: 'Hide a plan' }).first().click()
await s.getByText('This is what they read').waitFor()
await shot(s, 'decide-1280')
await s.keyboard.press('Escape')
const sm = await ctx(390, 'dark', 'de-DE')
await signIn(sm, 'sofia@potluck.example', '/de')
await sm.goto(`${base}/de/admin/cases`)
await sm.getByText('Rights Ltd').first().waitFor()
await shot(sm, 'cases-de-390')
await sm
  .getByRole('button', { name: /verbergen|ausblenden/i })
  .first()
  .click()
await sm.waitForTimeout(800)
await sm.screenshot({ path: `${out}/decide-de-390.png` })
await sm.locator('[role=dialog] button[type=submit]').click()
await sm.waitForTimeout(1500)
await shot(sm, 'cases-after-de')
await s.goto(`${base}/admin/cases?state=closed`)
await s.waitForTimeout(1500)
await shot(s, 'closed-1280')
await browser.close()
