// Owners' own accounts at Stripe: onboarding; earnings sent once they are earned, and only once, even after lost
// answers; amounts that a bank takes back, taken back there; payouts booked; and failed transfers returned to the
// wallet.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addStaff, refusalOf, rule } from '../people.ts'
import { sharePaid } from '../till.ts'
import { HOSTS } from './hosts.ts'
import { DAYS_TO_WITHDRAW, KEYS, openStage, type Stage } from './payment-stage.ts'
import { ASKED } from './stripe-accounts-double.ts'

describe.each(HOSTS)('an account of one’s own at Stripe, in %s', (name) => {
  let stage: Stage
  beforeAll(async () => {
    const secrets = `whsec_of_accounts, ${KEYS.STRIPE_WEBHOOK_SECRET},`
    stage = await openStage(name, 4, { STRIPE_CONNECT: 'on', STRIPE_WEBHOOK_SECRET: secrets })
  })
  afterAll(() => stage.close())
  const THIN = 'v2.core.account[configuration.recipient].capability_status_updated'

  type Owner = Awaited<ReturnType<Stage['owner']>>
  const news = async (account: string, isReady: boolean) => {
    stage.stripe.connect.setReady(account, isReady)
    await stage.hears(THIN, { id: account, type: 'v2.core.account' })
  }
  /** Creates an owner to whom Stripe may send money. */
  async function owner(): Promise<Owner> {
    const olivia = await stage.owner()
    await stage.ask(olivia, '/payouts')
    await news(await stage.accountOf(olivia), true)
    return olivia
  }
  /** Creates a member who has paid for a place in the owner's plan and has access. */
  async function member(olivia: Owner, known?: string) {
    const plan = known ? { id: known } : await sharePaid(olivia)
    const mia = await stage.user('mia')
    await stage.saveCard(mia, `pm_works_${mia.id}`)
    const payment = await stage.admit(mia, olivia, plan.id)
    return { ...mia, plan: plan.id, payment }
  }
  const pass = (days: number) => stage.pass(days)
  const cents = async (kind: string, { id }: { id: string }) => {
    const [row] = await stage.sql<{
      cents: number
    }>`select round(balance * 100)::integer as cents from private.ledger_accounts
      where kind = ${kind} and owner = ${id}`
    return row?.cents ?? 0
  }
  const sentFor = (payment: string) =>
    [...stage.stripe.connect.transfers.values()].filter(({ transfer_group: group }) => group === payment)
  const sum = (all: { amount: number }[]) => all.reduce((total, { amount }) => total + amount, 0)
  const payouts = async ({ client }: { client: Owner['client'] }) => (await client.rpc('my_payouts')).data
  const dispute = async (payment: string, status: string) => {
    const [intent] = stage.intentsOf(payment)
    const object = {
      id: `dp_${payment}`,
      payment_intent: intent?.id,
      amount: 550,
      status,
      reason: 'fraudulent',
    }
    const evidence_details = { due_by: null }
    await stage.hears('charge.dispute.updated', { ...object, evidence_details, balance_transactions: [] })
  }

  test('is opened on Stripe’s pages; only then may members pay by card', async () => {
    const olivia = await stage.owner()
    const first = 'Set up your payouts first, so that members can pay by card'
    expect(await refusalOf(sharePaid(olivia))).toEqual(rule(first))
    expect(await refusalOf(olivia.sql`select move_coins_to_account()`)).toEqual(
      rule('Set up your payouts first'),
    )
    await olivia.sql`select set_country('AT')`
    const { url } = await stage.ask(olivia, '/payouts')
    const account = await stage.accountOf(olivia)
    expect(url).toBe(`https://connect.stripe.test/onboarding/${account}`)
    expect(stage.stripe.asked.find(({ path }) => path === '/v2/core/accounts')?.params).toMatchObject({
      dashboard: 'express',
      contact_email: olivia.email,
      identity: { country: 'AT' },
      configuration: {
        recipient: { capabilities: { stripe_balance: { stripe_transfers: { requested: true } } } },
      },
    })
    await stage.ask(olivia, '/payouts')
    expect(await stage.accountOf(olivia)).toBe(account)
    await stage.ask(olivia, '/payouts/check')
    expect(await payouts(olivia)).toMatchObject({ account: { canReceive: false, asked: ASKED } })
    expect(await refusalOf(sharePaid(olivia))).toEqual(rule(first))
    await news(account, true)
    expect(await payouts(olivia)).toMatchObject({
      account: { canReceive: true, asked: [] },
      coming: 0,
      there: 0,
    })
    expect(await stage.told(olivia)).toContain('payout-account-ready')
    await sharePaid(olivia)
    expect((await stage.ask(olivia, '/payouts/dashboard')).url).toContain(account)
    await stage.hears(THIN, { id: 'acct_of_nobody', type: 'v2.core.account' })
    await owner()
    const opened = stage.stripe.asked.filter(
      ({ method, path }) => `${method} ${path}` === 'POST /v2/core/accounts',
    )
    expect(opened.at(-1)?.params).not.toHaveProperty('identity')
  })

  test('lists its newest twenty transfers', async () => {
    const olivia = await owner()
    const forge = (sql: string) =>
      stage.db.transaction((tx) => tx.script(`set local session_replication_role = replica; ${sql}`))
    await forge(`insert into private.account_transfers (user_id, amount, status, reference, created_at)
      select '${olivia.id}', n, 'sent', 'listed ' || n, now() + n * interval '1 second' from generate_series(1, 21) as n`)
    const amounts = (await payouts(olivia)).transfers.map(({ amount }: { amount: number }) => amount)
    expect(amounts).toEqual(Array.from({ length: 20 }, (_, at) => 21 - at))
    await forge(`delete from private.account_transfers where reference ^@ 'listed '`)
  })

  test('is sent what is earned as it is earned, of the charge that paid it, once, though answers are lost', async () => {
    const olivia = await owner()
    const { payment } = await member(olivia)
    await pass(1)
    await stage.tick()
    expect(sentFor(payment)).toEqual([])
    stage.stripe.troubles.push({ at: '/transfers', does: 'does it, then breaks', times: 1 })
    await pass(7)
    for (const _again of [1, 2, 3]) await stage.hurry()
    const [first, ...none] = sentFor(payment)
    expect(none).toEqual([])
    const [intent] = stage.intentsOf(payment)
    expect(first).toMatchObject({
      destination: await stage.accountOf(olivia),
      source_transaction: intent?.latest_charge,
    })
    await pass(30)
    await stage.hurry()
    expect(sum(sentFor(payment))).toBe(500)
    expect(await cents('wallet', olivia)).toBe(0)
    expect(stage.stripe.connect.balances.get(await stage.accountOf(olivia))).toBe(
      await cents('connected', olivia),
    )
    await stage.books()
  })

  test('is not sent what goes back to a member: before it is earned it is refunded, to the cent', async () => {
    const olivia = await owner()
    const mia = await member(olivia)
    await pass(10)
    await olivia.sql`delete from subscription_members where subscription_id = ${mia.plan} and user_id = ${mia.id}`
    await stage.hurry()
    const [fee] = await stage.sql<{
      cents: number
    }>`select round(earned_fee * 100)::integer as cents from member_payments where id = ${mia.payment}`
    const back = sum(stage.refundsOf(mia.payment).map(({ amount = 0 }) => ({ amount })))
    expect(sum(sentFor(mia.payment)) + back + (fee?.cents ?? 0)).toBe(550)
    expect(back).toBeGreaterThan(300)
    await stage.books()
  })

  test('gives back what a bank takes, once; what is no longer there is owed and taken later; a dispute that is won returns it', async () => {
    const olivia = await owner()
    const account = await stage.accountOf(olivia)
    const mia = await member(olivia)
    const { payment } = mia
    // If a member leaves, the owner earns the rest of the period.
    await stage.leaveLate(mia)
    await stage.hurry()
    await stage.hears('payout.paid', { ...stage.stripe.connect.payOut(account), status: 'paid' }, 2, account)
    expect(await cents('connected', olivia)).toBe(stage.stripe.connect.balances.get(account))
    for (const _again of [1, 2]) await dispute(payment, 'needs_response')
    await stage.hurry()
    expect(stage.stripe.connect.reversals).toEqual([])
    expect(await payouts(olivia)).toMatchObject({ there: 0, owed: 5 })
    expect(await stage.told(olivia)).toContain('payout-taken-back')
    await stage.books()

    const other = await member(olivia, mia.plan)
    await pass(35)
    for (const _again of [1, 2, 3]) await stage.hurry()
    expect(sum(stage.stripe.connect.reversals)).toBe(500)
    expect(sum(sentFor(other.payment))).toBe(500)
    expect(await cents('connected', olivia)).toBe(stage.stripe.connect.balances.get(account))
    await dispute(payment, 'won')
    await stage.hurry()
    expect(sum(sentFor(payment)) - sum(stage.stripe.connect.reversals)).toBe(500)
    expect(await cents('connected', olivia)).toBe(stage.stripe.connect.balances.get(account))
    await stage.books()
  })

  test('that cannot be sent money has it in the wallet, and it is moved when it can', async () => {
    const olivia = await owner()
    const account = await stage.accountOf(olivia)
    const mia = await member(olivia)
    stage.stripe.connect.setReady(account, false)
    await pass(8)
    await stage.hurry()
    const earned = await cents('wallet', olivia)
    expect(earned).toBeGreaterThan(0)
    expect([await cents('connected', olivia), await stage.told(olivia)]).toEqual([
      0,
      expect.arrayContaining(['payout-account-refused']),
    ])
    await news(account, false)
    await pass(8)
    await stage.hurry()
    expect(await cents('wallet', olivia)).toBeGreaterThan(earned)
    await news(account, true)
    const moved = await cents('wallet', olivia)
    // Coins that a bank may still take back cannot be moved, as with a withdrawal.
    const move = () => refusalOf(olivia.sql`select move_coins_to_account()`)
    const early = await move()
    expect(early).toMatchObject({
      message: expect.stringMatching(
        /^Your coins wait until \d+ \w+ \d{4}, as a bank may take back the first payments to you$/,
      ),
    })
    expect(await refusalOf(olivia.sql`select delete_own_account()`)).toEqual(early)
    await pass(23)
    await dispute(mia.payment, 'needs_response')
    expect(await move()).toEqual(
      rule('A payment to you is disputed, so your coins wait until that’s settled'),
    )
    expect(await payouts(olivia)).toMatchObject({ coinsWaitUntil: 'infinity' })
    await dispute(mia.payment, 'won')
    expect(await payouts(olivia)).toMatchObject({ coinsWaitUntil: null })
    expect(
      Number((await olivia.sql<{ coins: string }>`select move_coins_to_account() as coins`)[0]?.coins),
    ).toBe(moved / 100)
    expect(await refusalOf(olivia.sql`select move_coins_to_account()`)).toEqual(
      rule('There are no coins to move'),
    )
    for (const _again of [1, 2, 3]) await stage.hurry()
    expect([await cents('wallet', olivia), stage.stripe.connect.balances.get(account)]).toEqual([
      0,
      await cents('connected', olivia),
    ])
    await stage.books()
  })

  test('is paid out by Stripe: booked once, and back where the bank returns it, in whatever order it is heard', async () => {
    const olivia = await owner()
    const account = await stage.accountOf(olivia)
    await member(olivia)
    await pass(35)
    await stage.hurry()
    const payout = stage.stripe.connect.payOut(account)
    const hear = (status: string, times = 1) =>
      stage.hears(
        `payout.${status === 'in_transit' ? 'updated' : status}`,
        { ...payout, status },
        times,
        account,
      )
    await hear('paid', 2)
    await hear('in_transit')
    expect(await payouts(olivia)).toMatchObject({ there: 0, payouts: [{ amount: 5, status: 'paid' }] })
    stage.stripe.connect.bounce(account, payout)
    await hear('failed', 2)
    await hear('paid')
    expect(await payouts(olivia)).toMatchObject({ there: 5, payouts: [{ status: 'failed' }] })
    expect(await stage.told(olivia)).toContain('payout-returned')
    await stage.books()
    // Events of the site's own payouts and of an unknown account's payouts are not recorded.
    await stage.hears('payout.paid', { ...payout, id: 'po_site', status: 'paid' })
    await stage.hears('payout.paid', { ...payout, id: 'po_strange', status: 'paid' }, 1, 'acct_of_nobody')
    expect(
      await stage.sql`select id from private.account_payouts where id in ('po_site', 'po_strange')`,
    ).toEqual([])
  })

  test('gives back what was sent of payments that staff refunds after a warning or by hand at Stripe, and nothing in the books differs', async () => {
    const ada = await addStaff(stage.db, 'Ada', 'admin')
    const olivia = await owner()
    const { payment: warned, plan } = await member(olivia)
    const [{ payment: byHand }, disputed] = [await member(olivia, plan), await member(olivia, plan)]
    await pass(8)
    await stage.hurry()
    const intentOf = (id: string) => stage.intentsOf(id)[0]?.id ?? ''
    const refund = { payment_intent: intentOf(byHand), amount: 550, status: 'succeeded', metadata: {} }
    const warning = { id: 'issfr_1', payment_intent: intentOf(warned), fraud_type: 'misc', actionable: true }
    await stage.hears('radar.early_fraud_warning.created', warning)
    for (const [payment, give] of [
      [warned, () => ada.sql`select decide_fraud_warning('issfr_1', true)`],
      [byHand, () => stage.hears('refund.created', stage.stripe.make('refund', 're', refund), 2)],
    ] as const) {
      const [sent, ...none] = sentFor(payment)
      expect([(sent?.amount ?? 0) > 0, none]).toEqual([true, []])
      const { guarantee = 0 } = await stage.books()
      await give()
      const [row] = await stage.sql<{
        fee: number
      }>`select earned_fee::float8 as fee from member_payments where id = ${payment}`
      expect((await stage.books()).guarantee).toBeCloseTo(guarantee - (row?.fee ?? 0), 6)
      await stage.hurry()
      const back = stage.stripe.connect.reversals.filter(({ transfer }) => transfer === sent?.id)
      expect(sum(back)).toBe(sent?.amount)
      expect(sum(stage.refundsOf(payment).map(({ amount = 0 }) => ({ amount })))).toBe(550)
    }
    await stage.hears('charge.dispute.created', stage.stripe.dispute(intentOf(disputed.payment)), 2)
    await stage.hurry()
    expect((await stage.told(olivia)).filter((event) => event === 'payout-taken-back')).toHaveLength(3)
    const account = await stage.accountOf(olivia)
    expect(await cents('connected', olivia)).toBe(stage.stripe.connect.balances.get(account))
    await stage.sql`update private.clock set ahead = ahead + interval '1 day'`
    await stage.sql`select private.queue_reconciliation()`
    for (const _again of [1, 2]) await stage.hurry()
    expect(
      await stage.sql`select type from unknown_payment_events where id like 'account:%'
        or about in (${intentOf(warned)}, ${intentOf(byHand)}, ${intentOf(disputed.payment)})`,
    ).toEqual([])
  })

  test('is compared each night with the books: what differs is named with its account, and nothing on a right day', async () => {
    const { connect, things, troubles, asked } = stage.stripe
    const night = async () => {
      await stage.sql`update private.clock set ahead = ahead + interval '1 day'`
      await stage.sql`select private.queue_reconciliation()`
      for (const _again of [1, 2]) await stage.hurry()
      return stage.sql`select type, about from unknown_payment_events where id like 'account:%' order by type collate "C"`
    }
    const thing = (field: string, id: string | undefined) =>
      [...things.values()].find((one) => one[field] && one[field] === id) ?? expect.unreachable()
    const idle = await stage.accountOf(await owner())
    // The comparison agrees with everything that happened to accounts in this file: transfers, reversals, debts, a
    // payout and one that the bank returned.
    expect(await night()).toEqual([])
    const lists = () =>
      asked.filter(({ path }) => path === '/v1/balance_transactions').map(({ account }) => account)
    expect(lists()).not.toContain(idle)

    /**
     * People who were sent 5.00 each, with the state of that transfer. They are prepared one after another, because a
     * worker may make other people's charges too, which takes time.
     */
    const people: (Awaited<ReturnType<typeof member>> & { account: string })[] = []
    while (people.length < 5) {
      const olivia = await owner()
      people.push({ ...(await member(olivia)), account: await stage.accountOf(olivia) })
    }
    // No due work runs here: it would also send money to accounts that have been compared already, and the double would
    // date these transfers by the real clock.
    await stage.moveClock(DAYS_TO_WITHDRAW)
    for (const mia of people) await stage.leave(mia, mia.plan)
    await stage.hurry()
    const paid = people.map((one) => {
      const [transfer] = sentFor(one.payment)
      const movement = thing('source', thing('source_transfer', transfer?.id).id)
      return { ...one, transfer: transfer?.id, movement }
    })
    const next = () => paid.pop() ?? expect.unreachable()
    const [short, robbed, silent, kept, lost] = [next(), next(), next(), next(), next()]
    Object.assign(short.movement, { amount: 400, net: 400 })
    const fee = connect.put(robbed.account, 'stripe_fee', -700)
    // The balance is below zero: Stripe debits the owner's bank, which then refuses.
    const taken = connect.payOut(robbed.account)
    expect(taken.amount).toBe(-200)
    for (const status of ['paid', 'failed']) {
      await stage.hears(`payout.${status}`, { ...taken, status }, 2, robbed.account)
      await stage.books()
    }
    connect.bounce(robbed.account, taken)
    const payout = connect.payOut(silent.account)
    await dispute(kept.payment, 'needs_response')
    await stage.hurry()
    const [reversal = { id: '' }] = connect.reversals.filter(({ transfer }) => transfer === kept.transfer)
    const back = thing('source_transfer_reversal', reversal.id)
    things.delete(thing('source', back.id).id)
    things.delete(lost.movement.id)
    troubles.push({ at: '/v1/balance_transactions', does: 'refuses', after: 2, times: 1 })
    const found = [
      { type: `Not in the books: payout of €5.00, account ${silent.account}`, about: payout.id },
      { type: `Not in the books: stripe fee of €7.00, account ${robbed.account}`, about: fee.id },
      {
        type: `€0.00 at the provider, €-5.00 in the books: reversal, account ${kept.account}`,
        about: reversal.id,
      },
      {
        type: `€0.00 at the provider, €5.00 in the books: transfer, account ${lost.account}`,
        about: lost.transfer,
      },
      {
        type: `€4.00 at the provider, €5.00 in the books: transfer, account ${short.account}`,
        about: short.transfer,
      },
    ]
    expect(await night()).toEqual(found)
    await stage.books()
  })

  test('is nobody else’s, and closed to people who are signed out', async () => {
    const olivia = await owner()
    const answer = await stage.host.call({ path: '/payouts', body: '{}' })
    expect(answer.status).toBe(401)
    const stranger = await stage.owner()
    await stage.sql`update private.payment_provider set connect = false`
    const elsewhere = rule('This site pays owners by bank transfer')
    expect(await refusalOf(stranger.sql`select own_payout_account(true)`)).toEqual(elsewhere)
    await stage.sql`update private.payment_provider set connect = true`
    expect(await payouts(stranger)).toMatchObject({ account: null, transfers: [], payouts: [] })
    for (const call of [
      'register_account',
      'record_account',
      'record_account_transfer',
      'record_account_reversal',
      'record_account_payout',
    ])
      expect((await olivia.client.rpc(call)).error).not.toBeNull()
  })
})
