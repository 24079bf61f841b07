// Paying through the site, simulated: a card saved on the way to a place, a bank that asks, and a card that was refused.
import { expect } from '@playwright/test'
import { look } from './look.ts'
import { test } from './test.ts'

const DEMO = 'demo@potluck.example'

test('a card is saved on the way to a place, charged with the approval, confirmed, and both sides see it live', async ({
  open,
}) => {
  const { page: jonas } = await open({ as: 'jonas@potluck.example' })
  const { page: freya } = await open({ as: 'freya@potluck.example' })
  await jonas.goto('/available-subscriptions?q=HBO')
  await jonas.getByRole('button', { name: 'Request to join HBO Max Premium of Freya' }).click()
  const dialog = jonas.getByRole('dialog', { name: 'Request to join' })
  await dialog.getByLabel('Message (optional)').fill('For the long winter evenings.')
  await expect(dialog.getByText('You have no card saved yet')).toBeVisible()
  await look(jonas, 'request-card')
  await dialog.getByRole('button', { name: 'Save a card first' }).click()
  await expect(jonas.getByText('Your request for HBO Max Premium waits')).toBeVisible()
  await jonas.getByLabel('Card number').fill('4000 0000 0000 3220')
  await look(jonas, 'cards')
  await jonas.getByRole('button', { name: 'Save card' }).click()
  // Back where it was interrupted, with what was written by then.
  await expect(dialog.getByText('It is charged to your visa ending 3220.')).toBeVisible()
  await expect(dialog.getByLabel('Message (optional)')).toHaveValue('For the long winter evenings.')
  await dialog.getByRole('button', { name: 'Send request' }).click()
  await expect(jonas.getByText('Subscription Request Sent')).toBeVisible()

  await freya.goto('/my-subscriptions')
  await freya.getByRole('link', { name: /HBO Max/ }).click()
  await freya.getByRole('button', { name: /^Approve Jonas/ }).click()
  const seat = freya.getByRole('article', { name: 'Payments of Jonas' })
  await expect(seat.getByText('Paying')).toBeVisible()
  await expect(seat.getByText('Failed')).toBeVisible()

  await jonas.goto('/my-subscriptions?tab=subscribed')
  await jonas.getByRole('link', { name: /HBO Max/ }).click()
  await expect(jonas.getByText(/needs your confirmation/)).toBeVisible()
  await look(jonas, 'confirm-payment')
  // He has the plan open in another tab as well.
  const beside = await jonas.context().newPage()
  await beside.goto(jonas.url())
  const place = beside.getByRole('region', { name: 'Your place' })
  await expect(place.getByText('Paying')).toBeVisible()
  await jonas.getByRole('link', { name: 'Confirm payment' }).click()
  await jonas.getByRole('button', { name: /^Pay €/ }).click()
  await expect(jonas.getByRole('heading', { name: 'Confirm with your bank' })).toBeVisible()
  await jonas.getByRole('button', { name: 'Confirm' }).click()
  await expect(jonas.getByText('It is paid.')).toBeVisible()
  await jonas.getByRole('link', { name: 'Back to the plan' }).click()
  await expect(jonas.getByRole('region', { name: 'Your place' }).getByText('Active')).toBeVisible()
  await expect(place.getByText('Active')).toBeVisible()
  await expect(seat.getByText('Active')).toBeVisible()
  await expect(seat.getByText('Failed')).toBeHidden()
})

test('a payment that was refused is made with another card, and what went back is told', async ({ open }) => {
  const { page } = await open({ as: DEMO })
  await page.goto('/my-subscriptions?tab=subscribed')
  await page.getByRole('link', { name: /YouTube Premium/ }).click()
  await expect(page.getByText(/did not go through/)).toBeVisible()
  await page.getByRole('link', { name: 'Pay with a card' }).click()
  await page.getByRole('button', { name: 'Charge this one' }).click()
  await look(page, 'pay')
  await page.getByRole('button', { name: /^Pay €/ }).click()
  await expect(page.getByText('It is paid.')).toBeVisible()
  await page.getByRole('link', { name: 'Back to the plan' }).click()
  await expect(page.getByRole('region', { name: 'Your place' }).getByText('Active')).toBeVisible()

  await page.goto('/my-subscriptions')
  await page
    .getByRole('link', { name: /Netflix/ })
    .first()
    .click()
  await page.getByRole('button', { name: 'Propose other terms' }).click()
  await expect(page.getByRole('dialog').getByText(/^They hold|^These are the terms/)).toBeVisible()
  await look(page, 'propose-terms')
  await page.getByRole('radio', { name: 'Directly to you' }).click()
  await page.getByRole('button', { name: 'Propose', exact: true }).click()
  await expect(page.getByText(/no answer yet/)).toBeVisible()
  await look(page, 'terms-proposed')
  const { page: marc } = await open({ as: 'marc@potluck.example' })
  await marc.goto('/my-subscriptions?tab=subscribed')
  await marc
    .getByRole('link', { name: /Netflix/ })
    .first()
    .click()
  const notice = marc.getByRole('region', { name: 'New terms proposed' })
  await expect(notice).toBeVisible()
  await look(marc, 'terms-asked')
  await notice.getByRole('button', { name: 'Accept' }).click()
  await expect(page.getByText('Has agreed to the terms of the plan.')).toBeVisible()
  await page.getByRole('link', { name: 'All payments' }).click()
  const table = page.getByRole('table', { name: 'Payments of members' })
  await expect(table.getByText('Partly given back', { exact: true })).toBeVisible()
  await expect(table.getByText(/^€\d\.\d\d back$/)).toBeVisible()
})
