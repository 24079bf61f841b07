// A place that is paid through the site: when it lets in, and what leaving it gives back.
import { type TestUser, testServer } from '@potluck/server/test/harness.ts'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { moveCoins } from '../../../supabase/tests/coins.ts'
import { listening, openApp } from '../app.tsx'
import {
  giveAccess,
  join,
  newPeople,
  payByCard,
  payThroughSite,
  saveCard,
  sharePlan,
  takePayments,
} from '../sharing.ts'

const server = await testServer()
const { db } = server

it('is paid from coins first by whoever likes', async () => {
  await takePayments(server)
  const { olivia, marc } = await newPeople(server)
  const planId = await sharePlan(olivia)
  await payThroughSite(server, planId)
  await db.query(
    `select private.transfer('coins', private.ledger_account('outside'), private.ledger_account('wallet', $1), 9, 'earning')`,
    [marc.id],
  )
  await join(olivia, marc, planId)
  const { user } = await openApp(server, `/manage-subscribed/${planId}`, { as: marc })
  const place = within(await screen.findByRole('region', { name: 'Your place' }))
  const chosen = async () => (await marc.client.rpc('my_seats').throwOnError()).data[0]?.coins_first
  expect(await chosen()).toBe(false)
  await user.click(await place.findByRole('switch', { name: /^Use my coins first/ }))
  await waitFor(async () => expect(await chosen()).toBe(true))
  await db.query(`select take_payment_jobs('simulated', 1)`)
  await place.findByText('Active')
  const paid = await marc.client.from('member_payments').select('status, coins, card').single().throwOnError()
  expect(paid.data).toEqual({ status: 'paid', coins: 5.5, card: 0 })
})

it('is asked for with coins instead of a card, by whoever has enough of them', async () => {
  await takePayments(server)
  const { olivia, marc, zoe } = await newPeople(server)
  const planId = await sharePlan(olivia)
  await payThroughSite(server, planId)
  const asks = async (person: TestUser, coins: number) => {
    await moveCoins(db, person, 'earned', coins, 'A share')
    const { user } = await openApp(server, `/subscription/${planId}`, { as: person })
    await user.click(await screen.findByRole('button', { name: /^Request to join Netflix/ }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Request to join' }))
    await dialog.findByText('You have no card saved yet')
    await user.click(await dialog.findByRole('switch', { name: /^Use my coins first/ }))
    return { dialog, user }
  }
  const { dialog: poor } = await asks(zoe, 5.2)
  poor.getByText('You have 5.20 coins. They pay €5.00 of the first month, and a card the other €0.50.')
  poor.getByText('You have no card saved yet')
  cleanup()
  const { dialog, user } = await asks(marc, 9)
  dialog.getByText('You have 9.00 coins. They pay the whole first month.')
  expect(dialog.queryByText('You have no card saved yet')).toBeNull()
  await user.click(dialog.getByRole('button', { name: 'Send request' }))
  await screen.findByText('Subscription Request Sent')
  const { data } = await marc.client.from('subscription_requests').select('id').single().throwOnError()
  const answer = { p_request_id: data.id, p_subscription_id: planId }
  await olivia.client.rpc('approve_subscription_request', answer).throwOnError()
  await db.query(`select take_payment_jobs('simulated', 1)`)
  const paid = await marc.client.from('member_payments').select('status, coins, card').single().throwOnError()
  expect(paid.data).toEqual({ status: 'paid', coins: 5.5, card: 0 })
})

it('shows the login as soon as it is paid; leaving says before what it gives back, and when access ends', async () => {
  await takePayments(server)
  const { olivia, marc } = await newPeople(server)
  const planId = await sharePlan(olivia)
  await payThroughSite(server, planId)
  await saveCard(server, marc)
  const login = { subscription_id: planId, login_name: 'all-of-us@potluck.example' }
  await olivia.client.from('subscription_logins').insert(login).throwOnError()
  await join(olivia, marc, planId)

  const { user } = await openApp(server, `/manage-subscribed/${planId}`, { as: marc })
  const place = within(await screen.findByRole('region', { name: 'Your place' }))
  await place.findByText('Paying')
  expect(screen.queryByText(login.login_name)).toBeNull()
  await listening(`payments-${marc.id}`)
  await listening(`login-of-plan-${planId}`)
  await payByCard(server, marc)

  await place.findByText('Active')
  await screen.findByText(login.login_name)
  // No month has begun before access is given, so all of it would go back.
  await user.click(screen.getByRole('button', { name: 'Leave' }))
  const early = within(await screen.findByRole('dialog', { name: 'Leave Subscription' }))
  early.getByText(/You have not been given access yet, so all you paid goes back\.$/)
  await user.click(early.getByRole('button', { name: 'Stay' }))
  await giveAccess(olivia, marc, planId)
  const until = (await place.findByText(/Paid until/)).textContent?.match(/Paid until (.*)\.$/)?.[1]
  await user.click(screen.getByRole('button', { name: 'Leave' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Leave Subscription' }))
  const later = await dialog.findByRole('radio', { name: `On ${until}, at the end of the month` })
  expect(later).toHaveProperty('checked', true)
  dialog.getByText('You keep access until then, nothing more is due after it, and you can change your mind.')
  dialog.getByText(
    /^You lose access .* at once .* Nothing is given back: what is left of the month is olivia\d+’s\.$/,
  )
})
