// Amounts that are none, and payments of other people, at each call that takes one.
import { expect, test } from 'vitest'
import { testDatabase } from '../../../server/test/harness.ts'
import { addBankAccount } from '../bank-accounts.ts'
import { moveCoins } from '../coins.ts'
import { addStaff } from '../people.ts'
import { expectRefused, setScene } from './scene.ts'

const scene = await setScene(await testDatabase())
const { db, olivia, marc, nina } = scene
await moveCoins(db, olivia, 'earned', 60)
await addBankAccount(db, olivia)
const sofia = await addStaff(db, 'Sofia', 'super-admin')
const [payment] = await marc.sql<{ id: string }>`select id from member_payments`

const calls = [
  ['a withdrawal', olivia, 'insert into withdrawal_requests (amount) values ($1)', []],
  ['an adjustment', sofia, `select adjust_wallet($2, $1, 'Counted twice')`, [olivia.id]],
  ['the ceiling of adjustments', sofia, 'update app_settings set adjustment_ceiling = $1', []],
] as const
const amounts = ['NaN', 'Infinity', '-Infinity', '1e308', '-0', '0.001', '-20', 'twenty', '']

test.each(
  calls.flatMap(([what, who, text, rest]) => amounts.map((amount) => ({ what, who, text, rest, amount }))),
)('$what of "$amount" is refused', async ({ who, text, rest, amount }) => {
  // No amount at all, one that is too great for its column, or one that the rules refuse; a wallet may be taken from.
  const good = text.includes('adjust_wallet') && amount === '-20' ? '-20.001' : amount
  await expectRefused(scene, who, [text, [good, ...rest]], {
    code: expect.stringMatching(/^(22P02|22003|23514)$/),
  })
})

test.each([...amounts, '20.001'])('a withdrawal of "%s" is no valid one', async (amount) => {
  const asked = olivia.run<{ valid: boolean }>(
    `select (validate_withdrawal_request($1, $2) ->> 'valid')::boolean as valid`,
    [olivia.id, amount],
  )
  const [answer] = await asked.catch(({ code }) => [{ valid: code !== '22P02' }])
  expect(answer).toEqual({ valid: false })
})

test.each([
  'say_paid($1)',
  'confirm_payment($1)',
  `deny_payment($1, 'Nothing came')`,
  'nudge_payment($1)',
  'begin_payment($1, null)',
])('somebody else’s payment is not there for %s', (call) =>
  expectRefused(scene, nina, [`select ${call}`, [payment?.id ?? '']], { code: 'PT404' }),
)

test('somebody else’s payment has neither a charge nor a receipt to look at', async () => {
  const [open] = await olivia.sql`select confirm_payment(${payment?.id})`
  expect(open).toBeDefined()
  for (const [person, seen] of [
    [nina, []],
    [marc, [{ has: true }]],
  ] as const)
    expect(
      await person.sql`select receipt_number is not null as has from member_payments where id = ${payment?.id}`,
    ).toEqual(seen)
  expect(await nina.sql`select own_charge(${payment?.id}) as charge`).toEqual([{ charge: null }])
})
