// Paying through the site, simulated: a card saved while joining, a bank confirmation, and an instant place.
// Proves PAY 05 07
import { expect } from '@playwright/test'
import { look } from './look.ts'
import { test } from './test.ts'

test('a card is saved on the way to a place, charged with the approval, confirmed, and both sides see it live', async ({
  open,
}) => {
  const { page: jonas } = await open({ as: 'jonas@potluck.example' })
  const { page: freya } = await open({ as: 'freya@potluck.example' })
  await jonas.goto('/plans?q=HBO')
  await jonas.getByRole('button', { name: 'Request to join HBO Max Premium of Freya' }).click()
  const dialog = jonas.getByRole('dialog', { name: 'Request to join' })
  await dialog.getByLabel('Message (optional)').fill('For the long winter evenings.')
  await expect(dialog.getByText('No card saved')).toBeVisible()
  await look(jonas, 'request-card')
  await dialog.getByRole('button', { name: 'Save a card' }).click()
  await expect(jonas.getByText('Finish your request for HBO Max Premium')).toBeVisible()
  await jonas.getByLabel('Card number or IBAN').fill('4000 0000 0000 3220')
  await look(jonas, 'cards')
  await jonas.getByRole('button', { name: 'Save card' }).click()
  // The dialog is open again where it was interrupted, with the text written until then.
  await expect(dialog.getByText('We charge your visa ending 3220.')).toBeVisible()
  await expect(dialog.getByLabel('Message (optional)')).toHaveValue('For the long winter evenings.')
  await dialog.getByLabel(/^Please begin at once/).check()
  await dialog.getByRole('button', { name: /^Ask to join; pay €.* when approved$/ }).click()
  await expect(jonas.getByText('Subscription Request Sent')).toBeVisible()

  await freya.goto('/my-subscriptions')
  await freya.getByRole('link', { name: /^HBO Max/ }).click()
  await freya.getByRole('button', { name: /^Approve Jonas/ }).click()
  await freya.getByRole('tab', { name: 'Money' }).click()
  const seat = freya.getByRole('article', { name: 'Payments of Jonas' })
  await expect(seat.getByText('Paying')).toBeVisible()
  const unpaid = seat.getByText(/^Due, to be confirmed with the bank €/)
  await expect(unpaid).toBeVisible()

  await jonas.goto('/my-subscriptions?tab=subscribed')
  await jonas.getByRole('link', { name: /^HBO Max/ }).click()
  await expect(jonas.getByText(/^Due, to be confirmed with the bank €/)).toBeVisible()
  await look(jonas, 'confirm-payment')
  // Jonas also has the plan open in another tab.
  const beside = await jonas.context().newPage()
  await beside.goto(jonas.url())
  const place = beside.getByRole('region', { name: 'Your place' })
  await expect(place.getByText('Paying')).toBeVisible()
  await jonas.getByRole('link', { name: /^Confirm: €/ }).click()
  await jonas.getByRole('button', { name: /^Pay €/ }).click()
  await expect(jonas.getByRole('heading', { name: 'Confirm with your bank' })).toBeVisible()
  await jonas.getByRole('button', { name: 'Confirm' }).click()
  await expect(jonas.getByText('Already paid')).toBeVisible()
  await jonas.getByRole('link', { name: 'See the plan' }).click()
  await expect(
    jonas.getByRole('region', { name: 'Your place' }).getByText('Waiting for access'),
  ).toBeVisible()
  await expect(place.getByText('Waiting for access')).toBeVisible()
  await expect(seat.getByText('Waiting for access')).toBeVisible()
  await expect(unpaid).toBeHidden()
})

test('an instant place is taken and paid with one click, and its owner sees who has come', async ({
  open,
}) => {
  const { page: marc } = await open({ as: 'marc@potluck.example' })
  await marc.goto('/my-subscriptions?tab=shared')
  await marc.getByRole('link', { name: /^Paramount/ }).click()
  await marc.getByRole('tab', { name: 'Settings' }).click()
  await expect(marc.getByRole('combobox', { name: 'Who can join instantly' })).toHaveValue('proven')
  const { page: zoe } = await open({ as: 'zoe@potluck.example' })
  await zoe.goto('/plans?category=streaming&instant=true')
  await expect(zoe.getByText('Instant for Proven')).toBeVisible()
  await look(zoe, 'browse-instant')
  await zoe.getByRole('button', { name: 'Request to join Paramount+ Premium of Marc' }).click()
  const dialog = zoe.getByRole('dialog', { name: 'Join this plan' })
  await expect(dialog.getByText('You get in instantly')).toBeVisible()
  await look(zoe, 'join-instant')
  await dialog.getByLabel(/^Please begin at once/).check()
  await dialog.getByRole('button', { name: /^Join and pay €.* a month$/ }).click()
  await expect(zoe.getByRole('heading', { name: 'Your Subscribed Plan' })).toBeVisible()
  await expect(zoe.getByRole('region', { name: 'Your place' }).getByText('Waiting for access')).toBeVisible()
  await marc.getByRole('tab', { name: 'Money' }).click()
  await expect(
    marc.getByRole('article', { name: 'Payments of Zoe' }).getByText('Waiting for access'),
  ).toBeVisible()
  await zoe.getByRole('button', { name: 'Leave', exact: true }).click()
  await expect(zoe.getByText(/comes back within 14 days/)).toBeVisible()
  await look(zoe, 'withdraw')
  await zoe.getByRole('button', { name: 'Confirm withdrawal' }).click()
  await expect(zoe.getByText('You have withdrawn', { exact: true })).toBeVisible()
  await expect(marc.getByRole('article', { name: 'Payments of Zoe' })).toBeHidden()
})
