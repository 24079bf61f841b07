// The tax office's figures of an owner's year: earnings, less all amounts taken back from their own account.
import { expect, test } from 'vitest'
import { single } from '../answers.ts'
import { oddTaxFigures } from '../model/audit.ts'
import { addStaff, ownDatabase } from '../people.ts'
import { openTill } from '../till.ts'

const { db, sql } = await ownDatabase({ sheltered: true })
const till = await openTill(db)
const ada = await addStaff(db, 'Ada', 'admin')
await sql`update private.payment_provider set connect = true`

test.each([
  [
    'a warning of fraud',
    (intent: string) => sql`select record_fraud_warning('issfr_1', ${intent}, 'stolen', true)`,
    true,
  ],
  [
    'a refund at the provider',
    (intent: string) => sql`select record_refund(null, 're_by_hand', 'succeeded', null, ${intent}, 5.5)`,
    false,
  ],
])('is less after %s', async (_what, takeBack, isDecided) => {
  const olivia = await till.payer('Olivia')
  await sql`select register_account(${olivia.id}, ${`acct_${olivia.id}`})`
  await sql`select record_account(${`acct_${olivia.id}`}, true, true, '{}', null)`
  const plan = await till.share(olivia)
  for (const name of ['Marc', 'Mia']) await till.enter(await till.payer(name), plan)
  await till.work()
  await till.pass('20 days')
  const [payment] = await sql<{
    id: string
    earned: string
  }>`select id, earned_share as earned from member_payments
    where owner_id = ${olivia.id} order by id limit 1`
  const figure = async () =>
    Number(
      await single(sql`select sum(consideration) from generate_series(2020, 2100) as year
        cross join private.tax_figures(year, ${olivia.id}) where quarter is not null`),
    )
  const before = await figure()
  expect(Number(payment?.earned)).toBeGreaterThan(3)
  await takeBack(`pi ${payment?.id}`)
  if (isDecided) await ada.sql`select decide_fraud_warning('issfr_1', true)`
  expect(await figure()).toBeCloseTo(before - Number(payment?.earned), 2)
  expect(await oddTaxFigures(sql)).toEqual([])
  expect(await till.books()).toEqual([])
})
