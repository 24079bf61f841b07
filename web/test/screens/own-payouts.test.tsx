// Owners paid through their own Stripe accounts: setup, details that Stripe still requires, transfers, payouts, and
// coins.
import { testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { moveCoins } from '../../../supabase/tests/coins.ts'
import { openApp, toasted } from '../app.tsx'
import { intercept } from '../network.ts'
import { control, region } from '../parts.ts'
import { newPerson } from '../people.ts'

const server = await testServer()
const { db } = server

it('an account is set up with Stripe, says what is missing, shows what was sent and paid out, and takes coins', async () => {
  await db.query(`select private.report_payment_provider('stripe', 'test', 'pk_test_1', true)`)
  const olivia = await newPerson(server, 'olivia')
  const asked = intercept('POST /functions/v1/payments/payouts', () =>
    Promise.resolve(Response.json({ url: null })),
  )
  const { user, router } = await openApp(server, '/account-settings/money', { as: olivia })
  await user.click((await region('Payouts')).getByRole('button', { name: 'Set up payouts' }))
  await waitFor(() => expect(asked.sent).toHaveLength(1))
  asked.heal()
  expect(screen.queryByRole('region', { name: 'Bank account for withdrawals' })).toBeNull()

  const record = (may: boolean, missing: string) =>
    db.query(`select private.record_account('acct_1', $1, $1, $2, null)`, [String(may), missing])
  await db.query(`select private.register_account($1, 'acct_1')`, [olivia.id])
  await record(false, '{identity.individual.address,identity.individual.date_of_birth}')
  const checked = intercept('POST /functions/v1/payments/payouts/check', () =>
    Promise.resolve(Response.json({})),
  )
  await router.navigate({ href: '/account-settings/money?payouts=back' })
  await waitFor(() => expect(router.state.location.href).toBe('/account-settings/money'))
  expect(checked.sent).toHaveLength(1)
  await (await region('Payouts')).findByText('Stripe still needs 2 details from you before it can pay you.')
  await control('Continue on Stripe')
  const all = await region('Payouts')
  all.getByText('identity individual date of birth')
  expect(all.queryByText('In your Stripe account')).toBeNull()

  await record(true, '{}')
  await moveCoins(db, olivia, 'earned', 12.5)
  await db.query(`select private.record_account_payout('acct_1', 'po_1', 3, 'paid', '2026-11-20', null)`)
  await router.navigate({ href: '/account-settings/money?payouts=back' })
  const ready = await region('Payouts')
  await ready.findByRole('button', { name: 'Open Stripe' })
  await user.click(await ready.findByRole('button', { name: 'Move €12.50 of coins there' }))
  await toasted('success', 'On their way', '€12.50 are on their way to your payout account.')
  await ready.findByText('Coins from your wallet')
  expect(ready.getAllByText('€12.50').length).toBeGreaterThan(0)
  ready.getByText('Paid out')
  await waitFor(() => expect(ready.queryByRole('button', { name: /of coins there/ })).toBeNull())
  await router.navigate({ href: '/my-savings' })
  await screen.findByRole('link', { name: 'Move coins to your payout account' })

  // The details that Stripe requires later, and the page once Stripe refuses further transfers.
  await record(true, '{identity.individual.id_number}')
  await router.navigate({ href: '/account-settings/money?payouts=back' })
  await (await region('Payouts')).findByText('identity individual id number')
  await record(false, '{identity.individual.id_number}')
  await router.navigate({ href: '/account-settings/money?payouts=back' })
  await control('Continue on Stripe')
  ;(await region('Payouts')).getByText('Coins from your wallet')
})
