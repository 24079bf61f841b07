// Every screen and what opens on it, with realistic data, as a phone and a desktop show it in both colour schemes:
// nothing an accessibility checker calls serious, no complaint in the console, no page wider than the window.
import { type Browser, expect, type Page, test } from '@playwright/test'
import { CROWD_OWNER, gatherCrowd } from './crowd.ts'
import { inspect } from './look.ts'
import { complaintsOf, signInByLink, signUp } from './people.ts'
import { type Potluck, startPotluck } from './potluck.ts'
import { WIDTHS } from './screenshots.ts'

// Many pictures each, on a machine that may be busy with other things.
test.setTimeout(300_000)

let potluck: Potluck
test.beforeAll(async () => {
  // The same person signs in by mail several times within a minute.
  potluck = await startPotluck({ DEMO: 'on', RATE_LIMITS: 'off' })
})
test.afterAll(() => potluck.close())

const PUBLIC = {
  landing: '/',
  about: '/about',
  privacy: '/privacy',
  terms: '/terms',
  'sign-in': '/signin',
  'sign-up': '/signup',
  reset: '/reset-password',
  lost: '/no-such-page',
  'sign-in-needed': '/my-subscriptions',
  'plan-sign-in-needed': '/manage-shared/some-plan',
  'invitation-signed-out': '/invitation/some-token',
}

test('every screen of a visitor is fit to be shown', async ({ browser }) => {
  const { page, complaints, close } = await open(browser)
  for (const [name, address] of Object.entries(PUBLIC)) {
    await page.goto(address)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await inspect(page, name)
  }
  await page.goto('/signin')
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page.getByText('Invalid Email')).toBeVisible()
  await inspect(page, 'sign-in-refused')
  expect(complaints).toEqual([])

  const unknown = page.waitForResponse(/set_mail_preference_by_link/)
  await page.goto('/unsubscribe/some-token')
  expect((await unknown).status()).toBe(404)
  await expect(page.getByRole('heading', { name: 'This link is not known' })).toBeVisible()
  await inspect(page, 'unsubscribe-unknown')
  // A browser itself notes every answer of this kind.
  expect(complaints.splice(0)).toEqual([expect.stringContaining('404')])

  await page.goto('/auth-redirect#error=access_denied&error_description=The+link+has+expired')
  await expect(page.getByText('Completing authentication...')).toBeVisible()
  await page.waitForURL('/sign-in')
  await inspect(page, 'auth-redirect-failed')
  await close()
})

test('the lists, forms and menus of somebody who shares are fit to be shown', async ({ browser }) => {
  const { page, complaints, close } = await open(browser)
  await signInAsDemo(page)
  await test.step('lists and forms', async () => {
    for (const [name, address] of Object.entries({
      shared: '/my-subscriptions',
      subscribed: '/my-subscriptions?tab=subscribed',
      'provider-requests': '/my-provider-requests',
      savings: '/savings-insights',
      'savings-calculator': '/savings-insights?tab=calculator',
      'savings-milestones': '/savings-insights?tab=milestones',
      'savings-comparisons': '/savings-insights?tab=comparisons',
      wallet: '/my-savings',
      'wallet-transactions': '/my-savings?tab=transactions',
      'wallet-withdrawals': '/my-savings?tab=withdrawals',
      settings: '/account-settings',
    })) {
      await page.goto(address)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await inspect(page, name)
    }
    await page.getByRole('button', { name: 'Edit profile' }).click()
    await expect(page.getByLabel('Display name')).toBeVisible()
    await inspect(page, 'settings-edit')
    await page.goto('/request-provider')
    await page.getByRole('button', { name: 'Submit Request' }).click()
    await expect(page.getByLabel('Provider name')).toBeFocused()
    await inspect(page, 'request-provider')
    await page.goto('/admin-request')
    await page.getByRole('button', { name: 'Submit Request' }).click()
    await expect(page.getByLabel('Name')).toBeFocused()
    await inspect(page, 'admin-request')
    await page.getByLabel('Name').fill('Dana Demo')
    await page.getByLabel('Reason').fill('I would like to help with payouts.')
    await page.getByRole('button', { name: 'Submit Request' }).click()
    await expect(page.getByText(/2-3 business days/)).toBeVisible()
    await inspect(page, 'admin-request-sent')
  })
  await test.step('a withdrawal', async () => {
    await page.goto('/my-savings')
    await page.getByRole('button', { name: 'Withdraw coins' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Request withdrawal' }).click()
    await expect(dialog.getByText('Please enter a valid amount')).toBeVisible()
    await inspect(page, 'wallet-withdraw')
    await page.keyboard.press('Escape')
  })
  await test.step('menus', async () => {
    await page.goto('/my-subscriptions')
    for (const [name, button] of Object.entries({ notifications: /^Notifications/, inbox: /^Messages/ })) {
      await page.getByRole('button', { name: button }).click()
      await expect(page.getByRole('dialog').getByRole('heading', { level: 2 })).toBeVisible()
      await inspect(page, name)
      await page.keyboard.press('Escape')
    }
    await page.getByRole('button', { name: 'Your menu' }).click()
    await expect(page.getByRole('menuitem', { name: 'Log out' })).toBeVisible()
    await inspect(page, 'avatar-menu', ['desktop'])
    await page.keyboard.press('Escape')
    await page.setViewportSize(WIDTHS.phone)
    await page.getByRole('button', { name: 'Open menu' }).click()
    await expect(page.getByRole('dialog').getByText('Log out')).toBeVisible()
    await inspect(page, 'side-menu', ['phone'])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Quick actions' }).click()
    await inspect(page, 'quick-actions', ['phone'])
    await page.setViewportSize(WIDTHS.desktop)
  })
  expect(complaints).toEqual([])
  await close()
})

test('every step of sharing, joining and looking after a plan is fit to be shown', async ({ browser }) => {
  const { page, complaints, close } = await open(browser)
  await signInAsDemo(page)
  await test.step('sharing a plan', async () => {
    await page.goto('/create')
    await expect(page.getByRole('button', { name: /^Streaming/ })).toBeVisible()
    await inspect(page, 'create-category')
    await page.getByRole('button', { name: /^Streaming/ }).click()
    await expect(page.getByRole('button', { name: /^Disney/ })).toBeVisible()
    await inspect(page, 'create-provider')
    await page.getByRole('button', { name: /^Disney/ }).click()
    await page
      .getByRole('button', { name: /^Choose/ })
      .last()
      .waitFor()
    await inspect(page, 'create-plan')
    await page
      .getByRole('button', { name: /^Choose/, disabled: false })
      .last()
      .click()
    await expect(page.getByRole('button', { name: 'Next', exact: true })).toBeVisible()
    await inspect(page, 'create-terms')
    await page.getByRole('button', { name: 'Next', exact: true }).click()
    await expect(page.getByRole('textbox', { name: 'Open slots' })).toBeVisible()
    await inspect(page, 'create-slots')
  })
  await test.step('joining one', async () => {
    await page.goto('/available-subscriptions')
    await expect(page.getByRole('button', { name: /^Music/ })).toBeVisible()
    await inspect(page, 'browse')
    await page.getByRole('button', { name: /^Music/ }).click()
    await inspect(page, 'browse-provider')
    await page.getByRole('button', { name: /^Apple Music/ }).click()
    await expect(page.getByRole('button', { name: /^Request to join/ })).toBeVisible()
    await inspect(page, 'browse-plans')
    await page.getByRole('button', { name: /^Request to join/ }).click()
    await expect(page.getByLabel('Message (optional)')).toBeVisible()
    await inspect(page, 'request')
    await page.getByRole('button', { name: 'Send request' }).click()
    await expect(page.getByRole('dialog').getByText('Subscription Request Sent')).toBeVisible()
    await inspect(page, 'request-sent')
  })
  await test.step('a plan and its people', async () => {
    await openPlan(page, '/my-subscriptions', /Netflix/)
    await expect(page.getByRole('button', { name: /^Approve/ }).first()).toBeVisible()
    await inspect(page, 'owner-view')
    for (const [name, button] of Object.entries({
      'edit-slots': 'Edit member slots',
      invite: /^Add Member/,
      'remove-member': /^Remove Marc/,
    })) {
      await page.getByRole('button', { name: button }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await inspect(page, name)
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toBeHidden()
    }
    await openPlan(page, '/my-subscriptions?tab=subscribed', /Disney/)
    await expect(page.getByRole('heading', { name: 'Plan Owner' })).toBeVisible()
    await inspect(page, 'member-view')
    await page.getByRole('button', { name: /^Chat with/ }).click()
    await expect(page.getByLabel(/^Message /)).toBeVisible()
    await inspect(page, 'chat')
  })
  expect(complaints).toEqual([])
  await close()
})

test('every screen of a new account is fit to be shown, and says how to begin', async ({ browser }) => {
  const { page, complaints, close } = await open(browser)
  await signUp(page, potluck, 'newcomer@potluck.example')
  for (const [name, address] of Object.entries({
    'empty-shared': '/my-subscriptions',
    'empty-subscribed': '/my-subscriptions?tab=subscribed',
    'empty-provider-requests': '/my-provider-requests',
    'empty-savings': '/savings-insights',
    'empty-savings-comparisons': '/savings-insights?tab=comparisons',
    'empty-settings': '/account-settings',
    'empty-wallet': '/my-savings',
    'empty-wallet-transactions': '/my-savings?tab=transactions',
    'empty-wallet-withdrawals': '/my-savings?tab=withdrawals',
  })) {
    await page.goto(address)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await inspect(page, name)
  }
  for (const [name, button] of Object.entries({
    'empty-notifications': 'Notifications',
    'empty-inbox': 'Messages',
  })) {
    await page.getByRole('button', { name: button }).click()
    await expect(page.getByRole('dialog').getByText(/yet/)).toBeVisible()
    await inspect(page, name)
    await page.keyboard.press('Escape')
  }
  expect(complaints).toEqual([])
  await close()
})

test('the administration is fit to be shown', async ({ browser }) => {
  const { page, complaints, close } = await open(browser)
  await signInByLink(page, potluck, 'sofia@potluck.example')
  for (const [name, address] of Object.entries({
    admin: '/admin',
    'admin-access-requests': '/admin?tab=requests',
    'admin-providers': '/admin?tab=providers',
    'admin-settings': '/admin?tab=settings',
    'admin-subscriptions': '/admin/subscriptions',
    'admin-subscriptions-rejected': '/admin/subscriptions?status=rejected',
  })) {
    await page.goto(address)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await inspect(page, name)
  }
  await page.goto('/admin')
  await page.getByRole('button', { name: /^Pending provider requests/ }).click()
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Approve' }).first()).toBeVisible()
  await inspect(page, 'admin-bell')
  await page.goto('/admin/subscriptions?status=pending')
  await page.getByRole('button', { name: 'Approve' }).click()
  await expect(page.getByRole('dialog').getByText(/will be visible to all users/)).toBeVisible()
  await inspect(page, 'admin-subscriptions-approve')
  expect(complaints).toEqual([])
  await close()
})

test('the users and roles of the administration are fit to be shown', async ({ browser }) => {
  const { page, complaints, close } = await open(browser)
  await signInByLink(page, potluck, 'sofia@potluck.example')
  await page.goto('/admin/users')
  const role = page.getByRole('combobox', { name: 'Role of Zoe' })
  await expect(role).toBeVisible()
  await inspect(page, 'admin-users')
  await role.click()
  await page.getByRole('option', { name: 'Moderator' }).click()
  await expect(page.getByRole('button', { name: 'Give role' })).toBeVisible()
  await inspect(page, 'admin-users-role')
  await page.goto('/admin/users?q=nobody+is+called+so')
  await expect(page.getByText('No users found matching your search')).toBeVisible()
  await inspect(page, 'admin-users-none')
  await page.goto('/admin/roles')
  await page.getByRole('button', { name: 'New role' }).click()
  await expect(page.getByLabel('Name')).toBeVisible()
  await inspect(page, 'admin-roles-new')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await inspect(page, 'admin-roles')
  expect(complaints).toEqual([])
  await close()
})

test('the money in the administration is fit to be shown', async ({ browser }) => {
  const { page, complaints, close } = await open(browser)
  await signInByLink(page, potluck, 'sofia@potluck.example')
  await page.goto('/admin/withdrawals')
  const dialog = page.getByRole('dialog')
  for (const [name, step, part] of [
    ['approve', /^Approve withdrawal/, 'Approve and Start Processing'],
    ['reject', /^Reject withdrawal/, 'Reject Withdrawal'],
  ] as const) {
    await page.getByRole('button', { name: step }).click()
    await expect(dialog.getByRole('button', { name: part })).toBeVisible()
    await inspect(page, `admin-withdrawals-${name}`)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  }
  await inspect(page, 'admin-withdrawals')
  await page.goto('/admin/financials')
  await expect(page.getByText('Coins vs Withdrawals')).toBeVisible()
  await inspect(page, 'admin-financials')
  await page.goto('/admin/financials?tab=transactions')
  await expect(page.getByRole('table', { name: 'Transactions', exact: true })).toBeVisible()
  await inspect(page, 'admin-transactions')
  await page.goto('/admin/financials?tab=wallets')
  await expect(page.getByRole('table', { name: 'User Wallets' })).toBeVisible()
  await inspect(page, 'admin-wallets')
  await page.getByRole('button', { name: 'Adjust wallet of Dana' }).click()
  await dialog.getByLabel('Adjustment amount').fill('-1000')
  await expect(dialog.getByText('The balance cannot go below zero')).toBeVisible()
  await inspect(page, 'admin-wallet-adjust')
  expect(complaints).toEqual([])
  await close()
})

test('a full plan of twelve with long names is fit to be shown', async ({ browser }) => {
  const { invitation } = await gatherCrowd(potluck)
  const { page, complaints, close } = await open(browser)
  await signInByLink(page, potluck, CROWD_OWNER)
  await openPlan(page, '/my-subscriptions', /ExpressVPN/, () => inspect(page, 'crowd-shared'))
  await expect(page.getByRole('button', { name: /^Approve/ })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Remove/ })).toHaveCount(10)
  await inspect(page, 'crowd-owner-view')
  await page.getByRole('button', { name: /^Messages/ }).click()
  await inspect(page, 'crowd-inbox')
  await page.getByRole('dialog').getByRole('button').first().click()
  await expect(page.getByLabel(/^Message /)).toBeVisible()
  await inspect(page, 'crowd-chat')
  await page.keyboard.press('Escape')
  await page.setViewportSize(WIDTHS.phone)
  await page.getByRole('button', { name: 'Open menu' }).click()
  await inspect(page, 'crowd-side-menu', ['phone'])
  await page.setViewportSize(WIDTHS.desktop)
  expect(complaints).toEqual([])
  await close()

  const invited = await open(browser)
  await signInByLink(invited.page, potluck, 'invited@potluck.example')
  await invited.page.goto(invitation)
  await expect(invited.page.getByRole('heading', { name: 'There is a place for you' })).toBeVisible()
  await inspect(invited.page, 'invitation')
  expect(invited.complaints).toEqual([])
  await invited.page.goto('/invitation/some-token')
  await expect(invited.page.getByRole('heading', { level: 1 })).toBeVisible()
  await inspect(invited.page, 'invitation-unknown')
  await invited.close()
})

async function open(browser: Browser) {
  const context = await browser.newContext({
    baseURL: potluck.url,
    reducedMotion: 'reduce',
    viewport: WIDTHS.desktop,
  })
  const complaints = complaintsOf(context)
  return { page: await context.newPage(), complaints, close: () => context.close() }
}

async function signInAsDemo(page: Page): Promise<void> {
  await page.goto('/signin')
  await page.getByRole('button', { name: 'demo@potluck.example' }).click()
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Your menu' })).toBeVisible()
}

async function openPlan(page: Page, list: string, name: RegExp, before?: () => Promise<void>): Promise<void> {
  await page.goto(list)
  const link = page.getByRole('link', { name }).first()
  await expect(link).toBeVisible()
  await before?.()
  await link.click()
}
