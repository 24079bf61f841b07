// Every screen and everything that opens on it, with realistic data, in every width and both colour schemes: no
// findings of the accessibility checker, no console errors, no page wider than the window. routes.deep.test.ts has the
// screens that need only a path.
// Proves PAY 13 14
import { expect, type Locator, type Page } from '@playwright/test'
import jsQR from 'jsqr'
import { look, lookAt } from './look.ts'
import { WIDTHS } from './screenshots.ts'
import { test } from './test.ts'

const DEMO = 'demo@potluck.example'
/** Zoe's page, from the demo data. */
const ZOE = '/people/5e1f3a52-0c1d-4b7e-9a01-6d2c8f4b1a04'

test('every screen of a visitor is fit to be shown', async ({ open }) => {
  const { page, complaints } = await open()
  // The landing page reads the scheme when it opens.
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.goto('/')
    await look(page, 'landing', { schemes: [colorScheme] })
  }
  await lookAt(page, {
    'plans-none': '/plans?q=nobody+shares+this',
    lost: '/no-such-page',
    'plan-sign-in-needed': '/manage-shared/some-plan',
    nobody: '/people/nobody',
  })
  await page.goto('/signin')
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page.getByText('Invalid Email')).toBeVisible()
  await look(page, 'sign-in-refused')
  await page.goto('/plans?pay=site')
  await page.locator('main h3 a').first().click()
  await expect(page.getByRole('heading', { name: 'How it works' })).toBeVisible()
  await look(page, 'plan')
  expect(complaints).toEqual([])
  await page.goto('/plans/sub-none')
  await expect(page.getByRole('heading', { name: 'We can’t find this plan' })).toBeVisible()
  await look(page, 'plan-gone')
  // The browser itself logs the 404.
  expect(complaints.splice(0)).toEqual([expect.stringContaining('404')])
})

test('every screen of a new account is fit to be shown, and says how to begin', async ({ open }) => {
  const { page } = await open({ as: 'newcomer@potluck.example' })
  await lookAt(page, {
    'empty-home': '/',
    'empty-home-join': '/?for=join',
    'empty-home-share': '/?for=share',
    'empty-shared': '/my-subscriptions',
    'empty-subscribed': '/my-subscriptions?tab=subscribed',
    'empty-provider-requests': '/my-provider-requests',
    'empty-payments': '/payments',
    'empty-savings': '/savings-insights',
    'empty-savings-comparisons': '/savings-insights?tab=comparisons',
    'empty-wallet': '/my-savings',
    'empty-wallet-transactions': '/my-savings?tab=transactions',
    'empty-wallet-withdrawals': '/my-savings?tab=withdrawals',
  })
  for (const [name, button] of Object.entries({
    'empty-notifications': 'Notifications',
    'empty-inbox': 'Messages',
  })) {
    await page.getByRole('button', { name: button }).click()
    await expect(page.getByRole('dialog').getByText(/yet/)).toBeVisible()
    await look(page, name)
    await page.keyboard.press('Escape')
  }
})

test('the lists and forms of somebody who shares are fit to be shown', async ({ open }) => {
  const { page, complaints } = await open({ as: DEMO })
  await lookAt(page, {
    subscribed: '/my-subscriptions?tab=subscribed',
    person: ZOE,
    'savings-calculator': '/savings-insights?tab=calculator',
    'savings-milestones': '/savings-insights?tab=milestones',
    'savings-comparisons': '/savings-insights?tab=comparisons',
    'wallet-transactions': '/my-savings?tab=transactions',
    'wallet-withdrawals': '/my-savings?tab=withdrawals',
  })
  await page.goto('/my-savings')
  await page.getByRole('button', { name: 'Add a bank account' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('IBAN').fill('DE89 3704 0044 0532 0130 00')
  await dialog.getByLabel('Account holder').fill('Dana Demo')
  await page.keyboard.press('Enter')
  const proof = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await proof.getByLabel('Password', { exact: true }).fill('Potluck-demo-1!')
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  // The browser itself logs the 403.
  expect(complaints.splice(0)).toEqual([expect.stringContaining('403')])
  await page.getByRole('button', { name: 'Withdraw coins' }).click()
  await dialog.getByRole('button', { name: 'Request withdrawal' }).click()
  await expect(dialog.getByText('Please enter a valid amount')).toBeVisible()
  await look(page, 'wallet-withdraw')
  await page.goto('/account-settings')
  await page.getByRole('button', { name: 'Edit profile' }).click()
  await expect(page.getByLabel('Display name')).toBeVisible()
  await look(page, 'settings-edit')
  await page.goto('/account-settings/privacy')
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await expect(dialog.getByText(/^That leaves you .* coins\.$/)).toBeVisible()
  await look(page, 'settings-delete')
  for (const [name, first] of [
    ['request-provider', 'Provider name'],
    ['admin-request', 'Name'],
  ] as const) {
    await page.goto(`/${name}`)
    await page.getByRole('button', { name: 'Submit Request' }).click()
    await expect(page.getByLabel(first)).toBeFocused()
    await look(page, name)
  }
  await page.getByLabel('Name').fill('Dana Demo')
  await page.getByLabel('Reason').fill('I would like to help with payouts.')
  await page.getByRole('button', { name: 'Submit Request' }).click()
  await expect(page.getByText(/2-3 business days/)).toBeVisible()
  await look(page, 'admin-request-sent')
})

test('what needs proof of who one is asks for it', async ({ open }) => {
  const ZOE = 'zoe@potluck.example'
  const { page, complaints } = await open({ as: ZOE })
  const dialog = page.getByRole('dialog')
  await page.goto('/account-settings/privacy')
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await dialog.getByLabel(/^Type/).fill(ZOE)
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  const proof = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await expect(proof.getByLabel('Password', { exact: true })).toBeFocused()
  await look(page, 'proof')
  await proof.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByText('Account not deleted')).toBeVisible()
  // The browser itself logs the 403.
  expect(complaints.splice(0)).toEqual([expect.stringContaining('403')])
})

test('every menu is fit to be shown', async ({ open }) => {
  const { page } = await open({ as: DEMO })
  await page.goto('/my-subscriptions')
  for (const [name, button] of Object.entries({ notifications: /^Notifications/, inbox: /^Messages/ })) {
    await page.getByRole('button', { name: button }).click()
    await expect(page.getByRole('dialog').getByRole('heading', { level: 2 })).toBeVisible()
    await look(page, name)
    await page.keyboard.press('Escape')
  }
  await page.getByRole('button', { name: 'Your menu' }).click()
  await expect(page.getByRole('menuitem', { name: 'Log out' })).toBeVisible()
  await look(page, 'avatar-menu', { sizes: ['desktop'] })
  await page.keyboard.press('Escape')
  await page.setViewportSize(WIDTHS.phone)
  await page.getByRole('button', { name: 'Open menu' }).click()
  await expect(page.getByRole('dialog').getByText('Log out')).toBeVisible()
  await look(page, 'side-menu', { sizes: ['phone'] })
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Quick actions' }).click()
  await look(page, 'quick-actions', { sizes: ['phone'] })
})

test('every step of sharing and joining a plan is fit to be shown', async ({ open }) => {
  const { page } = await open({ as: DEMO })
  const choose = page.getByRole('button', { name: /^Choose/, disabled: false }).last()
  await page.goto('/create')
  for (const [name, next] of [
    ['category', page.getByRole('link', { name: /^Streaming/ })],
    ['provider', page.getByRole('button', { name: /^Disney/ })],
    ['plan', choose],
    ['terms', page.getByRole('button', { name: 'Next', exact: true })],
  ] as const) {
    await expect(next).toBeVisible()
    await look(page, `create-${name}`)
    await next.click()
  }
  await expect(page.getByRole('textbox', { name: 'Open slots' })).toBeVisible()
  await look(page, 'create-slots')

  await page.goto('/available-subscriptions')
  for (const [name, next] of [
    ['browse', page.getByRole('link', { name: /^Music/ })],
    ['browse-provider', page.getByRole('link', { name: /^Apple Music \d/ })],
    ['browse-plans', page.getByRole('button', { name: /^Request to join Apple Music/ })],
    ['request', page.getByRole('button', { name: /^Ask to join; pay/ })],
  ] as const) {
    await expect(next).toBeVisible()
    await look(page, name)
    await next.click()
  }
  await expect(page.getByRole('dialog').getByText('Subscription Request Sent')).toBeVisible()
  await look(page, 'request-sent')
})

test('a plan and its people are fit to be shown', async ({ open }) => {
  const { page } = await open({ as: DEMO })
  const dialog = page.getByRole('dialog')
  await openPlan(page, '/my-subscriptions', /Netflix/)
  await expect(page.getByRole('button', { name: /^Approve/ }).first()).toBeVisible()
  await look(page, 'owner-view')
  for (const [name, button] of Object.entries({
    'edit-slots': 'Edit member slots',
    invite: /^Add Member/,
    'remove-member': /^Remove Marc/,
  })) {
    await page.getByRole('button', { name: button }).click()
    await expect(dialog).toBeVisible()
    await look(page, name)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  }
  await openPlan(page, '/my-subscriptions?tab=subscribed', /Disney/)
  await expect(page.getByRole('heading', { name: 'Plan Owner' })).toBeVisible()
  await look(page, 'member-view')
  await page.getByRole('button', { name: /^Chat with/ }).click()
  await expect(page.getByLabel(/^Message /)).toBeVisible()
  await look(page, 'chat')
})

test('the page of somebody one has blocked is fit to be shown', async ({ open }) => {
  const { page } = await open({ as: 'apart@potluck.example' })
  await page.goto(ZOE)
  await page.getByRole('button', { name: /^Block / }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Block / })
    .click()
  await expect(page.getByRole('button', { name: /^Report / })).toBeVisible()
  await expect(page.getByText(/^Here since/)).toBeHidden()
  await look(page, 'person-blocked')
})

test('what people pay each other is fit to be shown, and a receipt fits on one sheet', async ({ open }) => {
  const { page } = await open({ as: DEMO })
  const dialog = page.getByRole('dialog')
  await lookAt(page, {
    'payments-received': '/payments?tab=received',
    'payments-calendar': '/payments?tab=calendar',
  })
  await page.goto('/payments')
  await page.getByRole('table').getByRole('link', { name: /-\d+$/ }).first().click()
  await expect(page.getByRole('heading', { name: /^Receipt/ })).toBeVisible()
  const sheets = (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type\s*\/Page\b/g)
  expect(sheets).toHaveLength(1)

  await openPlan(page, '/my-subscriptions?tab=subscribed', /Disney/)
  const pay = page.getByRole('region', { name: /^Pay Olivia/ })
  const code = pay.getByRole('img', { name: /^QR code/ })
  await expect(code).toBeVisible()
  await look(page, 'pay-owner')
  expect(await scan(page, code)).toMatch(
    /^BCD\n002\n1\nSCT\n\nOlivia Brandt\nDE\d{20}\nEUR\d+\.\d\d\n\n\nPL-[0-9A-F]{8}-\d+$/,
  )
  await page.getByRole('button', { name: 'Leave', exact: true }).click()
  await expect(dialog.getByRole('radio', { name: 'Now' })).toBeVisible()
  await look(page, 'leave')

  await openPlan(page, '/my-subscriptions', /Spotify/)
  await page
    .getByRole('button', { name: /^Not received/ })
    .first()
    .click()
  await expect(dialog.getByLabel(/^What is missing/)).toBeVisible()
  await look(page, 'not-received')
  await page.keyboard.press('Escape')
  await page.getByRole('tab', { name: 'Money' }).click()
  await expect(page.getByRole('button', { name: 'End place' })).toBeVisible()
  await look(page, 'owner-payments')
  for (const section of ['Access', 'Settings']) {
    await page.getByRole('tab', { name: section }).click()
    await look(page, `owner-${section.toLowerCase()}`)
  }
  await page.getByRole('tab', { name: 'Money' }).click()
  await page.getByRole('button', { name: 'End place' }).click()
  await expect(dialog.getByText(/is 14 days late/)).toBeVisible()
  await look(page, 'end-seat')
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'All payments' }).click()
  const table = page.getByRole('table', { name: 'Payments of members' })
  for (const state of ['Paid', 'Due', 'Late', 'Sent'])
    await expect(table.getByText(state, { exact: true }).first()).toBeVisible()
  await look(page, 'plan-payments')

  await page.goto('/account-settings/money')
  const details = page.getByRole('region', { name: 'Payment details for members' })
  await details.getByRole('button', { name: 'Change' }).click()
  await page.getByLabel('IBAN').fill('DE88 3704 0044 0532 0130 00')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('This IBAN is not valid.')).toBeVisible()
  await look(page, 'settings-paid')
})

/** Decodes a QR code from a screenshot of the page. */
async function scan(page: Page, code: Locator): Promise<string | undefined> {
  const picture = (await code.screenshot()).toString('base64')
  const { width, height, data } = await page.evaluate(async (png) => {
    const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0))
    const image = await createImageBitmap(new Blob([bytes]))
    const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d')
    canvas?.drawImage(image, 0, 0)
    const pixels = canvas?.getImageData(0, 0, image.width, image.height).data ?? []
    return { width: image.width, height: image.height, data: Array.from(pixels) }
  }, picture)
  return jsQR(Uint8ClampedArray.from(data), width, height)?.data
}

async function openPlan(page: Page, list: string, name: RegExp): Promise<void> {
  await page.goto(list)
  await page.getByRole('link', { name }).first().click()
}
