// Rounds of joining and withdrawing with the same people: the balances of all at the end, and staff's notifications.
import { beforeEach, describe, expect, test } from 'vitest'
import { single } from '../answers.ts'
import { addBankAccount } from '../bank-accounts.ts'
import { moveCoins } from '../coins.ts'
import { setThePayingTable } from '../paying.ts'
import { addStaff, denied, notFound, type Person, refusalOf, rule } from '../people.ts'
import { approve, ask } from '../plans.ts'

const { db, sql, till, who, last, told } = await setThePayingTable()

let ada!: Person
beforeEach(async () => {
  ada = await addStaff(db, 'Ada', 'admin')
})

const TOO_MANY = rule(
  'You’ve withdrawn from 3 contracts within a year. Write to support to take a place through the site again.',
)
const OWES = rule('You owe us €5.50 for a debit that your bank took back. Pay it under My Payments first.')
const leaveNow = async () => who().marc.sql`select leave_seat(${await seatId()}, true)`
const askAgain = () => ask(db, who().marc, who().plan)
const cents = (euros: unknown) => Math.round(Number(euros) * 100)
const seatId = () => single(who().marc.sql`select id from my_seats() where ended_at is null`)
/** The facts from which a person's standing is derived. */
const facts = ({ id }: Person) =>
  sql`select hours_given, paid_on_time, paid_late, problems from private.standing_facts(array[${id}::uuid])`
/** Marc's payments by card and bank less his refunds, in cents: negative if he has received more than he has paid. */
const spent = async () =>
  cents(
    await single(sql`select coalesce(-sum(e.amount), 0)
      from private.ledger_entries as e join private.ledger_accounts as a on a.id = e.account_id and a.kind = 'outside'
      join private.ledger_transfers as t on t.id = e.transfer_id
      where t.person_id = ${who().marc.id} and t.kind in ('payment', 'refund-sent', 'chargeback', 'debt')`),
  )
const debited = (name = 'debit') =>
  sql`select record_card(${`cus ${who().marc.id}`}, ${`pm ${name} ${who().marc.id}`}, null, '3000', null, null, true, 'sepa_debit', ${`M ${name}`})`
const carded = () =>
  sql`select record_card(${`cus ${who().marc.id}`}, ${`pm new ${who().marc.id}`}, 'visa', '1111', 12, 2040, true)`

async function join() {
  await till.enter(who().marc, who().plan)
  await till.work()
}
async function joinByDebit() {
  await till.enter(who().marc, who().plan)
  await till.work('processing')
  await till.report((await last()).id, 'succeeded', 5.5)
}
const takenBack = async () => {
  const { id } = await last()
  await sql`select record_dispute(${`dp ${id}`}, ${`pi ${id}`}, 5.5, 'lost', 'debit_not_authorized', null)`
}

/** Each round of a story: Marc's actions, repeated until one is refused. */
const ROUNDS: {
  story: string
  round: () => Promise<unknown>
  refused: { code: string; message: string } | null
  /** In cents: Marc's spending, Olivia's earnings, the site's fees, and the cost to the guarantee account. */
  ends: { marc: number; olivia: number; fees: number; guarantee: number }
  staff: Record<string, number>
}[] = [
  {
    story: 'asking without the wish to begin at once',
    round: async () => {
      const { marc, plan } = who()
      const request = await single(
        marc.sql`insert into subscription_requests (subscription_id) values (${plan.id}) returning id`,
      )
      await approve(db, plan, request)
    },
    refused: rule('This place begins only if you ask for it to begin at once'),
    ends: { marc: 0, olivia: 0, fees: 0, guarantee: 0 },
    staff: {},
  },
  {
    story: 'withdrawing on the last day, and asking again',
    round: async () => {
      await join()
      await till.pass('13 days 20 hours')
      await who().marc.sql`select withdraw_from_contract(${await seatId()})`
    },
    refused: TOO_MANY,
    // Three times the price of the 13.8 days, of about 30, in which Marc had access.
    ends: { marc: 759, olivia: 690, fees: 69, guarantee: 0 },
    staff: { 'payment-withdrawals-many': 1 },
  },
  {
    story: 'leaving now, then withdrawing',
    round: async () => {
      await join()
      await till.pass('3 days')
      const seat = await seatId()
      await leaveNow()
      expect(await refusalOf(who().marc.sql`select withdraw_from_contract(${seat})`)).toEqual(
        rule('You’ve already withdrawn from this contract'),
      )
    },
    refused: TOO_MANY,
    ends: { marc: 165, olivia: 150, fees: 15, guarantee: 0 },
    staff: { 'payment-withdrawals-many': 1 },
  },
  {
    story: 'withdrawing a debit, which the bank takes back then, and again with a new mandate',
    round: async () => {
      await debited(String(Math.random()))
      await joinByDebit()
      await leaveNow()
      await till.work()
      await takenBack()
    },
    refused: OWES,
    ends: { marc: -550, olivia: 0, fees: 0, guarantee: 550 },
    staff: { 'payment-returned': 1, 'payment-debt-opened': 1 },
  },
  {
    story: 'a debit that the bank takes back while its refund is under way, which arrives all the same',
    round: async () => {
      await debited(String(Math.random()))
      await joinByDebit()
      await leaveNow()
      const refund = await single(sql`select id from private.refunds where payment_id = ${(await last()).id}`)
      await sql`select record_refund(${refund}, ${`re ${refund}`}, 'pending', null)`
      await takenBack()
      await sql`select record_refund(${refund}, ${`re ${refund}`}, 'succeeded', null)`
      await till.work()
    },
    refused: OWES,
    ends: { marc: -550, olivia: 0, fees: 0, guarantee: 550 },
    staff: { 'payment-returned': 1, 'payment-returned-twice': 1, 'payment-debt-opened': 1 },
  },
]
test.each(ROUNDS)('$story: a few rounds drain nothing', async ({ round, refused, ends, staff }) => {
  const { marc, olivia } = who()
  const before = [await till.held('guarantee'), await till.held('fees'), await spent()]
  const standing = [await facts(olivia), await facts(marc)]
  let met: unknown = null
  for (let rounds = 0; rounds < 4 && !met; rounds++) {
    const done = await round().then(
      () => undefined,
      (error: unknown) => error,
    )
    if (done) met = await refusalOf(Promise.reject(done))
  }
  await till.work()
  expect(met).toEqual(refused)
  const [guarantee, fees, paid] = [await till.held('guarantee'), await till.held('fees'), await spent()]
  const found = {
    marc: paid - Number(before[2]),
    olivia: cents(await till.coins(olivia)),
    fees: cents(fees) - cents(before[1]),
    guarantee: cents(before[0]) - cents(guarantee),
  }
  // Months have 28 to 31 days, so amounts that depend on days may differ a little.
  for (const [side, sum] of Object.entries(ends))
    expect(Math.abs(found[side as keyof typeof found] - sum), side).toBeLessThanOrEqual(sum % 550 ? 60 : 0)
  expect(found.marc + found.guarantee).toBe(found.olivia + found.fees)
  const events = await ada.sql<{ event: string; times: number }>`select event, count(*)::int as times
    from user_notifications where event is not null group by event`
  expect(Object.fromEntries(events.map(({ event, times }) => [event, times]))).toEqual(staff)
  expect([await facts(olivia), await facts(marc)]).toEqual(standing)
  expect(await marc.sql`select id from my_seats() where ended_at is null`).toEqual([])
})

describe('three withdrawals', () => {
  const withdrawThrice = async () => {
    for (const _round of [1, 2, 3]) {
      await join()
      await till.pass('1 hour')
      await leaveNow()
      await till.work()
    }
  }
  const list = (by: string) =>
    ada.sql`select display_name as name, withdrawals, paid::float8 as paid, round(returned - paid, 2)::float8 as kept, cost::float8 as cost, refused
      from list_contract_withdrawals(50, ${by}) where user_id in (${who().marc.id}, ${who().olivia.id})`

  test('are seen by staff by person and by owner, and lifted by them alone, which their log says', async () => {
    const { marc, olivia } = who()
    await withdrawThrice()
    expect(await list('member')).toMatchObject([
      { name: 'Marc', withdrawals: 3, paid: 16.5, cost: 0, refused: true },
    ])
    expect(await list('owner')).toMatchObject([
      { name: 'Olivia', withdrawals: 3, paid: 16.5, refused: false },
    ])
    expect(await refusalOf(marc.sql`select lift_contract_withdrawals(${marc.id})`)).toEqual(
      denied('Only admins can do this'),
    )
    expect(await refusalOf(ada.sql`select lift_contract_withdrawals(${ada.id})`)).toEqual(
      denied('Someone else decides about your own withdrawals'),
    )
    expect(await refusalOf(ada.sql`select lift_contract_withdrawals(${olivia.id})`)).toEqual(
      rule('This person may take places through the site'),
    )
    await ada.sql`select lift_contract_withdrawals(${marc.id})`
    expect(await sql`select action, subject from private.staff_log order by line desc limit 1`).toEqual([
      { action: 'withdrawals lifted', subject: marc.id },
    ])
    await join()
    // The right to withdraw itself is never limited.
    await leaveNow()
    expect(await list('member')).toMatchObject([{ withdrawals: 4, refused: false }])
  })

  test('of another account with the same card or bank account count too, also where it was saved after asking', async () => {
    const { marc, olivia, plan } = who()
    const print = (person: Person, method: string) =>
      sql`select record_card(${`cus ${person.id}`}, ${`${method} ${person.id}`}, 'visa', '4242', 12, 2040, true, p_fingerprint => 'the same')`
    await print(marc, 'one')
    await withdrawThrice()
    const other = await till.payer('Mo')
    const early = await ask(db, other, plan)
    await print(other, 'two')
    await other.sql`select remove_card(id) from payment_methods where last4 = '4242'`
    expect(await refusalOf(approve(db, { ...plan, owner: olivia }, early))).toEqual(
      rule('This person can’t take a place that is paid through the site right now'),
    )
    await other.sql`update subscription_requests set status = 'cancelled' where id = ${early}`
    expect(await refusalOf(ask(db, other, plan))).toEqual(TOO_MANY)
    // A card that is saved only between the approval and the payment is refused too.
    const third = await till.payer('Max')
    await sql`delete from payment_methods where user_id = ${third.id}`
    await till.enter(third, plan)
    await till.work()
    await print(third, 'three')
    expect(await refusalOf(third.sql`select begin_payment(id, null) from member_payments`)).toEqual(TOO_MANY)
  })

  test('no longer count after a year, and those that cost nothing never do', async () => {
    const { marc, plan } = who()
    for (const _round of [1, 2, 3]) {
      await till.enter(marc, plan)
      await leaveNow()
      await till.work()
    }
    await withdrawThrice()
    expect(await refusalOf(askAgain())).toEqual(TOO_MANY)
    await sql`update private.seats set ended_at = ended_at - interval '12 months' where member_id = ${marc.id}`
    await askAgain()
  })
})

describe('a debt to the site', () => {
  const debt = async () =>
    (await who().marc.sql<{ id: string; open: number }>`select id, open::float8 as open from debts`)[0]
  beforeEach(async () => {
    await debited()
    await joinByDebit()
    await leaveNow()
    await till.work()
    await takenBack()
  })
  const payByCard = async () => {
    const { id = '' } = (await debt()) ?? {}
    await who().marc.sql`select begin_payment(${id}, null)`
    const [job] = await single<{ kind: string; order: { payment: string; amountCents: number } }[]>(
      sql`select lease_payment_jobs('simulated', 1, ${id})`,
    )
    await sql`select record_intents(${JSON.stringify({ [id]: `pi ${id}` })}::jsonb)`
    return { id, job }
  }

  test('is named to its member, and shown to them and to staff alone', async () => {
    const { marc, olivia } = who()
    expect(await debt()).toMatchObject({ open: 5.5 })
    expect(await told(marc, 'payment-debt')).toBe(1)
    expect(await olivia.sql`select id from debts`).toEqual([])
    expect(await ada.sql`select amount from debts where member_id = ${marc.id}`).toEqual([{ amount: '5.50' }])
    expect(
      await ada.sql`select cost::float8 as cost from list_contract_withdrawals() where user_id = ${marc.id}`,
    ).toEqual([{ cost: 5.5 }])
  })

  test('is paid by card, not by another debit, once, whatever is reported how often', async () => {
    const { marc } = who()
    const { id = '' } = (await debt()) ?? {}
    expect(await refusalOf(marc.sql`select begin_payment(${id}, null)`)).toEqual(
      rule('Pay this by card or with coins'),
    )
    await carded()
    const { job } = await payByCard()
    expect(job).toMatchObject({ kind: 'charge', order: { payment: id, amountCents: 550 } })
    expect(await refusalOf(marc.sql`select pay_debt_with_coins(${id})`)).toEqual(
      rule('Your card is being charged for this'),
    )
    await till.report(id, 'failed', 0)
    expect(await single(marc.sql`select own_charge(${id})`)).toMatchObject({
      status: 'failed',
      code: 'card_declined',
    })
    await payByCard()
    const guarantee = await till.held('guarantee')
    for (const _again of [1, 2]) await till.report(id, 'succeeded', 5.5)
    expect([await till.held('guarantee'), await debt()]).toMatchObject([guarantee + 5.5, { open: 0 }])
    expect(await told(marc, 'payment-debt-paid')).toBe(1)
    await askAgain()
  })

  test('is paid with coins as far as they go, and never with what leaves too little for a card', async () => {
    const { marc } = who()
    const { id = '' } = (await debt()) ?? {}
    const pay = () => marc.sql`select pay_debt_with_coins(${id})`
    expect(await refusalOf(pay())).toEqual(rule('You don’t have enough coins for this'))
    await moveCoins(db, marc, 'earned', 5.25)
    await pay()
    expect([await till.coins(marc), await debt()]).toMatchObject([0.25, { open: 0.5 }])
    await moveCoins(db, marc, 'earned', 1)
    await pay()
    expect([await till.coins(marc), await debt()]).toMatchObject([0.75, { open: 0 }])
    expect(await refusalOf(pay())).toEqual(notFound('Payment not found'))
  })

  test('is kept from what is paid out, also of what waits for staff already, and from an account that ends', async () => {
    const { marc } = who()
    await addBankAccount(db, marc)
    await moveCoins(db, marc, 'earned', 25)
    const withdraw = (coins: number) =>
      marc.sql`insert into withdrawal_requests (amount) values (${coins}) returning id`
    expect(await refusalOf(withdraw(20))).toEqual(OWES)
    await moveCoins(db, marc, 'earned', 0.5)
    const [request] = await withdraw(20)
    await sql`update debts set amount = 8`
    await sql`update private.clock set ahead = ahead + interval '60 days'`
    expect(
      await refusalOf(
        ada.sql`update withdrawal_requests set status = 'processing' where id = ${String(request?.id)}`,
      ),
    ).toEqual(rule('This person owes the site €8.00 for a returned debit, so this withdrawal has to wait'))
    await sql`update debts set amount = 5.50`
    await ada.sql`update withdrawal_requests set status = 'rejected', rejection_reason = 'It waits' where id = ${String(request?.id)}`
    expect(await single(marc.sql`select quote_account_end() ->> 'coins'`)).toBe('20.00')
    await marc.sql`select delete_own_account()`
    expect(
      await sql`select amount::float8 as amount from withdrawal_requests where user_id = ${marc.id} and status = 'pending'`,
    ).toEqual([{ amount: 20 }])
    expect(await sql`select open::float8 as open from debts where member_id = ${marc.id}`).toEqual([
      { open: 0 },
    ])
  })

  test('ends if the bank says otherwise after all, and what was paid of it comes back', async () => {
    const { marc } = who()
    await moveCoins(db, marc, 'earned', 6)
    await marc.sql`select pay_debt_with_coins(id) from debts`
    const { id } = await last()
    await sql`select record_dispute(${`dp ${id}`}, ${`pi ${id}`}, 5.5, 'won', 'debit_not_authorized', null)`
    expect([await till.coins(marc), await debt()]).toEqual([6, undefined])
  })
})
