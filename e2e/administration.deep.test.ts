// The administration with the demo data's requests in it, in every width and both colour schemes.
import { expect } from '@playwright/test'
import { look, lookAt } from './look.ts'
import { test } from './test.ts'

const SUPER_ADMIN = 'sofia@potluck.example'

test('the administration is fit to be shown', async ({ open }) => {
  const { page } = await open({ as: SUPER_ADMIN })
  await lookAt(page, {
    'admin-role-requests': '/admin?tab=requests',
    'admin-providers': '/admin?tab=providers',
    'admin-settings': '/admin?tab=settings',
  })
  await page.goto('/admin')
  await page.getByRole('button', { name: /^Pending provider requests/ }).click()
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Approve' }).first()).toBeVisible()
  await look(page, 'admin-bell')
  await lookAt(page, {
    'admin-subscriptions-rejected': '/admin/subscriptions?status=rejected',
  })
  await page.goto('/admin/subscriptions?status=pending')
  await page.getByRole('button', { name: 'Approve' }).click()
  await expect(page.getByRole('dialog').getByText(/will be visible to all users/)).toBeVisible()
  await look(page, 'admin-subscriptions-approve')
})

test('its users and roles are fit to be shown', async ({ open }) => {
  const { page } = await open({ as: SUPER_ADMIN })
  await page.goto('/admin/users')
  const role = page.getByRole('combobox', { name: 'Role of Zoe' })
  await expect(role).toBeVisible()
  await role.click()
  await page.getByRole('option', { name: 'Moderator' }).click()
  await expect(page.getByRole('button', { name: 'Give role' })).toBeVisible()
  await look(page, 'admin-users-role')
  await page.goto('/admin/users?q=nobody+is+called+so')
  await expect(page.getByText('No users found matching your search')).toBeVisible()
  await look(page, 'admin-users-none')
  await page.goto('/admin/roles')
  await page.getByRole('button', { name: 'New role' }).click()
  await expect(page.getByLabel('Name')).toBeVisible()
  await look(page, 'admin-roles-new')
})

test('its money is fit to be shown', async ({ open }) => {
  const { page } = await open({ as: SUPER_ADMIN })
  const dialog = page.getByRole('dialog')
  await page.goto('/admin/withdrawals')
  for (const [name, step, part] of [
    ['approve', /^Approve withdrawal/, 'Approve and Start Processing'],
    ['reject', /^Reject withdrawal/, 'Reject Withdrawal'],
  ] as const) {
    await page.getByRole('button', { name: step }).click()
    await expect(dialog.getByRole('button', { name: part })).toBeVisible()
    await look(page, `admin-withdrawals-${name}`)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  }
  for (const [name, address, part] of [
    [
      'transactions',
      '/admin/financials?tab=transactions',
      page.getByRole('table', { name: 'Transactions', exact: true }),
    ],
    ['wallets', '/admin/financials?tab=wallets', page.getByRole('table', { name: 'User Wallets' })],
  ] as const) {
    await page.goto(address)
    await expect(part).toBeVisible()
    await look(page, `admin-${name}`)
  }
  await page.getByRole('button', { name: 'Adjust wallet of Dana' }).click()
  await dialog.getByLabel('Adjustment amount').fill('-1000')
  await expect(dialog.getByText('One adjustment can move at most 100.00 coins')).toBeVisible()
  await look(page, 'admin-wallet-adjust')
})
